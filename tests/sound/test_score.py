"""The score of a run: which tones are heard when."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lydian.pieces.animation import Animation
from lydian.sound.score import GRAIN, MOST, MOST_FOREMOST, WINDOW, Note, Score, rests_well
from tests.sound.made import Kind, archived, run_of

LOOK = Animation(states={"idle": 0, "busy": 3, "done": 5})


def voices(score: Score, t0: float, t1: float) -> list[tuple[float, str]]:
    return [(round(note.at, 6), note.voice) for note in score.notes(t0, t1, first=True) if note.voice != "hum"]


def test_events_have_their_voices_in_order() -> None:
    run = run_of([
        (0.0, Kind.INIT, 0, 1), (1.0, Kind.SEND, 0, 1, 1, 0), (2.0, Kind.RECEIVE, 1, 2, 0, 0), (2.5, Kind.NOTE, 1, 2),
        (3.0, Kind.DECIDE, 1, 2), (4.0, Kind.CRASH, 3, 0), (5.0, Kind.RECOVER, 3, 0), (6.0, Kind.ERROR, 2, 0),
    ])  # fmt: skip
    assert voices(Score(run, LOOK, 2.0), 0, 6) == [
        (0.0, "start"), (0.5, "send"), (1.0, "receive"), (1.5, "decide"), (2.0, "crash"), (2.5, "recover"),
        (3.0, "violation"),
    ]  # fmt: skip
    assert voices(Score(run, LOOK), 2.0, 3.0)[0] == (0.0, "receive")
    assert [note.voice for note in Score(run, LOOK).notes(2.0, 3.0)] == ["decide"]  # what is at 2 has been heard


def test_the_pitch_follows_the_state_and_the_place_the_process() -> None:
    run = run_of([(0.0, Kind.TIMER, 0, 0), (1.0, Kind.TIMER, 1, 1), (2.0, Kind.TIMER, 3, 2)])
    notes = Score(run, LOOK).notes(0, 2, first=True)
    assert [(note.degree, note.place, note.event) for note in notes] == [
        (0, (0.0, 0.0, 0.0), 0), (3, (100.0, 0.0, 0.0), 1), (5, (300.0, 0.0, 0.0), 2),
    ]  # fmt: skip


def test_without_states_the_pitch_follows_a_value() -> None:
    run = archived("dijkstra-k-state")
    score = Score(run)
    assert len(run.states) <= 1
    row = next(row for row in range(run.length) if run.trace.recorded(row))
    (value,) = run.trace.recorded(row)["changed"].values()
    assert score.degree(row) == value
    assert len({score.degree(row) for row in range(run.length)}) >= 3


def test_a_busy_process_has_short_tones() -> None:
    rows = [(0.2 * i, Kind.TIMER, 0, 1) for i in range(40)] + [(30.0, Kind.TIMER, 0, 1)]
    notes = Score(run_of(rows), LOOK).notes(0, 30, first=True)
    assert notes[0].stretch == notes[-1].stretch == 1.0
    assert notes[20].stretch < 0.8


def test_a_crowd_keeps_a_few_tones_and_becomes_one_rustle() -> None:
    rows = [(0.05 + 0.001 * i, Kind.TIMER, i % 4, 1) for i in range(60)] + [(0.12, Kind.DECIDE, 0, 2)]
    notes = Score(run_of(rows), LOOK).notes(0, 1)
    told = [note.voice for note in notes]
    assert (told.count("tick"), told.count("decide"), told.count("crowd")) == (MOST, 1, 1)
    crowd = next(note for note in notes if note.voice == "crowd")
    assert crowd.place is not None
    assert 100 < crowd.place[0] < 200  # the middle of all four
    few = run_of([(0.05, Kind.TIMER, i % 4, 1) for i in range(MOST + 1)])
    (rustle,) = (note for note in Score(few, LOOK).notes(0, 1) if note.voice == "crowd")
    assert rustle.loud < crowd.loud


def test_the_number_of_tones_a_second_is_bounded() -> None:
    rows = [(i * 0.0005, Kind.DECIDE if i % 3 == 0 else Kind.TIMER, i % 4, 1) for i in range(10_000)]
    notes = Score(run_of(rows), LOOK).notes(0, 5, first=True)
    for second in range(5):
        assert sum(second <= note.at < second + 1 for note in notes) <= (MOST + MOST_FOREMOST + 1) / WINDOW


@given(cuts=st.lists(st.floats(0, 16.6), max_size=6), speed=st.sampled_from([0.5, 1.0, 3.0]))
def test_the_notes_of_parts_are_those_of_the_whole(cuts: list[float], speed: float) -> None:
    score = Score(archived("two-wings"), LOOK, speed)
    whole = score.notes(0, 16.6, first=True)
    times = [0.0, *sorted(cuts), 16.6]
    parts = score.notes(0, 0, first=True)
    for t0, t1 in pairwise(times):
        parts += [replace(note, at=note.at + t0 / speed) for note in score.notes(t0, t1)]

    def told(notes: list[Note]) -> list[tuple[float, str, int, int]]:
        return sorted((round(note.at, 6), note.voice, note.degree, note.event) for note in notes)

    assert told(parts) == told(whole)


def test_a_hum_lasts_as_long_as_messages_are_in_transit() -> None:
    run = run_of([
        (1.0, Kind.SEND, 0, 1, 1, 0), (1.5, Kind.SEND, 0, 1, 2, 1), (2.0, Kind.RECEIVE, 1, 1, 0, 0),
        (3.0, Kind.RECEIVE, 2, 1, 0, 1), (6.0, Kind.TIMER, 0, 1),
    ])  # fmt: skip
    hum = [note for note in Score(run, LOOK).notes(0, 6, first=True) if note.voice == "hum"]
    assert [note.at for note in hum] == [1 + GRAIN * i for i in range(8)]
    loud = {note.at: note.loud for note in hum}
    assert loud[1.5] == loud[1.75] > loud[1.0] == loud[2.0]


def test_a_violated_property_that_must_always_hold_is_heard_and_others_are_not() -> None:
    checks = [
        {"name": "one at a time", "kind": "always", "holds": False, "at": 1},
        {"name": "all eat", "kind": "eventually", "holds": False, "at": 2},
        {"name": "fine", "kind": "always", "holds": True, "at": None},
    ]
    run = run_of([(float(i), Kind.TIMER, i, 1) for i in range(3)], checks=checks)
    assert voices(Score(run, LOOK), 0, 3) == [(0.0, "tick"), (1.0, "tick"), (1.0, "violation"), (2.0, "tick")]


def test_only_a_run_that_ended_well_has_a_chord() -> None:
    good, stuck = archived("two-wings"), archived("chandy-misra-crash")
    assert (rests_well(good), rests_well(stuck)) == (True, False)
    assert [note.voice for note in Score(good).ending()] == ["rest"]
    assert Score(stuck).ending() == []
    assert not rests_well(archived("apples-act-3-stuck"))


def test_a_run_without_events_is_silent() -> None:
    assert Score(run_of([]), LOOK).notes(0, 10, first=True) == []
