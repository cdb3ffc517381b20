"""How fast Velo is, and with BENCH_CORPUS=<folder of the shared corpus> also how much it finds: ``make bench``.

The veil alone stands beside a plain regex pass of the same run, whose spread says how noisy the machine is; a turn beside an empty transaction,
streams beside the same without Velo.

BENCH_CONTACTS=1000000 also measures turns over a million contacts in fifty tenants, which takes some minutes to write for the first time; it
stays on the disk beside the demo's data, or where BENCH_DATA says. With BENCH_FSYNC=1 Postgres waits for the disk, as in production.
BENCH_ONLY=veil, turns or streams leaves the rest out.
"""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from bench import corpus, costs, crm, fuzzy_rate, histories, passes, streams, turns
from bench.clock import table
from bench.kept import Size
from bench.postgres import holding

_CONTACTS = 500
_MESSAGES = 800
_RUNS = 3


#: Contacts of all CRMs over which turns are measured; the first is the demo as it comes.
_SIZES = (Size(80), Size(100_000, 50))
_LARGEST = 50


async def veil() -> None:
    """The tables of the veil over the demo."""
    tenants = list(crm.demo(_CONTACTS))
    async with holding(tenants) as database:
        for tenant in tenants:
            rows = await passes.measure(tenant, database, _MESSAGES)
            print(table(f"{tenant.name}: {_MESSAGES} messages, {_CONTACTS} contacts", rows), flush=True)
    print(table("A history that is veiled again", await histories.measure(tenants[0])), flush=True)
    print(table("Words that are taken for misspelt names of others", await fuzzy_rate.measure(tenants, _MESSAGES)), flush=True)


async def whole(sizes: Sequence[Size]) -> None:
    """The tables of turns end to end."""
    for size in sizes:
        print(table(f"A turn over HTTP: {size}", await turns.measure(size)), flush=True)
        statements, profile = await costs.measure(size)
        print(table(f"What a turn asks of the database: {size}", statements), flush=True)
        print(table(f"Where the time of a turn at 20 goes, client and model in the same process: {size}", profile), flush=True)


async def finds(folder: Path) -> None:
    """The tables of the corpus."""
    print(corpus.score(folder, _RUNS), flush=True)
    print(table("Names of people whom no CRM knows", await corpus.meddocan(folder, None)), flush=True)
    if (detector := corpus.detector()) is not None:
        print(table("The same with velo[ner]", await corpus.meddocan(folder, detector)), flush=True)


def main() -> None:
    """Measure."""
    only, contacts, folder = map(os.environ.get, ("BENCH_ONLY", "BENCH_CONTACTS", "BENCH_CORPUS"))  # noqa: TID251 (of a developer, no settings)
    if only in (None, "veil"):
        asyncio.run(veil())
    if only in (None, "turns"):
        asyncio.run(whole([*_SIZES, *([Size(int(contacts), _LARGEST)] if contacts else ())]))
    if only in (None, "streams"):
        print(table("Streams over HTTP", asyncio.run(streams.measure(_SIZES[0]))), flush=True)
    if folder:
        asyncio.run(finds(Path(folder).resolve()))
    else:
        print("BENCH_CORPUS=<folder of the corpus> also measures how much is found.")


if __name__ == "__main__":
    main()
