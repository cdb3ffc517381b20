"""How word lists are written here: as running text, so that a list stays readable and can be compared."""


def listed(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())
