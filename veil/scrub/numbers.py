"""What one chain of digits holds: the families in their order of certainty, kept off by fences and cues.

What is unmistakable comes first (a plus, a check digit in its written form); then what the word beside the number
says; then forms alone, and only where neither fence nor word of business speaks against them.
"""

from bisect import bisect_left
from enum import Enum
from re import Pattern
from re import compile as pattern

from veil.scrub import accounts, cards, cues, fences, ids, phones
from veil.scrub.chains import Chain, Page
from veil.scrub.cues import Cue
from veil.scrub.sorts import Hit, Region, Sort


class Place(Enum):
    """Where a chain stands."""

    TEXT = "text"
    ADDRESS = "address"
    MESSENGER = "messenger"


_FEWEST = 6
_KEY = 44
_ALONE = 11
"""As many bare digits can be an id by their check digits alone."""
_UNSURE = 7
_BLANK = frozenset({"", " ", "\n", ":", "("})
_TAILED: Pattern[str] = pattern(r"[ .-]{0,3}[A-Za-z](?![A-Za-z])|-")
_SPACED = 9
_SSN = 9
_RUTS = frozenset({"rut", "run", "ruts"})
_LOCAL = frozenset({(4, 4), (3, 4)})
"""How numbers without their area code are grouped."""
_MOST_GROUPS = 24
_SORTS = {
    Cue.PHONE: Sort.PHONE,
    Cue.CALL: Sort.PHONE,
    Cue.ID: Sort.ID,
    Cue.CARD: Sort.CARD,
    Cue.ACCOUNT: Sort.ACCOUNT,
}
_FENCING = frozenset({Cue.CODE, Cue.MONEY})
_LONGEST = 19
"""More digits are a code, or several numbers."""
_WORD = 32
"""No value is a longer word than this; digests and blobs are."""
_LETTER: Pattern[str] = pattern(r"(?: ?[-.] ?[A-Za-z]|[A-Za-z]| (?![yeoa])[A-Za-z])(?!\w)")
_FREE: Pattern[str] = pattern(r"(?!-(?=\w*[A-Z\d])\w)(?:(?![^\W_ºª])|(?i:x\d|ext|int|ramal|anexo)|[a-záéíóúñãõç]{2,}(?!\w))")
_WORD_AND_BLANK = 3
"""A small word before the digits: of two letters it can open an IBAN and nothing else, of one a NIE."""
_SHORT_WORD = 6
_LETTERS: Pattern[str] = pattern(r"[^\W_ºª]{0,33}")
_PREFIX: Pattern[str] = pattern(r"(?<![^\W_])[A-Za-zÑñ&]{1,4}$")
_TIMES: Pattern[str] = pattern(r"(?<![\w.-])(?:[1-9]\d?)?x$")
"""A small letter that says how often, and is no part of a code."""
_APART: Pattern[str] = pattern(r" |\)|\(|/")


def read(chain: Chain, region: Region, place: Place) -> list[Hit]:
    """The hits of one chain, in positions of its text."""
    text, start, end = chain.text, chain.start, chain.end
    before, after = text[start - 1 : start], text[end : end + 1]
    if before.isalnum() or after.isalnum() or before == "-" or after == "-":
        digest = fences.digest_end(text, start)
        if digest > start:
            return _rest(chain, digest, region, place)
    words = _word_starts(chain, before)
    found = _lettered(chain, words, region) if words else []
    if end - start < _FEWEST:
        return found
    if len(chain.groups) == 1:
        if found or before == "+" or not (_says_nothing(chain, before, place) or fences.amount(text, start, end)):
            _Piece(chain, end, region, place, [], found).read()
        return found
    key = fences.key_end(text, start, end) if end - start > _KEY else start
    if key > start:
        return found + _rest(chain, key, region, place)
    return found if _is_code(chain, region) else _grouped(chain, before, region, place, found)


def _grouped(chain: Chain, before: str, region: Region, place: Place, found: list[Hit]) -> list[Hit]:
    """The hits of groups that no fence keeps as a whole."""
    fenced = fences.shapes(chain.text, chain.groups if before != "+" else chain.groups[1:])
    if not fenced or fenced[0][1] < chain.end or fenced[0][0] > chain.start:
        for piece in chain.pieces():
            if not _is_long_code(piece):
                _Piece(piece, chain.end, region, place, fenced, found).read()
    return found


def _rest(chain: Chain, end: int, region: Region, place: Place) -> list[Hit]:
    """The hits behind a code that the chain begins with."""
    rest = tuple([group for group in chain.groups if group[0] >= end])
    return read(Chain(chain.page, rest), region, place) if rest else []


