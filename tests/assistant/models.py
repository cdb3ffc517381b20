"""Models that wait or fail on purpose, behind the port that the turns know."""

from __future__ import annotations

import asyncio

from assistant.errors import ModelError
from assistant.job import Parts
from assistant.model.port import Hear, Model, Reply, deaf
from assistant.turns import Turns
from tests.house import NOW, House
from veil.payload import Request


class Held:
    """Answers once it is let go."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go = asyncio.Event()

    async def ask(self, request: Request, hear: Hear = deaf) -> Reply:
        self.asked.set()
        await self.go.wait()
        await hear("Listo.")
        return Reply("Listo.", (), "stop", None, b"{}")


class Failing:
    """Fails with this error each time."""

    def __init__(self, error: ModelError | Exception) -> None:
        self.error = error

    async def ask(self, request: Request, hear: Hear = deaf) -> Reply:
        raise self.error


def turns_with(house: House, model: Model) -> Turns:
    """A server of its own on the house's database, with this model."""
    return Turns(Parts(house.database, model, lambda: NOW), model="scripted", software="test")
