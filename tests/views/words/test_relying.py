"""What a protocol relies on, in words."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.engine.witness.search import Answer
from lydian.model.protocol import properties
from lydian.model.protocol.properties import Need, fifo
from lydian.views.words.relying import answer, controlled, looking, timeless, title, without

NAME = "at most one is inside"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"verdict": "needed", "kind": "always", "name": NAME, "steps": 8},
         ("needed", "“at most one is inside” does not hold after 8 steps")),
        ({"verdict": "needed", "kind": "always", "name": NAME},
         ("needed", "“at most one is inside” does not hold from the beginning")),
        ({"verdict": "needed", "kind": "at_end", "name": NAME, "steps": 1},
         ("needed", "“at most one is inside” does not hold when nothing is left to do after 1 step")),
        ({"verdict": "needed", "kind": "eventually", "name": NAME, "steps": 9, "loop": 3},
         ("needed", "“at most one is inside” may never come true; step 4 and those after it repeat")),
        ({"verdict": "needed", "kind": "eventually", "name": NAME, "steps": 2},
         ("needed", "“at most one is inside” does not come true; nothing is left to do after 2 steps")),
        ({"verdict": "needed", "kind": "error", "steps": 1}, ("needed", "an action fails after 1 step")),
        ({"verdict": "needed", "kind": "nothing"}, ("needed", "nothing ever happens")),
        ({"verdict": "needed", "kind": "always", "name": NAME, "steps": 12, "drawn": True},
         ("needed", "“at most one is inside” does not hold in a run of 12 events")),
        ({"verdict": "unneeded", "configurations": 2875, "processes": 3},
         ("not needed", "without it nothing fails in 2,875 configurations of at most 3 processes")),
        ({"verdict": "unneeded", "configurations": 9, "processes": 2, "runs": 200},
         ("not needed",
          "without it nothing fails in 9 configurations of at most 2 processes, nor in 200 random runs")),
        ({"verdict": "open", "runs": 200}, ("open", "no failing run in 200 random runs; that proves nothing")),
        ({"verdict": "open", "configurations": 70, "whole": False},
         ("open", "no failing run in 70 configurations, which are not all; that proves nothing")),
        ({"verdict": "open", "why": "it reads the clock"}, ("open", "nothing could be tried: it reads the clock")),
        ({"verdict": "fixed"}, ("fixed", "the simulator itself relies on it")),
    ],
)  # fmt: skip
def test_an_answer_is_a_verdict_and_its_reason(facts: dict[str, Any], words: tuple[str, str]) -> None:
    assert answer(Answer("fifo", **facts).to_dict()) == words


def test_every_assumption_of_ours_has_a_title_and_says_what_happens_without_it() -> None:
    ours = [each for each in vars(properties).values() if isinstance(each, Need)]
    assert len(ours) > 15 and all(each.title for each in ours)
    assert (title(fifo), without(fifo)) == ("Links keep the order", "messages overtake each other")
    assert title(Need("few", "there are few", lambda _network: None)) == "There are few"
    assert {each.name for each in ours if not without(each)} == {"overlay"}


def test_progress_and_what_holds_with_all_assumptions() -> None:
    assert looking({}) == "waits for its turn"
    assert looking({"need": "fifo"}) == "looking for a run that fails…"
    assert looking({"configurations": 1200, "processes": 3}) == "looking: 1,200 configurations, 3 processes"
    assert looking({"runs": 1, "processes": 3}) == "looking: 1 random run, 3 processes"
    assert controlled(0, 0) == "" and "50 configurations of at most 3 processes" in controlled(3, 50)
    assert "50 configurations" in timeless(50)