def _says_nothing(chain: Chain, before: str, place: Place) -> bool:
    """Whether one bare group can be nothing of a person's: a word of business beside it, or few digits and no word."""
    text, start, end = chain.text, chain.start, chain.end
    if place is not Place.TEXT or end - start >= _ALONE or before not in _BLANK or "+" in text[max(0, start - 3) : start] or _TAILED.match(text, end):
        return False
    cue = chain.page.cue(start)
    return cue in _FENCING or (cue is None and end - start <= _UNSURE and cues.after(chain.page.low, end) is None)


def _is_long_code(piece: Chain) -> bool:
    """Whether the groups are one code that is too long for a person's number.

    Digits behind a letter and a sign ("P-4501 4111 …", a token) are a code of their own, beside which a card may stand.
    """
    sizes = piece.sizes()
    own = 1 if _sticks(piece.text, piece.start, Place.TEXT) else 0
    return sum(sizes) > _LONGEST and fences.long_code(piece.text[piece.start : piece.end], sizes[own:]) and not cards.side_by_side(piece)


def _is_code(chain: Chain, region: Region) -> bool:
    """Whether the groups are too few digits, or a machine's address that no check digit makes an id."""
    text, start, end = chain.text, chain.start, chain.end
    digits = chain.digits(0, len(chain.groups))
    if len(digits) < _FEWEST:
        return True
    if text[chain.groups[0][1]] != "." or not fences.is_address(text, start, end) or chain.page.cue(start) is not None:
        return False
    reading = ids.read(text, start, region.id_countries)
    return reading is None or not reading.strong


