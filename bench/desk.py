"""Veils texts as the assistant does: the same steps as ``assistant.loop`` and ``veil.results``, with the marks in hand.

Names and values come from whatever connection the desk is given; tokens are always minted in memory, thread by thread.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager

from bench.held import Held
from db.pool import Connection
from veil import fuzzy, resolve, store, veiling
from veil.bearers import Index
from veil.late import outside
from veil.names import Reading
from veil.phrases import Text
from veil.text import Clear, Mark, Marked, Source
from veil.thread import ThreadMap, surfaces
from veil.tokens import Entity
from veil.veiling import Decided, Needs, Numbering, Setting

#: The one thread of a desk.
_THREAD = 1


class Desk:
    """One member's thread at a time."""

    def __init__(self, tenant: int, setting: Setting, held: Held, connect: Callable[[], AbstractAsyncContextManager[Connection]]) -> None:
        self._tenant = tenant
        self._held = held
        self._connect = connect
        self._surfaces = Index()
        self.setting = setting

    async def begin(self, asker: Entity) -> None:
        """A new thread, in which the asker is U-1."""
        self._held.forget()
        self._surfaces = Index()
        self.thread = ThreadMap(asker)
        await self._give(Needs((asker,)))

    async def go_on(self, texts: Iterable[Marked]) -> None:
        """The next turn: the map is read again, and what these texts have masked stays masked."""
        self._surfaces = surfaces(texts)
        self.thread = await store.reload(self._held, tenant=self._tenant, thread=_THREAD, asker=self.thread.asker, surfaces=self._surfaces)

    async def meet(self, entity: Entity) -> None:
        """The thread comes to know somebody, as a tool's result makes it."""
        await self._give(Needs((entity,)))

    async def foreign(self, text: str, own: tuple[Entity, ...]) -> Marked:
        """Anybody's words that came with a row of these people, as a tool's result carries them."""
        cut = Text(text)
        wanted = {form for item in veiling.candidates(text, self.setting) for form in item.forms}
        async with self._connect() as connection:
            member = int(self.thread.asker.id)
            index = await resolve.names(connection, tenant=self._tenant, member=member, forms=cut.forms())
            words = fuzzy.doubtful(cut, index | self.thread.names, Reading.TEXT)
            index = index | await resolve.similar(connection, tenant=self._tenant, member=member, words=words)
            borne = await resolve.values(connection, tenant=self._tenant, member=member, wanted=wanted)
        await self._give(Needs(tuple(entity for entity in own if self.thread.token_of(entity) is None)))
        before = index | self.thread.names, self.thread.values
        decided = self._decided(text, own, index, borne, cut)
        needs = veiling.needs_of(decided, self.thread)
        await self._give(needs)
        if needs.mint and veiling.has_news(text, cut, before, (index | self.thread.names, self.thread.values)):
            decided = self._decided(text, own, index, borne, cut)  # what was minted brings values of its own
        return self._marked(text, decided)

    async def question(self, text: str) -> Marked:
        """The member's own words. Nobody is there to choose between many bearers of a name: it then travels as nobody's."""
        cut = Text(text)
        async with self._connect() as connection:
            member = int(self.thread.asker.id)
            index = await resolve.names(connection, tenant=self._tenant, member=member, forms=cut.forms())
            words = fuzzy.doubtful(cut, index | self.thread.names, Reading.QUESTION)
            index = index | await resolve.similar(connection, tenant=self._tenant, member=member, words=words)
            wanted = veiling.values_of(text, self.setting)
            bearers = await resolve.values(connection, tenant=self._tenant, member=member, wanted=wanted)
        spans = veiling.read(text, index | self.thread.names, self.thread, self.setting, reading=Reading.QUESTION, cut=cut, borne=bearers)
        decided, _ = veiling.decide_question(spans, self.thread, chosen={}, bearers_of=bearers)
        await self._give(veiling.needs_of(decided, self.thread))
        marked = self._marked(text, decided)
        late = [
            Mark(start, end, self.setting.placeholders[value.sort], Source.VALUE)
            for value in self.thread.values.find(text)
            for start, end in outside(value.start, value.end, marked.marks)
        ]
        return marked.with_marks(late)

    def _decided(self, text: str, own: tuple[Entity, ...], index: Index, borne: Collection[str], cut: Text) -> list[Decided]:
        both = index | self.thread.names
        spans = veiling.read(text, both, self.thread, self.setting, reading=Reading.TEXT, cut=cut, borne=borne)
        return veiling.decide_text(spans, own)

    def _marked(self, text: str, decided: Iterable[Decided]) -> Marked:
        marks = veiling.render(text, decided, self.thread, self.setting, Numbering())
        return Marked.of(Clear(text), marks, self.setting.version)

    async def _give(self, needs: Needs) -> None:
        if needs:
            await store.give(self._held, tenant=self._tenant, thread=_THREAD, needs=needs, known=self.thread)
