"""Marked texts, and the casts that read them: the structure of the demo without its people, and the people put in.

A marked text says where a person stands in it: `«María»` is a word of a name, `«María|upper»` the same word written
otherwise, `«phone:CL:7|spaced»` a phone of Chile. Everything else is the same in every cast, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypedDict

from db.crm.demo import words
from db.crm.demo.values import Values

_MARK = re.compile(r"«(?P<what>[^«»|]+)(?:\|(?P<style>[a-z0-9_]+))?»")
_EMAIL = re.compile(r"(?:«[^«»]+»|[\w.+-])+@[\w-]+(?:\.[\w-]+)+")
_TIED = re.compile(r"[^\s«»]*(?:«[^«»]+»[^\s«»]*)+")
_RUN = re.compile(r"(?:[^\W\d_]|«[^«»:]+»)+")

Row = Mapping[str, Any]


def styled(marked: str, style: str) -> str:
    """The marked text written in a style: its fixed letters at once, its marks when they are read."""
    pieces: list[str] = []
    position = 0
    for found in _MARK.finditer(marked):
        mine = f"nick_{style}" if found["style"] == "nick" else style
        pieces += [_fixed(marked[position : found.start()], style), f"«{found['what']}|{mine}»"]
        position = found.end()
    return "".join([*pieces, _fixed(marked[position:], style)])


def _fixed(text: str, style: str) -> str:
    return words.STYLES[style](text) if style in words.STYLES else text


class Cast:
    """The people of one people seed."""

    def __init__(self, people_seed: int) -> None:
        self._words = words.renaming(people_seed)
        self._values = Values(people_seed)

    def text(self, marked: str) -> str:
        """What the marked text says with these people in it."""
        return _MARK.sub(self._read, marked)

    def row(self, marked: Row) -> dict[str, Any]:
        """A row with these people in it."""
        return {column: self._column(value) for column, value in marked.items()}

    def word_spellings(self, word: str) -> list[str]:
        """The word in every way in which a text or a folded form may write it."""
        mine = self._words[word]
        nick = words.nicknames().get(mine)
        typo = [words.misspelt(mine)] if len(mine) > 1 else []
        return [*_spellings(mine), *(_spellings(nick) if nick else ()), *typo]

    def value_spellings(self, what: str) -> list[str]:
        """The value in every style."""
        kind, country, number = what.split(":")
        return self._values.spellings(kind, country, int(number))

    def _column(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        return [self.text(item) for item in value] if isinstance(value, list) else value

    def _read(self, mark: re.Match[str]) -> str:
        what, style = mark["what"], mark["style"]
        if ":" not in what:
            return words.STYLES[style or "as_is"](self._words[what])
        kind, country, number = what.split(":")
        return self._values.written(kind, country, int(number), style)


class Renaming(TypedDict):
    """What tells one cast from another: word -> word and identifier -> identifier, one to one, in every spelling.

    Plain enough to be written as JSON. `fresh` says that this seeding wrote the rows; without it the demo was there
    already, nothing was written and nothing is renamed.
    """

    words: dict[str, str]
    identifiers: dict[str, str]
    fresh: bool


def renaming(marked: Iterable[Row], *, before: Cast, after: Cast) -> Renaming:
    """The renaming that leads from one cast to the other in these rows."""
    texts = list(_texts(marked))
    renamed_words: dict[str, str] = {}
    identifiers: dict[str, str] = {}
    for what in sorted({found["what"] for text in texts for found in _MARK.finditer(text)}):
        if ":" in what:
            identifiers.update(zip(before.value_spellings(what), after.value_spellings(what), strict=True))
        else:
            renamed_words.update(zip(before.word_spellings(what), after.word_spellings(what), strict=True))
    for text in texts:
        identifiers |= {before.text(email): after.text(email) for email in _EMAIL.findall(text) if "«" in email}
        tied = [chunk for chunk in _TIED.findall(text) if _is_tied(chunk)]
        renamed_words |= {_one_word(before, chunk): _one_word(after, chunk) for chunk in tied}
        renamed_words |= {before.text(run): after.text(run) for run in re.findall(_RUN, text) if "»«" in run}
    return Renaming(words=renamed_words, identifiers=identifiers, fresh=True)


def _spellings(word: str) -> list[str]:
    bare = words.plain(word)
    return [word, word.upper(), word.lower(), bare, bare.upper(), bare.title()]


def _texts(rows: Iterable[Row]) -> Iterator[str]:
    """The texts in which somebody stands."""
    for row in rows:
        for value in row.values():
            for text in value if isinstance(value, list) else (value,):
                if isinstance(text, str) and "«" in text:
                    yield text


def _is_tied(chunk: str) -> bool:
    """Whether apostrophe or hyphen ties words together, which are looked up as one word too ("O'Higgins")."""
    return bool(re.search(r"[\w»]['’-][\w«]", chunk)) and ":" not in chunk and "@" not in chunk


def _one_word(cast: Cast, chunk: str) -> str:
    return re.sub(r"[\W\d_]", "", words.plain(cast.text(chunk)))
