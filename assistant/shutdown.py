"""How a server ends: what is new is refused first, what runs may end, and what does not end in time is interrupted.

The first signal begins the end, the second hurries it. Between the two the server still listens, so that whoever balances the load sees
``/readyz`` say no, and whoever asks is told when to come back.
"""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Protocol

import structlog

log = structlog.get_logger()

#: When a question that came too late may be asked again, in seconds: by then another process serves.
RETRY_AFTER = 5


class Turns(Protocol):
    """What runs, as ``assistant.turns`` has it."""

    async def idle(self) -> None:
        """Return once no turn runs in this process."""
        ...

    async def interrupt(self) -> None:
        """End what still runs."""
        ...


class Shutdown:
    """The end of one server. ``grace`` is how long turns may still run once it has begun, in seconds."""

    def __init__(self, *, grace: float) -> None:
        self._grace = grace
        self._begun = False
        self._hurried = asyncio.Event()
        self._turns: Turns | None = None

    @property
    def begun(self) -> bool:
        """Whether nothing new may start."""
        return self._begun

    def begin(self) -> None:
        """Let nothing new start; said again, let nothing go on either."""
        log.info("shutdown_begun" if not self._begun else "shutdown_hurried")
        if self._begun:
            self._hurried.set()
        self._begun = True

    def attend(self, turns: Turns) -> None:
        """Take care of these turns at the end."""
        self._turns = turns

    async def drained(self) -> None:
        """Returns when no turn runs any more: after ``grace`` seconds, or when hurried, those that do are interrupted."""
        if self._turns is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._grace):
                await _first(self._turns.idle(), self._hurried.wait())
        await self._turns.interrupt()


async def _first(*awaited: Awaitable[object]) -> None:
    """Waits for the first of them and drops the others."""
    tasks = [asyncio.ensure_future(one) for one in awaited]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
