"""Law 1: two CRMs that differ by a renaming alone send the same bytes.

On every conversation also law 2 (nothing leaks) and law 9 (prefixes stay). Where the structure is broken on purpose, bodies differ, and in the
declared signals only. A conversation that fails is held again alone by its number: ``-k "same_bytes and 17"``.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest

from assistant.model import openai_client
from db.crm.demo import words
from db.embedded import Server
from db.pool import Database
from db.roles import logins
from tests import proof
from tests.laws import payloads, phrases
from tests.laws.breaks import answered, broken
from tests.laws.conversations import Change, Restart, conversation
from tests.laws.twins import Held, Twin, people_of
from tests.postgres import execute, on
from tests.seeding import Seeded

Clone = Callable[[str], Awaitable[str]]
Open = Callable[[int, int], Awaitable[Twin]]
#: Conversations in the suite, and in the long run.
_SOME, _ALL = 40, 200
_SOME_BREAKS, _ALL_BREAKS = 12, 60


def _seeds(some: int, many: int) -> list[object]:
    return [*range(some), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(some, many))]


@pytest.fixture
async def open_twin(server: Server, seeded: Callable[[int, int], Awaitable[Seeded]], clone_database: Clone) -> AsyncIterator[Open]:
    """Opens the demo of a structure with the people of a seed, in a database that only this test has."""
    pools: list[Database] = []
    names: list[str] = []

    async def opened(structure: int, people: int) -> Twin:
        dsn = await clone_database((await seeded(structure, people)).database)
        names.append(dsn.rpartition("/")[2])
        app, owner = await Database.open(logins(dsn).app, max_size=2), await Database.open(logins(dsn).owner, max_size=1)
        pools.extend((app, owner))
        return Twin(app, owner, people_of(people))

    yield opened
    for pool in pools:
        await pool.close()
    for name in names:
        await execute(on(server.dsn, "postgres"), f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that fails is tried again at once."""
    monkeypatch.setattr(openai_client, "PAUSES", (0.0, 0.0))


@pytest.fixture(scope="session")
def figures(request: pytest.FixtureRequest) -> Iterator[Counter[str]]:
    """What was held and compared; a whole long run writes it to docs/proof.md."""
    counted: Counter[str] = Counter()
    yield counted
    if request.config.getoption("--prove") and counted["conversations"] == _ALL:
        proof.write("Twins", counted)


@pytest.mark.parametrize("seed", _seeds(_SOME, _ALL))
async def test_twins_send_the_same_bytes(open_twin: Open, figures: Counter[str], seed: int) -> None:
    structure, people = 1 + seed // _SOME, 1 + seed // _SOME
    talk = conversation(seed, structure_seed=structure)
    left, right = await open_twin(structure, 0), await open_twin(structure, people)
    one, other = await asyncio.gather(left.hold(talk), right.hold(talk))
    figures["conversations"] += 1
    difference = payloads.first_difference(one.bodies, other.bodies)
    assert difference is None, difference
    assert one.turns == other.turns
    unsteady = payloads.broken_prefix(one.sent)
    assert unsteady is None, unsteady
    for held in (one, other):
        assert payloads.leaks(held.sent, held.names, held.values) == []
    figures.update(_counted(one))
    figures["changes of the CRM"] += sum(isinstance(step, Change) for step in talk.steps)
    figures["restarts"] += sum(isinstance(step, Restart) for step in talk.steps)


def _counted(held: Held) -> Counter[str]:
    """The figures of a conversation whose twin sent the same."""
    answers = [turn for turn in held.turns if "failed" not in turn]
    return Counter(
        {
            "conversations with equal bytes, steady prefixes and no leak": 1,
            "questions": len(held.turns),
            "requests": len(held.bodies),
            "bytes compared": sum(map(len, held.bodies)),
            "tool calls": sum(len(turn["steps"]) for turn in answers),
            "mentions with several candidates": sum(len(turn["choices"]) for turn in answers),
            "late masks": sum(turn["late_masks"] for turn in answers),
            "unknown tokens": sum(len(turn["unknown_tokens"]) for turn in answers),
            "questions without an answer": len(held.turns) - len(answers),
        }
    )


@pytest.mark.parametrize("seed", _seeds(_SOME_BREAKS, _ALL_BREAKS))
async def test_a_broken_structure_shows_in_declared_signals_only(open_twin: Open, figures: Counter[str], seed: int) -> None:
    pair = broken(seed)
    left, right = await open_twin(1, 0), await open_twin(1, 1)
    one, other = await asyncio.gather(left.hold(pair.whole, script=answered), right.hold(pair.broken, script=answered))
    assert one.bodies != other.bodies
    assert len(one.bodies) == len(other.bodies) + pair.blocked
    whole, rest = one.sent[-1]["messages"], other.sent[-1]["messages"]
    if pair.blocked:
        asked = [place for place, message in enumerate(whole) if message["role"] == "user"][1]
        del whole[asked : asked + 2]
    said = [right.cast.text(text) for text in pair.said]
    assert payloads.without_signals(whole, said) == payloads.without_signals(rest, said)
    figures["broken structures that show in declared signals only"] += 1


def test_no_word_of_a_phrase_is_renamed() -> None:
    renamed = {words.plain(word) for word in words.known()}
    texts = [
        *phrases.ANSWERS,
        *phrases.TYPED,
        *phrases.UNHEARD,
        *(text for table in (phrases.QUESTIONS, phrases.MESSAGES, phrases.RUMOURS) for row in table.values() for text in row),
    ]
    assert [text for text in texts if renamed & {words.plain(word) for word in payloads.words_of(text)}] == []
