"""What a turn is given to do, and what it came to."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from assistant.metrics import Metrics
from assistant.model.port import Model
from assistant.question import Mention
from assistant.settings import TenantSettings
from db.pool import Database
from tools.permissions import Actor
from veil.detectors import Detector
from veil.text import Marked
from veil.veiling import Choice

#: Candidates of one mention that are offered.
OFFERED = 20


@dataclass(frozen=True, slots=True)
class Parts:
    """What every turn works with."""

    database: Database
    model: Model
    now: Callable[[], datetime]  # the time that the model and the tools see
    detector: Detector | None = None  # of people whom no CRM knows
    context: int = 128_000  # how much the model can take in, in tokens
    metrics: Metrics = field(default_factory=Metrics)
    express: Database | None = None  # for short writes that must not queue behind a crowd: events and signs of life; else ``database``
    freshens: bool = False  # whether the CRM is somebody else's, and what changed in it is learnt at each look (``crm.freshen``)


@dataclass(frozen=True, slots=True)
class Job:
    """Which turn is performed, for whom."""

    actor: Actor
    tenant: TenantSettings
    thread_id: int
    turn_id: int
    question_id: int
    mentions: tuple[Mention, ...]
    model: str


@dataclass(slots=True)
class Outcome:
    """What a turn came to, without a word of anybody: stored as ``velo.turns.outcome``."""

    answer: Marked | None = None
    asked: bool = False
    choices: list[Choice] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    finish: str | None = None
    late: int = 0
    dropped: int = 0  # questions that no longer travel, since the thread has grown too long
    steps: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=lambda: {"input_tokens": 0, "output_tokens": 0})

    def to_json(self) -> dict[str, Any]:
        """The outcome as it is stored: ids, numbers, tokens."""
        stored: dict[str, Any] = {"late": self.late, "unknown": self.unknown, "finish": self.finish, "dropped": self.dropped}
        if self.asked:
            stored["asked"] = True
        stored["choices"] = [
            {
                "start": choice.start,
                "end": choice.end,
                "total": len(choice.candidates),
                "candidates": [[entity.kind.value, entity.id] for entity in choice.candidates[:OFFERED]],
            }
            for choice in self.choices
        ]
        return stored
