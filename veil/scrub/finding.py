"""The one pass: candidates of all families, fences, and what remains.

Everything numeric starts from the digit chains of the text; addresses start from their at signs. Positions are those
of the working text (view.py) until the very end.
"""

from dataclasses import dataclass
from enum import Enum

from veil.scrub import accounts, cards, cues, emails, fences, ids, phones, urls
from veil.scrub.chains import Chain, chains
from veil.scrub.cues import Cue
from veil.scrub.sorts import STRICTNESS, Hit, Region, Sort
from veil.scrub.view import View, views


_FEWEST = 6


class Place(Enum):
    """Where a chain stands."""

    TEXT = "text"
    ADDRESS = "address"
    MESSENGER = "messenger"


@dataclass(frozen=True, slots=True)
class Found:
    """A hit in positions of the working text."""

    start: int
    end: int
    sort: Sort
    value: str | None


def find(text: str, region: Region) -> list[Hit]:
    """Every value of `text` that must not leave, in order, without overlaps."""
    found: list[Found] = []
    for seen in views(text):
        found += [_back(seen, each) for each in merge(_search(seen.text, region))]
    return [Hit(f.start, f.end, f.sort, f.value) for f in merge(found)]


def find_across(first: str, second: str, region: Region) -> tuple[list[Hit], list[Hit]]:
    """The hits of two neighbouring messages of one author, values cut between them included."""
    left, right = find(first, region), find(second, region)
    reach = 40
    head = first.rstrip()
    tail = len(second) - len(second.lstrip())
    base = max(0, len(head) - reach)
    joint = head[base:] + " " + second[tail : tail + reach]
    edge = len(head) - base
    for hit in find(joint, region):
        if hit.start < edge and hit.end > edge + 1:
            left.append(Hit(base + hit.start, len(head), hit.sort, hit.value))
            right.append(Hit(tail, tail + hit.end - edge - 1, hit.sort, hit.value))
    return _union(left), _union(right)


def merge(found: list[Found]) -> list[Found]:
    """Overlapping spans as their union with the stricter sort."""
    merged: list[Found] = []
    for each in sorted(found, key=lambda f: (f.start, -f.end)):
        if merged and each.start < merged[-1].end:
            last = merged[-1]
            strict = max((last, each), key=lambda f: STRICTNESS[f.sort])
            merged[-1] = Found(last.start, max(last.end, each.end), strict.sort, strict.value)
        else:
            merged.append(each)
    return merged


def _union(hits: list[Hit]) -> list[Hit]:
    return [Hit(f.start, f.end, f.sort, f.value) for f in merge([Found(h.start, h.end, h.sort, h.value) for h in hits])]


def _back(seen: View, found: Found) -> Found:
    start, end = seen.original(found.start, found.end)
    return Found(start, end, found.sort, found.value)


def _search(text: str, region: Region) -> list[Found]:
    found: list[Found] = []
    if "@" in text:
        found += _emails(text)
    at = 0
    for address in urls.find(text):
        for chain in chains(text, at, address.start):
            found += _of_chain(chain, region, Place.TEXT)
        found += _in_address(address, region)
        at = address.end
    for chain in chains(text, at):
        found += _of_chain(chain, region, Place.TEXT)
    return found


def _emails(text: str) -> list[Found]:
    return [Found(a, b, Sort.EMAIL, text[a:b].lower()) for a, b in emails.find(text)]


def _in_address(address: urls.Address, region: Region) -> list[Found]:
    found = _emails(address.text) if "@" in address.text else []
    place = Place.MESSENGER if address.messenger else Place.ADDRESS
    for chain in chains(address.text):
        found += _of_chain(chain, region, place)
    return [Found(*address.original(f.start, f.end), f.sort, f.value) for f in found]


def _of_chain(chain: Chain, region: Region, place: Place) -> list[Found]:
    found: list[Found] = []
    index = 0
    lettered = _lettered(chain, region)
    if lettered is not None:
        found.append(lettered)
        index = _next(chain, lettered.end)
    sizes = [b - a for a, b in chain.groups]
    if sum(sizes[index:]) < _FEWEST or fences.long_code(sizes):
        return found
    fenced = fences.shapes(chain.text, chain.start, chain.end)
    while index < len(chain.groups):
        start = chain.groups[index][0]
        if any(a <= start < b for a, b in fenced):
            index += 1
            continue
        each, index = _at_group(chain, index, region, found, place)
        if each is not None:
            found.append(each)
    return found


