"""Guided flights in files: read, written, and refused with the place and what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, from_dict, loads
from lydian.model.experiment.flight import FlightStop, check_flight

TEXT = """
protocol = "echo"
network = "ring:8"

[[flight]]
time = 0
seconds = 3
say = "Everything."

[[flight]]
time = 1.5
at = "process 3"
yaw = 40.0
zoom = 2
seconds = 4.0

[[flight]]
time = 2.0
eye = [0.5, 0.25, 3]
yaw = -10.0
reach = 2.0

[[flight]]
time = 3.0
at = "message 12"
layout = "sphere"
depth = 0.5
"""


def test_a_flight_is_read_and_written_again() -> None:
    experiment = loads(TEXT)
    assert experiment.flight == (
        FlightStop(0.0, seconds=3.0, say="Everything."),
        FlightStop(1.5, "process 3", yaw=40.0, zoom=2.0, seconds=4.0),
        FlightStop(2.0, "", eye=(0.5, 0.25, 3.0), yaw=-10.0, reach=2.0),
        FlightStop(3.0, "message 12", layout="sphere", depth=0.5),
    )
    assert loads(experiment.to_toml()) == experiment
    assert [stop.process for stop in experiment.flight] == ["", "3", "", ""]
    assert [stop.message for stop in experiment.flight] == [-1, -1, -1, 12]


def test_a_flight_does_not_belong_to_the_run() -> None:
    experiment = loads(TEXT)
    assert experiment.alone == experiment.with_(flight=()) != experiment
    assert experiment.moved("ring:5").flight == ()
    assert Experiment(name="plain", protocol="echo", network="ring:8").to_dict().keys() == {
        "name", "protocol", "network", "seed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("stop", "place", "why"),
    [
        ({}, "flight[0]", "time is missing; write, for example, time = 3.5"),
        ({"time": -1}, "flight[0].time", "must be a finite number that is not negative"),
        ({"time": 1, "att": "home"}, "flight[0]", "unknown key 'att'"),
        ({"time": 1, "at": "proces 3"}, "flight[0].at", 'write "home", "tower", "process 5" or "message 12"'),
        ({"time": 1, "at": "process"}, "flight[0].at", "unknown place 'process'"),
        ({"time": 1, "at": "message x"}, "flight[0].at", "a message is given by its number"),
        ({"time": 1, "at": "home", "eye": [0, 0, 1]}, "flight[0].at", "leave out one of the two"),
        ({"time": 1, "eye": [0, 0]}, "flight[0].eye", "must be three numbers"),
        ({"time": 1, "reach": 2}, "flight[0].reach", "belongs to a camera with an eye"),
        ({"time": 1, "layout": "spher"}, "flight[0].layout", "did you mean 'sphere'"),
        ({"time": 1, "at": "tower", "layout": "sphere"}, "flight[0].layout", "a layout itself"),
        ({"time": 1, "depth": 1.5}, "flight[0].depth", "must be a number from 0 to 1, not 1.5"),
        ({"time": 1, "seconds": 0}, "flight[0].seconds", "must be from 0.1 to 600 seconds, not 0"),
        ({"time": 1, "pitch": 90}, "flight[0].pitch", "from -85 to 85 degrees"),
    ],
)
def test_a_wrong_stop_is_refused(stop: dict[str, Any], place: str, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        from_dict({"protocol": "echo", "network": "ring:8", "flight": [stop]}, "E.toml")
    assert refused.value.place == place
    assert why in refused.value.what


def test_a_flight_to_a_process_that_does_not_exist_is_refused() -> None:
    stops = loads(TEXT).flight
    check_flight(stops, ("1", "2", "3"))
    with pytest.raises(BadInput, match=r"flight\[1\].at: unknown process '3'"):
        check_flight(stops, ("1", "2"))
