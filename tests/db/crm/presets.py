"""The worlds of all presets: what one of them must be, all are tested to be."""

from __future__ import annotations

from tests.db.crm.helpdesk.world import Helpdesk
from tests.db.crm.worlds import Demo, World

WORLDS: tuple[World, ...] = (Demo(), Helpdesk())
