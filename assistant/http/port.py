"""What the HTTP door needs of the turns. ``assistant.turns`` supplies it; tests supply a small one of their own."""

from collections.abc import AsyncIterator
from typing import Any, Protocol

from assistant.events import Event
from assistant.question import Ask
from tools.permissions import Actor


class Turns(Protocol):
    """The turns, threads and messages of members.

    Every call is made in the name of an actor and concerns only what is theirs; anything else is ``NotFound``.
    Failures are ``AssistantError``; what is returned can be written as JSON as it stands.
    """

    async def ask(self, actor: Actor, ask: Ask) -> int:
        """Start a turn and give its id; the turn goes on whether or not anybody waits for it."""
        ...

    async def finished(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Wait for a turn's end and give its answer."""
        ...

    async def belongs(self, actor: Actor, turn_id: int) -> None:
        """Raise ``NotFound`` unless the turn is the actor's."""
        ...

    def events(self, actor: Actor, turn_id: int, after: int) -> AsyncIterator[Event | None]:
        """Give the events of a turn behind a number as they come, up to its last one, and ``None`` now and then while nothing happens.

        Whoever stops reading leaves the turn as it is.
        """
        ...

    async def stop(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Ask a turn to stop and give its state."""
        ...

    async def veiled(self, actor: Actor, turn_id: int) -> dict[str, Any]:
        """Give what a turn sent and received, byte for byte."""
        ...

    async def messages(self, actor: Actor, thread_id: int) -> list[dict[str, Any]]:
        """Give the messages of a thread, the oldest first."""
        ...

    async def member(self, actor: Actor) -> dict[str, Any]:
        """Give who asks, and the language and time zone in which they are answered."""
        ...

    async def threads(self, actor: Actor) -> list[dict[str, Any]]:
        """Give the actor's threads, the latest first."""
        ...

    async def open_thread(self, actor: Actor, idempotency_key: str | None, body_hash: bytes) -> dict[str, Any]:
        """Open a thread."""
        ...
