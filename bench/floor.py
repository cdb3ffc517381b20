"""What everything is compared with: one plain regular expression of the usual shapes, put in place of what it finds. It knows no name."""

import re
import time
from collections.abc import Sequence

_SHAPES = re.compile(
    r"(?P<email>[\w.+%-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<card>\b(?:\d[ -]?){13,16}\b)"
    r"|(?P<iban>\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b)"
    r"|(?P<id>\b\d{1,3}(?:\.\d{3}){2,3}-?[\dkK]{0,2}\b|\b\d{7,8}-[\dkK]\b|\b[A-Z]{4}\d{6}\w{3,8}\b)"
    r"|(?P<phone>(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){2,3}\b)"
)


def masked(text: str) -> str:
    """The text without what has such a shape."""
    return _SHAPES.sub("[x]", text)


def seconds(texts: Sequence[str]) -> float:
    """How long the plain pass takes over these texts now."""
    started = time.perf_counter()
    for text in texts:
        masked(text)
    return time.perf_counter() - started
