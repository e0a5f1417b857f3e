"""Guided flights: the camera, the time and the layout as functions of the seconds of the flight."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lydian
from lydian.model.experiment.flight import FlightStop
from lydian.trace.timeline import Timeline
from lydian.views.world.camera import Camera
from lydian.views.world.flights import Aloft, Flight
from lydian.views.world.world import WorldFrame, close_to, frame, home, riding, riding_at

SIZE = (900.0, 600.0)
EYES = st.tuples(*[st.floats(-3, 3)] * 3)
STOPS = st.builds(
    lambda eye, yaw, pitch, seconds: FlightStop(0.0, "", eye, yaw, pitch, seconds=seconds),
    EYES, st.floats(-400, 400), st.floats(-80, 80), st.floats(0.2, 9),
)  # fmt: skip


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return lydian.run("two-wings").timeline


@pytest.fixture(scope="module")
def still(timeline: Timeline) -> WorldFrame:
    return frame(timeline, 0.0)


def shown(flight: Flight, seconds: float, timeline: Timeline) -> tuple[WorldFrame, Camera]:
    pose = flight.pose(seconds)
    drawn = frame(timeline, pose.time, **pose.options)
    return drawn, flight.camera(seconds, drawn, *SIZE)


def values(camera: Camera) -> list[float]:
    return [*camera.pivot.tolist(), camera.pitch, math.log(camera.reach)]


@given(st.lists(STOPS, min_size=1, max_size=5))
def test_the_camera_passes_each_stop_without_corners(still: WorldFrame, stops: list[FlightStop]) -> None:
    flight = Flight(tuple(stops))
    for stop, begin in zip(stops, flight.begins, strict=True):
        there = flight.camera(begin, still, *SIZE)
        assert np.allclose(there.eye, stop.eye, atol=1e-6)
        assert math.isclose(math.cos(there.yaw), math.cos(math.radians(stop.yaw or 0)), abs_tol=1e-6)
    for number, begin in enumerate(flight.begins[1:-1], 1):
        sides = [stops[number - 1].seconds, stops[number].seconds]
        step = min(sides) * 1e-4
        before, at, after = (values(flight.camera(begin + k * step, still, *SIZE)) for k in (-1, 0, 1))
        turn = np.abs(np.array(after) - 2 * np.array(at) + np.array(before)) / step
        assert turn.max() < 0.02 * (1 + 40 / min(sides))


@given(st.lists(STOPS, min_size=2, max_size=5), st.floats(0, 1))
def test_the_camera_overshoots_no_stop(still: WorldFrame, stops: list[FlightStop], share: float) -> None:
    flight = Flight(tuple(stops))
    seconds = share * flight.begins[-1]
    here = min(flight.stop_at(seconds), len(stops) - 2)
    one, two = (values(flight.camera(flight.begins[k], still, *SIZE)) for k in (here, here + 1))
    now = np.array(values(flight.camera(seconds, still, *SIZE)))
    assert np.all(now >= np.minimum(one, two) - 1e-6)
    assert np.all(now <= np.maximum(one, two) + 1e-6)


def test_between_equal_stops_the_camera_rests(still: WorldFrame) -> None:
    far, near = FlightStop(0, "", (0, 0, 4), seconds=2), FlightStop(0, "", (0, 0, 2), seconds=2)
    flight = Flight((far, near, near, far))
    assert flight.length == 8
    rest = [flight.camera(second, still, *SIZE) for second in np.linspace(2, 4, 9)]
    assert all(np.allclose(camera.eye, (0, 0, 2)) for camera in rest)
    assert flight.camera(20, still, *SIZE) == flight.camera(6, still, *SIZE)


def test_the_time_of_the_run_passes_evenly_between_stops() -> None:
    flight = Flight((FlightStop(1, seconds=2, say="A"), FlightStop(5, seconds=4, say="B"), FlightStop(5, seconds=1)))
    assert [flight.pose(s).time for s in (0, 1, 2, 3, 6, 7)] == [1, 3, 5, 5, 5, 5]
    assert [flight.pose(s).say for s in (0, 1.9, 2, 5.9, 6)] == ["A", "A", "B", "B", ""]
    assert flight.stretches() == [(0, 2, 1, 5)]


def test_places_by_name_are_those_of_the_view(timeline: Timeline) -> None:
    stops = (
        FlightStop(8.2, seconds=1), FlightStop(8.2, "process 8", yaw=90.0, zoom=2.0, seconds=1),
        FlightStop(8.2, "home", yaw=30.0, pitch=-40.0), FlightStop(8.2, "process nobody"),
    )  # fmt: skip
    flight = Flight(stops)
    drawn = frame(timeline, 8.2)
    whole, near, turned, unknown = (flight.camera(begin, drawn, *SIZE) for begin in flight.begins)
    assert values(whole) == pytest.approx(values(home(drawn, *SIZE)))
    assert values(near) == pytest.approx(values(close_to(drawn, 8, math.radians(90), math.radians(-17), 2.0)))
    assert math.isclose(turned.yaw, math.radians(30)) and math.isclose(turned.pitch, math.radians(-40))
    assert values(unknown) == pytest.approx(values(whole))


def test_a_ride_stays_with_the_message_and_then_leaves_it(timeline: Timeline) -> None:
    message = 5
    sent, arrived = float(timeline.message_sent[message]), float(timeline.message_arrived[message])
    flight = Flight((FlightStop(sent, f"message {message}", seconds=4), FlightStop(arrived, seconds=2)))
    for seconds in (0.5, 1.5, 2.5):
        drawn, camera = shown(flight, seconds, timeline)
        ride = riding(drawn, message)
        assert ride is not None and values(camera) == pytest.approx(values(ride), abs=1e-6)
        assert flight.pose(seconds).message == message
    drawn, camera = shown(flight, 4.0, timeline)
    assert values(camera) == pytest.approx(values(home(drawn, *SIZE)))
    early, late = frame(timeline, sent / 2), frame(timeline, timeline.end)
    assert riding(early, message) is None and riding(late, message) is None
    receiver = late.places[int(timeline.message_target[message])]
    away = [np.linalg.norm(np.array(riding_at(each, message).eye) - receiver) for each in (early, late)]  # type: ignore[union-attr]
    assert away[0] > away[1]
    assert riding_at(late, 10_000) is None


def test_the_layout_and_the_depth_change_in_one_continuous_motion(timeline: Timeline) -> None:
    stops = (
        FlightStop(8.0, depth=0.0, seconds=2), FlightStop(8.0, depth=1.0, seconds=2),
        FlightStop(8.0, layout="sphere", seconds=2), FlightStop(8.0, "tower", seconds=2),
        FlightStop(8.0, layout="helix"),
    )  # fmt: skip
    flight = Flight(stops)
    assert [flight.pose(s).layout for s in (0, 2, 3.9, 4, 6, 8)] == [
        "shape",
        "shape",
        "sphere",
        "sphere",
        "tower",
        "helix",
    ]
    assert [flight.pose(s).depth for s in (0, 2, 8)] == [0, 1, 1]
    steps = [shown(flight, s, timeline) for s in np.linspace(0, flight.length, 400)]
    moves = np.linalg.norm(np.diff([drawn.places for drawn, _ in steps], axis=0), axis=2)
    assert moves.max() < 0.12
    eyes = np.linalg.norm(np.diff([camera.eye for _, camera in steps], axis=0), axis=1)
    assert eyes.max() < 0.3
    assert steps[0][0].places[:, 2].max() == 0 and steps[-1][0].tower is None


def test_without_motion_the_camera_jumps_from_stop_to_stop(still: WorldFrame) -> None:
    stops = (FlightStop(0, "", (0, 0, 4), seconds=2), FlightStop(0, "", (2, 0, 2), seconds=2, layout="sphere"))
    flight = Flight(stops, still=True)
    assert {flight.camera(s, still, *SIZE).eye for s in (0, 0.7, 1.99)} == {(0, 0, 4)}
    assert flight.camera(2.0, still, *SIZE).eye == (2, 0, 2)
    assert [flight.pose(s).layout for s in (1.9, 2.0)] == ["shape", "sphere"]
    assert Aloft(flight, 2.0).camera(still, *SIZE).eye == (2, 0, 2)
