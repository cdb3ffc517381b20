"""Values that only the words beside them tell: handles that money is sent to, Medicare numbers, phones in odd writings.

Each row is looked for only where one of its words stands in the text, so that other texts pay nothing for it.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from stdnum import luhn

from veil.scrub import cards, cues, phones
from veil.scrub.chains import Page
from veil.scrub.cues import Cue
from veil.scrub.sorts import Hit, Region, Sort
from veil.scrub.vocabulary import listed


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of value behind its words: where it is usual, what it looks like (group 1) in a folded text, its sort."""

    words: frozenset[str]
    country: str | None
    form: re.Pattern[str]
    sort: Sort = Sort.ACCOUNT


_IS = r"(?: (?:es|is|e))?\s?[:=]?\s{0,2}[\"'“«`]?"
_ENDED = r"(?![^\W_])"
_NO_MORE = r"(?![\w@/]|[.-]\w)"
_LINK = r"(?:[ :]{1,3}(?:bre-?b|tag|app|handle|user|username|id|is|es|e|my|mi|me|to|at|de|la)){0,4}[ :]{1,3}"
_DOTTED = rf"(?!www\.)((?=[a-z0-9.-]{{6,20}}{_ENDED})[a-z0-9-]+(?:\.[a-z0-9-]+)+){_NO_MORE}"
_ALIAS = rf"(?<![^\W_])alias(?: (?:cbu|cvu|bancario|mp|de mercado ?pago))?{_IS}{_DOTTED}"
_ONE_WORD = rf"(?<![^\W_])alias (?:cbu|cvu)\s?[:=]\s{{0,2}}([a-z0-9-]{{6,20}}){_NO_MORE}"
_KEY = rf"(?<![^\W_])(?:llave|bre-?b){_LINK}(@[a-z0-9]{{5,20}}){_NO_MORE}"
_CASHTAG = rf"(?<![^\W_])cash(?:tag{_LINK}|[ .]?app(?:/|{_LINK}))(\$[a-z][a-z0-9_-]{{0,19}}){_ENDED}"
_VENMO = rf"(?<![^\W_])venmo(?:\.com/u/|{_LINK}(?=@))(@?[a-z0-9_-]{{5,30}}){_NO_MORE}"
_L, _LD = "[ac-hj-np-rt-y]", "[ac-hj-np-rt-y0-9]"
_MBI = rf"(?<![^\W_])(?:medicare|mbi){_ENDED}[^\n]{{0,24}}?(?<![^\W_])([1-9]{_L}{_LD}\d[- ]?{_L}{_LD}\d[- ]?{_L}{{2}}\d{{2}}){_ENDED}"
_ROWS = (
    Row(listed("alias"), "AR", re.compile(_ALIAS)),
    Row(listed("alias"), "AR", re.compile(_ONE_WORD)),
    Row(listed("llave bre breb"), "CO", re.compile(_KEY)),
    Row(listed("cashapp cash cashtag"), None, re.compile(_CASHTAG)),
    Row(listed("venmo"), None, re.compile(_VENMO)),
    Row(listed("paypal"), None, re.compile(r"(?<![^\W_])paypal\.me/([a-z0-9._-]{1,30}[a-z0-9])")),
    Row(listed("medicare mbi"), "US", re.compile(_MBI), Sort.ID),
)
_CALLED = frozenset(word for word, cue in cues.CUES.items() if cue in (Cue.PHONE, Cue.CALL))
_WORDS = frozenset[str]().union(*[row.words for row in _ROWS])
_TELLING = _WORDS | _CALLED
_PARTED = re.compile(r"\d(?<![\w.,-]\d)\d{1,3}(\*{1,2}|[|#:~]|<br ?/?>|\n)\d{2,4}(?:\1\d{2,4}){1,3}(?![^\W_])(?!\1?\d)")
_LIKE_DIGITS = re.compile(r"[\dOI①-⑨⓪](?<![^\W_].)[\doOIl①-⑨⓪]{6,12}(?![^\W_])")
_READ_AS = str.maketrans("oOIl", "0011")
_LINED = re.compile(r"(?<![^\W_])(?:\d{4} {0,2}\r?\n {0,2}){3}\d{4}(?![^\W_])(?! {0,2}\r?\n {0,2}\d)")
_LINES = 3
"""Breaks between the four lines of a card."""
_FEWEST = 5
"""A word with so many digits is a number with letters in it, and no word with digits."""


def find(page: Page, region: Region) -> Iterator[Hit]:
    """The hits of all rows, and of numbers whose signs or lines no chain goes over."""
    telling = _TELLING.intersection(page.words)
    if not telling.isdisjoint(_WORDS):
        for row in _ROWS:
            if not row.words.isdisjoint(telling) and (row.country is None or row.country in region.id_countries):
                for match in row.form.finditer(page.low):
                    yield Hit(*match.span(1), row.sort)
    if not telling.isdisjoint(_CALLED):
        yield from _phones(page, region)
    if page.text.count("\n") >= _LINES:
        for match in _LINED.finditer(page.text):
            digits = "".join(match.group().split())
            if cards.issued(digits, bare=False) and luhn.is_valid(digits):
                yield Hit(*match.span(), Sort.CARD)


def _phones(page: Page, region: Region) -> Iterator[Hit]:
    """Phones behind their cue that are written with odd signs between the groups, ringed, or with letters that look like digits."""
    for form in (_PARTED, _LIKE_DIGITS):
        for match in form.finditer(page.text):
            written = match.group().translate(_READ_AS)
            digits = "".join([str(unicodedata.digit(c)) for c in written if c.isdigit()])
            if sum(c.isdigit() for c in match.group()) < _FEWEST or match.group().isdecimal():
                continue
            value = phones.normal(digits, region.phone_regions)
            if value is not None and page.cue(match.start()) in (Cue.PHONE, Cue.CALL):
                yield Hit(*match.span(), Sort.PHONE, value)
