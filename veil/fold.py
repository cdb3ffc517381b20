"""Folding: one spelling for all the ways to write a word, with the way back to the text's own offsets.

``crm.fold`` and ``crm.words`` in SQL do the same; a test holds the two together. Folded are case, accents (in either normal form),
full-width and other compatibility letters, and letters that Unicode does not decompose (ł, ø, ß …). Taken out are characters that nobody
sees. Percent-encoded letters, HTML character references and the escapes of JSON count as the letters they stand for, but only in texts: a
name holds none.
"""

import html
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from re import compile as compile_plain
from typing import NamedTuple

import regex

_SPECIAL = {
    "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H", "ı": "i", "ð": "d", "Ð": "D",
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH", "ς": "σ", "Σ": "σ",
}  # fmt: skip
UNSEEN = regex.compile(r"[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\U000E0000-\U000E007F]")
_UTF8 = r"(?:{0}[C-Fc-f][0-9A-Fa-f](?:{0}[89ABab][0-9A-Fa-f]){{1,3}})+"
#: Bytes of UTF-8, read as Windows does: "Ã±".
_MISREAD = r"[ÃÄÅ][\u0080-\u009f\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ‘˜™š›œžŸ]"
_ENCODED = regex.compile(
    rf"{_UTF8.format('%25')}|{_UTF8.format('=')}|(?:%[0-9A-Fa-f]{{2}})+"
    r"|&(?:amp;)?(?:[A-Za-z]{2,8}|\#[0-9]{1,6}|\#[xX][0-9A-Fa-f]{1,5});"
    rf"|\\{{1,4}}(?:u[0-9A-Fa-f]{{4}}|x[89A-Fa-f][0-9A-Fa-f])|%u[0-9A-Fa-f]{{4}}|{_MISREAD}"
)
#: Stands for a character that does not fold to exactly one; none of it is in a real text (private use).
_IRREGULAR = "\uf8ff"
#: Stands for a character that nobody sees. It may hide inside a word or stand for the space between two, so it parts and joins both.
_HIDDEN = "\u200b"

#: Scripts written without spaces: each letter is a word.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_NAME_WORD = regex.compile(rf"[{_UNSPACED}]|[[\p{{L}}]--[{_UNSPACED}]]+", regex.VERSION1)
_TEXT_WORD = regex.compile(
    rf"[{_UNSPACED}]|[[\p{{Lo}}]--[{_UNSPACED}]][[\p{{Lo}}\p{{Lm}}]--[{_UNSPACED}]]*+|\p{{Lu}}+(?!\p{{Ll}})|\p{{Lu}}?[[\p{{L}}]--[\p{{Lu}}\p{{Lo}}{_UNSPACED}]]+",
    regex.VERSION1,
)

#: The same where all letters have folded to ASCII, as nearly all do; Python's own engine is the quicker one.
_ASCII_WORDS = compile_plain(r"([A-Z]+(?![a-z])|[A-Z]?[a-z]+)")
_ASCII_WORD = compile_plain("[a-z]+")
#: Camel case, or a script without spaces.
_CUT_OR_UNSPACED = regex.compile(r"\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{Lo}")


class _Table(dict[int, str]):
    """``str.translate`` table that computes each character once."""

    def __missing__(self, code: int) -> str:
        folded = _letter(chr(code)) if not UNSEEN.match(chr(code)) else _HIDDEN
        self[code] = folded if len(folded) == 1 else _IRREGULAR
        return self[code]


class _WordTable(_Table):
    """The same for cutting words: signs of other scripts and emoji are as good as a full stop, so that Latin text becomes plain ASCII."""

    def __missing__(self, code: int) -> str:
        folded = super().__missing__(code)
        if code > _LAST_ASCII and folded not in (_HIDDEN, _IRREGULAR) and unicodedata.category(folded)[0] != "L":
            folded = self[code] = "."
        return folded


