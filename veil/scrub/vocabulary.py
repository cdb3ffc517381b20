"""How word lists are written here, and how a text is made comparable to them.

Word lists are running text, so that a list stays readable and can be compared.
"""

import re

_ACCENTS = str.maketrans("áàâãäéèêëíìîïóòôõöúùûüçñºª", "aaaaaeeeeiiiiooooouuuucn°a")


def listed(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


def fold(text: str) -> str:
    """Lower case without the accents of es and pt, of the same length."""
    try:
        return text.encode("latin-1").translate(_LATIN).decode("latin-1")
    except UnicodeEncodeError:
        return "".join([fold(part) if part < "\u0100" else _lower(part) for part in _BEYOND.split(text)])


def words(low: str) -> list[str]:
    """The words of a folded text: what tells whether a slower search is worth while."""
    return low.encode("latin-1", "replace").translate(_SPLIT).decode("latin-1").split()


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join([c.lower() if len(c.lower()) == 1 else c for c in text])


_BEYOND = re.compile("([^\x00-\xff]+)")
_POINTS = bytes(range(256)).decode("latin-1")
_LATIN = _POINTS.lower().translate(_ACCENTS).encode("latin-1")
"""`fold` as a table of bytes: a pass over text that Latin-1 can hold costs next to nothing."""
_SPLIT = "".join([c if c.isalnum() else " " for c in _POINTS]).encode("latin-1")
