"""Commands that set up and look after: migrate, seed, token, db url, tenant add, member add, jobs run."""

import argparse
import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistant import administration, jobs
from assistant.administration import NewMember, Seeds, admin_dsn
from assistant.errors import SettingsError
from assistant.http.auth import LOCAL_ISSUER, sign
from assistant.secrets import signing_secret
from assistant.settings import Settings, tenant_settings
from db import migrate as migrations
from db.pool import Database
from db.roles import logins


def migrate(settings: Settings, options: argparse.Namespace) -> None:
    """Brings the database to this version and says what was done."""
    applied = asyncio.run(migrations.migrate(admin_dsn(settings), preset=settings.crm))
    print("\n".join(applied) if applied else "Nothing to do.")


def seed(settings: Settings, options: argparse.Namespace) -> None:
    """Fills a database with invented customers and writes the renaming that leads to its twins."""
    seeds = Seeds(options.contacts, options.structure_seed, options.people_seed, settings.now)
    renaming = asyncio.run(_seeded(admin_dsn(settings), settings.crm, seeds))
    if renaming is None:
        raise SettingsError("the invented customers are there already: nothing was written")
    text = json.dumps(renaming, ensure_ascii=False, indent=1, sort_keys=True)
    if options.renaming == "-":
        print(text)
        return
    name = f"renaming-{seeds.structure}-{seeds.people}.json"
    file = Path(options.renaming) if options.renaming else settings.data_dir / name
    try:
        file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"the renaming cannot be written to {file}: {error.strerror}") from None
    print(f"Done. The renaming is in {file}.")


def token(settings: Settings, options: argparse.Namespace) -> None:
    """Prints a member's token."""
    print(sign(signing_secret(settings), tenant_id=options.tenant, member_id=options.member, now=time.time()))


def db_url(settings: Settings, options: argparse.Namespace) -> None:
    """Prints the owner's DSN."""
    print(logins(admin_dsn(settings)).owner)


def add_tenant(settings: Settings, options: argparse.Namespace) -> None:
    """Adds a tenant and prints its id."""
    try:
        chosen = json.loads(options.settings)
    except ValueError:
        raise SettingsError("--settings must be a JSON object") from None
    tenant_settings(chosen)
    print(asyncio.run(_tenant_added(admin_dsn(settings), options.name, chosen, options.issuer or LOCAL_ISSUER)))


def add_member(settings: Settings, options: argparse.Namespace) -> None:
    """Adds a member to the demo CRM and prints their id."""
    if settings.crm != "demo":
        raise SettingsError(f"members of the CRM {settings.crm} are added there, not here")
    member = NewMember(options.name, options.email, options.role, options.inbox)
    print(asyncio.run(_member_added(admin_dsn(settings), options.tenant, member)))


def run_job(settings: Settings, options: argparse.Namespace) -> None:
    """Does a job now."""
    job = next(job for job in jobs.JOBS if job.name == options.name)
    changed = asyncio.run(_job_done(admin_dsn(settings), job))
    print("Another process is at it." if changed is None else f"{job.name}: {changed}")


async def _seeded(dsn: str, preset: str, seeds: Seeds) -> Mapping[str, Any] | None:
    async with administration.owned(dsn) as owner:
        return await administration.seed(owner, preset, seeds)


async def _tenant_added(dsn: str, name: str, settings: dict[str, Any], issuer: str) -> int:
    async with administration.owned(dsn) as owner:
        return await administration.add_tenant(owner, name, settings, issuer)


async def _member_added(dsn: str, tenant_id: int, member: NewMember) -> int:
    async with administration.owned(dsn) as owner:
        return await administration.add_member(owner, tenant_id, member)


async def _job_done(dsn: str, job: jobs.Job) -> int | None:
    database = await Database.open(logins(dsn).app, max_size=2)
    try:
        return await jobs.run(job, database)
    finally:
        await database.close()
