"""A whole conversation of an assistant: veiled text by text over one thread map, its history read again before each question leaves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.history import Entry, History
from bench.desk import Desk
from veil import resolve
from veil.text import Mark, Marked
from veil.thread import ThreadMap
from veil.tokens import Entity
from veil.unveiling import Cards, Unveiler, draw


@dataclass(slots=True)
class Conversation:
    """The texts of one thread as they left, and the history that they have become."""

    desk: Desk
    left: list[Marked]
    history: History
    late: int = 0

    @classmethod
    async def begin(cls, desk: Desk, asker: Entity) -> "Conversation":
        """A thread without a word."""
        await desk.begin(asker)
        return cls(desk, [], History((), tool_names=frozenset()))

    async def add(self, role: str, text: str) -> None:
        """One more text. An answer can only speak of those whom the thread knows, so they are its own people."""
        if role == "user":
            await self.desk.go_on(self._texts())
            marked = await self.desk.question(text)
            self.reveil(len(self.left))
        else:
            marked = await self.desk.foreign(text, tuple(self.desk.thread.entities))
        self.left.append(marked)
        self.history.entries.append(Entry(len(self.left), role, (len(self.left) + 1) // 2, marked=marked, left=True))

    def reveil(self, revision: int) -> list[str]:
        """The history as it travels with the next request."""
        self.late += self.history.remask(self.desk.thread, self.desk.setting, revision=revision)
        return ["".join(part.text for part in message.parts) for message in self.history.messages()]

    async def cards(self, connection: Any) -> Cards:
        """What may be shown of everybody whom the thread knows."""
        member, entities = int(self.desk.thread.asker.id), self.desk.thread.entities
        found = await resolve.cards(connection, tenant=0, member=member, entities=entities)
        return found

    def _texts(self) -> list[Marked]:
        return [entry.marked for entry in self.history.entries if entry.marked is not None]


def exchanged(written: Sequence[str], turns: int) -> Iterator[tuple[str, str]]:
    """Questions and answers of the length that they have: what one customer wrote, and what three did."""
    for turn in range(turns):
        first = 4 * turn
        yield "user", written[first]
        yield "assistant", "\n".join(written[first + 1 : first + 4])


def shown(texts: Sequence[Marked], cards: Cards, erased: str) -> list[str]:
    """The stored texts as their reader sees them."""
    return [draw(marked, cards, erased).text.text for marked in texts]


def unveiled(texts: Sequence[Marked], thread: ThreadMap, cards: Cards) -> list[str]:
    """What the veiled texts say to the reader when a model repeats them: names as the CRM has them now, handles and placeholders as they are."""
    answers = []
    for marked in texts:
        unveiler = Unveiler(thread, cards)
        answers.append(unveiler.feed(marked.veiled().text) + unveiler.close())
    return answers


def masked(marked: Marked) -> Iterator[tuple[Mark, Mapping[str, Any]]]:
    """The marks that hide what they cover, each as a span of the runner's protocol. A look-alike that travels as it is written hides nothing."""
    for mark in marked.marks:
        rendering = mark.rendering.strip()
        if rendering == marked.clear.text[mark.start : mark.end]:
            continue
        span = {"start": mark.start, "end": mark.end, "kind": mark.source.value}
        yield mark, {**span, "token": rendering} if mark.entities and not mark.field else span
