"""Baskets between neighbours: positions, the right to speak, its course over time, wrong declarations, the page."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Baskets, load_animation
from lydian.pieces.baskets import Round, places, round_of, speaking, told_over_time
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.page.page import page, run_data

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
RING = Round(np.array([3, 0, 1, 2]), np.array([1, 2, 3, 0]), np.array([True, False, False, False]))


def played(name: str) -> Timeline:
    return Timeline(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run().trace)


@pytest.mark.parametrize(("value", "who"), [
    ([0, 0, 0, 0], [0]), ([1, 0, 0, 0], [1]), ([1, 2, 0, 0], [1, 2]), ([5, 1, 5, 5], [0, 1, 2]), ([0, 0, 0, 3], [3]),
])  # fmt: skip
def test_the_right_to_speak_depends_on_both_baskets(value: list[int], who: list[int]) -> None:
    told = speaking(Baskets("x", leader="equal", others="differ"), RING, np.array(value, float), np.zeros(4, bool))
    assert np.flatnonzero(told).tolist() == who


def test_one_apple_on_the_left_is_enough_and_unknown_baskets_are_not_judged() -> None:
    none = np.zeros(4, dtype=bool)
    some = Baskets("x", side="left", leader="some", others="some")
    assert speaking(some, RING, np.array([0, 2.0, 0, 1]), none).tolist() == [False, True, False, True]
    assert speaking(some, RING, np.array([0, 2.0, 0, 1]), np.array([0, 1, 0, 0], bool)).tolist() == [False] * 3 + [True]
    known = speaking(Baskets("x", leader="equal", others="differ"), RING, np.array([0, math.nan, 0, 1]), none)
    assert known.tolist() == [False, False, False, True]


@pytest.mark.parametrize("n", [3, 6, 40])
def test_baskets_are_between_neighbours_inside_the_ring(n: int) -> None:
    angle = np.arange(n) * 2 * math.pi / n
    points = 100 * np.column_stack((np.cos(angle), np.sin(angle)))
    ring = Round((np.arange(n) - 1) % n, (np.arange(n) + 1) % n, np.arange(n) == 0)
    found = places(Baskets("x"), ring, points)
    assert (np.hypot(*found.T) < 60).all()
    # each is towards the midpoint between its process and the right neighbour
    middle = (points + points[ring.right]) / 2
    assert np.allclose(found / np.hypot(*found.T)[:, None], middle / np.hypot(*middle.T)[:, None])
    other = places(Baskets("x", side="left"), ring, points)
    assert np.allclose(other, found[ring.left])


def test_the_frame_matches_the_guards_of_the_protocol() -> None:
    """The speakers in the picture are the processes that may execute the next rule."""
    line = played("apples-mischief")
    for seq, t in enumerate(line.time.tolist()):
        if line.trace.event(seq).kind == "rule" and t % 20:  # at these times there are faults as well
            before = basic.frame(line, t - 0.5)
            assert before.baskets.speaking[int(line.process[seq])]
            assert before.slots[int(line.process[seq])] == 6
    entries = {item.sort: item for item in basic.frame(line, 25.0).legend}
    assert entries["speaker"].word == "I may speak" and entries["basket"].word == "apples"


def test_the_number_of_speakers_over_time_matches_the_frames() -> None:
    line = played("dijkstra-k-state-corrupt")
    scene = basic.frame(line, 0.0).scene
    times, counts = told_over_time(scene)
    assert times[0] == 0 and counts[0] == 1 and counts.max() > 1 and counts[-1] == 1
    for t in (10.0, 30.0, 33.5, 80.0, 84.0, 150.0):
        k = int(np.searchsorted(times, t, side="right")) - 1
        assert counts[k] == basic.frame(line, t).baskets.speaking.sum()


def test_without_a_ring_there_are_no_baskets() -> None:
    line = played("stabilising-tree-corrupt")
    animation = Animation(baskets=Baskets("dist", leader="equal", others="differ"))
    frame = basic.frame(line, 50.0, animation=animation)
    assert not round_of(frame.scene) and not frame.baskets.speaking.any()
    assert told_over_time(frame.scene)[0].size == 0


@pytest.mark.parametrize(("field", "value", "words"), [
    ("side", "rihgt", "did you mean 'right'"), ("leader", "same", "choose from"),
    ("style", "pears", "'apples', 'number'"), ("step", -1, "a whole number"),
])  # fmt: skip
def test_impossible_declarations_are_reported(field: str, value: object, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        Baskets("x", **{field: value})
    with pytest.raises(BadInput, match="baskets must be Baskets"):
        Animation(baskets="x")  # type: ignore[arg-type]


def test_the_page_receives_the_ring_and_the_script() -> None:
    line = played("apples")
    data = run_data(line)
    told = data["pieces"]["baskets"]
    assert told["variable"] == "apples" and told["right"] == [
        1,
        2,
        3,
        4,
        5,
        0,
    ]
    assert any(channel["part"] == "baskets" for channel in data["channels"])
    assert "basket(c, x, y, size, number)" in page(line)
    assert "basket(c, x, y, size, number)" not in page(played("stabilising-tree"))
    assert "baskets" not in run_data(played("stabilising-tree"))
    assert load_animation(ROOT / "animations" / "apples.py").baskets is not None
