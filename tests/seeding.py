"""The demo CRM for tests that need people: `await seed_demo(owner_dsn)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import asyncpg

from db.crm.demo.seed import Renaming, seed
from db.pool import Loading


@dataclass(frozen=True, slots=True)
class Seeded:
    """A database that holds the demo and that nobody writes to: its name, and how its people are named."""

    database: str
    renaming: Renaming


async def seed_demo(
    owner_dsn: str, structure_seed: int = 1, people_seed: int = 0, contacts: int | None = None, tenants: int | None = None
) -> Renaming:
    """Fills this database with the demo in one transaction; gives the renaming compared with people seed 0."""
    connection = await asyncpg.connect(owner_dsn)
    try:
        async with connection.transaction():
            return await seed(
                cast(Loading, connection), contacts=contacts, tenants=tenants, structure_seed=structure_seed, people_seed=people_seed
            )
    finally:
        await connection.close()
