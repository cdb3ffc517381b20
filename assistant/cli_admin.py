"""Commands that set up and look after: migrate, seed, token, db url, tenant add and list, member add, jobs run and list."""

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from assistant import administration, jobs
from assistant.administration import NewMember, NewTenant, Seeds, admin_dsn
from assistant.errors import SettingsError
from assistant.http.auth import LOCAL_ISSUER, sign
from assistant.secrets import signing_secret
from assistant.settings import Settings, tenant_settings
from db import migrate as migrations
from db.errors import StatementFailed, Unavailable
from db.pool import Database
from db.roles import logins

T = TypeVar("T")


def migrate(settings: Settings, options: argparse.Namespace) -> None:
    """Brings the database to this version and says what was done."""
    applied = asyncio.run(migrations.migrate(admin_dsn(settings), preset=settings.crm))
    print("\n".join(applied) if applied else "Nothing to do.")


def seed(settings: Settings, options: argparse.Namespace) -> None:
    """Fills a database with invented customers and writes the renaming that leads to its twins."""
    contacts, tenants = options.contacts, options.tenants
    if tenants is not None and contacts is not None and contacts < tenants * administration.FEWEST_CONTACTS:
        raise SettingsError(f"--contacts are shared by all tenants: {tenants} need {tenants * administration.FEWEST_CONTACTS} at least")
    seeds = Seeds(contacts, options.structure_seed, options.people_seed, tenants, settings.now)
    renaming = asyncio.run(_as_owner(admin_dsn(settings), lambda owner: administration.seed(owner, settings.crm, seeds)))
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
    chosen = {"language": options.language, "zone": options.zone}
    if options.countries is not None:
        chosen |= {"phone_regions": options.countries, "id_countries": options.countries}
    if options.model is not None:
        chosen |= {"model": options.model}
    tenant_settings(chosen)
    tenant = NewTenant(options.name, chosen, options.issuer or LOCAL_ISSUER, options.account)
    print(asyncio.run(_as_owner(admin_dsn(settings), lambda owner: administration.add_tenant(owner, settings.crm, tenant))))


def list_tenants(settings: Settings, options: argparse.Namespace) -> None:
    """Prints the tenants."""
    tenants = asyncio.run(_as_owner(admin_dsn(settings), administration.names_of_tenants))
    print("\n".join(f"{number}\t{name}" for number, name in tenants) if tenants else "There are none: `velo tenant add` adds one.")


def add_member(settings: Settings, options: argparse.Namespace) -> None:
    """Adds a member and prints their id."""
    member = NewMember(options.name, options.email, options.role, options.inbox)
    print(asyncio.run(_as_owner(admin_dsn(settings), lambda owner: administration.add_member(owner, settings.crm, options.tenant, member))))


def list_members(settings: Settings, options: argparse.Namespace) -> None:
    """Prints the active members of a tenant: ids and roles."""
    members = asyncio.run(_as_owner(admin_dsn(settings), lambda owner: administration.members(owner, options.tenant)))
    print("\n".join(f"{number}\t{role}" for number, role in members) if members else "There are none.")


def list_jobs(settings: Settings, options: argparse.Namespace) -> None:
    """Prints the jobs."""
    for job in jobs.JOBS:
        print(f"{job.name:<14} every {job.every:.0f} s\t{job.what}")


def run_job(settings: Settings, options: argparse.Namespace) -> None:
    """Does a job now, for every tenant; raises ``SettingsError`` when it failed with one."""
    job = next(job for job in jobs.JOBS if job.name == options.name)
    ran = asyncio.run(_job_done(admin_dsn(settings), job))
    print(f"{job.name}: {ran.changed}" + (f" ({ran.busy} tenants left out: another process is at them)" if ran.busy else ""))
    if ran.failed:
        raise SettingsError(f"{job.name} failed with {ran.failed} tenants: the log says with which and how")


async def _as_owner(dsn: str, call: Callable[[Database], Awaitable[T]]) -> T:
    try:
        async with administration.owned(dsn) as owner:
            return await call(owner)
    except (Unavailable, StatementFailed) as error:
        raise SettingsError(f"{error}; if this database is new, run `velo migrate` first") from None


async def _job_done(dsn: str, job: jobs.Job) -> jobs.Ran:
    database = await Database.open(logins(dsn).app, max_size=2)
    try:
        return await jobs.run(job, database)
    finally:
        await database.close()
