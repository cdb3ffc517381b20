"""A small CRM of two tenants with the same ids, in which every row of tenant 1 is known by heart.

Tenant 1 (now is 2026-03-31 12:00 in Santiago, UTC-3)::

    members         1 agent of inbox 1 · 2 agent of inbox 2 · 3 supervisor · 4 admin · 5 agent of inbox 1, inactive
    inboxes         1 whatsapp, open · 2 email, closed
    conversations   11 open, inbox 1, contact 1, of member 1, waiting for 30 hours, 25 messages
                    12 pending, inbox 2, contact 2, of member 2
                    13 resolved, inbox 1, contact 4, of member 1, still marked as waiting
                    14 open, inbox 2, contact 4, of nobody, waiting for 2 hours, 2 messages, one of them private
    contacts        1 lead, inbox 1 · 2 active, inbox 2, of company 1 · 3 inactive, no conversation, never contacted
                    4 active, both inboxes
    companies       1 with a legal id, contact 2 · 2 without anything
    notes           1 on contact 1, by member 1 · 2 on contact 2, by member 2 · 3 on contact 4, by nobody we know
    campaigns       1 whatsapp, running · 2 email, draft · 3 email, finished, nothing delivered
    deals           1 new, contact 1, of member 1 · 2 proposal, contact 2, company 1, of member 2, in dollars
                    3 won, contact 4, company 1, of member 2 · 4 new, company 2, of nobody, without amount
                    5 lost, contact 2, of member 1

Tenant 2 has the same ids, and contact 90, conversation 91, inbox 92, company 93, campaign 94 and deal 95 besides.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone

from db.pool import Connection, Database
from tools.permissions import Actor, Role
from tools.refusals import Declined
from tools.run import Answered, run
from veil.tokens import EntityId

NOW = datetime(2026, 3, 31, 12, 0, tzinfo=timezone(timedelta(hours=-3)))

AGENT_1 = Actor(1, 1, Role.AGENT)
AGENT_2 = Actor(1, 2, Role.AGENT)
SUPERVISOR = Actor(1, 3, Role.SUPERVISOR)
ADMIN = Actor(1, 4, Role.ADMIN)
INACTIVE = Actor(1, 5, Role.AGENT)
OTHER_ADMIN = Actor(2, 4, Role.ADMIN)

#: The thread's tokens: numbers are never the ids.
TOKENS: Mapping[tuple[str, int], EntityId] = {
    ("C", 1): EntityId(2),
    ("C", 2): EntityId(1),
    ("C", 3): EntityId(3),
    ("C", 4): EntityId(4),
    ("C", 8): EntityId(90),
    ("C", 9): EntityId(999),
    ("H", 1): EntityId(11),
    ("H", 2): EntityId(12),
    ("H", 3): EntityId(13),
    ("H", 4): EntityId(14),
    ("H", 8): EntityId(91),
    ("B", 1): EntityId(2),
    ("B", 2): EntityId(1),
    ("B", 8): EntityId(92),
    ("U", 1): EntityId(1),
    ("U", 2): EntityId(2),
    ("E", 1): EntityId(1),
    ("E", 2): EntityId(2),
    ("E", 8): EntityId(93),
    ("K", 1): EntityId(3),
    ("K", 8): EntityId(94),
    ("D", 1): EntityId(2),
    ("D", 2): EntityId(1),
    ("D", 8): EntityId(95),
}


async def ask(
    database: Database, actor: Actor, name: str, arguments: str | None = "{}", *, now: datetime = NOW
) -> Answered | Declined:
    """One call of the model, in a transaction of its own."""
    async with database.tenant(actor.tenant_id, read_only=True) as connection:
        return await run(name, arguments, actor=actor, connection=connection, tokens=TOKENS, now=now)


async def found(database: Database, actor: Actor, name: str, arguments: str | None = "{}") -> object:
    """The result of a call that is answered."""
    answer = await ask(database, actor, name, arguments)
    assert isinstance(answer, Answered), answer
    return answer.result


async def fill(owner: Database) -> None:
    """Write both tenants."""
    for tenant in (1, 2):
        async with owner.tenant(tenant) as connection:
            await _fill(connection, tenant)
    async with owner.tenant(2) as connection:
        await connection.execute("INSERT INTO crm.contacts (tenant_id, id, name) VALUES (2, 90, 'Zulma Otra')")
        await connection.execute("INSERT INTO crm.inboxes (tenant_id, id, name) VALUES (2, 92, 'ajeno Otra')")
        await connection.execute(
            "INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id) VALUES (2, 91, 90, 92)"
        )
        await connection.execute("INSERT INTO crm.companies (tenant_id, id, name) VALUES (2, 93, 'ajeno Otra')")
        await connection.execute("INSERT INTO crm.campaigns (tenant_id, id, name) VALUES (2, 94, 'ajeno Otra')")
        await connection.execute("INSERT INTO crm.deals (tenant_id, id, title) VALUES (2, 95, 'ajeno Otra')")


async def _fill(connection: Connection, tenant: int) -> None:
    mark = "" if tenant == 1 else "ajeno "
    for statement in _ROWS:
        await connection.execute(statement.replace("TENANT", str(tenant)).replace("MARK", mark))
    texts = [(tenant, number, f"{mark}mensaje {number}", NOW - timedelta(hours=55 - number)) for number in range(1, 26)]
    await connection.executemany(
        "INSERT INTO crm.messages (tenant_id, id, conversation_id, author_kind, member_id, body, created_at)"
        " VALUES ($1::bigint, 100 + $2::bigint, 11, CASE WHEN $2::bigint % 2 = 0 THEN 'member' ELSE 'contact' END,"
        " CASE WHEN $2::bigint % 2 = 0 THEN 1 END, $3, $4)",
        texts,
    )
    # What the CRM keeps by itself when messages come in is set back to what is known by heart.
    await connection.execute("UPDATE crm.contacts SET last_contact_at = '2026-03-31 11:59:40-03' WHERE id = 1")


_ROWS = (
    """
    INSERT INTO crm.members (tenant_id, id, name, role, active) VALUES
        (TENANT, 1, 'MARKIrma Uno', 'agent', true), (TENANT, 2, 'MARKOlga Dos', 'agent', true),
        (TENANT, 3, 'MARKSara Tres', 'supervisor', true), (TENANT, 4, 'MARKNuria Cuatro', 'admin', true),
        (TENANT, 5, 'MARKElsa Cinco', 'agent', false)
    """,
    """
    INSERT INTO crm.companies (tenant_id, id, name, legal_id, city, created_at) VALUES
        (TENANT, 1, 'MARKFerretería Sol', '76.000.001-1', 'MARKViña del Mar', '2026-01-01 10:00-03'),
        (TENANT, 2, 'MARKFerretería Luna', NULL, NULL, '2026-03-14 23:30-03')
    """,
    """
    INSERT INTO crm.contacts
        (tenant_id, id, name, phone, email, national_id, company_id, state, created_at, last_contact_at) VALUES
        (TENANT, 1, 'MARKAda Luz', '+56 9 5550 1234', ' ', NULL, NULL, 'lead',
            '2026-03-20 23:30-03', '2026-03-31 11:59:40-03'),
        (TENANT, 2, 'MARKBea Mar', NULL, 'bea@correo.example', '11.111.111-1', 1, 'active',
            '2026-01-10 10:00-03', '2026-02-01 10:00-03'),
        (TENANT, 3, 'MARKCleo Sur', NULL, NULL, NULL, NULL, 'inactive', '2025-12-01 10:00-03', NULL),
        (TENANT, 4, 'MARKDora Paz', NULL, NULL, NULL, NULL, 'active', '2026-03-01 00:00-03', '2026-03-30 10:00-03')
    """,
    """
    INSERT INTO crm.inboxes (tenant_id, id, name, channel, state) VALUES
        (TENANT, 1, 'MARKSoporte', 'whatsapp', 'open'), (TENANT, 2, 'MARKVentas Norte', 'email', 'closed')
    """,
    """
    INSERT INTO crm.inbox_members (tenant_id, inbox_id, member_id)
    VALUES (TENANT, 1, 1), (TENANT, 2, 2), (TENANT, 1, 5)
    """,
    """
    INSERT INTO crm.conversations
        (tenant_id, id, contact_id, inbox_id, assignee_id, status, subject, priority, created_at, last_message_at,
        waiting_since) VALUES
        (TENANT, 11, 1, 1, 1, 'open', 'MARKpedido 118', 'urgent', '2026-03-29 05:00-03', '2026-03-30 06:00-03',
            '2026-03-30 06:00-03'),
        (TENANT, 12, 2, 2, 2, 'pending', 'MARKfactura', 'normal', '2026-01-20 10:00-03', '2026-02-01 10:00-03', NULL),
        (TENANT, 13, 4, 1, 1, 'resolved', 'MARKcambio', 'low', '2026-03-05 10:00-03', '2026-03-06 10:00-03',
            '2026-03-06 10:00-03'),
        (TENANT, 14, 4, 2, NULL, 'open', 'MARKreclamo', 'high', '2026-03-30 10:00-03', '2026-03-31 10:00-03',
            '2026-03-31 10:00-03')
    """,
    "INSERT INTO crm.labels (tenant_id, id, name) VALUES (TENANT, 1, 'MARKÉnfasis'), (TENANT, 2, 'MARKMayorista')",
    "INSERT INTO crm.contact_labels (tenant_id, contact_id, label_id) VALUES (TENANT, 1, 2), (TENANT, 1, 1)",
    """
    INSERT INTO crm.conversation_labels (tenant_id, conversation_id, label_id)
    VALUES (TENANT, 11, 1), (TENANT, 12, 1)
    """,
    """
    INSERT INTO crm.messages (tenant_id, id, conversation_id, author_kind, member_id, private, body, created_at) VALUES
        (TENANT, 1, 14, 'contact', NULL, false, 'MARKsigo esperando', '2026-03-31 10:00-03'),
        (TENANT, 2, 14, 'member', 2, true, 'MARKdescuento 40 %', '2026-03-31 09:00-03')
    """,
    """
    INSERT INTO crm.notes (tenant_id, id, contact_id, author_id, body, created_at) VALUES
        (TENANT, 1, 1, 1, 'MARKprefiere la tarde', '2026-03-21 10:00-03'),
        (TENANT, 2, 2, 2, 'MARKpaga a 30 días', '2026-02-02 10:00-03'),
        (TENANT, 3, 4, NULL, 'MARKcliente desde 2019', '2026-03-30 09:00-03')
    """,
    """
    INSERT INTO crm.campaigns
        (tenant_id, id, name, channel, state, starts_at, ends_at, sent, delivered, opened, replied) VALUES
        (TENANT, 1, 'MARKOtoño con todo', 'whatsapp', 'running', '2026-03-25 09:00-03', NULL, 1200, 1190, 400, 7),
        (TENANT, 2, 'MARKBienvenida', 'email', 'draft', NULL, NULL, 0, 0, 0, 0),
        (TENANT, 3, 'MARKVerano', 'email', 'finished', '2026-01-05 09:00-03', '2026-01-20 09:00-03', 300, 0, 0, 0)
    """,
    """
    INSERT INTO crm.deals
        (tenant_id, id, contact_id, company_id, owner_id, title, stage, amount, currency, expected_close, created_at)
    VALUES
        (TENANT, 1, 1, NULL, 1, 'MARKtaladros', 'new', 1000.50, 'CLP', '2026-04-10', '2026-03-20 23:30-03'),
        (TENANT, 2, 2, 1, 2, 'MARKandamios', 'proposal', 5000, 'USD', '2026-04-01', '2026-03-01 10:00-03'),
        (TENANT, 3, 4, 1, 2, 'MARKpintura', 'won', 7000, 'CLP', '2026-03-01', '2026-02-01 10:00-03'),
        (TENANT, 4, NULL, 2, NULL, '', 'new', NULL, NULL, NULL, '2026-03-02 10:00-03'),
        (TENANT, 5, 2, NULL, 1, 'MARKcemento', 'lost', 300, ' clp', '2026-02-01', '2026-01-01 10:00-03')
    """,
)
