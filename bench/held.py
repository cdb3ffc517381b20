"""A tenant's CRM and one thread, held in memory: answers the statements of the resolver and of the store as Postgres would.

So the veil's own code runs unchanged, and what is measured is the veil without the way to the database.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bench.crm import Tenant
from bench.forms import KINDS, PEOPLE, ends_of, names_of, values_of
from db.pool import Row
from db.queries import load
from veil.thread import State
from veil.tokens import ALIAS, Kind

_RESOLVE, _STORE = load("veil", "resolve"), load("veil", "store")
_Key = tuple[str, int]
#: What is known of a number that stands for nobody.
_NOTHING = {"names": None, "sorts": None, "values": None, "into_id": None, "alive": False, "visible": False, "print": ""}


class Held:
    """One tenant, of whom everybody sees everything. A statement that is not known here is a ``KeyError``."""

    def __init__(self, tenant: Tenant) -> None:
        self._rows: dict[_Key, dict[str, Any]] = {}  # by kind and id
        self._facts: dict[_Key, dict[str, Any]] = {}
        self._names: dict[str, list[Row]] = {}
        self._ends: dict[tuple[str, str], set[str]] = defaultdict(set)  # longer words of people's names by how they begin and end
        self._values: dict[tuple[str, str], list[Row]] = {}
        for table, kind in sorted(KINDS.items(), key=lambda item: item[1]):
            for row in sorted(tenant.tables.get(table, ()), key=lambda row: int(row["id"])):
                self._learn(kind, row)
        self._answers: dict[str, Callable[..., list[Row]]] = {
            _RESOLVE["bearers_of_forms"]: self._bearers_of_forms,
            _RESOLVE["forms_alike"]: self._forms_alike,
            _RESOLVE["bearers_of_values"]: self._bearers_of_values,
            _RESOLVE["cards"]: self._cards,
            _STORE["map_of_thread"]: self._map_of_thread,
            _STORE["reserve"]: self._reserve,
            _STORE["alias"]: self._alias,
        }
        self.forget()

    def _learn(self, kind: Kind, row: dict[str, Any]) -> None:
        number = row["id"]
        names, values = sorted(names_of(kind, row)), sorted(values_of(row))
        bearer = {"kind": kind.value, "entity_id": number, "visible": True}
        self._rows[kind, number] = row
        for form in names:
            self._names.setdefault(form, []).append({"form": form, **bearer})
            if kind in PEOPLE:
                for key in ends_of(form):
                    self._ends[key].add(form)
        for sort, form in values:
            self._values.setdefault((sort, form), []).append({"value_kind": sort, "value": form, **bearer})
        self._facts[kind, number] = {
            "names": names,
            "sorts": [sort for sort, _ in values],
            "values": [form for _, form in values],
            "into_id": None,
            "alive": True,
            "visible": True,
            "print": f"{kind} {number}",
        }

    def forget(self) -> None:
        """Begin a new thread."""
        self._tokens: dict[tuple[str, int], dict[str, Any]] = {}
        self._minted: dict[tuple[str, int], int] = {}
        self._last: Counter[str] = Counter()

    # --- the resolver's statements ---------------------------------------------------------------------------------------------------

    def _bearers_of_forms(self, tenant: int, member: int, forms: Sequence[str], visible: int, most: int) -> list[Row]:
        return [row for form in forms if form in self._names for row in self._names[form][:most]]

    def _forms_alike(self, tenant: int, heads: Sequence[str], tails: Sequence[str]) -> list[Row]:
        found = set().union(*(self._ends[key] for key in (*(("head", head) for head in heads), *(("tail", tail) for tail in tails))))
        return [{"form": form} for form in found]

    def _bearers_of_values(self, tenant: int, member: int, sorts: Sequence[str], forms: Sequence[str]) -> list[Row]:
        return [row for key in zip(sorts, forms, strict=True) if key in self._values for row in self._values[key]]

    def _cards(self, tenant: int, member: int, kinds: Sequence[str], ids: Sequence[int]) -> list[Row]:
        columns = ("name", "phone", "email", "national_id", "legal_id")
        return [
            {
                **{column: self._rows[key].get(column) for column in columns},
                "kind": key[0],
                "entity_id": key[1],
                "visible": True,
            }
            for key in zip(kinds, ids, strict=True)
            if key in self._rows
        ]

    # --- the store's -----------------------------------------------------------------------------------------------------------------

    def _map_of_thread(
        self,
        tenant: int,
        thread: int,
        member: int,
        letters: Sequence[str],
        kinds: Sequence[str],
        minted: Sequence[str],
        ids: Sequence[int],
        prints: Sequence[str],
    ) -> list[Row]:
        rows = self._mint(minted, ids) if ids else list(self._tokens.values())
        kind_of = dict(zip(letters, kinds, strict=True))
        mapped = [{**row, **self._facts.get((Kind(kind_of[row["letter"]]), row["entity_id"]), _NOTHING)} for row in rows if row["letter"] in kind_of]
        return [row for row in mapped if row["print"] not in prints]

    def _mint(self, letters: Sequence[str], ids: Sequence[int]) -> list[Row]:
        keys = list(zip(letters, ids, strict=True))
        for letter, number in keys:
            if (letter, number) not in self._minted:
                given = self._free(letter)
                self._minted[letter, number] = given
                self._give(letter, given, State.LIVE, entity_id=number)
        return [self._tokens[letter, self._minted[letter, number]] for letter, number in keys]

    def _reserve(self, thread: int, letters: Sequence[str], numbers: Sequence[int]) -> list[Row]:
        keys = list(zip(letters, numbers, strict=True))
        for letter, number in keys:
            if (letter, number) not in self._tokens:
                self._give(letter, number, State.RESERVED)
        return [self._tokens[key] for key in keys]

    def _alias(self, thread: int, literals: Sequence[str]) -> list[Row]:
        known = {row["literal"]: row for row in self._tokens.values() if row["literal"] is not None}
        for literal in dict.fromkeys(literals):
            if literal not in known:
                known[literal] = self._give(ALIAS, self._free(ALIAS), State.LITERAL, literal=literal)
        return [known[literal] for literal in literals]

    def _free(self, letter: str) -> int:
        self._last[letter] += 1
        while (letter, self._last[letter]) in self._tokens:
            self._last[letter] += 1
        return self._last[letter]

    def _give(self, letter: str, number: int, state: State, *, entity_id: int | None = None, literal: str | None = None) -> dict[str, Any]:
        row = {"letter": letter, "number": number, "entity_id": entity_id, "state": state.value, "literal": literal, "merged_into": None}
        self._tokens[letter, number] = row
        return row

    # --- a connection ----------------------------------------------------------------------------------------------------------------

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """The rows of a known statement."""
        return self._answers[query](*args)

    async def fetchrow(self, query: str, *args: object) -> Row | None:
        """Not asked by resolver and store."""
        raise KeyError(query)

    async def fetchval(self, query: str, *args: object) -> Any:
        """Not asked by resolver and store."""
        raise KeyError(query)

    async def execute(self, query: str, *args: object) -> str:
        """Not asked here: nobody is merged or erased."""
        raise KeyError(query)

    async def executemany(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        """Not asked by resolver and store."""
        raise KeyError(query)
