"""The member's own choices of whom a span of the question means."""

from collections.abc import Sequence

from assistant.lookups import Lookups
from assistant.question import Mention
from db.pool import Connection
from veil.text import Source
from veil.tokens import Entity, EntityId
from veil.veiling import GROUP, Span

#: Whom a span means, by its start and end.
Chosen = dict[tuple[int, int], tuple[Entity, ...]]


async def put_over(spans: Sequence[Span], mentions: Sequence[Mention], crm: Lookups, connection: Connection) -> tuple[list[Span], Chosen]:
    """The spans of a question with the choices put over them, and whom each choice means.

    A choice takes in every span that it touches, so that nothing of a name is left beside it; two choices within one name mean both. A choice
    of anybody means those of the name's bearers who were last in contact.
    """
    kept, chosen = list(spans), Chosen()
    for mention in mentions:
        over = [span for span in kept if span.start < mention.end and mention.start < span.end]
        place = (min([mention.start, *(span.start for span in over)]), max([mention.end, *(span.end for span in over)]))
        before = [entity for span in over for entity in chosen.pop((span.start, span.end), ())]
        kept = [span for span in kept if span not in over] + [Span(*place, Source.MENTION)]
        chosen[place] = tuple(dict.fromkeys((*before, *await _meant(mention, over, crm, connection))))
    return sorted(kept, key=lambda span: span.start), chosen


async def _meant(mention: Mention, over: Sequence[Span], crm: Lookups, connection: Connection) -> tuple[Entity, ...]:
    if mention.id is not None:
        return (Entity(mention.kind, EntityId(mention.id)),)
    named = [bearer.entity for span in over for bearer in span.bearers if bearer.visible]
    return await crm.latest(connection, named, most=GROUP)
