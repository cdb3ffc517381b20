"""Presets: each folder gives schema crm for one kind of CRM, its numbered .sql files applied by db.migrate.

What every preset must provide is written down in ``db.crm.contract``. Files that all presets apply stand in ``shared``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Preset:
    """What Velo may do with a CRM of this kind.

    ``freshens``: the CRM tells nobody of its changes, so ``crm.freshen`` is asked before names are looked up. ``accounts``: it has accounts
    of its own, and a tenant is opened for one of them (``crm.open_account``). ``writable``: Velo adds members itself. ``seed``: there are
    invented people to fill it with.
    """

    freshens: bool
    accounts: bool
    writable: bool
    seed: bool


PRESETS: Final[Mapping[str, Preset]] = {
    "demo": Preset(freshens=False, accounts=False, writable=True, seed=True),
    "helpdesk": Preset(freshens=True, accounts=True, writable=False, seed=False),
}
