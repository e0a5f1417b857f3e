"""Positions of processes: from their variables, gliding as a function of time alone, in whole and growing runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.model.network import Link, Network
from lydian.pieces.animation import Animation, Places
from lydian.pieces.places import BEHIND, DEEP, GLIDE, OUTSIDE, Standing, moves_of
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.basic import BasicFrame
from tests.views.book import Book

NAMES = ("a", "b", "c", "s")
NETWORK = Network(
    "square", NAMES, (Link("a", "b"), Link("b", "c"), Link("c", "s")),
    positions={"a": (0, 0), "b": (200, 0), "c": (200, 200), "s": (100, 100)},
)  # fmt: skip
RING = Animation(places=Places("binary(label)", size=0.5))
#: The duration of a glide: the mean delay of the network is 1.
TIME = GLIDE * NETWORK.delay.mean


def told(*rows: tuple[float, str, Any], **more: Any) -> Timeline:
    book = Book(NAMES, links=[("a", "b"), ("b", "c"), ("c", "s")])
    for time, name, label in rows:
        book.write(time, "init", name, changed=label if isinstance(label, dict) else {"label": label})
    return Timeline(book.trace(initial={"label": None, **more}))


def see(timeline: Timeline, t: float, drawn: Animation = RING) -> BasicFrame:
    return basic.frame(timeline, t, network=NETWORK, animation=drawn)


def stand(timeline: Timeline, t: float, drawn: Animation = RING) -> Standing:
    found = see(timeline, t, drawn).standing
    assert found is not None
    return found


def test_a_process_without_a_number_is_at_its_place_in_the_network() -> None:
    frame = see(told((1.0, "a", "1")), 0.5)
    assert np.allclose(frame.positions, frame.scene.positions)
    assert frame.standing is not None and np.isnan(frame.standing.at).all() and not frame.standing.gliding.any()


def test_a_number_is_a_place_on_a_circle_clockwise_from_the_top() -> None:
    end = told((1.0, "a", "0"), (1.0, "b", "01"), (1.0, "c", "1"), (2.0, "s", None))
    points = stand(end, 5.0).points
    assert np.allclose(points, [(100, 50), (150, 100), (100, 150), (100, 100)])
    assert stand(end, 5.0).at.tolist()[:3] == [0.0, 0.25, 0.5]


def test_a_disc_glides_as_a_function_of_time_alone() -> None:
    timeline = told((1.0, "a", "1"), (9.0, "b", "0"))
    way = [stand(timeline, 1.0 + TIME * share).points[0] for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert np.allclose(way[0], (0, 0)) and np.allclose(way[2], (50, 75)) and np.allclose(way[4], (100, 150))
    far = [math.dist(way[0], at) for at in way]
    assert far == sorted(far) and far[1] < 0.25 * far[4]  # slow at both ends
    assert stand(timeline, 1.0 + TIME / 2).gliding.tolist() == [True, False, False, False]
    assert not stand(timeline, 1.0 + TIME).gliding.any()
    again = stand(timeline, 1.0 + TIME / 2)
    assert np.array_equal(again.points, stand(timeline, 1.0 + TIME / 2).points)
    assert again.key != stand(timeline, 1.0 + TIME / 3).key and again.settled == stand(timeline, 8.0).key
    assert np.array_equal(again.arrived.points, again.rest)


def test_a_new_number_during_a_glide_redirects_it_smoothly() -> None:
    timeline = told((1.0, "a", "1"), (1.0 + TIME / 2, "a", "0"))
    before, after = stand(timeline, 1.0 + TIME / 2 - 1e-9), stand(timeline, 1.0 + TIME / 2)
    assert np.allclose(before.points, after.points, atol=1e-4)
    assert np.allclose(stand(timeline, 3.0).points[0], (100, 50))


def test_processes_at_one_place_queue_and_move_up() -> None:
    timeline = told((1.0, "a", "0"), (1.0, "b", "0"), (1.0, "c", "0"), (3.0, "a", "1"), (5.0, "s", "0"))
    away = 100 - stand(timeline, 2.9).points[:3, 1]
    assert away[0] == pytest.approx(50) and (np.diff(away) > 5).all()
    assert stand(timeline, 3.0 + TIME / 2).gliding.tolist() == [True, True, True, False]
    during = 100 - stand(timeline, 3.0 + TIME / 2).points[1:3, 1]
    assert during.tolist() == pytest.approx([(away[0] + away[1]) / 2, (away[1] + away[2]) / 2])
    later = stand(timeline, 7.0).points
    assert (100 - later[1:, 1]).tolist() == pytest.approx(away.tolist())


def test_a_long_queue_shares_its_last_position() -> None:
    names = tuple(f"p{i}" for i in range(DEEP + 4))
    book = Book(names, links=[])
    for i, name in enumerate(names):
        book.write(1.0 + i, "init", name, changed={"label": "0"})
    book.write(30.0, "init", names[1], changed={"label": None})
    book.write(40.0, "init", names[-1], changed={"label": None})  # of those that share the last place
    network = Network("line", names, (Link(*names[:2]),), positions={name: (10 * i, 0) for i, name in enumerate(names)})
    run = Timeline(book.trace(initial={"label": None}))
    track = moves_of(basic.frame(run, 0.0, network=network, animation=RING).scene)
    assert track is not None

    def ranks(t: float) -> list[float]:
        standing = basic.frame(run, t, network=network, animation=RING).standing
        assert standing is not None and not standing.gliding.any()
        away = np.hypot(*(standing.points - (track.track.x, track.track.y)).T) / track.track.wide
        here = ~np.isnan(standing.at)
        return [round(float(far), 6) for far in (away[here] - 1) / BEHIND]

    assert ranks(25.0) == [*range(DEEP), *[DEEP] * 4]
    assert ranks(35.0) == [*range(DEEP), *[DEEP] * 3]
    assert ranks(45.0) == [*range(DEEP), *[DEEP] * 2]


def test_processes_without_a_number_are_outside_the_circle_except_the_central_one() -> None:
    drawn = Animation(places=Places("binary(label)", size=0.9, rest="outside"))
    points = stand(told(), 0.0, drawn).points
    far = np.hypot(*(points - 100).T)
    assert (far[:3] >= OUTSIDE * 90 - 1e-9).all() and far[3] == 0
    assert np.allclose(np.arctan2(*(points[:3] - 100).T), np.arctan2(*(see(told(), 0.0).scene.positions[:3] - 100).T))


def test_a_line_runs_from_left_to_right_and_off_is_beside_it() -> None:
    drawn = Animation(places=Places("x / 10", shape="line", off="y", size=1.0))
    timeline = told((1.0, "a", {"x": 0}), (1.0, "b", {"x": 10, "y": 0.5}), (1.0, "c", {"x": 99}), x=5, y=0)
    assert np.allclose(stand(timeline, 5.0, drawn).points[:3], [(0, 100), (200, 150), (200, 100 + 0)], atol=25)
    outside = Animation(places=Places("x", off="0.5", size=0.5))
    assert np.allclose(stand(told(x=0.25), 1.0, outside).points[0], (175, 100))


def test_all_positions_of_a_run_fit() -> None:
    timeline = told((1.0, "a", "0"), (3.0, "b", "01"))
    low, high = stand(timeline, 0.0).extent
    for t in np.linspace(0, 5, 40):
        points = stand(timeline, float(t)).points
        assert (points >= low - 1e-9).all() and (points <= high + 1e-9).all()


def test_without_the_variable_the_network_is_unchanged() -> None:
    frame = see(told((1.0, "a", "0")), 2.0, Animation(places=Places("binary(name)")))
    assert frame.standing is None and np.array_equal(frame.positions, frame.scene.positions)
    assert basic.frame(None, 0.0, network=NETWORK, animation=RING).standing is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([None, "0", "1", "01", "11"])), max_size=25),
       st.integers(0, 25))  # fmt: skip
def test_a_growing_run_has_the_positions_of_the_whole_run(rows: list[tuple[str, str | None]], cut: int) -> None:
    whole = told(*((0.5 + i * TIME / 3, name, label) for i, (name, label) in enumerate(rows)))
    trace = whole.trace
    part = Trace(
        trace.rows[:cut], trace.processes, trace.labels, trace.states, trace.detail_of, network=trace.network,
        summary=trace.summary, source=trace.source,
    )  # fmt: skip
    short = Timeline(part)
    see(short, 1.0)
    grown = Timeline(trace, short)
    labels = dict.fromkeys(NAMES)
    for t in [0.0, *(whole.time + TIME / 7).tolist(), 99.0]:
        one, other = stand(grown, t), stand(whole, t)
        assert np.allclose(one.points, other.points) and np.array_equal(one.gliding, other.gliding)
        for number in set(one.at[~np.isnan(one.at)].tolist()):  # no process is behind a gap
            away = sorted(np.hypot(*(one.rest[one.at == number] - 100).T).tolist())
            assert np.allclose(away, 50 * (1 + BEHIND * np.arange(len(away))))
    for name, label in rows:
        labels[name] = label
    assert np.isnan(stand(whole, 99.0).at).tolist() == [labels[name] is None for name in NAMES]


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Places("label", shape="square"), "places have no shape 'square'"),
    (lambda: Places("label", rest="somewhere"), "places have no rest 'somewhere'"),
    (lambda: Places("label", size=0), "size must be a number from 0.05 to 2"),
    (lambda: Places("label +"), "cannot be read"),
    (lambda: Places("label", off="time"), "uses the time"),
    (lambda: Places(None), "at must be an expression in quotation marks"),
    (lambda: Animation(places="label"), r"places must be Places\(...\)"),
])  # fmt: skip
def test_wrong_declarations_are_reported(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()
