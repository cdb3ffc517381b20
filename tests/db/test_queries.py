"""Named statements: what is in a file is what comes out, and a doubtful file is refused."""

from __future__ import annotations

import pytest

from db import queries


def test_a_file_gives_its_statements_by_name() -> None:
    text = """
-- Deals of a member.

-- name: open_deals
-- $1 the owner
SELECT id -- the deal
FROM deals;

-- name: won_deals

SELECT 1
"""
    assert queries.parse(text, file="deals.sql") == {
        "open_deals": "SELECT id -- the deal\nFROM deals",
        "won_deals": "SELECT 1",
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("SELECT 1;\n-- name: one\nSELECT 1", "before the first"),
        ("-- name: one\nSELECT 1\n-- name: one\nSELECT 2", "stands twice"),
        ("-- name: Open Deals\nSELECT 1", "is no name"),
        ("-- name:\nSELECT 1", "is no name"),
        ("-- name: one\n-- only words\n", "has no statement"),
    ],
    ids=["loose SQL", "twice", "words", "nameless", "empty"],
)
def test_a_doubtful_file_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        queries.parse(text, file="x.sql")


def test_a_packages_file_is_found_with_or_without_its_ending() -> None:
    assert queries.load("db", "probe") == queries.load("db", "probe.sql")
    assert "readable_relations" in queries.load("db", "probe")
