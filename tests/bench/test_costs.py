"""What a turn costs is counted by statement and part, and adds up."""

from __future__ import annotations

import os
import time

from bench import cpu
from bench.costs import Ledger, Profile, noting
from bench.kept import Size
from bench.turns import question
from db.pool import Database
from db.queries import load


async def test_statements_and_transactions_of_a_tenant_are_noted_while_the_block_runs(database: Database):
    ledger = Ledger()
    async with noting(ledger):
        async with database.tenant(1) as connection:
            await connection.fetchval("SELECT 1")
            await connection.fetch("SELECT 2")
        async with database.tenant(1, read_only=True) as connection:
            await connection.fetchval("SELECT 1")
    async with database.tenant(1) as connection:
        await connection.fetchval("SELECT 1")
    assert {name: len(each) for name, each in ledger.statements.items()} == {"SELECT 1": 2, "SELECT 2": 1}
    assert ledger.transactions == 2
    assert ledger.bracket > 0
    ledger.clear()
    assert (dict(ledger.statements), ledger.transactions, ledger.bracket) == ({}, 0, 0.0)


def test_a_statement_of_ours_is_told_by_its_name():
    ledger = Ledger()
    for text in load("veil", "store").values():
        ledger.note(text, 0.0)
    assert set(ledger.statements) == {f"store.{name}" for name in load("veil", "store")}


def test_the_parts_of_a_profile_and_the_rest_are_the_whole():
    ledger = Ledger()
    ledger.note("SELECT 1", 0.25)
    ledger.bracket = 0.125
    profile = Profile()
    for _ in range(2):
        profile.add(1.0, {"the guard": 0.5}, ledger)
    heading, whole, *parts, statement = profile.rows()
    assert heading == ("", "ms", "share", "each turn")
    assert whole[1:3] == ("1000.00", "100 %")
    assert [float(part[1]) for part in parts] == [500.0, 250.0, 125.0, 125.0]
    assert statement == ("statement SELECT 1", "250.00", "25 %", "1.0")


def test_every_fourth_question_is_about_the_one_before():
    names = [f"name {number}" for number in range(60)]
    asked = [question(names, 0, number) for number in range(1, 9)]
    assert [place for place in range(1, 8) if asked[place] == asked[place - 1]] == [3, 7]


def test_a_process_that_computes_has_computed():
    before = cpu.seconds(os.getpid())
    until = time.process_time() + 0.02
    while time.process_time() < until:
        pass
    assert cpu.seconds(os.getpid()) - before >= 0.01
    assert cpu.seconds(2**22 + 1) == 0.0


def test_a_size_names_its_database_and_its_tenants():
    assert (Size(80).database, Size(1_000_000, 50).database) == ("bench_80_each", "bench_1000000_50")
    assert (list(Size(80).tenant_ids), len(Size(1_000_000, 50).tenant_ids)) == ([1, 2, 3], 50)
    assert str(Size(1_000_000, 50)) == "1,000,000 contacts in 50 tenants"
