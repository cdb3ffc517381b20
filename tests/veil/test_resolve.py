"""Names and values through the database first: all bearers of the tenant, each with whether the member may see them (section 4.4, law 5)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

import phonenumbers
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from db.pool import Database
from tests.house import ADMIN, AGENT_OF_SALES, AGENT_OF_SUPPORT, OTHER_ADMIN, House
from tests.veil.counting import Counting
from tests.veil.people import company, contact, inbox, member
from tools.permissions import Actor
from veil import resolve
from veil.bearers import Bearer, Index
from veil.phrases import Text
from veil.resolve import _spellings
from veil.scrub import Sort, equivalents
from veil.tokens import Entity

MARIA, MARIA_TWO, OTONIEL = contact(1), contact(2), contact(3)


async def bearers(database: Database, actor: Actor, forms: Iterable[str]) -> Index:
    async with database.tenant(actor.tenant_id) as connection:
        return await resolve.names(connection, tenant=actor.tenant_id, member=actor.member_id, forms=forms)


@pytest.mark.parametrize(
    ("actor", "form", "expected"),
    [
        pytest.param(ADMIN, "maria", [(MARIA, True), (MARIA_TWO, True)], id="an admin sees all"),
        pytest.param(AGENT_OF_SUPPORT, "otoniel", [(OTONIEL, False)], id="masked, not seen"),
        pytest.param(AGENT_OF_SALES, "otoniel", [(OTONIEL, True)], id="of one's own inbox"),
        pytest.param(AGENT_OF_SALES, "zulema", [(contact(5), True)], id="a contact without a conversation"),
        pytest.param(ADMIN, "quillay", [(company(2), True)], id="a company"),
        pytest.param(ADMIN, "postventa austral", [(inbox(3), True)], id="an inbox by its whole name"),
        pytest.param(ADMIN, "austral", [], id="not by a word of it"),
        pytest.param(AGENT_OF_SALES, "bruno", [(member(2), True)], id="a colleague"),
        pytest.param(ADMIN, "benicio", [], id="another tenant's"),
        pytest.param(OTHER_ADMIN, "maria", [], id="not for another tenant"),
        pytest.param(ADMIN, "nadie", [], id="nobody's"),
    ],
)
async def test_a_form_gives_all_its_bearers_and_says_who_may_be_seen(
    house: House, actor: Actor, form: str, expected: list[tuple[Entity, bool]]
) -> None:
    found = await bearers(house.database, actor, [form])
    assert found[form] == tuple(Bearer(entity, visible) for entity, visible in expected)


async def test_all_forms_of_a_question_are_looked_up_in_one_statement(house: House) -> None:
    forms = Text("¿Qué pasó con María López, Otoniel y la bandeja Postventa Austral de Quillay? " * 20).forms()
    async with house.database.tenant(1) as connection:
        counting = Counting(connection)
        found = await resolve.names(counting, tenant=1, member=1, forms=forms)
    assert len(counting.statements) == 1
    assert {form for form, _ in found.forms()} >= {"maria lopez", "otoniel", "postventa austral", "quillay"}


async def test_no_forms_and_strange_forms_are_nobodys(house: House) -> None:
    assert not await bearers(house.database, ADMIN, [])
    assert not await bearers(house.database, ADMIN, ["", "%", "'; --", "x" * 5_000])


async def test_a_form_of_very_many_bearers_still_shows_those_whom_the_member_may_see(house: House) -> None:
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) SELECT 1, 1000 + n, 'Persona Uncuyo' FROM generate_series(1, 400) AS n")
    await house.sql(
        "INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id) SELECT 1, 1000 + n, 1000 + n, 2 FROM generate_series(1, 400) AS n"
    )
    await house.sql("INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id) VALUES (1, 2000, 1399, 1)")
    found = (await bearers(house.database, AGENT_OF_SUPPORT, ["uncuyo"]))["uncuyo"]
    assert Bearer(contact(1399), True) in found
    assert 1 < len(found) <= resolve.MOST_BEARERS + resolve.MOST_VISIBLE
    assert all(bearer.asked for bearer in found)


async def test_of_very_many_whom_the_member_may_see_some_are_not_asked_about_unless_two_words_are_theirs(house: House) -> None:
    await house.sql("INSERT INTO crm.contacts (tenant_id, id, name) SELECT 1, 1000 + n, 'Persona Uncuyo ' || chr(96 + n / 20) FROM generate_series(20, 99) AS n")
    await house.sql("UPDATE crm.contacts SET name = 'Persona Ancasti Uncuyo' WHERE id = 1099")
    found = await bearers(house.database, ADMIN, ["uncuyo", "ancasti"])
    assert sum(bearer.visible for bearer in found["uncuyo"]) == resolve.MOST_VISIBLE + 1
    assert found["ancasti"] == (Bearer(contact(1099), True),)
    assert Bearer(contact(1099), True) in found["uncuyo"]
    unasked = next(bearer for bearer in found["uncuyo"] if not bearer.asked)
    known = Index({"uncuyo": (Bearer(unasked.entity, True),)})
    assert Bearer(unasked.entity, True) in (found | known)["uncuyo"]
    assert len((found | known)["uncuyo"]) == len(found["uncuyo"])


# --- values ----------------------------------------------------------------------------------------------------------------------------------


async def values(database: Database, actor: Actor, *wanted: tuple[Sort, str]) -> dict[str, tuple[Bearer, ...]]:
    async with database.tenant(actor.tenant_id) as connection:
        return dict(await resolve.values(connection, tenant=actor.tenant_id, member=actor.member_id, wanted=wanted))


async def test_a_value_gives_all_its_bearers(house: House) -> None:
    await house.sql("UPDATE crm.contacts SET phone = '+56 9 6123 4567' WHERE id = 3")
    found = await values(house.database, AGENT_OF_SUPPORT, (Sort.PHONE, "+56961234567"), (Sort.ID, "123456785"), (Sort.EMAIL, "mhuen@correo.example"))
    assert found == {
        "+56961234567": (Bearer(MARIA, True), Bearer(OTONIEL, False)),
        "123456785": (Bearer(MARIA, True),),
        "mhuen@correo.example": (Bearer(MARIA_TWO, True),),
    }


@pytest.mark.parametrize("stored", ["+56 9 8888 7777", "56988887777", "988887777", "9 8888-7777"])
async def test_a_phone_is_found_however_the_crm_holds_it(house: House, stored: str) -> None:
    await house.sql("UPDATE crm.contacts SET phone = $1 WHERE id = 3", stored)
    assert await values(house.database, ADMIN, (Sort.PHONE, "+56988887777")) == {"+56988887777": (Bearer(OTONIEL, True),)}


async def test_a_value_is_of_its_sort_and_tenant(house: House) -> None:
    assert await values(house.database, ADMIN, (Sort.ID, "+56961234567"), (Sort.PHONE, "+5511987654321")) == {}
    assert await values(house.database, ADMIN) == {}


#: Chile, Argentina, Mexico, Colombia, Peru, Brazil, Spain, the United States; then any country, and none.
_CODES = st.sampled_from(["56", "54", "52", "57", "51", "55", "34", "1"]) | st.sampled_from(
    [*map(str, phonenumbers.COUNTRY_CODE_TO_REGION_CODE), "", "0", "999"]
)
#: What is dialled before a number and may be left out of it, and what looks so.
_DIALLED = st.sampled_from(["", "0", "00", "1", "01", "044", "9", "90", "0411", "01115", "1115", "15"])


@given(_CODES, _DIALLED, st.text(alphabet="0123456789", max_size=18))
def test_a_number_within_its_country_is_the_one_that_phonenumbers_reads(code: str, dialled: str, digits: str) -> None:
    assume(value := f"{code}{dialled}{digits}")
    try:
        parsed: str | None = phonenumbers.national_significant_number(phonenumbers.parse(f"+{value}"))
    except phonenumbers.NumberParseException:
        parsed = None
    spellings = {value, f"+{value}", *equivalents(f"+{value}")}
    assert {*_spellings(Sort.PHONE, f"+{value}")} == spellings | ({parsed} if parsed is not None else set())


# --- cards -----------------------------------------------------------------------------------------------------------------------------------


async def test_a_card_says_what_may_be_shown_now(house: House) -> None:
    async with house.database.tenant(1) as connection:
        found = await resolve.cards(connection, tenant=1, member=2, entities=[MARIA, OTONIEL, contact(999), inbox(1), company(2)])
    assert set(found) == {MARIA, OTONIEL, inbox(1), company(2)}
    assert (found[MARIA].name, found[MARIA].visible, found[MARIA].values["phone"]) == ("María López", True, "+56961234567")
    assert not found[OTONIEL].visible
    assert "López" not in repr(found[MARIA])


async def test_what_tells_homonyms_apart_is_what_the_member_may_see(house: House) -> None:
    await house.sql("INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id, last_message_at) VALUES (1, 900, 1, 3, now())")
    async with house.database.tenant(1) as connection:
        told = [await resolve.details(connection, tenant=1, member=member, entities=[MARIA, company(2), contact(999)]) for member in (1, 2)]
    assert [details[MARIA].inbox for details in told] == ["Postventa Austral", "Soporte"]
    assert [set(details) for details in told] == [{MARIA, company(2)}] * 2


async def test_no_entities_take_no_statement(house: House) -> None:
    async with house.database.tenant(1) as connection:
        counting = Counting(connection)
        assert await resolve.cards(counting, tenant=1, member=1, entities=[]) == {}
        assert await resolve.details(counting, tenant=1, member=1, entities=[]) == {}
    assert counting.statements == []


# --- tenants ---------------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
async def unfenced(house_dsn: str) -> AsyncIterator[Database]:
    """A superuser's pool: row-level security does not hold it back, the statements' own tenant filter must."""
    opened = await Database.open(house_dsn)
    yield opened
    await opened.close()


async def test_every_look_up_filters_by_tenant_itself(house: House, unfenced: Database) -> None:
    assert not await bearers(unfenced, OTHER_ADMIN, ["maria", "otoniel", "quillay", "postventa austral"])
    assert await values(unfenced, OTHER_ADMIN, (Sort.PHONE, "+56961234567")) == {}
    async with unfenced.tenant(2) as connection:
        found = await resolve.cards(connection, tenant=2, member=1, entities=[contact(1), contact(2), contact(3)])
    assert [card.name for card in found.values()] == ["Benício Prado"]
