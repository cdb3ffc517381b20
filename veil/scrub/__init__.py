"""One-way scrubbing: values that detectors know by their form, their check digit or the words beside them.

Pure: no I/O, no database. `find` says where values stand; the caller renders a placeholder that names the sort only.
"""

from veil.scrub.finding import find, find_across, merge
from veil.scrub.phones import equivalents
from veil.scrub.sorts import PLACEHOLDERS, STRICTNESS, VERSION, Hit, Region, Sort

__all__ = ["PLACEHOLDERS", "STRICTNESS", "VERSION", "Hit", "Region", "Sort", "equivalents", "find", "find_across", "merge"]
