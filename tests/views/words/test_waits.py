"""The end of a run names the waiting processes and those they wait for."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.trace.timeline import Timeline
from lydian.views.words.ends import closing
from lydian.views.words.waits import named, reached, waits
from tests.views.book import Book

ARCHIVE = Archive(None, Path(__file__).resolve().parents[3])

#: experiment -> the waiting chains at its end.
SAID = {
    "polling-crash": "process 0 waits for 5, which has crashed",
    "ricart-agrawala-crash": "processes 0 to 4 wait for 5, which has crashed",
    "echo-crash": "processes 0, 3, 6, 8 and 11 wait for 9, which has crashed",
    "ben-or-too-many": "processes 0, 2 and 4 wait for 1, 3 and 5, which have crashed",
    "flooding-lost": "process 7 waits because Broadcast from 3 to 7 was lost",
    "suzuki-kasami-lost-token": "processes 0 to 5 wait because Token from 3 to 2 was lost",
    "total-order-sequencer-crash": "processes 0 to 4 wait for 5, which has crashed",
    "echo-corrupt-parent": "process 0 still waits",
    "fault-partition-bully": "",  # they have decided, but not on the same value
    "two-wings": "",
}


def ended(name: str) -> Timeline:
    return Timeline(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run().trace)


@pytest.mark.parametrize("name", SAID)
def test_the_end_names_processes_that_wait_for_each_other(name: str) -> None:
    timeline = ended(name)
    assert waits(timeline) == SAID[name]
    if SAID[name]:
        assert closing(timeline).startswith(f"Nothing more can happen: {SAID[name]}; “")


def test_the_end_names_the_bounds_that_were_reached() -> None:
    assert reached(ended("ricart-agrawala")) == "every process has reached entries = 3"
    assert closing(ended("raft")).endswith("; process 0 has reached beats = 25.")


def test_a_live_run_at_a_bound_reports_that_nothing_more_can_happen() -> None:
    b = Book(("a", "b"), links=[("a", "b")], labels=("Ask",))
    b.send(1.0, "a", "b", "Ask", 0)
    b.write(2.0, "receive", "b", "a", label="Ask", message=0)
    rest = {"checks": [{"name": "asked", "kind": "at_end", "holds": True, "at": 1}], "reached": {"asks": ["a"]}}
    said = closing(Timeline(b.trace(rest=rest, parameters={"asks": 1})))
    assert said == "Nothing more can happen: process a has reached asks = 1; 1 message, time 2.0."


def test_processes_that_asked_each_other_wait_for_each_other() -> None:
    b = Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")], labels=("Ask",))
    b.send(1.0, "a", "b", "Ask", 0)
    b.send(1.0, "b", "a", "Ask", 1)
    b.write(2.0, "receive", "b", "a", label="Ask", message=0)
    b.write(2.0, "receive", "a", "b", label="Ask", message=1)
    rest = {"waiting": ["a", "b"], "reached": {"asks": ["c"]}}
    timeline = Timeline(b.trace(stopped="quiescent", rest=rest, parameters={"asks": 1}))
    assert waits(timeline) == "processes a and b wait for each other"
    assert reached(timeline) == "process c has reached asks = 1"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["0"], "0"), (["1", "0"], "0 and 1"), (["0", "1", "2"], "0 to 2"), (["0", "1", "2", "9"], "0 to 2 and 9"),
        (["ann", "bob", "0"], "0, ann and bob"), (["8", "0", "2", "4", "6", "ann"], "0, 2, 4, 6, 8 and ann"),
        (["ann", "8", "0", "2", "4", "6", "9"], "7 processes"), ([], ""),
    ],
)  # fmt: skip
def test_processes_are_named_in_order(names: list[str], said: str) -> None:
    assert named([*map(str, range(10)), "ann", "bob"], names) == said
