"""Sentences about the steps of programs: their first step, waiting, and steps that change nothing else."""

from __future__ import annotations

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.pieces.animation import animation_for
from lydian.trace.timeline import Timeline
from lydian.views.words.sentence import sentence
from lydian.views.words.words import brief


def steps(name: str) -> list[tuple[str, str, str]]:
    """Return the label, the sentence and the short text of each first step of its kind."""
    simulator = Simulator(archive().experiment(name))
    simulator.run()
    timeline, animation = Timeline(simulator.trace), animation_for(simulator.trace)
    found: dict[str, tuple[str, str, str]] = {}
    for each in simulator.trace.events():
        if each.kind == "rule" and each.label is not None:
            told = each.label, sentence(timeline, each.seq, animation), brief(timeline, each.seq, animation)
            found.setdefault(each.label, told)
    return list(found.values())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("peterson", "Process 0 begins its program: it now wants to enter; other none → 1."),
        ("abd", "Process 1 begins its program and waits for “command”."),
        ("test-and-set-consensus", "Process 0 begins its program: other none → 1."),
    ],
)
def test_the_first_step_begins_the_program(name: str, told: str) -> None:
    (first, *_) = steps(name)
    assert first[:2] == ("run", told)
    assert "begins its program" in first[2]


def test_a_step_that_waited_names_its_condition() -> None:
    found = {label: text for label, text, _ in steps("abd")}
    assert found["wait for majority"].startswith("Process 0 stops waiting for “majority”: it is now storing its copy;")


def test_rules_are_still_executed() -> None:
    found = {label: text for label, text, _ in steps("dijkstra-k-state")}
    assert found["copy"] == "Process 3 executes copy: x 1 → 2."
