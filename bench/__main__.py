"""How fast the veil is, and with BENCH_CORPUS=<folder of the shared corpus> also how much it finds: ``make bench``.

Everything stands beside a plain regex pass of the same run, whose spread says how noisy the machine is.
"""

import asyncio
import os
from pathlib import Path

from bench import corpus, crm, fuzzy_rate, histories, passes, turns
from bench.clock import table
from bench.postgres import holding

_CONTACTS = 500
_MESSAGES = 800
_RUNS = 3


async def speed() -> None:
    """The tables of the demo."""
    tenants = list(crm.demo(_CONTACTS))
    async with holding(tenants) as database:
        for tenant in tenants:
            rows = await passes.measure(tenant, database, _MESSAGES)
            print(table(f"{tenant.name}: {_MESSAGES} messages, {_CONTACTS} contacts", rows), flush=True)
    print(table("A history that is veiled again", await histories.measure(tenants[0])), flush=True)
    print(table("Words that are taken for misspelt names of others", await fuzzy_rate.measure(tenants, _MESSAGES)), flush=True)
    print(table("One turn end to end, Postgres without fsync", await turns.measure(tenants)), flush=True)


async def finds(folder: Path) -> None:
    """The tables of the corpus."""
    print(corpus.score(folder, _RUNS), flush=True)
    print(table("Names of people whom no CRM knows", await corpus.meddocan(folder, None)), flush=True)
    if (detector := corpus.detector()) is not None:
        print(table("The same with velo[ner]", await corpus.meddocan(folder, detector)), flush=True)


def main() -> None:
    """Measure."""
    asyncio.run(speed())
    folder = os.environ.get("BENCH_CORPUS")  # noqa: TID251 (a developer's own folder, no setting of the program)
    if folder:
        asyncio.run(finds(Path(folder).resolve()))
    else:
        print("BENCH_CORPUS=<folder of the corpus> also measures how much is found.")


if __name__ == "__main__":
    main()
