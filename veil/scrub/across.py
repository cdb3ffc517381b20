"""Values that one writer cut over two neighbouring messages.

The second message is read as if it went on where the first ends, with a blank between and without one; so a cue at the
end of the first governs a number at the start of the second.
"""

import re

from stdnum import luhn

from veil.scrub import accounts, cues, finding, ids, phones, spelling
from veil.scrub.emails import USUAL
from veil.scrub.sorts import Hit, Region, Sort
from veil.scrub.view import is_odd
from veil.scrub.vocabulary import fold, words

_REACH = 80
"""No value and its cue are longer."""
_NEAR = 40
_EDGE = 8
"""Two halves of a number have digits so close to the cut."""
_SPELT = frozenset({"arroba", "arrova", "aroba", "at", "punto", "ponto", "dot", "guion", "underscore"})
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
    for joint in (" ", ""):
        text = head[base:] + joint + second[tail : tail + _REACH]
        for hit in finding.find(text, region):
            if (base and hit.start == 0) or (hit.end == len(text) and tail + _REACH < len(second)):
                continue
            over = hit.end - edge - len(joint)
            if over <= 0 or not _is_cut(hit, text, edge, joint, region):
                continue
            if hit.start < edge:
                left.append(Hit(base + hit.start, len(head), hit.sort, hit.value))
            right.append(Hit(tail + max(0, hit.start - edge - len(joint)), tail + over, hit.sort, hit.value))
    return left, right


def may_run_on(first: str, second: str) -> bool:
    """Whether a value could be cut between two messages: a cheap look at the end of one and the start of the other."""
    tail, head = first.rstrip()[-_REACH:], second.lstrip()[:_REACH]
    if not tail or not head:
        return False
    if "@" in "".join(tail.split()[-2:]) or "@" in "".join(head.split()[:2]) or is_odd(tail) or is_odd(head):
        return True
    ended, started = words(fold(tail[-_NEAR:])), words(fold(head[:_NEAR]))
    if not _SPELT.isdisjoint(ended[-3:]) or not _SPELT.isdisjoint(started[:3]):
        return True
    announced = not _ANNOUNCING.isdisjoint(ended[-4:]) or _ASKED.search(fold(tail)) is not None
    spoken = not spelling.NUMERALS.keys().isdisjoint(started[:2])
    if spoken and (announced or not spelling.NUMERALS.keys().isdisjoint(ended[-2:])):
        return True
    if announced and (_DIGIT.search(head[:_NEAR]) or _ASKED.search(fold(tail))):
        return True
    ends, starts = _DIGIT.search(tail[-_EDGE:]) is not None, _DIGIT.search(head[:_EDGE]) is not None
    if ends and (starts or _OPENING.match(head)):
        return True
    return starts and (tail[-1].isupper() or tail[-1] in "(+-./" or _OPENING.match(head) is not None)


def _is_cut(hit: Hit, text: str, edge: int, joint: str, region: Region) -> bool:
    """Whether what shows in the two together is one value, or a value whose cue the first message ends with."""
    head, part = text[:edge], text[edge + len(joint) : hit.end]
    if hit.start >= edge:
        return joint == " " and (hit.sort is not Sort.SECRET or (hit.start == edge + 1 and _ASKED.search(fold(head)) is not None))
    if hit.sort is Sort.SECRET:
        return False
    if hit.sort is Sort.EMAIL:
        if "@" in text[hit.start : edge]:
            return not _is_whole(text[hit.start : edge], part)
        return _opens_address(head)
    own = [found for found in finding.find(head, region) if found.end >= edge - 1]
    if own and ((len(part) > 1 and part.isalpha()) or (part[0].isdecimal() and _overgrows(own[-1], hit, text, region))):
        return False
    return joint == " " or hit.sort is not Sort.ID or not _ends_in_word(head)


def _overgrows(own: Hit, hit: Hit, text: str, region: Region) -> bool:
    """Whether the first message ends with a value that lacks nothing, and the digits of the second make none of it."""
    return _has_all(own, text, region) and not _has_all(hit, text, region)


def _has_all(hit: Hit, text: str, region: Region) -> bool:
    """Whether a value is whole by its plan or its check digit."""
    written = text[hit.start : hit.end]
    digits = "".join([c for c in written if c.isdecimal()])
    if hit.sort is Sort.PHONE:
        read = phones.normal if "+" in written else phones.planned
        return read(digits, region.phone_regions) is not None
    if hit.sort is Sort.CARD:
        return luhn.is_valid(digits)
    if hit.sort is Sort.ACCOUNT:
        return accounts.read_iban(written, 0) == len(written) or accounts.has_check(digits)
    reading = ids.read(written, 0, region.id_countries)
    return reading is not None and reading.strong and reading.end == len(written)


def _is_whole(address: str, part: str) -> bool:
    """Whether the first message ends in a whole address, and the second goes on with a word of its own."""
    return address.rpartition(".")[2].lower() in USUAL and part[:1].isalpha() and "." not in part


def _opens_address(head: str) -> bool:
    """Whether the last word can be the beginning of an address: it stands alone or behind a cue, or has signs in it."""
    *before, last = fold(head).split()
    if not any(c.isalpha() for c in last) or last[-1] in _CLOSING:
        return False
    return not before or not last.isalpha() or before[-1].endswith(":") or before[-1] in _LEADING


def _ends_in_word(head: str) -> bool:
    """Whether the last word is a whole one ("mi rut es"), which no id goes on from; capitals may be an id's own."""
    last = head[-12:].split()[-1:]
    if not last or len(last[0]) < 2 or last[0].isupper():
        return False
    word = fold(last[0])
    return word in cues.FILLERS or word in cues.CUES


_ASKED = re.compile(
    r"(?<![a-z])(?:claves?|contrasen[ai]a?|password|senha|pin|token|otp|cvv|passcode|codigo de [a-z]+)\s?(?:(?:es|is|e)(?: (?:la|el|a|o))?|:|=)?$"
)
"""A first message that ends so announces the secret that the second one is."""
_CLOSING = frozenset('!?,;:)"')
"""Signs that end a sentence; an address could hold the first two, but nobody's does."""
_LEADING = frozenset({"es", "is", "e", "correo", "mail", "email", "e-mail"})
