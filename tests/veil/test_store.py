"""A thread's map on real Postgres: reloaded by thread and never by rights, in one statement; mergers and deletions noted (laws 2, 3, 5)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import pytest

from db.pool import Database, Row
from tests.house import ADMIN, AGENT_OF_SALES, OTHER_ADMIN, House
from tests.veil.counting import Counting
from tests.veil.people import company, contact, inbox, member
from tools.permissions import Actor
from veil import store
from veil.bearers import Bearer, Index
from veil.scrub import Sort
from veil.thread import State, ThreadMap
from veil.tokens import Entity, Token
from veil.veiling import Needs

MARIA, MARIA_TWO, OTONIEL = contact(1), contact(2), contact(3)
NO_SURFACES = Index()


@pytest.fixture
async def thread(house: House) -> int:
    number: int = (await house.turns.open_thread(ADMIN, None, b""))["thread_id"]
    return number


async def reloaded(database: Database, thread: int, *, actor: Actor = ADMIN, surfaces: Index = NO_SURFACES) -> ThreadMap:
    async with database.tenant(actor.tenant_id) as connection:
        return await store.reload(connection, tenant=actor.tenant_id, thread=thread, asker=member(actor.member_id), surfaces=surfaces)


async def given(database: Database, thread: int, needs: Needs, *, actor: Actor = ADMIN) -> tuple[ThreadMap, list[Entity]]:
    """The map after something was given, and what is new in it."""
    known = await reloaded(database, thread, actor=actor)
    async with database.tenant(actor.tenant_id) as connection:
        minted = await store.give(connection, tenant=actor.tenant_id, thread=thread, needs=needs, known=known)
    return known, minted


async def test_a_new_thread_knows_its_asker(house: House, thread: int) -> None:
    found = await reloaded(house.database, thread)
    assert found.token_of(member(1)) == Token("U", 1)
    assert found.names["valentina aravena"] == (Bearer(member(1), True),)
    assert "valentina@tienda.example".replace("@", "").replace(".", "") in set(found.values)


async def test_what_is_minted_brings_its_forms_and_values(house: House, thread: int) -> None:
    known, minted = await given(house.database, thread, Needs(mint=(MARIA, OTONIEL, company(2), inbox(1))))
    assert minted == [MARIA, OTONIEL, company(2), inbox(1)]
    assert [str(known.token_of(entity)) for entity in minted] == ["C-1", "C-2", "E-1", "B-1"]
    assert known.names["maria lopez"] == (Bearer(MARIA, True),)
    assert known.names["quillay"] == (Bearer(company(2), True),)
    assert [span.sort for span in known.values.find("al 9 6123 4567 o 12.345.678-5")].count(Sort.ID) == 1
    again = await reloaded(house.database, thread)
    assert (again.entries, set(again.names.forms()), set(again.values)) == (known.entries, set(known.names.forms()), set(known.values))


async def test_an_entity_keeps_its_token_and_numbers_go_on(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(OTONIEL,)))
    known, _ = await given(house.database, thread, Needs(mint=(MARIA, OTONIEL)))
    assert [str(known.token_of(entity)) for entity in (OTONIEL, MARIA)] == ["C-1", "C-2"]


async def test_reserved_numbers_are_passed_over_and_taken_ones_are_said_to_be(house: House, thread: int) -> None:
    known, _ = await given(house.database, thread, Needs(reserve=(Token("C", 1), Token("Z", 7), Token("U", 1))))
    assert known.entries[Token("C", 1)].state is State.RESERVED
    assert known.entries[Token("Z", 7)].state is State.RESERVED
    assert known.entries[Token("U", 1)].state is State.LIVE
    known, _ = await given(house.database, thread, Needs(mint=(MARIA,)))
    assert known.token_of(MARIA) == Token("C", 2)


async def test_a_number_that_another_server_took_meanwhile_is_read_again(house: House, thread: int) -> None:
    stale = await reloaded(house.database, thread)
    await given(house.database, thread, Needs(mint=(MARIA,)))
    async with house.database.tenant(1) as connection:
        await store.give(connection, tenant=1, thread=thread, needs=Needs(reserve=(Token("C", 1),)), known=stale)
    assert stale.entity_of(Token("C", 1)) == MARIA


async def test_a_literal_keeps_its_alias(house: House, thread: int) -> None:
    first, _ = await given(house.database, thread, Needs(alias=("U-1", "[nombre 1]")))
    second, _ = await given(house.database, thread, Needs(alias=("[nombre 1]", "C-7")))
    assert first.literal_of(Token("X", 1)) == "U-1"
    assert [second.literal_of(Token("X", number)) for number in (1, 2, 3)] == ["U-1", "[nombre 1]", "C-7"]


# --- what must be masked is read whole ------------------------------------------------------------------------------------------------------


async def test_the_map_is_read_whatever_the_member_may_see_now(house: House) -> None:
    thread = (await house.turns.open_thread(AGENT_OF_SALES, None, b""))["thread_id"]
    await given(house.database, thread, Needs(mint=(OTONIEL,)), actor=AGENT_OF_SALES)
    await house.sql("UPDATE crm.conversations SET inbox_id = 1 WHERE contact_id = 3")
    found = await reloaded(house.database, thread, actor=AGENT_OF_SALES)
    assert found.names["otoniel"] == (Bearer(OTONIEL, False),)
    assert found.values.find("9 8345 6789")


async def test_former_names_stay_known_after_a_rename(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(OTONIEL,)))
    await house.sql("UPDATE crm.contacts SET name = 'Bernarda Quintrala' WHERE id = 3")
    found = await reloaded(house.database, thread)
    assert found.names["otoniel ibarrola"] == found.names["bernarda"] == (Bearer(OTONIEL, True),)


async def test_words_that_the_threads_marks_cover_are_known_too(house: House, thread: int) -> None:
    surfaces = Index({"quinto": (Bearer(MARIA, False),), "valentina": (Bearer(MARIA, False),)})
    found = await reloaded(house.database, thread, surfaces=surfaces)
    assert found.names["quinto"] == (Bearer(MARIA, False),)
    assert {bearer.entity for bearer in found.names["valentina"]} == {member(1), MARIA}


@pytest.mark.parametrize("minted", [1, 60], ids=["one", "sixty"])
async def test_a_reload_takes_one_statement_whatever_the_history(house: House, thread: int, minted: int) -> None:
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) SELECT 1, 1000 + n, 'Persona Uncuyo' FROM generate_series(1, 60) AS n")
    await given(house.database, thread, Needs(mint=tuple(contact(1000 + number) for number in range(1, minted + 1))))
    async with house.database.tenant(1) as connection:
        counting = Counting(connection)
        await store.reload(counting, tenant=1, thread=thread, asker=member(1), surfaces=NO_SURFACES)
    assert len(counting.statements) == 1


@dataclass
class _Weighing(Counting):
    """Counts rows as well."""

    rows: int = 0

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        rows = await super().fetch(query, *args)
        self.rows += len(rows)
        return rows


async def test_in_the_middle_of_a_turn_only_what_has_changed_is_read(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(MARIA, OTONIEL)))
    known = await reloaded(house.database, thread)
    told = []
    for change in (None, "UPDATE crm.contacts SET name = 'Bernarda Quintrala', phone = '+56987654321' WHERE id = 3", None):
        if change is not None:
            await house.sql(change)
        async with house.database.tenant(1) as connection:
            weighing = _Weighing(connection)
            news = await store.refresh(weighing, tenant=1, known=known, surfaces=NO_SURFACES)
        told.append((news, len(weighing.statements), weighing.rows))
    assert told == [(False, 1, 0), (True, 1, 1), (False, 1, 0)]
    assert known.names["quintrala"] == known.names["otoniel"] == (Bearer(OTONIEL, True),)
    assert known.values.find("9 8765 4321")
    assert known.values.find("9 8345 6789")


async def test_who_may_be_seen_is_read_again_in_the_middle_of_a_turn(house: House) -> None:
    thread = (await house.turns.open_thread(AGENT_OF_SALES, None, b""))["thread_id"]
    known, _ = await given(house.database, thread, Needs(mint=(OTONIEL,)), actor=AGENT_OF_SALES)
    surfaces = Index({"quinto": (Bearer(OTONIEL, False),)})
    await house.sql("UPDATE crm.conversations SET inbox_id = 1 WHERE contact_id = 3")
    async with house.database.tenant(1) as connection:
        assert await store.refresh(connection, tenant=1, known=known, surfaces=surfaces)
    assert known.names["otoniel"] == known.names["quinto"] == (Bearer(OTONIEL, False),)


# --- mergers and deletions ------------------------------------------------------------------------------------------------------------------


async def test_the_token_of_a_merged_contact_stands_for_the_survivor(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(MARIA_TWO,)))
    await house.sql("SELECT crm.merge_contacts(2, 1)")
    found = await reloaded(house.database, thread)
    assert found.entries[Token("C", 1)].state is State.MERGED
    assert found.entity_of(Token("C", 1)) == MARIA
    assert found.token_of(MARIA) == Token("C", 2)
    assert {bearer.entity for bearer in found.names["huenchuman"]} >= {MARIA}
    assert found.values.find("9 7234 5678")
    assert (await reloaded(house.database, thread)).entries == found.entries


async def test_a_chain_of_mergers_leads_to_the_last_survivor(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(MARIA_TWO,)))
    await house.sql("SELECT crm.merge_contacts(2, 1)")
    await reloaded(house.database, thread)
    await house.sql("SELECT crm.merge_contacts(1, 3)")
    found = await reloaded(house.database, thread)
    assert found.entity_of(Token("C", 1)) == found.entity_of(Token("C", 2)) == OTONIEL


async def test_two_mergers_between_two_turns_lead_to_the_last_survivor(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(MARIA_TWO,)))
    await house.sql("SELECT crm.merge_contacts(2, 1), crm.merge_contacts(1, 3)")
    found = await reloaded(house.database, thread)
    assert found.entity_of(Token("C", 1)) == OTONIEL


async def test_a_deleted_entity_keeps_its_number_and_stands_for_nobody(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(OTONIEL,)))
    await house.sql("DELETE FROM crm.contacts WHERE id = 3")
    found = await reloaded(house.database, thread)
    assert found.entries[Token("C", 1)].state is State.ERASED
    assert found.entity_of(Token("C", 1)) is None
    known, _ = await given(house.database, thread, Needs(mint=(MARIA,)))
    assert known.token_of(MARIA) == Token("C", 2)


async def test_a_survivor_that_is_deleted_later_takes_its_tokens_along(house: House, thread: int) -> None:
    await given(house.database, thread, Needs(mint=(MARIA_TWO,)))
    await house.sql("SELECT crm.merge_contacts(2, 1)")
    await reloaded(house.database, thread)
    await house.sql("DELETE FROM crm.contacts WHERE id = 1")
    found = await reloaded(house.database, thread)
    assert found.entity_of(Token("C", 1)) is found.entity_of(Token("C", 2)) is None


# --- tenants ---------------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
async def unfenced(house_dsn: str) -> AsyncIterator[Database]:
    """A superuser's pool: row-level security does not hold it back, the statements' own tenant filter must."""
    opened = await Database.open(house_dsn)
    yield opened
    await opened.close()


async def test_a_thread_of_another_tenant_is_empty_even_without_row_level_security(house: House, thread: int, unfenced: Database) -> None:
    await given(house.database, thread, Needs(mint=(MARIA, OTONIEL)))
    found = await reloaded(unfenced, thread, actor=OTHER_ADMIN)
    assert found.entries == {}
    assert not found.names


async def test_forms_of_equal_ids_of_another_tenant_are_not_read(house: House, unfenced: Database) -> None:
    thread = (await house.turns.open_thread(OTHER_ADMIN, None, b""))["thread_id"]
    await given(house.database, thread, Needs(mint=(MARIA,)), actor=OTHER_ADMIN)
    found = await reloaded(unfenced, thread, actor=OTHER_ADMIN)
    assert {form for form, _ in found.names.forms()} == {"benicio prado", "benicio", "prado", "iracema valadares", "iracema", "valadares"}
    assert not found.values.find("9 6123 4567")
