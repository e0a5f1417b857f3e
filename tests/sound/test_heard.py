"""What is told of the sound at a moment: the loudest voices and their directions."""

from __future__ import annotations

import numpy as np
import pytest

from lydian.sound.heard import Heard, at_places, loudest
from lydian.sound.score import Note, Score
from lydian.sound.space import Listener
from tests.sound.made import Kind, run_of

#: Somebody in the middle who looks along -z.
VIEWER = Listener((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0), 1.0)


@pytest.mark.parametrize(
    ("direction", "side"),
    [(0, "ahead"), (12, "ahead"), (350, "ahead"), (13, "right"), (90, "right"), (134, "right"), (180, "behind"),
     (136, "behind"), (224, "behind"), (270, "left"), (347, "left")],
)  # fmt: skip
def test_a_direction_has_a_side(direction: float, side: str) -> None:
    assert Heard(0, "send", direction, 0.5, 0.5).side == side


def test_the_latest_and_nearest_tones_are_the_loudest() -> None:
    run = run_of([(1.0, Kind.INIT, 0, 1), (2.0, Kind.INIT, 1, 1), (2.1, Kind.INIT, 2, 1), (2.2, Kind.INIT, 3, 1)])
    places = np.array([(0.0, 0.0, -1.0), (-4.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.0, 2.0)])
    told = loudest(Score(run), 2.2, VIEWER, places)
    assert [(run.processes[run.process[each.event]], each.side) for each in told] == [
        (run.processes[2], "right"), (run.processes[3], "behind"), (run.processes[1], "left"),
    ]  # fmt: skip
    assert told[0].near > told[1].near > told[2].near
    assert all(0 < each.loud <= 1 for each in told) and [each.loud for each in told] == sorted(
        (each.loud for each in told), reverse=True
    )
    assert loudest(Score(run), 20.0, VIEWER, places) == []


def test_tones_of_one_kind_from_one_side_are_told_once() -> None:
    run = run_of([(1.0, Kind.INIT, 0, 1), (1.1, Kind.INIT, 1, 1), (1.2, Kind.INIT, 2, 1), (1.3, Kind.INIT, 3, 1)])
    places = np.array([(-1.0, 0.0, 0.0), (-1.1, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)])
    told = loudest(Score(run), 1.3, VIEWER, places)
    assert sorted(each.side for each in told) == ["ahead", "left", "right"]
    assert len(loudest(Score(run), 1.3, VIEWER, places, most=2)) == 2


def test_notes_are_put_where_their_processes_are() -> None:
    process = np.array([1, 5], dtype=np.int32)
    notes = [Note(0.0, "send", event=0), Note(0.0, "send", event=1), Note(0.0, "hum", place=(1.0, 1.0, 1.0))]
    places = np.array([(0.0, 0.0, 0.0), (1.0, 2.0, 3.0)])
    assert [note.place for note in at_places(notes, process, places)] == [(1.0, 2.0, 3.0), None, None]
    assert at_places(notes, process, None) == notes
