"""Brings a database to the schema of this release: roles, then schema velo, then the preset of the CRM.

Numbered .sql files, each applied once, in order, in a transaction of its own, as velo_owner, under one advisory
lock. A preset's files stand in two folders, its own and db/crm/shared, with one row of numbers. Forward only: a file
that was applied and then changed, renamed or taken away is refused, since nobody could say what such a database holds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import asyncpg

from db import roles
from db.crm import PRESETS
from db.errors import DRIVER_ERRORS, MigrationRefused, translate, translated
from db.pool import Connection

if TYPE_CHECKING:
    Driver: TypeAlias = asyncpg.Connection[asyncpg.Record]

_FILE = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_PRESET = re.compile(r"[a-z][a-z0-9_]*")

#: Any number will do, as long as it is always this one.
_LOCK = 0x56454C4F

#: Asked for by name first, since IF NOT EXISTS wants the right to create a schema even when it exists.
_LEDGER = """
DO $$
BEGIN
    IF to_regnamespace('velo') IS NULL THEN CREATE SCHEMA velo; END IF;
    IF to_regnamespace('crm') IS NULL THEN CREATE SCHEMA crm; END IF;
END
$$;
CREATE TABLE IF NOT EXISTS velo.migrations (
    source text NOT NULL,
    number int NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (source, number)
);
GRANT SELECT ON velo.migrations TO velo_app;
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a source."""

    number: int
    name: str
    sql: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What the database remembers of a step."""

    number: int
    name: str
    sha256: str


async def migrate(dsn_admin: str, *, preset: str | None) -> Sequence[str]:
    """Applies what is missing and gives back the names of the files it applied."""
    return await translated(_migrate, dsn_admin, _sources(preset))


def release(preset: str) -> frozenset[tuple[str, str, str]]:
    """What this release applies: source, name and hash of each of its files."""
    return frozenset((source, step.name, step.sha256) for source, steps in _sources(preset).items() for step in steps)


async def lacking(connection: Connection, steps: frozenset[tuple[str, str, str]]) -> Sequence[str]:
    """The names of those files that a database has not, or has with other contents; any role of ours may ask.

    What the database has beyond them is a newer release's, which may serve beside this one while it takes over.
    """
    rows = await connection.fetch("SELECT source, name, sha256 FROM velo.migrations")
    applied = {(row["source"], row["name"], row["sha256"]) for row in rows}
    return sorted(f"{source}/{name}" for source, name, _ in steps - applied)


async def apply(owner: Driver, sources: Mapping[str, Sequence[Step]]) -> Sequence[str]:
    """Applies the missing steps of every source, once all sources are found to fit what is there."""
    await owner.execute(_LEDGER)
    rows = await owner.fetch("SELECT source, number, name, sha256 FROM velo.migrations ORDER BY source, number")
    ledger: dict[str, list[Applied]] = {}
    for row in rows:
        ledger.setdefault(row["source"], []).append(Applied(row["number"], row["name"], row["sha256"]))
    _refuse_a_second_preset({*ledger, *sources})
    missing = [
        (source, step) for source, steps in sources.items() for step in pending(source, steps, ledger.get(source, ()))
    ]
    for source, step in missing:
        await _apply(owner, source, step)
    return [f"{source}/{step.name}" for source, step in missing]


def pending(source: str, steps: Sequence[Step], applied: Sequence[Applied]) -> Sequence[Step]:
    """The steps still to apply; refuses unless what was applied is exactly how the source begins."""
    for position, past in enumerate(applied):
        now = steps[position] if position < len(steps) else None
        if now is None or now.number > past.number:
            raise MigrationRefused(f"{source}/{past.name} was applied here and is not in this release")
        if now.number < past.number:
            raise MigrationRefused(f"{source}/{now.name} comes before {past.name}, which is applied: number it anew")
        if (now.name, now.sha256) != (past.name, past.sha256):
            raise MigrationRefused(f"{source}/{past.name} was changed after it was applied: write a new file instead")
    return steps[len(applied) :]


def read(*folders: Traversable) -> Sequence[Step]:
    """The numbered files of these folders in one order; other files in them are none of ours."""
    found = [entry for folder in folders if folder.is_dir() for entry in folder.iterdir() if _FILE.fullmatch(entry.name)]
    steps = [_step(entry.name, entry.read_bytes()) for entry in sorted(found, key=lambda entry: entry.name)]
    for one, next_one in pairwise(steps):
        if one.number == next_one.number:
            raise MigrationRefused(f"{one.name} and {next_one.name} bear the same number")
    return steps


def _sources(preset: str | None) -> Mapping[str, Sequence[Step]]:
    """What this release applies."""
    sources = {"velo": read(files("db") / "migrations")}
    if preset is not None:
        sources[f"crm/{preset}"] = read(files("db") / "crm" / "shared", _preset_folder(preset))
    return sources


def _step(name: str, content: bytes) -> Step:
    # A checkout with other line ends is still the same file.
    content = content.replace(b"\r\n", b"\n")
    return Step(int(name[:4]), name, content.decode("utf-8"), hashlib.sha256(content).hexdigest())


def _preset_folder(preset: str) -> Traversable:
    if not _PRESET.fullmatch(preset):
        raise MigrationRefused("a preset's name is made of a-z, 0-9 and _")
    folder = files("db") / "crm" / preset
    if preset not in PRESETS:
        raise MigrationRefused(f"there is no preset {preset}: set VELO_CRM to {' or '.join(sorted(PRESETS))}")
    return folder


def _refuse_a_second_preset(sources: set[str]) -> None:
    """Two presets would both own schema crm."""
    presets = sorted(source for source in sources if source.startswith("crm/"))
    if len(presets) > 1:
        raise MigrationRefused(f"one database holds one preset, not {' and '.join(presets)}")


async def _migrate(dsn_admin: str, sources: Mapping[str, Sequence[Step]]) -> Sequence[str]:
    async with _connected(dsn_admin) as admin:
        # Held by the session, so that it spans the owner's transactions; it ends with the connection.
        await admin.execute(f"SELECT pg_advisory_lock({_LOCK})")
        await roles.create(admin, dsn_admin)
        async with _connected(roles.logins(dsn_admin).owner) as owner:
            return await apply(owner, sources)


async def _apply(owner: Driver, source: str, step: Step) -> None:
    failure = None
    try:
        async with owner.transaction():
            await owner.execute(step.sql)
            await owner.execute(
                "INSERT INTO velo.migrations (source, number, name, sha256) VALUES ($1, $2, $3, $4)",
                source,
                step.number,
                step.name,
                step.sha256,
            )
    except DRIVER_ERRORS as error:
        failure = translate(error)
    if failure is not None:
        raise MigrationRefused(f"{source}/{step.name} failed and left nothing behind: {failure}")


@asynccontextmanager
async def _connected(dsn: str) -> AsyncIterator[Driver]:
    connection = await asyncpg.connect(dsn, server_settings={"application_name": "velo migrate"})
    try:
        yield connection
    finally:
        await connection.close()
