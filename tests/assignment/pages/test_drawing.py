"""The picture of a short run: its steps, states, messages, and what is at fault."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lydian.assignment.pages.document import heads
from lydian.assignment.pages.drawing import draw, thumbnail
from lydian.assignment.pages.shortrun import MOST_STEPS, read_run, short_run
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.trace.timeline import Timeline
from tests.assignment.pages.classroom import MISTAKES, failure_of
from tests.views.book import Book, echo

TIES, _, FORGETS = MISTAKES


def run_of(graded: Path, mistake=TIES, **more):
    timeline = read_run(graded / "runs" / mistake.alike / f"{mistake.check}.lydian")
    return short_run(timeline, {**failure_of(mistake, ""), **more})


def elements(svg: str, kind: str, tag: str = "*") -> list[ET.Element]:
    """Return the elements with a class."""
    tree = ET.fromstring(re.sub(r"<(/?)(\w+)", r"<\1\2", svg))
    return [each for each in tree.iter() if kind in each.get("class", "").split() and tag in ("*", each.tag)]


def texts(svg: str, kind: str) -> list[str]:
    return [text.text for each in elements(svg, kind) for text in each.iter("text")]


def test_each_action_is_a_step(graded):
    run = run_of(graded)
    assert run.timeline.kind[run.acts].tolist() == [0, 0, 2, 2, 2, 2]
    assert run.texts[0] == "1 starts: it asks all others. It now wants in."
    assert run.texts[-1].startswith("2 receives Reply from 1 and is now in the critical section")
    assert (run.steps, run.left_out, run.rows, run.guilty, run.since) == (6, 0, (0, 1), (0, 1), 6)


@pytest.mark.parametrize(
    ("more", "guilty", "since"),
    [
        ({"sentence": "Process 2 waits for ever."}, (1,), 6),
        ({"sentence": "Processes 2 and 1 wait."}, (0, 1), 6),
        ({"sentence": "Violated.", "guilty": ["1"]}, (0,), 6),
        ({"sentence": "Process that waits for 1"}, (0, 1), 6),
        ({"sentence": "It fails.", "guilty": ["2"], "event": 4}, (1,), 3),
    ],
)
def test_who_is_at_fault(graded, more, guilty, since):
    run = run_of(graded, **more)
    assert (run.guilty, run.since) == (guilty, since)


def test_of_a_long_run_the_last_steps_are_shown():
    simulator = Simulator(archive().experiment("ricart-agrawala"))
    simulator.run()
    run = short_run(Timeline(simulator.trace), {"sentence": "It fails."})
    assert run.steps == MOST_STEPS
    assert run.left_out > 100
    svg = draw(run, "a", heads())
    numbers = [int(each.text) for each in elements(svg, "number")]
    assert run.left_out < numbers[0] < numbers[-1] == run.left_out + MOST_STEPS
    assert {int(each.get("data-at")) for each in elements(svg, "shape")} <= set(range(MOST_STEPS + 1))


def test_a_run_without_events_and_files_that_are_none(tmp_path):
    assert short_run(Timeline(Book(("0",)).trace()), {"sentence": "Nothing."}) is None
    (tmp_path / "x.lydian").write_bytes(b"PK\x03\x04 no archive")
    assert read_run(tmp_path / "x.lydian") is None
    assert read_run(tmp_path / "missing.lydian") is None


def test_the_picture(graded):
    svg = draw(run_of(graded), "a", heads())
    assert texts(svg, "state") == ["outside", "wants in", "held", "outside", "wants in", "held"]
    assert texts(svg, "message") == ["Request 1", "Request 1", "Reply", "Reply"]
    assert len(elements(svg, "head")) == 4
    assert len(elements(svg, "frame")) == 1  # one frame round both, as they are neighbours
    places = [float(at) for at in elements(svg, "picture")[0].get("data-heads").split()]
    assert len(places) == 7
    assert places == sorted(places)
    shown = [each for each in elements(svg, "shape") if each.get("visibility") != "hidden"]
    assert [each.get("class").split()[1] for each in shown] == ["s2", "s2"]


def test_states_that_follow_each_other_are_one_bar():
    run = short_run(Timeline(echo()), {"sentence": "It fails."})
    bars = [each.find("rect") for each in elements(draw(run, "a", heads()), "state")]
    ends = {(float(bar.get("y")), round(float(bar.get("x")) + float(bar.get("width")), 1)) for bar in bars}
    starts = {(float(bar.get("y")), float(bar.get("x"))) for bar in bars}
    assert len(bars) == len(starts)
    assert all(any(y == other and abs(x - end) < 0.3 for other, end in ends) for y, x in starts if x > 60)


def test_words_of_messages_do_not_overlap():
    simulator = Simulator(archive().experiment("raft-amnesia"))
    simulator.run()
    svg = draw(short_run(Timeline(simulator.trace), {"sentence": "It fails."}), "a", heads())
    boxes = []
    for each in elements(svg, "message"):
        for text in each.iter("text"):
            x, y, wide = float(text.get("x")), float(text.get("y")), len(text.text) * 6.9
            boxes.append((x if "right" in text.get("class") else x - wide, y, wide))
    assert boxes
    assert not [
        (a, b) for i, a in enumerate(boxes) for b in boxes[:i]
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and abs(a[1] - b[1]) < 12
    ]  # fmt: skip


def test_crashes_and_lost_messages_are_drawn():
    simulator = Simulator(archive().experiment("echo-crash"))
    simulator.run()
    svg = draw(short_run(Timeline(simulator.trace), {"sentence": "It fails."}), "a", heads())
    assert elements(svg, "down")
    assert elements(svg, "fault")
    assert elements(svg, "lost")


def test_a_small_picture(graded):
    svg = thumbnail(run_of(graded, FORGETS))
    assert (len(elements(svg, "row")), len(elements(svg, "line"))) == (2, 3)
    assert len(elements(svg, "flat")) == 1
