"""Deals: found by where they stand, and summed by stage and currency; amounts of two currencies are never added."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from db.pool import Connection, Row
from db.queries import load
from tools.arguments import Arguments, Choice, Flag, Moment, Number, TokenOf
from tools.currencies import Currency
from tools.permissions import Actor
from tools.results import ROWS, Page, local, scope_of
from veil.fields import FreeText, Plain, Ref, Rows
from veil.tokens import Kind


class Stage(StrEnum):
    """How far a deal has come."""

    NEW = "new"
    QUALIFIED = "qualified"
    PROPOSAL = "proposal"
    WON = "won"
    LOST = "lost"


class DealFilters(Arguments):
    """What deals are found by; ``member`` is the owner."""

    deal: Annotated[int | None, TokenOf(Kind.DEAL)] = None
    stage: Annotated[Stage | None, Choice(Stage)] = None
    undecided: Annotated[bool | None, Flag()] = None
    member: Annotated[int | None, TokenOf(Kind.MEMBER)] = None
    contact: Annotated[int | None, TokenOf(Kind.CONTACT)] = None
    company: Annotated[int | None, TokenOf(Kind.COMPANY)] = None
    closes_after: Annotated[datetime | None, Moment()] = None
    closes_before: Annotated[datetime | None, Moment()] = None


class FindDeals(DealFilters):
    """What deals are found by, and where the page begins."""

    skip: Annotated[int, Number(0, 1_000_000)] = 0


class SumDeals(DealFilters):
    """What the deals that are summed are found by."""


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal in a list."""

    deal: Annotated[int, Ref(Kind.DEAL)]
    contact: Annotated[int | None, Ref(Kind.CONTACT)]
    company: Annotated[int | None, Ref(Kind.COMPANY)]
    owner: Annotated[int | None, Ref(Kind.MEMBER)]
    title: Annotated[str | None, FreeText(("contact", "company", "owner"))]
    stage: Annotated[Stage, Plain()]
    amount: Annotated[Decimal | None, Plain()]
    currency: Annotated[Currency | None, Plain()]
    expected_close: Annotated[date | None, Plain()]
    created_on: Annotated[date, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDeals(Page):
    """A page of deals."""

    deals: Annotated[tuple[DealRow, ...], Rows()]


@dataclass(frozen=True, slots=True)
class DealSum:
    """The deals of one stage in one currency; ``amount`` sums those that have one."""

    stage: Annotated[Stage, Plain()]
    currency: Annotated[Currency | None, Plain()]
    deals: Annotated[int, Plain()]
    deals_without_amount: Annotated[int, Plain()]
    amount: Annotated[Decimal | None, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedDeals(Page):
    """The sums in the order of the stages; ``total`` is the number of deals."""

    sums: Annotated[tuple[DealSum, ...], Rows()]


async def find_deals(connection: Connection, actor: Actor, arguments: FindDeals, now: datetime) -> FoundDeals:
    """The deals that match all given arguments: the latest close first, or the next one where closes_after is given."""
    rows = await connection.fetch(
        load("tools", "deals")["found_deals"], *_filters(actor, arguments, now), arguments.skip, ROWS
    )
    found = _rows(rows, now)
    total = rows[0]["total"]
    return FoundDeals(
        total=total,
        returned=len(found),
        truncated=arguments.skip + len(found) < total,
        searched=scope_of(actor),
        deals=found,
    )


async def sum_deals(connection: Connection, actor: Actor, arguments: SumDeals, now: datetime) -> SummedDeals:
    """How many deals match all given arguments and what they amount to, by stage and currency."""
    rows = await connection.fetch(load("tools", "deals")["summed_deals"], *_filters(actor, arguments, now))
    sums = tuple(
        DealSum(
            stage=Stage(row["stage"]),
            currency=row["currency"] and Currency(row["currency"]),
            deals=row["deals"],
            deals_without_amount=row["deals_without_amount"],
            amount=row["amount"],
        )
        for row in rows[:ROWS]
    )
    return SummedDeals(
        total=sum(row["deals"] for row in rows),
        returned=len(sums),
        truncated=len(rows) > len(sums),
        searched=scope_of(actor),
        sums=sums,
    )


async def latest_of_company(
    connection: Connection, actor: Actor, company: int, now: datetime, *, rows: int
) -> tuple[DealRow, ...]:
    """The company's deals that close last."""
    filters = _filters(actor, DealFilters.model_construct(company=company), now)
    return _rows(await connection.fetch(load("tools", "deals")["found_deals"], *filters, 0, rows), now)


def _filters(actor: Actor, filters: DealFilters, now: datetime) -> tuple[object, ...]:
    """The parameters ``$1`` to ``$10``, which both statements share."""
    return (
        actor.tenant_id,
        actor.member_id,
        filters.deal,
        filters.contact,
        filters.company,
        filters.member,
        filters.stage,
        filters.undecided,
        _day(filters.closes_after, now),
        _day(filters.closes_before, now),
    )


def _day(moment: datetime | None, now: datetime) -> date | None:
    """The day in the zone of the turn: a deal closes on a day, not at a time."""
    return moment and moment.astimezone(now.tzinfo).date()


def _rows(rows: Sequence[Row], now: datetime) -> tuple[DealRow, ...]:
    return tuple(
        DealRow(
            deal=row["deal"],
            contact=row["contact"],
            company=row["company"],
            owner=row["owner"],
            title=row["title"],
            stage=Stage(row["stage"]),
            amount=row["amount"],
            currency=row["currency"] and Currency(row["currency"]),
            expected_close=row["expected_close"],
            created_on=local(row["created_at"], now).date(),
        )
        for row in rows
        if row["deal"] is not None
    )