@cache
def _letter(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if UNSEEN.match(character):
        return ""
    if "\uac00" <= character <= "\ud7a3":
        return character
    kept = "".join(part for part in unicodedata.normalize("NFKD", character) if unicodedata.category(part)[0] != "M")
    return "".join(_SPECIAL.get(part, part) for part in kept)


_LAST_ASCII = 0x7F
_TABLE = _Table()
_WORD_TABLE = _WordTable()


class Word(NamedTuple):
    """A word of a text: ``form`` is folded; ``start`` and ``end`` are offsets of the text itself."""

    form: str
    start: int
    end: int
    upper: bool  # begins with a capital
    capitals: bool  # has two letters or more, all capitals
    glued: bool  # nothing that is seen separates it from the word before ("MariaLopez")


def fold(text: str) -> str:
    """The text in its one spelling (lower case, no accents)."""
    base = text.translate(_TABLE)
    if _IRREGULAR in base:
        base = "".join(map(_letter, text))
    return base.replace(_HIDDEN, "").lower()


def is_plain(text: str) -> bool:
    """Whether nothing but what is seen between letters cuts the words of a text: no camel case, no encoding, no character that nobody sees."""
    base = text.translate(_TABLE)
    odd = _IRREGULAR in base or _HIDDEN in base or _is_encoded(text)
    return not odd and _CUT_OR_UNSPACED.search(base) is None


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name, folded: runs of letters, all else separates."""
    return tuple(folded_words(fold(name)))


def folded_words(folded: str) -> list[str]:
    """The words of a text that is folded already."""
    return _ASCII_WORD.findall(folded) if folded.isascii() else _NAME_WORD.findall(folded)


def words(text: str) -> list[Word]:
    """The words of a text in order; camel case, digits, underscores and punctuation end one."""
    return cut(text)[0]


def cut(text: str) -> tuple[list[Word], Sequence[int]]:
    """The words of a text, and before which of them something else stands than one space (or may: all of them are looked at then)."""
    base = text.translate(_WORD_TABLE)
    if base.isascii() and not _is_encoded(text):
        return _plain_words(base)
    found = _words_of(*_with_offsets(text))
    return found, range(1, len(found))


def _plain_words(base: str) -> tuple[list[Word], Sequence[int]]:
    """The same for a text whose letters have folded to ASCII one for one."""
    found: list[Word] = []
    parted: list[int] = []
    add, new = found.append, tuple.__new__  # the constructor of a named tuple is a function more, once a word
    pieces = iter(_ASCII_WORDS.split(base))
    start, last_end = len(next(pieces)), -1
    for piece, between in zip(pieces, pieces, strict=True):
        end = start + len(piece)
        if piece.islower():
            add(new(Word, (piece, start, end, False, False, start == last_end)))
        else:
            add(new(Word, (piece.lower(), start, end, True, end - start > 1 and piece.isupper(), start == last_end)))
        if between != " ":
            parted.append(len(found))
        last_end = end
        start = end + len(between)
    if parted and parted[-1] == len(found):
        parted.pop()  # behind the last word
    return found, parted


def _words_of(base: str, offsets: list[tuple[int, int]] | None) -> list[Word]:
    """The words of any text, folded but for its case, with the way back to what was written."""
    found: list[Word] = []
    last_end = -1
    for match in _TEXT_WORD.finditer(base):
        start, end = match.span()
        piece = match.group()
        at, till = (start, end) if offsets is None else (offsets[start][0], offsets[end - 1][1])
        upper = piece[0].isupper()
        glued = last_end >= 0 and piece.isascii() and not base[last_end:start].strip(_HIDDEN)
        found.append(Word(piece.lower(), at, till, upper, upper and len(piece) > 1 and piece.isupper(), glued))
        last_end = end
    return found


def _is_encoded(text: str) -> bool:
    """Whether a letter is in a text that is not written as itself."""
    signs = "%" in text or "&" in text or "\\" in text or "=" in text or "Ã" in text or "Ä" in text or "Å" in text
    return signs and _ENCODED.search(text) is not None


def _with_offsets(text: str) -> tuple[str, list[tuple[int, int]] | None]:
    """The text folded but for its case; per folded character its start and end in the text (``None``: the same)."""
    if _is_encoded(text):
        return _spelt_out(_characters(text))
    base = text.translate(_TABLE)
    if _IRREGULAR not in base:
        return base, None
    return _spelt_out((base[place] if base[place] != _IRREGULAR else character, place, place + 1) for place, character in enumerate(text))


def _spelt_out(characters: Iterable[tuple[str, int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """The letters of characters that fold to more or to fewer than one, each with its place."""
    folded: list[str] = []
    offsets: list[tuple[int, int]] = []
    for character, start, end in characters:
        letters = character if character.isascii() else _HIDDEN if UNSEEN.match(character) else _letter(character)
        if not letters and offsets and unicodedata.category(character)[0] == "M":
            offsets[-1] = (offsets[-1][0], end)  # the accent belongs to its letter
        for letter in letters:
            folded.append(letter)
            offsets.append((start, end))
    return "".join(folded), offsets


def _characters(text: str) -> Iterator[tuple[str, int, int]]:
    """Each character that the text shows, with the span that writes it."""
    position = 0
    for match in _ENCODED.finditer(text):
        for index in range(position, match.start()):
            yield text[index], index, index + 1
        yield from _decoded(match.group(), match.start())
        position = match.end()
    for index in range(position, len(text)):
        yield text[index], index, index + 1


def _decoded(written: str, start: int) -> Iterator[tuple[str, int, int]]:
    if written[0] == "&":
        shown = html.unescape(html.unescape(written))
        for character in shown if len(shown) < len(written) else written[:1]:
            yield character, start, start + len(written)
        return
    if not written[0].isascii():
        byte = written[1].encode("cp1252", "ignore") or written[1].encode("latin-1")
        yield (written[0].encode("latin-1") + byte).decode("utf-8"), start, start + 2
        return
    if written[0] == "\\" or written[1] == "u":
        code = int(written.lstrip("\\%ux"), 16)
        yield chr(code) if not 0xD800 <= code <= 0xDFFF else "\ufffd", start, start + len(written)
        return
    sign = "%25" if written[:3] == "%25" and written[3:4].isalnum() else written[0]  # encoded twice
    yield from _bytes(written.replace(sign, ""), len(sign) + 2, start, start + len(written))


def _bytes(digits: str, wide: int, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The characters of bytes in hexadecimal digits, of which each is so wide in the text."""
    position = start
    for character in bytes.fromhex(digits).decode("utf-8", "replace"):
        width = wide * len(character.encode("utf-8")) if character != "\ufffd" else wide
        yield character, position, min(position + width, end)
        position = min(position + width, end)