def _at_group(chain: Chain, index: int, region: Region, found: list[Found], place: Place) -> tuple[Found | None, int]:
    text, (start, end) = chain.text, chain.groups[index]
    if index and text[start - 1] in "-./" and not (found and found[-1].end >= chain.groups[index - 1][1]):
        return None, index + 1
    touching = cues.glued(text, start) if index == 0 else None
    if index == 0 and touching is None and _sticks(text, start):
        return None, len(chain.groups)
    cue = touching if place is not Place.TEXT else touching or cues.before(text, start)
    kind = cue.cue if cue else Cue.PHONE if place is Place.MESSENGER else None
    last = cards.read(chain, index, cue=kind is Cue.CARD)
    if last is not None and _free(chain, last):
        return Found(start, chain.groups[last - 1][1], Sort.CARD, None), last
    last = accounts.read_long(chain, index, region.id_countries)
    if last is not None:
        return Found(start, chain.groups[last - 1][1], Sort.ACCOUNT, None), last
    reading = ids.read(text, start, region.id_countries)
    if reading is not None and (reading.strong or kind not in (Cue.CODE, Cue.MONEY)):
        return Found(start, reading.end, Sort.ID, reading.value), _next(chain, reading.end)
    if kind is Cue.ID:
        reading = ids.cued(text, start)
        if reading is not None:
            return Found(start, reading.end, Sort.ID, reading.value), _next(chain, reading.end)
    phone = phones.read(chain, index, region.phone_regions, cue=kind in (Cue.PHONE, Cue.CALL))
    if phone is not None and (phone.strong or kind not in (Cue.CODE, Cue.MONEY)) and _free(chain, phone.last) and not _system_id(chain, index, phone, kind, place):
        return Found(phone.start, phone.end, Sort.PHONE, phone.value), phone.last
    if kind is Cue.ACCOUNT and end - start >= 6:
        return Found(start, chain.end, Sort.ACCOUNT, None), len(chain.groups)
    return None, index + 1


def _system_id(chain: Chain, index: int, phone: phones.Reading, kind: Cue | None, place: Place) -> bool:
    """Whether bare digits in a web address are rather an id of its system: no cue, no country code."""
    if place is not Place.ADDRESS or kind is Cue.PHONE or phone.strong:
        return False
    return phone.last - index == 1 and phone.end - phone.start < 11


def _sticks(text: str, start: int) -> bool:
    """Whether the chain is the end of a longer code: letters, or letters and a hyphen, before it."""
    before = text[start - 1 : start]
    if before.isalnum() or before == "_":
        return True
    return before in ("-", ".", "/", "#") and text[start - 2 : start - 1].isalpha() and start >= 2


def _free(chain: Chain, last: int) -> bool:
    """Whether nothing sticks to the last group."""
    end = chain.groups[last - 1][1]
    after = chain.text[end : end + 2]
    if after[:1].isalpha() or after[:1] == "_":
        return chain.text[end : end + 3].lower().startswith(("x", "ext", "int"))
    if last < len(chain.groups):
        return chain.text[end] in " (" or chain.text[end : end + 2] == ") " or chain.text[end : end + 1] in "/"
    return not (after[:1] == "-" and after[1:].isalpha())


def _next(chain: Chain, end: int) -> int:
    return next((i for i, (a, _) in enumerate(chain.groups) if a >= end), len(chain.groups))


def _lettered(chain: Chain, region: Region) -> Found | None:
    """A value whose letters touch the chain: IBAN, CURP, RFC, NIE, CIF, a CNPJ with letters."""
    text, start = chain.text, chain.start
    at = start
    while at > 0 and start - at < 32 and text[at - 1].isalnum():
        at -= 1
    starts = [at] if at < start else []
    if start >= 2 and text[start - 1] in "- ." and text[start - 2].isalpha():
        at = start - 2
        while at > 0 and start - at < 8 and text[at - 1].isalpha():
            at -= 1
        starts.append(at)
    if not starts and not text[chain.groups[0][1] : chain.groups[0][1] + 1].isalpha():
        return None
    for at in starts or [start]:
        end = accounts.read_iban(text, at)
        if end is not None:
            return Found(at, end, Sort.ACCOUNT, None)
        if at < start or starts == []:
            reading = ids.read(text, at, region.id_countries)
            if reading is not None and reading.end > start:
                return Found(at, reading.end, Sort.ID, reading.value)
    return None
