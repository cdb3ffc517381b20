"""Campaigns with their figures; what share was delivered, opened and answered, the database computes."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from db.pool import Connection
from db.queries import load
from tools.arguments import Arguments, Choice, Moment, Number, TokenOf
from tools.inboxes import Channel
from tools.permissions import Actor
from tools.results import ROWS, Page, local, scope_of
from veil.fields import FreeText, Plain, Ref, Rows
from veil.tokens import Kind


class CampaignState(StrEnum):
    """How far a campaign has come."""

    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


class ListCampaigns(Arguments):
    """Which campaigns are listed."""

    campaign: Annotated[int | None, TokenOf(Kind.CAMPAIGN)] = None
    campaign_state: Annotated[CampaignState | None, Choice(CampaignState)] = None
    channel: Annotated[Channel | None, Choice(Channel)] = None
    starts_after: Annotated[datetime | None, Moment()] = None
    starts_before: Annotated[datetime | None, Moment()] = None
    skip: Annotated[int, Number(0, 1_000_000)] = 0


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """A campaign in a list. Delivered is a share of what was sent; opened and replied of what was delivered."""

    campaign: Annotated[int, Ref(Kind.CAMPAIGN)]
    name: Annotated[str, FreeText(("campaign",))]
    channel: Annotated[Channel, Plain()]
    state: Annotated[CampaignState, Plain()]
    starts_at: Annotated[datetime | None, Plain()]
    ends_at: Annotated[datetime | None, Plain()]
    sent: Annotated[int | None, Plain()]
    delivered: Annotated[int | None, Plain()]
    opened: Annotated[int | None, Plain()]
    replied: Annotated[int | None, Plain()]
    delivered_percent: Annotated[Decimal | None, Plain()]
    opened_percent: Annotated[Decimal | None, Plain()]
    replied_percent: Annotated[Decimal | None, Plain()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaigns(Page):
    """A page of campaigns."""

    campaigns: Annotated[tuple[CampaignRow, ...], Rows()]


async def list_campaigns(connection: Connection, actor: Actor, arguments: ListCampaigns, now: datetime) -> Campaigns:
    """The campaigns that match all given arguments, latest start first."""
    rows = await connection.fetch(
        load("tools", "campaigns")["campaigns"],
        actor.tenant_id,
        actor.member_id,
        arguments.campaign,
        arguments.campaign_state,
        arguments.channel,
        arguments.starts_after,
        arguments.starts_before,
        arguments.skip,
        ROWS,
    )
    campaigns = tuple(
        CampaignRow(
            campaign=row["campaign"],
            name=row["name"],
            channel=Channel(row["channel"]),
            state=CampaignState(row["state"]),
            starts_at=local(row["starts_at"], now),
            ends_at=local(row["ends_at"], now),
            sent=row["sent"],
            delivered=row["delivered"],
            opened=row["opened"],
            replied=row["replied"],
            delivered_percent=row["delivered_percent"],
            opened_percent=row["opened_percent"],
            replied_percent=row["replied_percent"],
        )
        for row in rows
        if row["campaign"] is not None
    )
    total = rows[0]["total"]
    return Campaigns(
        total=total,
        returned=len(campaigns),
        truncated=arguments.skip + len(campaigns) < total,
        searched=scope_of(actor),
        campaigns=campaigns,
    )
