"""How often a word that misspells nobody is taken for a misspelt name: the messages of one shop, read with the people of another."""

from collections.abc import Sequence
from itertools import permutations

from bench.crm import Tenant
from bench.held import Held
from bench.passes import messages
from veil import fuzzy, resolve
from veil.names import Reading
from veil.phrases import Text


async def measure(tenants: Sequence[Tenant], most: int) -> list[tuple[str, ...]]:
    """The figures as rows of a table, a pair of shops a row."""
    rows: list[tuple[str, ...]] = [("messages of", "people of", "words", "taken for a misspelt name", "per 1,000 words")]
    for writer, reader in permutations(tenants, 2):
        words, matches = await _counts([message.text for message in messages(writer, most)], reader)
        rows.append((writer.name, reader.name, f"{words:,}", str(matches), f"{1000 * matches / words:.2f}"))
    return rows


async def _counts(texts: Sequence[str], reader: Tenant) -> tuple[int, int]:
    held = Held(reader)
    words = matches = 0
    for text in texts:
        cut = Text(text)
        index = await resolve.names(held, tenant=reader.number, member=1, forms=cut.forms())
        found = await resolve.similar(held, tenant=reader.number, member=1, words=fuzzy.doubtful(cut, index, Reading.TEXT))
        words += len(cut.words)
        matches += sum(bool(found[word.form]) for word in cut.words)
    return words, matches