class _Piece:
    """The groups of one number, or of a few that nothing tells apart, read from left to right."""

    __slots__ = ("chain", "fenced", "found", "low", "place", "region", "starts", "text", "whole")

    def __init__(self, chain: Chain, whole: int, region: Region, place: Place, fenced: list[tuple[int, int]], found: list[Hit]) -> None:
        self.chain, self.text, self.low, self.whole = chain, chain.text, chain.page.low, whole
        self.region, self.place = region, place
        self.fenced, self.found = fenced, found
        self.starts = [start for start, _ in chain.groups]

    def read(self) -> None:
        """Appends the hits to those found."""
        starts, index = self.starts, 0
        while index < len(starts):
            start = starts[index]
            if self._is_taken(start) or self._is_fenced(start):
                index += 1
                continue
            hit = self._at(index)
            index += 1
            if hit is not None:
                self.found.append(hit)
                index = max(index, bisect_left(starts, hit.end))
            elif index < len(starts) and self._is_code(index - 1):
                return

    def _is_code(self, index: int) -> bool:
        """Whether all groups are one code of business: a word says so, and they are of one size ("guía 5822 9531 9548")."""
        sizes = self.chain.sizes(index, index + _MOST_GROUPS)
        return sizes[0] > 2 and len(set(sizes)) == 1 and self.chain.page.cue(self.starts[index]) is Cue.CODE

    def _is_fenced(self, start: int) -> bool:
        return bool(self.fenced) and any(a <= start < b for a, b in self.fenced)

    def _is_taken(self, start: int) -> bool:
        """A hit covers the group, or it continues a number that was none."""
        if self.found and self.found[-1].end > start:
            return True
        if self.text[start - 1 : start] not in ("-", ".", "/") or start == self.chain.start:
            return False
        return not (self.found and self.found[-1].end == start - 1)

    def _at(self, index: int) -> Hit | None:
        start = self.starts[index]
        touching = None if self.place is not Place.TEXT and self.text[start - 1 : start].isalpha() else cues.glued(self.low, start)
        if touching is None and _sticks(self.text, start, self.place) and not phones.prefixed(self.text, start):
            return self._valid(start)
        hit = self._certain(index)
        if hit is not None:
            return hit
        cue = touching if touching or self.place is not Place.TEXT else self.chain.page.cue(start)
        if cue is Cue.OWN:
            cue = Cue.ID if self._is_ssn(index) else Cue.CODE
        kind = cue or (Cue.PHONE if self.place is Place.MESSENGER else None)
        hit = self._by_kind(index, kind)
        if hit is None and kind is None and self.place is Place.TEXT:
            later = cues.after(self.low, self.chain.end) or self._elsewhere(index)
            hit = self._by_kind(index, later) if later else None
        return hit

    def _elsewhere(self, index: int) -> Cue | None:
        """A bare RUT whose check digit holds, where the text speaks of RUTs: "mi rut 6.067.944-4 y el de mi marido 199340484"."""
        start, end = self.chain.groups[index]
        if end - start not in (8, 9) or "CL" not in self.region.id_countries or _RUTS.isdisjoint(self.chain.page.words):
            return None
        return Cue.ID if ids.is_rut(self.text[start:end]) else None

    def _is_ssn(self, index: int) -> bool:
        """Whether nine digits could be a number of the US, where people write them bare behind "ID:"."""
        start, end = self.chain.groups[index]
        return end - start == _SSN and "US" in self.region.id_countries and ids.is_ssn(self.text[start:end])

    def _valid(self, start: int) -> Hit | None:
        """An id in its written form and with its check digit, whatever stands before it."""
        reading = ids.read(self.text, start, self.region.id_countries)
        if reading is None or not reading.strong or self.text[start : reading.end].isalnum():
            return None
        return Hit(start, reading.end, Sort.ID, reading.value)

    def _certain(self, index: int) -> Hit | None:
        """A phone behind a plus, a card, an account with its check digits."""
        start = self.starts[index]
        if "+" in self.text[max(0, start - 3) : start]:
            phone = phones.read_international(self.chain, index)
            if phone is not None:
                return Hit(phone.start, phone.end, Sort.PHONE, phone.value)
        if self.chain.end - start < cards.SHORTEST:
            return None
        last = cards.read(self.chain, index, cue=False)
        if last is not None and self._is_free(last):
            return self._hit(index, last, Sort.CARD)
        last = accounts.read_long(self.chain, index, self.region.id_countries)
        return self._hit(index, last, Sort.ACCOUNT) if last is not None and self._is_free(last) else None

    def _by_kind(self, index: int, kind: Cue | None) -> Hit | None:
        return self._id(index, kind) or self._said(index, kind) or self._phone(index, kind) or self._printed(index, kind)

    def _id(self, index: int, kind: Cue | None) -> Hit | None:
        reading = ids.read(self.text, self.starts[index], self.region.id_countries)
        if reading is None and kind is Cue.ID:
            reading = ids.cued(self.text, self.starts[index])
        if (
            reading is None
            or (not reading.strong and not self._may(kind))
            or (kind is None and fences.stamp(self.text[self.starts[index] : reading.end]))
        ):
            return None
        listed = self.text[self.chain.end : reading.end + 1]
        return (
            None
            if listed[:1] == " " and listed[1:-1].isdecimal() and listed[-1:] == ")"
            else Hit(self.starts[index], reading.end, Sort.ID, reading.value)
        )

    def _said(self, index: int, kind: Cue | None) -> Hit | None:
        """What a cue makes of digits that no form speaks for."""
        if kind is Cue.CARD:
            last = cards.read(self.chain, index, cue=True)
            if last is not None:
                return self._hit(index, last, Sort.CARD)
        left = len(self.starts) - index
        if left < _SPACED - 2 and kind is not Cue.ACCOUNT:
            return None
        sizes = self.chain.sizes(index, index + _MOST_GROUPS)
        last_group = index + len(sizes)
        listed = "," in self.text[self.starts[index] : self.chain.end]
        if len(sizes) >= _SPACED - 2 and max(sizes) == 1 and (kind in _SORTS or (len(sizes) >= _SPACED and not listed)):
            hit = self._hit(index, last_group, _SORTS.get(kind, Sort.PHONE) if kind else Sort.PHONE)
            letter = _LETTER.match(self.text, hit.end) if hit.sort is Sort.ID else None
            return Hit(hit.start, letter.end(), Sort.ID) if letter else hit
        if kind is Cue.ACCOUNT and sum(sizes) >= _FEWEST and self._is_free(last_group):
            return self._hit(index, last_group, Sort.ACCOUNT)
        return None

    def _phone(self, index: int, kind: Cue | None) -> Hit | None:
        if kind in _FENCING or (self.place is Place.ADDRESS and kind is not Cue.PHONE and self._is_bare(index)):
            return None
        local = kind is None and tuple(self.chain.sizes(index, index + 2)) in _LOCAL and cues.towards(self.low, self.starts[index])
        phone = phones.read(self.chain, index, self.region.phone_regions, cue=local or kind in (Cue.PHONE, Cue.CALL))
        if phone is None or not (self._is_free(phone.last) or self._is_repeated(index, phone.last)):
            return None
        return Hit(phone.start, phone.end, Sort.PHONE, phone.value)

    def _is_repeated(self, index: int, last: int) -> bool:
        """Whether the rest is another number of the same make: "305-555-0183-305-555-0177"."""
        sizes = self.chain.sizes(index, last)
        return len(sizes) > 2 and self.chain.sizes(last) == sizes

    def _is_bare(self, index: int) -> bool:
        """Whether a number of an address is mostly the id of some system: digits in a row without a country's code."""
        start, end = self.chain.groups[index]
        return end - start < _ALONE and len(self.starts) - index == 1

    def _printed(self, index: int, kind: Cue | None) -> Hit | None:
        """Digits grouped as on a card, of an issuer, with a wrong check digit: somebody mistyped."""
        if self.chain.end - self.starts[index] < cards.SHORTEST or kind in _FENCING:
            return None
        last = cards.read_printed(self.chain, index)
        return self._hit(index, last, Sort.CARD) if last is not None and self._is_free(last) else None

    def _may(self, kind: Cue | None) -> bool:
        """Whether a reading that codes of shops resemble may count here."""
        return kind not in _FENCING and (kind is Cue.ID or self.place is Place.TEXT)

    def _is_free(self, last: int) -> bool:
        """Whether nothing sticks to the group before `last`."""
        end = self.chain.groups[last - 1][1]
        if last < len(self.starts):
            return _APART.match(self.text, end) is not None
        if end < self.whole:
            return True
        return _FREE.match(self.text, end) is not None

    def _hit(self, index: int, last: int, sort: Sort) -> Hit:
        return Hit(self.starts[index], self.chain.groups[last - 1][1], sort, None)


