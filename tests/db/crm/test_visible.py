"""Who sees what: the one rule that resolver, tools, guard and export share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from db.pool import Connection, Database

ADMIN, SUPERVISOR, SUPPORT, SALES, NOWHERE, LEFT = 1, 2, 3, 4, 5, 6

ROWS = """
INSERT INTO crm.members (tenant_id, id, name, role, active) VALUES
    (1, 1, 'Admin', 'admin', true), (1, 2, 'Supervisor', 'supervisor', true), (1, 3, 'Support', 'agent', true),
    (1, 4, 'Sales', 'agent', true), (1, 5, 'Nowhere', 'agent', true), (1, 6, 'Left', 'admin', false);
INSERT INTO crm.inboxes (tenant_id, id, name) VALUES (1, 1, 'Soporte'), (1, 2, 'Ventas');
INSERT INTO crm.inbox_members (tenant_id, inbox_id, member_id) VALUES (1, 1, 3), (1, 2, 4), (1, 1, 6);
INSERT INTO crm.companies (tenant_id, id, name) VALUES (1, 1, 'La Esquina');
INSERT INTO crm.campaigns (tenant_id, id, name) VALUES (1, 1, 'Invierno');
INSERT INTO crm.contacts (tenant_id, id, name) VALUES
    (1, 1, 'In support'), (1, 2, 'In sales'), (1, 3, 'Silent'), (1, 4, 'In no inbox'), (1, 5, 'In both');
INSERT INTO crm.conversations (tenant_id, id, contact_id, inbox_id) VALUES
    (1, 1, 1, 1), (1, 2, 2, 2), (1, 3, 4, NULL), (1, 4, 5, 1), (1, 5, 5, 2);
INSERT INTO crm.deals (tenant_id, id, contact_id, owner_id) VALUES (1, 1, 1, 4), (1, 2, 2, NULL), (1, 3, NULL, NULL);
"""

ALL = {
    "contact": {1, 2, 3, 4, 5},
    "conversation": {1, 2, 3, 4, 5},
    "inbox": {1, 2},
    "member": {1, 2, 3, 4, 5, 6},
    "company": {1},
    "campaign": {1},
    "deal": {1, 2, 3},
}

SEEN = {
    ADMIN: ALL,
    SUPERVISOR: ALL,
    SUPPORT: ALL | {"contact": {1, 3, 4, 5}, "conversation": {1, 3, 4}, "inbox": {1}, "deal": {1}},
    SALES: ALL | {"contact": {2, 3, 4, 5}, "conversation": {2, 3, 5}, "inbox": {2}, "deal": {1, 2}},
    NOWHERE: ALL | {"contact": {3, 4}, "conversation": {3}, "inbox": set(), "deal": set()},
    LEFT: {key: set[int]() for key in ALL},
}


@pytest.fixture
async def connection(owner: Database) -> AsyncIterator[Connection]:
    async with owner.tenant(1) as connection:
        for statement in filter(str.strip, ROWS.split(";")):
            await connection.execute(statement)
        yield connection


@pytest.mark.parametrize("member", SEEN)
@pytest.mark.parametrize("kind", ALL)
async def test_a_member_sees_what_role_and_inboxes_give(connection: Connection, member: int, kind: str) -> None:
    rows = await connection.fetch("SELECT entity_id FROM crm.visible WHERE tenant_id = 1 AND member_id = $1 AND kind = $2", member, kind)
    seen = [row["entity_id"] for row in rows]
    assert sorted(seen) == sorted(SEEN[member][kind])


async def test_nothing_is_seen_of_another_tenant(connection: Connection) -> None:
    await connection.execute("SET LOCAL velo.tenant_id = '2'")
    assert await connection.fetchval("SELECT count(*) FROM crm.visible") == 0


async def test_a_contact_is_found_through_the_index(demo: Database) -> None:
    """With sequential scans forbidden, a plan that still had one would show that no index serves."""
    async with demo.tenant(1) as connection:
        await connection.execute("SET LOCAL enable_seqscan = off")
        plan = await connection.fetch("EXPLAIN SELECT FROM crm.visible WHERE tenant_id = 1 AND member_id = 3 AND kind = 'contact' AND entity_id = 7")
    lines = [row["QUERY PLAN"] for row in plan]
    assert [line for line in lines if "Seq Scan" in line] == []
    assert any("contacts_pkey" in line for line in lines)


async def test_a_form_is_found_through_the_index(demo: Database) -> None:
    async with demo.tenant(1) as connection:
        await connection.execute("ANALYZE crm.name_forms")
        await connection.execute("SET LOCAL enable_seqscan = off")
        plan = await connection.fetch("EXPLAIN SELECT kind, entity_id FROM crm.name_forms WHERE tenant_id = 1 AND form = ANY ('{maria,lopez}')")
    assert any("name_forms_by_form" in row["QUERY PLAN"] for row in plan)
    assert any("Index Cond" in row["QUERY PLAN"] and "form" in row["QUERY PLAN"] for row in plan)
