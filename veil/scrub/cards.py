"""Payment cards: issuer prefix, its lengths, Luhn.

Bare digits count in the lengths their issuer really uses (14, 15, 16), grouped ones at the borders of the groups
printed on cards. With a cue beside it a number of card length counts also when its check digit is wrong.
"""

from itertools import pairwise

from stdnum import luhn

from veil.scrub.chains import Chain

SHORTEST = 13
"""Fewer digits has no card."""
_GROUPINGS = frozenset(
    {
        (4, 4, 4, 4),
        (3, 4, 4, 4),
        (4, 4, 4, 4, 2),
        (4, 4, 4, 4, 3),
        (4, 4, 4, 1),
        (4, 4, 8),
        (4, 6, 4),
        (4, 6, 5),
        (4, 8, 4),
        (4, 12),
        (6, 4, 6),
        (6, 9),
        (6, 10),
        (8, 4, 4),
        (8, 8),
        (12, 4),
    }
)
_PRINTED = (4, 4, 4, 4)
"""The grouping that may have wide gaps: others are two numbers side by side."""


def read(chain: Chain, first: int, *, cue: bool) -> int | None:
    """The group after the card that starts at group `first`, if one does."""
    sizes: list[int] = []
    for last in range(first, min(len(chain.groups), first + 5)):
        start, end = chain.groups[last]
        sizes.append(end - start)
        total = sum(sizes)
        if total < SHORTEST:
            continue
        if total > 19:
            return None
        if _grouped(chain, first, sizes) and not _goes_on(chain, last, sizes):
            digits = chain.digits(first, last + 1)
            if cue or (issued(digits, bare=len(sizes) == 1) and luhn.is_valid(digits)):
                return last + 1
    return None


def read_printed(chain: Chain, first: int) -> int | None:
    """The group after four groups of four digits that an issuer's prefix opens."""
    sizes = chain.sizes(first, first + 4)
    if tuple(sizes) != _PRINTED or _goes_on(chain, first + 3, sizes):
        return None
    return first + 4 if issued(chain.digits(first, first + 4), bare=False) else None


def side_by_side(chain: Chain) -> bool:
    """Whether the groups are nothing but printed cards: a list, the row of a table."""
    return len(chain.groups) % 4 == 0 and all(opens(chain, first) for first in range(0, len(chain.groups), 4))


def opens(chain: Chain, first: int) -> bool:
    """Whether a card in its printed groups, with its check digit, starts at group `first`."""
    digits = chain.digits(first, first + 4)
    return chain.sizes(first, first + 4) == [4, 4, 4, 4] and issued(digits, bare=False) and luhn.is_valid(digits)


def issued(digits: str, *, bare: bool) -> bool:
    """Whether an issuer of cards with this prefix uses this length."""
    size, two, four = len(digits), int(digits[:2]), int(digits[:4])
    if two in (34, 37):
        return size == 15
    if digits[0] == "3":
        return size in (14, 16) and two in (30, 35, 36, 38, 39)
    if digits[0] == "2":
        return size == 16 and 2221 <= four <= 2720
    if digits[0] in "456":
        return size == 16 or (not bare and size in (13, 18, 19))
    return False


def _grouped(chain: Chain, first: int, sizes: list[int]) -> bool:
    if len(sizes) == 1 or tuple(sizes) == _PRINTED:
        return True
    if tuple(sizes) not in _GROUPINGS:
        return False
    return all(b[0] - a[1] == 1 for a, b in pairwise(chain.groups[first : first + len(sizes)]))


def _goes_on(chain: Chain, last: int, sizes: list[int]) -> bool:
    """A further group of the same make says that this is a longer code (a tracking number, an NF-e key)."""
    if last + 1 >= len(chain.groups) or len(sizes) == 1:
        return False
    start, end = chain.groups[last + 1]
    before, here = chain.groups[last][1], chain.groups[last][0]
    if opens(chain, last + 1):
        return False
    same = chain.text[before:start] == chain.text[chain.groups[last - 1][1] : here]
    return same and end - start >= 3 and sum(sizes) + end - start > 19
