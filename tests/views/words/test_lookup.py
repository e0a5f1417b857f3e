"""Searching with a few letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.pieces.animation import generic
from lydian.views.words import lookup
from lydian.views.words.lookup import score
from tests.views.others.test_clocks import chatter


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("save", "Save", "Save as"),
        ("save", "Save as", "Unsaved"),
        ("5", "5 sends Ack to 3", "15 sends Ack to 3"),
        ("svpic", "Save picture of a view", "Solve the epic"),
        ("ack 5", "5 receives Ack from 3", "5 receives Wave from 3"),
    ],
)
def test_a_better_position_has_a_higher_score(query: str, better: str, worse: str) -> None:
    assert score(query, better) > score(query, worse)


@given(st.text(max_size=30), st.text(max_size=60))
def test_a_score_is_between_zero_and_that_of_an_exact_match(query: str, text: str) -> None:
    assert 0.0 <= score(query, text) <= 1.0
    if text.split() and " ".join(text.casefold().split()) == text.casefold():
        assert score(text, text) == 1.0


def test_events_are_found_by_number_and_words_nearest_first() -> None:
    timeline = chatter(3, [(0, 1, 0), (1, 2, 0), (0, 1, 0)])
    words = generic()
    assert [each.event for each in lookup.events(timeline, "#2", 0, words)] == [2]
    assert lookup.events(timeline, "#99", 0, words) == []
    found = lookup.events(timeline, "1 receives from 0", 0, words)
    assert found and timeline.process[found[0].event] == 1
    first = found[0].event
    later = lookup.events(timeline, "1 receives from 0", first + 1, words)[0].event
    assert later > first
    again = lookup.events(timeline, "1 receives from 0", timeline.length, words)[0].event
    assert again == first  # none is left: from the start again


def test_processes_are_found_by_name_after_any_prefix() -> None:
    timeline = chatter(12, [(0, 1, 0)])
    for query in ("1", "p=1", "process 1", "P 1"):
        assert lookup.processes(timeline, query, 0, generic())[0].process == 1, query
