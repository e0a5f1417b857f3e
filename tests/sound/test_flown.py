"""The sound of a guided flight: when each tone is heard, and from where."""

from __future__ import annotations

import pytest

from lydian.model.experiment.flight import FlightStop
from lydian.sound.flown import flown_notes, soundtrack_of_flight
from lydian.sound.score import TAIL
from lydian.sound.voices import RATE
from lydian.views.world.flights import Flight
from tests.sound.made import archived


def test_tones_are_heard_at_the_seconds_of_the_flight() -> None:
    run = archived("two-wings")
    stops = (FlightStop(0, seconds=2), FlightStop(4, seconds=3), FlightStop(4, seconds=2), FlightStop(8, seconds=1))
    notes = [note for note in flown_notes(run, Flight(stops)) if note.event >= 0]
    assert notes
    for note in notes:
        t = float(run.time[note.event])
        assert note.at == pytest.approx(t / 2 if t <= 4 else 5 + (t - 4) / 2)
    assert [note.at for note in notes] == sorted(note.at for note in notes)
    assert not [note for note in flown_notes(run, Flight(stops)) if 2.01 < note.at < 4.99]


def test_a_process_is_heard_on_the_side_on_which_the_viewer_sees_it() -> None:
    run = archived("two-wings")
    for yaw in (0.0, 180.0):
        stops = (FlightStop(0, "home", yaw=yaw, pitch=0.0, seconds=4), FlightStop(8, "home", yaw=yaw, pitch=0.0))
        sides = {}
        for note in flown_notes(run, Flight(stops)):
            if note.event >= 0 and note.place is not None:
                sides[run.processes[int(run.process[note.event])]] = note.place
        assert (sides["1"][0] < sides["9"][0]) is (yaw == 0.0)  # 1 is on the left of the drawing, 9 on the right
        assert all(z < 0 for _, _, z in sides.values())  # all are ahead


def test_a_flight_rings_out() -> None:
    run = archived("two-wings")
    flight = Flight((FlightStop(0, seconds=1), FlightStop(run.end, seconds=0.5)))
    sound = soundtrack_of_flight(run, flight)
    assert len(sound) == round((1.5 + TAIL) * RATE)
    assert [note.voice for note in flown_notes(run, flight)].count("rest") == 1