def _sticks(text: str, start: int, place: Place) -> bool:
    """Whether the chain is the end of a longer code: a letter, or a letter and a hyphen, before it."""
    before = text[start - 1 : start]
    if before.isalnum() and before not in "ºª":
        return before != "x" or _TIMES.search(text, max(0, start - 3), start) is None
    if before == "/" and place is not Place.TEXT:
        return False
    return before in ("-", ".", "/", "#") and start >= 2 and text[start - 2].isalpha()


def _lettered(chain: Chain, words: list[int], region: Region) -> list[Hit]:
    """A value whose letters touch the chain: IBAN, CURP, RFC, NIE, CIF, a CNPJ with letters."""
    text, start, page = chain.text, chain.start, chain.page
    for at in words:
        end = accounts.read_iban(text, at)
        if end is not None:
            return [Hit(at, end, Sort.ACCOUNT, None)]
        small = 0 < start - at <= _WORD_AND_BLANK and text[start - 1] == " " and text[at:start].islower()
        reading = None if start - at == _WORD_AND_BLANK and small else ids.read(text, at, region.id_countries)
        if reading is not None and reading.end > start:
            fenced = not reading.strong and _cue(page, at) in _FENCING
            inner = ids.read(text, start, region.id_countries)
            if inner is not None and inner.end > reading.end and text[inner.end : inner.end + 1] != ")":
                reading, at = inner, start
            return [] if fenced else [Hit(at, reading.end, Sort.ID, reading.value)]
        reading = None if small else ids.cued(text, at)
        if reading is not None and reading.end > start and _cue(page, at) is Cue.ID:
            return [Hit(at, reading.end, Sort.ID, reading.value)]
    return []


def _word_starts(chain: Chain, before: str) -> list[int]:
    """Where the word around the digits begins, and the few letters that a hyphen, dot or blank parts from it."""
    text, (start, end) = chain.text, chain.groups[0]
    found: list[int] = []
    if (before.isalnum() and before not in "ºª") or text[end : end + 1].isalpha():
        letters = _LETTERS.match(text[max(0, start - _WORD - 1) : start][::-1])
        size = letters.end() if letters else 0
        if size > _WORD:
            return []
        if chain.end - start >= _FEWEST or _is_long(text, start - size):
            found.append(start - size + (4 if text[start - size : start - size + 4].upper() == "IBAN" else 0))
    if before and before in "- ." and start >= 2 and text[start - 2].isalpha():
        match = _PREFIX.search(text, max(0, start - 6), start - 1)
        if match and (before != " " or _is_part(match.group())):
            found.insert(0, match.start())
    return found


def _is_part(letters: str) -> bool:
    """Whether letters that a blank parts from the digits can belong to them: capitals that are no cue, a NIE's or an IBAN's."""
    return (letters.isupper() and letters.lower() not in cues.CUES) or letters in ("x", "y", "z") or letters.upper() in accounts.IBAN_LENGTHS


def _is_long(text: str, at: int) -> bool:
    """Whether the word has the letters of an id, or opens an IBAN whose next letters stand apart."""
    word = _LETTERS.match(text, at)
    return word is not None and (word.end() - at > _SHORT_WORD or text[at : at + 2].upper() in accounts.IBAN_LENGTHS)


def _cue(page: Page, at: int) -> Cue | None:
    return cues.glued(page.low, at) or page.cue(at)
