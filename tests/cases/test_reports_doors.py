"""Faults that users of other products reported, at the HTTP door: what is not a route of ours reaches nothing."""

from __future__ import annotations

import httpx2
import pytest


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/completions", "/v1/embeddings", "/v1/audio/speech", "/v1/chat/completions", "/responses", "/api/assistant/x"])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_b031_an_endpoint_that_is_not_ours_answers_404_and_calls_no_model(velo: httpx2.AsyncClient, path: str, method: str) -> None:
    """The proxy, with routes of its own, is a later order; until then none of these exists."""
    answer = await velo.request(method, path, json={"input": "llama a Zulema Pacheco al +56 9 5550 1234"})
    assert answer.status_code in {401, 404, 405}
    assert "Pacheco" not in answer.text
