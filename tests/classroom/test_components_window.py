"""The process that hosts a system in components for a window: what it shows and when, and a real one."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.classroom.components.frames import Publish
from lydian.classroom.components.inside import Lab
from lydian.classroom.components.merge import merged
from lydian.classroom.components.record import is_record, protocol_in, read
from lydian.classroom.components.serve import ENTRY, Shown
from lydian.classroom.components.system import System
from lydian.classroom.components.window import Do, Ended, Open, Repeat, Split, Standing, told
from lydian.classroom.frames import Dropped
from lydian.engine import wire
from lydian.engine.liverows import LiveRows
from lydian.engine.wire import Answered, Begun, Frame, Round, encode
from lydian.model.childprocess import start
from lydian.model.errors import BadInput
from tests.classroom.test_components import experiment


@pytest.mark.parametrize("barrier", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_no_event_comes_before_the_front(barrier: bool, seed: int) -> None:
    system = System.of(experiment("echo", "grid:4x4", delay="exponential(mean=1)"), 3, barrier=barrier, pace=3.0)
    lab = Lab(system, seed=seed)
    wrong: list[float] = []
    now = [0.0]

    def heard(frame: Frame) -> None:
        if isinstance(frame, Publish) and frame.count and frame.events()["time"].min() < now[0]:
            wrong.append(now[0])

    lab.hub.watching.append(heard)
    fronts = []
    while not lab.hub.over:
        lab.step()
        now[0], first = lab.hub.front()
        fronts.append(now[0])
        assert (first == "") == math.isinf(now[0])
    assert not wrong
    assert fronts == sorted(fronts) and len(set(fronts)) > 5 and fronts[-1] == math.inf


def test_the_front_does_not_wait_for_components_that_are_left_out() -> None:
    lab = Lab(System.of(experiment(), 2, pace=3.0), {"A": ("a-1",), "B": ("b-1",)})
    lab.run(lambda: lab.hub.seats["B"].events > 3 and lab.hub.seats["B"].log[-1].next is not None)
    lab.kill("b-1")
    lab.run(lambda: lab.hub.silent("B", lab.now) > 3 and not lab.hub.seats["A"].outstanding, most=60)
    assert lab.hub.front()[1] == "B"
    assert lab.hub.front(["B"])[0] > lab.hub.front()[0]


def collected(frames: list[Frame]) -> LiveRows:
    """Return the run that these frames tell."""
    rows = LiveRows({})
    for frame in frames:
        if isinstance(frame, Begun):
            rows = LiveRows({})
            rows.begun = frame
        elif isinstance(frame, Round):
            rows.take(frame)
        elif isinstance(frame, Dropped):
            rows.cut(frame.first)
    return rows


def test_the_window_gets_only_what_is_new_and_events_are_inserted() -> None:
    system = System.of(experiment(), 2, pace=4.0)
    lab, frames = Lab(system), list[Frame]()
    shown = Shown(system, frames.append)
    lab.run()
    whole = merged(system, lab.hub.logs)
    for wanted in ({"A": 3, "B": 0}, {"A": 20, "B": 0}, {"A": 20, "B": 20}, None):
        shown.tell(merged(system, lab.hub.logs, wanted), 1.0)
    rows = collected(frames)
    assert np.array_equal(rows.trace().rows, whole.rows)
    assert rows.labels == whole.labels
    assert any(isinstance(frame, Dropped) for frame in frames)
    before = len(frames)
    shown.tell(whole, 1.0)
    assert [frame.count for frame in frames[before:] if isinstance(frame, Round)] == [0]


class Process:
    """The process, for a test that reads its frames one by one."""

    def __init__(self, request: Frame) -> None:
        self.child = start(*ENTRY)
        self.frames: list[Frame] = []
        self.tell(request)

    def tell(self, frame: Frame) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(encode(frame))
        self.child.stdin.flush()

    def until(self, kind: type[Frame], holds: Any = lambda frame: True) -> Any:
        """Read frames until one is as wanted, and return it."""
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.frames.append(told(line))
            if isinstance(self.frames[-1], kind) and holds(self.frames[-1]):
                return self.frames[-1]
        raise AssertionError(f"no {kind.__name__}; {self.child.stderr.read().decode()}")  # type: ignore[union-attr]

    def close(self) -> int:
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            stream.close()  # type: ignore[union-attr]
        return self.child.wait(60)


@pytest.mark.slow
def test_a_real_system_is_killed_steered_and_recorded(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    made = experiment("echo", "grid:4x4")
    process = Process(Split(made.to_dict(), count=2, replicas=2, pace=4.0, file=str(file)))
    opened = process.until(Open)
    assert opened.url.startswith("ws://127.0.0.1:") and set(opened.groups) == {"A", "B"}
    standing = process.until(Standing, lambda frame: all(part["events"] > 3 for part in frame.parts))
    acting = standing.parts[1]["acting"]
    victim = opened.groups["A"][-1]
    process.tell(Do(1, "steer", {"component": "A", "what": {"do": "crash", "process": victim}, "author": "Ben"}))
    process.tell(Do(2, "kill", {"replica": acting}))
    process.tell(Do(3, "kill", {"replica": "nobody"}))
    process.tell(Do(8, "pause", {"on": True}))
    process.tell(Do(9, "cut", {"components": ["B", "A"], "author": "Ben"}))
    process.until(Standing, lambda frame: frame.paused and frame.cut == [["A", "B"]])
    process.tell(Do(10, "cut", {"components": ["A", "B"]}))
    process.tell(Do(11, "restore", {"components": ["A", "B"], "author": "Ben"}))
    process.until(Standing, lambda frame: not frame.cut)
    process.tell(Do(12, "kill", {"component": "B"}))
    process.until(Standing, lambda frame: "no replica left" in frame.parts[1]["problem"])
    process.tell(Do(13, "kill", {"component": "B"}))
    process.tell(Do(14, "pause", {"on": False}))
    process.tell(Do(4, "follow", {"components": ["B"]}))
    process.until(Begun)
    process.tell(Do(5, "follow", {"components": ["A", "B"]}))
    process.tell(Do(6, "hire", {"component": "B"}))
    process.tell(Do(7, "juggle"))
    process.until(Standing, lambda frame: not frame.paused and frame.parts[1]["acting"] not in ("", acting))
    process.tell(wire.Stop())
    ended = process.until(Ended)
    assert process.close() == 0
    answers = {frame.id: (frame.accepted, frame.reason) for frame in process.frames if isinstance(frame, Answered)}
    assert answers[1][0] and answers[2][0] and answers[4][0]
    assert answers[3] == (False, "nobody is not a process of this computer that runs")
    assert "do must be one of" in answers[7][1]
    assert {number: answers[number] for number in (8, 9, 11, 12, 14) if not answers[number][0]} == {}
    assert answers[10] == (False, "the border between components A and B is cut already")
    assert answers[13] == (False, "no replica of component B runs on this computer")
    assert ended.outcome == "cancelled"
    record = read(file)
    assert {each["author"] for each in record.interventions} == {"Ben"}
    assert Counter(each["do"] for each in record.interventions) == {"crash": 1, "link_down": 8, "link_up": 8}
    rows = collected(process.frames).trace().rows
    assert np.array_equal(rows, record.trace.rows)
    assert is_record(file) and protocol_in(file)[0] == "echo"

    again = Process(Repeat(str(file)))
    again.until(Ended)
    assert again.close() == 0
    assert np.array_equal(collected(again.frames).trace().rows, rows)


def test_a_request_that_cannot_be_met_is_answered_with_a_sentence(tmp_path: Path) -> None:
    for request, words in (
        (Split(experiment().to_dict(), count=99), "the number of components must be from 1 to 16"),
        (Split(experiment().to_dict(), count=2, replicas=0), "other computers must be able to join"),
        (Repeat(str(tmp_path / "none.json")), "none.json"),
        (wire.Stop(), "the first frame must be split or repeat"),
    ):
        process = Process(request)
        assert words in process.until(wire.Error).text
        assert process.close() != 0


def test_other_files_are_not_records(tmp_path: Path) -> None:
    for number, text in enumerate(("", "{}", '{"format": "lydian-components"', "x")):
        file = tmp_path / f"{number}.json"
        file.write_text(text)
        assert is_record(file) == (number == 2)
        with pytest.raises(BadInput):
            protocol_in(file)
    assert not is_record(tmp_path)
