"""Commands that set up and look after: migrate, seed, token, db url, tenant add, member add, jobs run."""

import argparse
import asyncio
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from assistant import jobs
from assistant.errors import SettingsError
from assistant.http.auth import LOCAL_ISSUER, sign
from assistant.secrets import signing_secret
from assistant.settings import Settings, tenant_settings
from assistant.wiring import admin_dsn
from db import migrate as migrations
from db.pool import Database
from db.queries import load
from db.roles import logins

CONTACTS, STRUCTURE_SEED, PEOPLE_SEED = 80, 1, 1


def migrate(settings: Settings, options: argparse.Namespace) -> None:
    """Brings the database to this version and says what was done."""
    applied = asyncio.run(migrations.migrate(admin_dsn(settings), preset=settings.crm))
    print("\n".join(applied) if applied else "Nothing to do.")


def seed(settings: Settings, options: argparse.Namespace) -> None:
    """Fills a database with invented customers and writes the renaming that leads to its twins."""
    renaming = asyncio.run(
        _seeded(
            settings,
            dsn=admin_dsn(settings),
            contacts=options.contacts,
            structure_seed=options.structure_seed,
            people_seed=options.people_seed,
        )
    )
    text = json.dumps(renaming, ensure_ascii=False, indent=1, sort_keys=True)
    if options.renaming == "-":
        print(text)
        return
    name = f"renaming-{options.structure_seed}-{options.people_seed}.json"
    file = Path(options.renaming) if options.renaming else settings.data_dir / name
    file.write_text(text + "\n", encoding="utf-8")
    print(f"The renaming is in {file}.")


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
    issuer = options.issuer or LOCAL_ISSUER
    print(asyncio.run(_tenant_added(admin_dsn(settings), options.name, chosen, issuer)))


def add_member(settings: Settings, options: argparse.Namespace) -> None:
    """Adds a member to the demo CRM and prints their id."""
    if settings.crm != "demo":
        raise SettingsError(f"members of the CRM {settings.crm!r} are added there, not here")
    print(asyncio.run(_member_added(admin_dsn(settings), options)))


def run_job(settings: Settings, options: argparse.Namespace) -> None:
    """Does a job now."""
    job = next(job for job in jobs.JOBS if job.name == options.name)
    changed = asyncio.run(_job_done(admin_dsn(settings), job))
    print("Another process is at it." if changed is None else f"{job.name}: {changed}")


async def filled(settings: Settings, *, dsn: str) -> None:
    """Seeds the demo CRM if there is no tenant yet, and lets the server's own secret sign for all tenants."""
    queries = load("assistant", "cli")
    owner = await Database.open(logins(dsn).owner)
    try:
        async with owner.plain(read_only=True) as connection:
            tenants = await connection.fetch(queries["tenants"])
        if not tenants:
            await _seeded(
                settings, dsn=dsn, contacts=CONTACTS, structure_seed=STRUCTURE_SEED, people_seed=PEOPLE_SEED
            )
    finally:
        await owner.close()


async def sign_in_lines(settings: Settings, *, dsn: str, secret: str) -> list[str]:
    """What the demo says on the screen once it is ready."""
    url = f"http://{settings.host}:{settings.port}"
    lines = ["", f"Velo is ready on {url}", ""]
    if settings.offline:
        lines += [
            "The offline demo model answers. It is NOT a language model, only a table of keywords;",
            "for a real one set OPENAI_API_KEY, or OPENAI_BASE_URL, and start again.",
            "",
        ]
    first = None
    async for tenant_id, name, members in _tenants(dsn):
        lines.append(f"Tenant {tenant_id}, {name}: members " + ", ".join(f"{member} ({role})" for member, role in members))
        first = first or (tenant_id, members[0][0])
    if first is not None:
        signed = sign(secret, tenant_id=first[0], member_id=first[1], now=time.time())
        lines += _ways_in(url, *first, signed)
    return [*lines, "", "Ctrl-C stops it."]


def _ways_in(url: str, tenant_id: int, member_id: int, signed: str) -> list[str]:
    return [
        "",
        "Ask in the terminal:",
        f"  velo chat --tenant {tenant_id} --member {member_id}",
        "",
        f"Or over HTTP (a new token: velo token --tenant {tenant_id} --member {member_id}):",
        f"  curl -s {url}/api/assistant/messages -H 'Authorization: Bearer {signed}' \\",
        "    -H 'Content-Type: application/json' -d '{\"text\": \"¿qué pasó con María?\"}'",
    ]


async def _tenants(dsn: str) -> Any:
    queries = load("assistant", "cli")
    owner = await Database.open(logins(dsn).owner)
    try:
        async with owner.plain(read_only=True) as connection:
            tenants = [row["tenant_id"] for row in await connection.fetch(queries["tenants"])]
        for tenant_id in tenants:
            async with owner.tenant(tenant_id, read_only=True) as connection:
                name = await connection.fetchval(queries["name_of_tenant"], tenant_id)
                members = await connection.fetch(queries["members_to_sign_in_as"], tenant_id)
            if members:
                yield tenant_id, name, [(row["id"], row["role"]) for row in members]
    finally:
        await owner.close()
