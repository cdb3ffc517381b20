"""The one pass: the hits of all families, and their union.

Everything numeric starts from the digit chains of the text, addresses from their at signs, the rest from words that
are looked for only when they occur. Positions are those of the working text (view.py) until the very end.
"""

import re
from collections.abc import Iterator

from veil.scrub import announced, emails, ids, numbers, secrets, spelling, urls
from veil.scrub.chains import Page
from veil.scrub.cues import Cue
from veil.scrub.numbers import Place
from veil.scrub.sorts import STRICTNESS, Hit, Region, Sort
from veil.scrub.view import View, is_odd, views

TELLING = secrets.TELLING | spelling.TELLING
"""Words of which one at least stands in a text with a secret or a value spelt out."""
_BARE = r"(\d{7,10}|\d{1,3}(?:[ .]\d{3}){2,3})"
_BORDER = r"(?: ?[\n|;\t] ?| - )"
_FIELD_BEHIND = re.compile(rf"{_BORDER}{_BARE}(?=$|{_BORDER})")
_FIELD_BEFORE = re.compile(rf"(?:(?<=[\n|;\t])| - | |^){_BARE}{_BORDER}$")
_ENDS = frozenset("\n|;\t ")
_WIDEST = 24
"""No field of bare digits with its borders is wider."""


def find(text: str, region: Region) -> list[Hit]:
    """Every value of `text` that must not leave, in order, without overlaps."""
    if not is_odd(text):
        return merge(_search(text, region))
    return merge([_back(seen, hit) for seen in views(text) for hit in merge(_search(seen.text, region))])


def merge(found: list[Hit]) -> list[Hit]:
    """Overlapping hits as their union with the stricter sort, in order."""
    if len(found) < 2:
        return found
    merged: list[Hit] = []
    for hit in sorted(found, key=lambda h: (h.start, -h.end)):
        if merged and hit.start < merged[-1].end:
            last = merged[-1]
            strict = max((last, hit), key=lambda h: STRICTNESS[h.sort])
            merged[-1] = Hit(last.start, max(last.end, hit.end), strict.sort, strict.value)
        else:
            merged.append(hit)
    return merged


def _back(seen: View, hit: Hit) -> Hit:
    start, end = seen.original(hit.start, hit.end)
    return Hit(start, end, hit.sort, hit.value)


def _search(text: str, region: Region) -> list[Hit]:
    page = Page(text)
    found: list[Hit] = []
    if "@" in text:
        found += emails.find(text)
    if "/" in text:
        found += [Hit(*span, Sort.ID, ids.compact(text[slice(*span)])) for span in ids.scattered(text, region.id_countries)]
    at = 0
    for address in urls.find(text):
        for chain in page.chains(at, address.start):
            found += numbers.read(chain, region, Place.TEXT)
        found += _in_address(address, region)
        at = address.end
    for chain in page.chains(at, len(text)):
        found += numbers.read(chain, region, Place.TEXT)
    telling = frozenset() if TELLING.isdisjoint(page.words) else TELLING.intersection(page.words)
    if telling or secrets.may_hold_key(text):
        found += secrets.find(page, telling)
    if telling or "@" in text or "(a)" in page.low:
        found += spelling.find(page, telling, region)
    found += announced.find(page, region)
    return found + [field for hit in found for field in _fields(page, hit, region)]


def _fields(page: Page, hit: Hit, region: Region) -> Iterator[Hit]:
    """Bare ids that are a field by themselves next to a hit: a line of a card "name, id, phone, address"."""
    text = page.text
    behind = _FIELD_BEHIND.match(text, hit.end)
    before = _FIELD_BEFORE.search(text, max(0, hit.start - _WIDEST), hit.start) if text[hit.start - 1 : hit.start] in _ENDS else None
    for match in (behind, before):
        if match is not None:
            value = ids.compact(match[1])
            if ids.bare(value, region.id_countries) and page.cue(match.start(1)) not in (Cue.CODE, Cue.MONEY):
                yield Hit(*match.span(1), Sort.ID, value)


def _in_address(address: urls.Address, region: Region) -> list[Hit]:
    text = address.text
    found = list(emails.find(text)) if "@" in text else []
    place = Place.MESSENGER if address.messenger else Place.ADDRESS
    for chain in Page(text).chains(0, len(text)):
        found += numbers.read(chain, region, Place.TEXT if urls.is_searched(text, chain.start) else place)
    return [Hit(*address.original(hit.start, hit.end), hit.sort, hit.value) for hit in found]
