"""What the process counts about itself, for Prometheus: how often, how long, how much; never who, what or why.

Rules of this file:

* A label's value comes out of a closed set of ours. What does not (a made-up tool, a method nobody knows) counts as ``other``, so that nothing
  that a member, a customer or a model wrote can become a label, and their number stays bounded.
* One object with a registry of its own, made by the wiring and handed on: nothing is built at import, nothing is global.
* Calls are cheap, never wait and never fail: they stand in the middle of turns.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, Protocol, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from tools import catalogue

TurnState = Literal["done", "stopped", "failed", "interrupted"]
ModelStatus = Literal["answered", "cut", "failed"]
ToolStatus = Literal["ok", "declined", "failed", "skipped", "repeated"]
JobOutcome = Literal["done", "busy", "failed"]
GuardOutcome = Literal["masked", "withheld"]

#: What `text()` is, for the Content-Type header.
CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

OTHER: Final = "other"
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_STATUSES: Final = range(100, 600)

#: Upper bounds in seconds. A tool is a few statements; a model thinks; a streamed request lasts as long as its turn.
_FAST: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)
_SLOW: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0)


class Pool(Protocol):
    """A pool of connections, as ``db.pool.Database`` is one."""

    @property
    def in_use(self) -> int:
        """Connections that somebody holds now."""
        ...

    @property
    def waiting(self) -> int:
        """How many wait for one now."""
        ...


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Histogram(
            "velo_request_seconds", "Requests over HTTP, until their last byte.", ("method", "route", "status"), buckets=_SLOW, registry=registry
        )
        self._turns = Histogram("velo_turn_seconds", "Turns, from the stored question to their end.", ("state",), buckets=_SLOW, registry=registry)
        self._model_calls = Histogram("velo_model_call_seconds", "Requests to the model.", ("status",), buckets=_SLOW, registry=registry)
        self._tool_calls = Histogram("velo_tool_call_seconds", "Tool calls of the model.", ("tool", "status"), buckets=_FAST, registry=registry)
        self._jobs = Histogram("velo_job_seconds", "Runs of periodic jobs.", ("job", "outcome"), buckets=_SLOW, registry=registry)
        self._tokens = Counter("velo_model_tokens", "What the provider counted.", ("direction",), registry=registry)
        self._events = Counter("velo_events_written", "Events of turns that were stored.", registry=registry)
        self._late = Counter("velo_late_masks", "Names masked in a text that had already left.", registry=registry)
        self._guard = Counter("velo_guard_hits", "Identifiers that the egress guard found.", ("outcome",), registry=registry)
        #: Streams of events that somebody follows: ``inc()`` when one opens, ``dec()`` when it ends.
        self.streams = Gauge("velo_open_streams", "Streams of events that somebody follows.", registry=registry)
        #: Turns that run in this process.
        self.running = Gauge("velo_running_turns", "Turns that run in this process.", registry=registry)
        self._tools = frozenset(tool.name for tool in catalogue.TOOLS) | {"unknown_tool"}
        for metric, values in ((self._turns, TurnState), (self._model_calls, ModelStatus), (self._guard, GuardOutcome)):
            for value in get_args(values):
                metric.labels(value)  # counts from 0, so that the first one is seen as a change

    def request_served(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered. ``route`` is the template in the table of routes, never the path that came."""
        code = str(status) if status in _STATUSES else OTHER
        self._requests.labels(method if method in _METHODS else OTHER, route, code).observe(seconds)

    def turn_ended(self, state: TurnState, seconds: float) -> None:
        """A turn came to its end."""
        self._turns.labels(_one_of(TurnState, state)).observe(seconds)

    def model_called(self, status: ModelStatus, seconds: float, *, tokens_in: int = 0, tokens_out: int = 0) -> None:
        """A request to the model was answered, was cut off after some text, or failed; the tokens are the provider's count."""
        self._model_calls.labels(_one_of(ModelStatus, status)).observe(seconds)
        self._tokens.labels("in").inc(max(0, tokens_in))
        self._tokens.labels("out").inc(max(0, tokens_out))

    def tool_called(self, tool: str, status: ToolStatus, seconds: float) -> None:
        """A tool call was run, or was not."""
        self._tool_calls.labels(tool if tool in self._tools else OTHER, _one_of(ToolStatus, status)).observe(seconds)

    def events_written(self, count: int = 1) -> None:
        """Events of a turn were stored."""
        self._events.inc(count)

    def late_masked(self, count: int) -> None:
        """Names were masked in a text that had already left."""
        self._late.inc(count)

    def guard_hit(self, outcome: GuardOutcome, count: int = 1) -> None:
        """The guard found identifiers in a request: they were masked in place, or their text was withheld."""
        self._guard.labels(_one_of(GuardOutcome, outcome)).inc(count)

    def job_ran(self, job: str, outcome: JobOutcome, seconds: float) -> None:
        """A periodic job ran; ``busy`` is one that another process is at. ``job`` is a name in ``assistant.jobs.JOBS``."""
        self._jobs.labels(job, _one_of(JobOutcome, outcome)).observe(seconds)

    def watch(self, pool: Pool) -> None:
        """Tell of a pool of connections too, as it stands whenever it is asked for; once in a process."""
        for name, text, value in (
            ("velo_pool_in_use", "Connections to the database that are held.", lambda: pool.in_use),
            ("velo_pool_waiting", "Tasks that wait for a connection to the database.", lambda: pool.waiting),
        ):
            self._watched(name, text, value)

    def _watched(self, name: str, text: str, value: Callable[[], float]) -> None:
        Gauge(name, text, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._registry)


def _one_of(values: Any, value: str) -> str:
    """The value, if its type names it."""
    return value if value in get_args(values) else OTHER
