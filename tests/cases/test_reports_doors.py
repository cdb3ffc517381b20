"""Faults that users of other products reported, at the HTTP door: what is not a route of ours reaches nothing."""

from __future__ import annotations

import pytest

from tests.cases.stage import door
from tests.house import House

PATHS = (
    "/v1/responses", "/v1/completions", "/v1/embeddings", "/v1/audio/speech", "/v1/audio/transcriptions", "/v1/chat/completions", "/responses", "/api/assistant/x",
)  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_b031_an_endpoint_that_is_not_ours_answers_404_and_calls_no_model(house: House, method: str) -> None:
    """The proxy, with routes of its own, is a later order; until then none of these exists."""
    async with door(house) as client:
        answers = [await client.request(method, path, json={"input": "llama a Zulema Pacheco al +56 9 5550 1234"}) for path in PATHS]
    assert [answer.status_code for answer in answers] == [404] * len(PATHS)
    assert not [answer for answer in answers if "Pacheco" in answer.text or "5550" in answer.text]
    assert not house.endpoint.received
