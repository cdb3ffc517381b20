"""Companies: found by where they are and since when; the card has the legal id as a handle, contacts and deals."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from db.pool import Connection
from db.queries import load
from tools import contacts, deals
from tools.arguments import Arguments, Flag, Moment, Number, Text, TokenOf
from tools.contacts import ContactRow
from tools.deals import DealRow
from tools.permissions import Actor
from tools.results import ROWS, Page, local, scope_of
from veil.fields import FreeText, Personal, Plain, Ref, Rows
from veil.tokens import Kind

_LATEST = 5


class FindCompanies(Arguments):
    """What companies are found by."""

    city: Annotated[str | None, Text(100)] = None
    with_undecided_deals: Annotated[bool | None, Flag()] = None
    created_after: Annotated[datetime | None, Moment()] = None
    created_before: Annotated[datetime | None, Moment()] = None
    skip: Annotated[int, Number(0, 1_000_000)] = 0


class ShowCompany(Arguments):
    """Whose card is shown."""

    company: Annotated[int, TokenOf(Kind.COMPANY)]


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """A company in a list."""

    company: Annotated[int, Ref(Kind.COMPANY)]
    city: Annotated[str | None, FreeText()]
    created_on: Annotated[date, Plain()]
    contacts: Annotated[int, Plain()]
    undecided_deals: Annotated[int, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCompanies(Page):
    """A page of companies."""

    companies: Annotated[tuple[CompanyRow, ...], Rows()]


@dataclass(frozen=True, slots=True)
class CompanyCard:
    """All that the model may know of one company."""

    company: Annotated[int, Ref(Kind.COMPANY)]
    city: Annotated[str | None, FreeText()]
    legal_id: Annotated[bool, Personal("company")]
    created_on: Annotated[date, Plain()]
    total_contacts: Annotated[int, Plain()]
    latest_contacts: Annotated[tuple[ContactRow, ...], Rows()]
    total_deals: Annotated[int, Plain()]
    undecided_deals: Annotated[int, Plain()]
    latest_deals: Annotated[tuple[DealRow, ...], Rows()]


async def find_companies(
    connection: Connection, actor: Actor, arguments: FindCompanies, now: datetime
) -> FoundCompanies:
    """The companies that match all given arguments, latest first."""
    rows = await connection.fetch(
        load("tools", "companies")["found_companies"],
        actor.tenant_id,
        actor.member_id,
        arguments.city,
        arguments.with_undecided_deals,
        arguments.created_after,
        arguments.created_before,
        arguments.skip,
        ROWS,
    )
    found = tuple(
        CompanyRow(
            company=row["company"],
            city=row["city"],
            created_on=local(row["created_at"], now).date(),
            contacts=row["contacts"],
            undecided_deals=row["undecided_deals"],
        )
        for row in rows
        if row["company"] is not None
    )
    total = rows[0]["total"]
    return FoundCompanies(
        total=total,
        returned=len(found),
        truncated=arguments.skip + len(found) < total,
        searched=scope_of(actor),
        companies=found,
    )


async def show_company(
    connection: Connection, actor: Actor, arguments: ShowCompany, now: datetime
) -> CompanyCard | None:
    """The card of one company."""
    company = arguments.company
    row = await connection.fetchrow(
        load("tools", "companies")["company_card"], actor.tenant_id, actor.member_id, company
    )
    if row is None:
        return None
    return CompanyCard(
        company=row["company"],
        city=row["city"],
        legal_id=row["legal_id"],
        created_on=local(row["created_at"], now).date(),
        total_contacts=row["contacts"],
        latest_contacts=await contacts.latest_of_company(connection, actor, company, now, rows=_LATEST),
        total_deals=row["deals"],
        undecided_deals=row["undecided_deals"],
        latest_deals=await deals.latest_of_company(connection, actor, company, now, rows=_LATEST),
    )
