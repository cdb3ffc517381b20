"""Values that one writer cut over two neighbouring messages.

The second message is read as if it went on where the first ends, with a blank between and without one; so a cue at the
end of the first governs a number at the start of the second.
"""

import re

from veil.scrub import cues, finding
from veil.scrub.sorts import Hit, Region, Sort
from veil.scrub.view import is_odd
from veil.scrub.vocabulary import fold, words

_REACH = 80
"""No value and its cue are longer."""
_NEAR = 40
_DIGIT = re.compile(r"\d")
_OPENING = re.compile(r"\W{0,2}(?:[^\W\d]{1,4}(?![^\W\d])|[^\W\d_]+\d|\d+[^\W\d_])")
"""A head that can go on from digits: a check letter, or letters and digits in one word."""
_ANNOUNCING = frozenset(word for word, cue in cues.CUES.items() if cue in cues.LOOSE) | frozenset("abcdefghijklmnopqrstuvwxyz")
"""Cues of somebody's data, and initials ("d.n.i.")."""


def find_across(first: str, second: str, region: Region) -> tuple[list[Hit], list[Hit]]:
    """The hits of two neighbouring messages of one author, values cut between them included."""
    left, right = find_cut(first, second, region)
    return finding.merge(finding.find(first, region) + left), finding.merge(finding.find(second, region) + right)


def find_cut(first: str, second: str, region: Region) -> tuple[list[Hit], list[Hit]]:
    """Only what shows when the two are read as one: where it stands in the first, and where in the second."""
    left: list[Hit] = []
    right: list[Hit] = []
    if not may_run_on(first, second):
        return left, right
    head, tail = first.rstrip(), len(second) - len(second.lstrip())
    base = max(0, len(head) - _REACH)
    edge = len(head) - base
    whole = _ends_in_word(head)
    for joint in (" ", ""):
        text = head[base:] + joint + second[tail : tail + _REACH]
        for hit in finding.find(text, region):
            if (base and hit.start == 0) or (hit.end == len(text) and tail + _REACH < len(second)):
                continue
            if whole and not joint and hit.sort in (Sort.ID, Sort.SECRET) and hit.start < edge:
                continue
            if hit.start < edge < hit.end:
                left.append(Hit(base + hit.start, len(head), hit.sort, hit.value))
            if hit.end > edge + len(joint):
                start = max(0, hit.start - edge - len(joint))
                right.append(Hit(tail + start, tail + hit.end - edge - len(joint), hit.sort, hit.value))
    return left, right


def may_run_on(first: str, second: str) -> bool:
    """Whether a value could be cut between two messages: a cheap look at the end of one and the start of the other."""
    tail, head = first.rstrip()[-_REACH:], second.lstrip()[:_REACH]
    if not tail or not head:
        return False
    if "@" in tail or "@" in head or is_odd(tail) or is_odd(head):
        return True
    said = words(fold(f"{tail} {head}"))
    if not finding.TELLING.isdisjoint(said):
        return True
    ends = _DIGIT.search(tail, len(tail) - _NEAR if len(tail) > _NEAR else 0) is not None
    starts = _DIGIT.search(head, 0, _NEAR) is not None
    if ends and (starts or _OPENING.match(head)):
        return True
    return starts and (not _ANNOUNCING.isdisjoint(said) or tail[-1].isupper() or _OPENING.match(head) is not None)


def _ends_in_word(head: str) -> bool:
    """Whether the last word is a whole one ("mi rut es"), which no id goes on from."""
    word = fold(head[-12:]).split()[-1:]
    return bool(word) and len(word[0]) > 1 and (word[0] in cues.FILLERS or word[0] in cues.CUES)
