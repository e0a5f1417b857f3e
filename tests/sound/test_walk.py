"""The walk for the ear: ten questions about a run are answered from its sentences and its sound alone."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from lydian.pieces.animation import Animation, animation_for
from lydian.sound.mixer import mixed
from lydian.sound.voices import Samples
from lydian.sound.walk import LATEST, MOST, Part, Walk, walk
from tests.sound.made import Kind, archived, lag, level, run_of

LOOK = Animation(states={"idle": 0, "busy": 3, "done": 5})


class Listening:
    """Somebody who cannot see the picture: has the sentences, and the signal in two ears."""

    def __init__(self, found: Walk) -> None:
        self.sentences = [part.sentence for part in found.parts]
        self._signals = [mixed(part.notes, 1.0 + 0.35 * len(part.notes), found.listener) for part in found.parts]

    def told(self, pattern: str) -> list[re.Match[str]]:
        return [match for said in self.sentences if (match := re.search(pattern, said))]

    def sound(self, pattern: str) -> Samples:
        (number,) = (i for i, said in enumerate(self.sentences) if re.search(pattern, said))
        return self._signals[number]


def side(stereo: Samples) -> str:
    """Return on which side a sound is, by its loudness and its delay."""
    louder = level(stereo[:, 0]) / level(stereo[:, 1])
    if louder > 1.15 and lag(stereo) > 0:
        return "left"
    return "right" if louder < 0.87 and lag(stereo) < 0 else "middle"


T = 6.3


@cache
def listening(process: int = 3, t: float = T) -> Listening:
    run = archived("two-wings")
    return Listening(walk(run, t, process, animation_for(run.trace)))


def test_1_which_process_is_this_and_when() -> None:
    assert listening().sentences[0].startswith("Process 3, ")
    assert listening().sentences[0].endswith("The time is 6.3.")


def test_2_in_which_state_is_it() -> None:
    run = archived("two-wings")
    state = run.states[run.states_at(run.count(T))[3]]
    assert listening().sentences[0] == f"Process 3, {animation_for(run.trace).word(state)}. The time is 6.3."


def test_3_how_many_neighbours_has_it() -> None:
    (said,) = listening().told(r"It has (\d+) neighbours")
    links = archived("two-wings").trace.network["links"]
    assert int(said[1]) == sum("3" in (str(link["source"]), str(link["target"])) for link in links)


def places() -> dict[str, tuple[float, float]]:
    return {str(node["id"]): (node["x"], node["y"]) for node in archived("two-wings").trace.network["nodes"]}


def test_4_which_neighbours_are_on_the_left_by_ear() -> None:
    found = places()
    for said in listening().told(r"^Neighbour (\w+), "):
        across = found[said[1]][0] - found["3"][0]
        apart = np.hypot(across, found[said[1]][1] - found["3"][1])
        if abs(across) > 0.3 * apart:
            assert side(listening().sound(rf"^Neighbour {said[1]}, ")) == ("left" if across < 0 else "right")


def test_5_in_which_direction_is_each_neighbour_by_words() -> None:
    found = places()
    names = [said[1] for said in listening().told(r"^Neighbour (\w+), ")]
    turns = []
    for said in listening().told(r"^Neighbour (\w+), ([a-z ]+)"):
        x, y = np.subtract(found[said[1]], found["3"])
        turn = float(np.degrees(np.arctan2(x, -y)) % 360)
        turns.append(turn)
        eighth = ("ahead", "ahead to the right", "to the right", "behind to the right", "behind",
                  "behind to the left", "to the left", "ahead to the left")[round(turn / 45) % 8]  # fmt: skip
        assert said[2] == eighth
    assert turns == sorted(turns)  # clockwise
    assert len(names) == 5


def test_6_which_neighbour_is_nearest_by_ear() -> None:
    """In a row of processes, one neighbour of 1 is three times as far away as the other."""
    run = run_of([(0.0, Kind.INIT, 1, 1)])
    nodes = [{**node, "x": {"0": 0.0, "1": 100.0}.get(node["id"], 400.0)} for node in run.trace.network["nodes"]]
    run.trace.network = {**run.trace.network, "nodes": nodes}
    heard = Listening(walk(run, 1.0, 1, LOOK))
    assert level(heard.sound("^Neighbour 0, ")) > 1.5 * level(heard.sound("^Neighbour 2, "))
    assert len(heard.told("^Neighbour 2, to the right, far away")) == 1


def test_7_what_did_it_do_last() -> None:
    run = archived("two-wings")
    said = listening().told(r"^At ([\d.]+): Process 3 (\w+)")
    rows = [row for row in run.events_of(3) if row < run.count(T)][-LATEST:]
    assert [float(one[1]) for one in said] == pytest.approx([float(run.time[row]) for row in reversed(rows)], abs=5e-3)
    verbs = {Kind.SEND: "sends", Kind.RECEIVE: "receives", Kind.DELIVER: "delivers"}
    assert [one[2] for one in said] == [verbs[int(run.kind[row])] for row in reversed(rows)]


def test_8_how_many_messages_are_on_their_way_to_it_and_from_whom() -> None:
    run = archived("two-wings")
    k = run.count(T)
    coming = [m for m in run.in_flight(k, T).tolist() if run.message_target[m] == 3]
    assert coming
    (said,) = listening().told(r"^(\d+) messages? (?:is|are) on (?:its|their) way to it")
    assert int(said[1]) == len(coming)
    senders = [one[2] for one in listening().told(r"^On its way: (.+) from (\w+), ")]
    assert senders == [run.processes[run.message_source[m]] for m in coming]


def test_9_is_a_message_nearer_than_its_sender_by_ear() -> None:
    """A message is louder on its way than when it began."""
    run = run_of([(0.0, Kind.SEND, 0, 1, 1, 0), (10.0, Kind.RECEIVE, 1, 1, 0, 0)])
    loud = [level(Listening(walk(run, t, 1, LOOK)).sound("^On its way")) for t in (0.5, 5.0, 9.0)]
    assert loud == sorted(loud)
    assert loud[2] > 1.5 * loud[0]
    assert side(Listening(walk(run, 1.0, 1, LOOK)).sound("^On its way")) == "left"


def test_10_has_a_neighbour_crashed_by_ear_and_words() -> None:
    run = run_of([(0.0, Kind.INIT, 1, 1), (1.0, Kind.CRASH, 2, 0)])
    before, after = (Listening(walk(run, t, 1, LOOK)) for t in (0.5, 1.5))
    assert before.told("^Neighbour 2, to the right: idle.$")
    assert after.told("^Neighbour 2, to the right: idle, crashed.$")

    def deep(signal: Samples) -> float:
        power = np.abs(np.fft.rfft(signal[:, 1], 1 << 16)) ** 2
        edge = round(200 / 44_100 * (1 << 16))
        return float(power[:edge].sum() / power.sum())

    assert deep(after.sound("^Neighbour 2")) > 0.5 > deep(before.sound("^Neighbour 2"))


def test_a_process_alone() -> None:
    run = run_of([], n=1)
    assert [part.sentence for part in walk(run, 0.0, 0, LOOK).parts] == [
        "Process 0, idle. The time is 0.", "It has no neighbours.", "Nothing has happened at it yet.",
        "No message is on its way to it.",
    ]  # fmt: skip


def test_many_neighbours_are_counted() -> None:
    run = run_of([], n=14)
    links = [{"source": "0", "target": str(other)} for other in range(1, 14)]
    run.trace.network = {**run.trace.network, "links": links}
    parts: tuple[Part, ...] = walk(run, 0.0, 0, LOOK).parts
    said = [part.sentence for part in parts]
    assert said[1] == "It has 13 neighbours."
    assert sum(one.startswith("Neighbour ") for one in said) == MOST
    assert said[2 + MOST] == "Further neighbours: 9, 10, 11, 12 and 13."
    assert len(parts[1].notes) == MOST


def test_an_unknown_process_is_an_error() -> None:
    with pytest.raises(IndexError, match="no process number 9 among 4"):
        walk(run_of([]), 0.0, 9, LOOK)
