"""Searching with a few letters."""

from __future__ import annotations

from lydian.pieces.animation import generic
from lydian.views.words import lookup
from tests.views.others.test_clocks import chatter


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


def test_a_misspelt_event_is_found() -> None:
    timeline = chatter(3, [(0, 1, 0), (1, 2, 0)])
    (first, *_rest) = lookup.events(timeline, "1 recieves", 0, generic())
    assert timeline.process[first.event] == 1 and "receives" in first.terms
