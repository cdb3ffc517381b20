"""A thread without a database, for laws about texts: foreign text in, what the model gets out, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from veil import veiling
from veil.bearers import Bearer, Index
from veil.fields import FreeText
from veil.fold import name_words
from veil.names import Reading
from veil.results import ResultVeil
from veil.scrub import Region, Sort
from veil.text import Clear, Marked
from veil.thread import Entry, State, ThreadMap
from veil.tokens import ALIAS, LETTERS, Entity, EntityId, Kind, Token
from veil.unveiling import Card, Unveiler
from veil.values import Values
from veil.veiling import Needs, Numbering, Setting

SETTING = Setting("es", Region(("CL",), ("CL",)))
ASKER = Entity(Kind.MEMBER, EntityId(1))


@dataclass(frozen=True)
class Said:
    """What somebody else wrote, as a tool's result."""

    body: Annotated[str, FreeText()]


class Memory:
    """A thread in which these contacts have the tokens ``C-1``, ``C-2``, …"""

    def __init__(self, *names: str, values: Mapping[str, Sort] | None = None) -> None:
        self.thread = ThreadMap(ASKER)
        self.thread.add([Entry(Token("U", 1), State.LIVE, ASKER)])
        people = [Entity(Kind.CONTACT, EntityId(100 + number)) for number in range(len(names))]
        forms: dict[str, list[Bearer]] = {}
        for person, name in zip(people, names, strict=True):
            words = name_words(name)
            for form in {" ".join(words), *words}:
                forms.setdefault(form, []).append(Bearer(person, visible=True))
        self.thread.names = Index(forms)
        self.thread.values = Values(values)
        self.cards = {person: Card(name, True, {"phone": "600"}) for person, name in zip(people, names, strict=True)}
        self.give(Needs(mint=tuple(people)))

    def give(self, needs: Needs) -> None:
        """What ``velo.mint``, ``velo.reserve`` and ``velo.alias`` do."""
        for token in needs.reserve:
            if token not in self.thread.entries:
                self.thread.add([Entry(token, State.RESERVED)])
        for literal in needs.alias:
            if all(entry.literal != literal for entry in self.thread.entries.values()):
                self.thread.add([Entry(self._next(ALIAS), State.LITERAL, literal=literal)])
        for entity in needs.mint:
            if self.thread.token_of(entity) is None:
                self.thread.add([Entry(self._next(LETTERS[entity.kind]), State.LIVE, entity)])

    def _next(self, letter: str) -> Token:
        return next(token for number in range(1, 1_000_000) if (token := Token(letter, number)) not in self.thread.entries)

    def veiled(self, text: str) -> str:
        """Somebody else's text as the model gets it."""
        veil = ResultVeil(Said(text), SETTING)
        veil.read(Index(), self.thread, frozenset())
        self.give(veil.needs(self.thread))
        body: str = json.loads(veil.rendered(self.thread).text)["body"]
        return body

    def marked(self, text: str, *, typed: bool = False) -> Marked:
        """A text with its marks: somebody else's words, or what the member types."""
        reading = Reading.QUESTION if typed else Reading.TEXT
        spans = veiling.read(text, self.thread.names, self.thread, SETTING, reading=reading)
        decided = veiling.decide_question(spans, self.thread, chosen={}, bearers_of={})[0] if typed else veiling.decide_text(spans, ())
        self.give(veiling.needs_of(decided, self.thread))
        return Marked.of(Clear(text), veiling.render(text, decided, self.thread, SETTING, Numbering()), "")

    def answer(self, *chunks: str, cut: bool = False) -> tuple[Marked, list[Token]]:
        """What the model says, as the reader gets it, with the tokens that nobody ever got."""
        unveiler = Unveiler(self.thread, self.cards)
        for chunk in chunks:
            unveiler.feed(chunk)
        unveiler.close(cut=cut)
        return unveiler.answer(""), list(unveiler.unknown)

    def unveiled(self, *chunks: str) -> str:
        """The clear text of an answer."""
        return self.answer(*chunks)[0].clear.text
