"""The sound of a window without Qt: what is heard while the play head moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.desk.notices import Notices
from lydian.desk.playhead import Playhead
from lydian.desk.settings import Settings
from lydian.desk.sounding import Sounding
from lydian.pieces.animation import Animation
from lydian.sound.score import Note
from lydian.sound.space import Listener
from lydian.sound.speaker import Speaker
from lydian.trace.beginning import Beginning
from lydian.views.selection import Hit
from tests.sound.made import Kind, archived, run_of

LOOK = Animation(states={"idle": 0, "busy": 3, "done": 5})


class Values(dict):
    def value(self, key: str, default: object = None) -> object:
        return self.get(key, default)

    def setValue(self, key: str, value: object) -> None:
        self[key] = value

    def remove(self, key: str) -> None:
        self.pop(key, None)


class Ear(Speaker):
    """A speaker that notes down what it is given, with or without a device."""

    def __init__(self, device: bool = True) -> None:
        super().__init__(lambda _read: (lambda: None) if device else None)
        self.given: list[tuple[Note, Listener]] = []
        self.hushed = 0

    def play(self, notes: list[Note], listener: Listener) -> None:
        self.given += [(note, listener) for note in notes] if self.heard else []

    def hush(self) -> None:
        self.hushed += 1

    def told(self) -> list[str]:
        """Return the voices that were heard since the last call."""
        found, self.given = [note.voice for note, _ in self.given if note.voice != "hum"], []
        return found


class Heard:
    """A play head on a short run, with its sound switched on."""

    def __init__(self, path: Path, on: bool = True, device: bool = True) -> None:
        run = run_of([
            (1.0, Kind.TIMER, 0, 1), (2.0, Kind.SEND, 0, 1, 1, 0), (3.0, Kind.RECEIVE, 1, 1, 0, 0),
            (3.0, Kind.DECIDE, 1, 2), (4.0, Kind.TIMER, 2, 0),
        ])  # fmt: skip
        self.head = Playhead(run, LOOK)
        self.values, self.notices, self.ear = Values(), Notices(), Ear(device)
        self.told: list[str] = []
        self.notices.told.connect(self.told.append)
        self.settings = Settings(path / "settings.ini", self.values, lambda _path: None)
        self.sounding = Sounding(self.head, self.settings, self.notices, self.ear)
        if on:
            self.sounding.switch(True)


@pytest.fixture
def it(tmp_path: Path) -> Heard:
    return Heard(tmp_path)


def test_playing_sounds_what_the_play_head_passes(it: Heard) -> None:
    it.head.play()
    heard = []
    for _ in range(20):
        it.head.advance(0.125)
        heard.append((it.head.t, it.ear.told()))
    assert [(t, voices) for t, voices in heard if voices] == [(1.0, ["tick"]), (2.0, ["send"])]
    it.head.advance(0.25)
    it.head.advance(0.25)
    assert it.ear.told() == ["receive", "decide"]


def test_notes_of_a_frame_are_as_far_apart_as_in_the_run(it: Heard) -> None:
    it.head.set_speed(8.0)
    it.head.seek(0.9)
    it.head.play()
    it.head.advance(0.25)
    times = {note.voice: round(note.at, 4) for note, _ in it.ear.given if note.voice != "hum"}
    assert times == {"tick": 0.0125, "send": 0.1375}


def test_playing_backwards_sounds_in_reverse(it: Heard) -> None:
    it.head.seek(4.0)
    it.head.set_speed(8.0)
    it.ear.told()
    it.head.play(-1)
    it.head.advance(0.2)
    assert it.ear.told() == ["tick", "decide", "receive"]


def test_a_step_sounds_its_event_and_a_jump_is_silent(it: Heard) -> None:
    it.head.step(1)
    assert it.ear.told() == ["tick"]
    it.head.step(1)
    assert it.ear.told() == ["send"]
    it.head.step(1)
    assert it.ear.told() == ["receive", "decide"]
    it.head.seek(0.0)
    assert it.ear.told() == []
    it.head.seek(3.5)
    assert it.ear.told() == []


def test_a_gliding_step_sounds_its_event_once_and_is_not_cut_off(it: Heard) -> None:
    it.head.step(1, seconds=0.3)
    for _ in range(10):
        it.head.advance(0.05)
    assert it.ear.told() == ["tick"]
    assert it.ear.hushed == 0


def test_pausing_hushes_and_the_end_rings_out(it: Heard) -> None:
    it.head.play()
    it.head.advance(0.2)
    it.head.pause()
    assert it.ear.hushed == 1
    it.head.seek(3.9)
    it.ear.told()
    it.head.play()
    it.head.advance(0.25)
    assert it.ear.told() == ["tick", "rest"]
    assert (it.head.playing, it.ear.hushed) == (False, 1)


def test_a_loop_that_begins_again_is_silent(it: Heard) -> None:
    it.head.set_loop(True)
    it.head.seek(3.9)
    it.ear.told()
    it.head.play()
    it.head.advance(0.25)
    assert it.head.t <= 0
    assert "send" not in it.ear.told()


def test_another_run_is_heard_from_its_own_beginning(it: Heard) -> None:
    it.head.seek(3.5)
    it.head.load(run_of([(0.5, Kind.CRASH, 0, 0), (9.0, Kind.TIMER, 0, 0)]), LOOK)
    assert it.ear.told() == []
    it.head.step(1)
    assert it.ear.told() == ["crash"]


def test_when_events_are_paced_they_are_heard_too(it: Heard) -> None:
    it.head.set_pace("events", 4.0)
    it.head.play()
    for _ in range(5):
        it.head.advance(0.25)
    assert it.ear.told()[:4] == ["tick", "send", "receive", "decide"]


def test_sound_is_off_until_it_is_switched_on_and_this_is_kept(tmp_path: Path) -> None:
    it = Heard(tmp_path, on=False)
    assert (it.settings.sound, it.sounding.on) == (False, False)
    it.head.step(1)
    assert it.ear.given == []
    it.sounding.switch(True)
    assert it.settings.sound
    it.sounding.set_volume(0.3)
    assert (it.settings.volume, it.ear.volume) == (0.3, 0.3)
    it.sounding.close()
    assert (it.settings.sound, it.ear.on) == (True, False)
    it.head.step(1)
    assert it.ear.given == []


def test_damaged_settings_are_replaced(tmp_path: Path) -> None:
    it = Heard(tmp_path, on=False)
    for damaged in ("loud", "-1", "nan", "7"):
        it.values["volume"] = damaged
        assert it.settings.volume == 0.6
    it.values["sound"] = "perhaps"
    assert not it.settings.sound


def test_a_missing_device_is_reported_once_and_nothing_fails(tmp_path: Path) -> None:
    it = Heard(tmp_path, device=False)
    assert it.told == ["There is no sound device; nothing will be heard."]
    it.head.play()
    it.head.advance(0.2)
    it.sounding.hear_voice("decide")
    assert it.ear.given == []


def test_the_listener_may_be_anywhere(it: Heard) -> None:
    it.head.step(1)
    assert it.ear.given[-1][1] == it.sounding._scored().places.listener
    near = Listener.within(0, 0, 10)
    it.sounding.listener = lambda: near
    it.head.step(1)
    assert it.ear.given[-1][1] is near


def test_a_walk_goes_from_part_to_part_and_begins_again(it: Heard) -> None:
    assert it.sounding.step_walk() == "Select a process first; the walk is around it."
    it.head.seek(2.5)
    it.head.pick(Hit("process", 1))
    said = [it.sounding.step_walk() for _ in range(8)]
    assert said == [
        "Process 1, idle. The time is 2.5.", "It has 2 neighbours.", "Neighbour 2, to the right: idle.",
        "Neighbour 0, to the left: busy.", "Nothing has happened at it yet.", "1 message is on its way to it.",
        "On its way: message from 0, to the left.", "Process 1, idle. The time is 2.5.",
    ]  # fmt: skip
    assert it.ear.told() == ["start", "start", "start", "start", "start", "send", "send", "start"]
    it.head.pick(Hit("process", 0))
    assert it.sounding.step_walk().startswith("Process 0, busy.")
    it.head.seek(3.0)
    assert it.sounding.step_walk() == "Process 0, busy. The time is 3."


def test_a_whole_run_is_heard_as_in_its_recording(tmp_path: Path) -> None:
    """Played in frames of any length, a run has the notes of its score."""
    it = Heard(tmp_path)
    run = archived("two-wings")
    it.head.load(run, LOOK)
    it.head.play()
    for number in range(200):
        it.head.advance((0.05, 0.11, 0.25)[number % 3])
    played = [(note.voice, note.event) for note, _ in it.ear.given if note.event >= 0]
    score = it.sounding._scored()
    assert played == [(note.voice, note.event) for note in score.notes(0, run.end, first=True) if note.event >= 0]


def test_a_run_whose_outcome_is_withheld_is_heard_without_it(tmp_path: Path) -> None:
    """Neither the chord of a good end nor a violation reveals how the run goes on."""
    checks = [{"name": "one at a time", "kind": "always", "holds": False, "at": 1}]
    whole = run_of([(float(i), Kind.TIMER, i % 4, 1) for i in range(6)], checks=checks)
    beginning = Beginning(whole)
    it = Heard(tmp_path)
    it.head.load(beginning.upto(0.0), LOOK, t=0.0, beginning=beginning)
    it.head.play()
    for _ in range(24):
        it.head.advance(0.25)
    assert it.head.at_end
    assert it.ear.told() == ["tick"] * 5
