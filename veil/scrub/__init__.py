"""One-way scrubbing: values that detectors know by their form, their check digit or the words beside them.

Pure: no I/O, no database. `find` says where values stand; the caller renders a placeholder that names the sort only.
`find_cut` says what one writer cut over two messages; `may_run_on` tells cheaply that there is nothing of the kind.
"""

from veil.scrub.across import find_across, find_cut, may_run_on
from veil.scrub.finding import find, merge
from veil.scrub.phones import equivalents
from veil.scrub.sorts import PLACEHOLDERS, STRICTNESS, VERSION, Hit, Region, Sort

__all__ = [
    "PLACEHOLDERS",
    "STRICTNESS",
    "VERSION",
    "Hit",
    "Region",
    "Sort",
    "equivalents",
    "find",
    "find_across",
    "find_cut",
    "may_run_on",
    "merge",
]
