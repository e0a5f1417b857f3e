"""The speaker and the device: open only while sound is on, silent without a device, refused without the library."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from lydian.model.errors import BadInput
from lydian.sound import device
from lydian.sound.device import Read, open_device
from lydian.sound.score import Note
from lydian.sound.space import Listener
from lydian.sound.speaker import LATENCY, Speaker
from lydian.sound.voices import RATE, Samples

HERE = Listener.before(0, 0, 300, 300)


class Output:
    """A device in a test: its clock stands still, and it is read by hand."""

    def __init__(self, there: bool = True) -> None:
        self.there, self.now, self.read, self.opened, self.closed = there, 100.0, None, 0, 0

    def open(self, read: Read) -> Callable[[], None] | None:
        self.opened += 1
        self.read = read
        return self.close if self.there else None

    def close(self) -> None:
        self.closed += 1

    def hear(self, seconds: float) -> Samples:
        """Let time pass, and return what was heard."""
        self.now += seconds
        assert self.read is not None
        return self.read(round(seconds * RATE))

    def speaker(self) -> Speaker:
        return Speaker(self.open, lambda: self.now)


def began(signal: Samples) -> float:
    """Return the second at which a signal begins."""
    return float(np.argmax(np.abs(signal[:, 0]) > 1e-4)) / RATE


def test_the_device_is_open_only_while_sound_is_on() -> None:
    output = Output()
    speaker = output.speaker()
    speaker.play([Note(0, "decide")], HERE)
    assert (speaker.on, speaker.heard, output.opened) == (False, False, 0)
    speaker.switch(True)
    speaker.switch(True)
    assert (speaker.on, speaker.heard, output.opened, output.closed) == (True, True, 1, 0)
    assert not output.hear(1.0).any()
    speaker.switch(False)
    speaker.switch(False)
    assert (speaker.on, speaker.heard, output.opened, output.closed) == (False, False, 1, 1)


def test_notes_keep_their_rhythm_whenever_they_are_added() -> None:
    """The notes are added between two blocks of the device; each is heard the same time after its moment."""
    output = Output()
    speaker = output.speaker()
    speaker.switch(True)
    output.hear(0.5)
    output.now += 0.015
    speaker.play([Note(0, "tick")], HERE)
    output.now -= 0.015
    assert began(output.hear(0.3)) == pytest.approx(0.015 + LATENCY, abs=0.002)
    output.now += 0.033
    speaker.play([Note(0.1, "tick")], HERE)
    output.now -= 0.033
    assert began(output.hear(0.4)) == pytest.approx(0.133 + LATENCY, abs=0.002)


def test_a_device_that_stood_still_is_compared_with_the_clock_afresh() -> None:
    output = Output()
    speaker = output.speaker()
    speaker.switch(True)
    output.hear(0.1)
    output.now += 60.0  # the computer slept
    speaker.play([Note(0, "tick")], HERE)
    assert began(output.hear(0.3)) == pytest.approx(LATENCY, abs=0.002)


def test_hushing_ends_what_sounds() -> None:
    output = Output()
    speaker = output.speaker()
    speaker.switch(True)
    speaker.play([Note(0, "violation"), Note(0.5, "violation")], HERE)
    assert output.hear(0.2).any()
    speaker.hush()
    output.hear(0.1)
    assert not output.hear(1.5).any()


def test_the_volume_is_kept_while_sound_is_off() -> None:
    output = Output()
    speaker = output.speaker()
    speaker.volume = 7
    assert speaker.volume == 1
    speaker.volume = 0.5
    speaker.switch(True)
    assert speaker.volume == 0.5
    speaker.play([Note(0, "crash")], HERE)
    assert 0.2 < float(np.abs(output.hear(0.5)).max()) < 0.3


def test_without_a_device_nothing_is_heard_and_nothing_fails() -> None:
    output = Output(there=False)
    speaker = output.speaker()
    speaker.switch(True)
    speaker.play([Note(0, "decide")], HERE)
    speaker.hush()
    assert (speaker.on, speaker.heard) == (True, False)
    speaker.switch(False)
    assert output.closed == 0


class Sounding(ModuleType):
    """The library in a test; ``works`` says how far its device gets."""

    def __init__(self, works: str) -> None:
        super().__init__("miniaudio")
        made = self.made = []

        class MiniaudioError(Exception):
            pass

        class PlaybackDevice:
            def __init__(self, **words: Any) -> None:
                if works == "none":
                    raise MiniaudioError("failed to init device")
                self.words, self.blocks, self.open = words, None, True
                made.append(self)

            def start(self, blocks: Any) -> None:
                if works == "made":
                    raise MiniaudioError("failed to start audio device")
                self.blocks = blocks

            def close(self) -> None:
                self.open = False

        self.MiniaudioError, self.PlaybackDevice = MiniaudioError, PlaybackDevice
        self.SampleFormat = type("SampleFormat", (), {"FLOAT32": "float32"})


def with_library(monkeypatch: pytest.MonkeyPatch, works: str) -> Sounding:
    library = Sounding(works)
    monkeypatch.setitem(sys.modules, "miniaudio", library)
    return library


def test_the_library_is_given_as_many_samples_as_it_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    library = with_library(monkeypatch, "started")
    close = open_device(lambda count: np.full((count, 2), 0.25, dtype=np.float32))
    (made,) = library.made
    assert made.words == {
        "output_format": "float32", "nchannels": 2, "sample_rate": RATE, "buffersize_msec": device.BUFFER,
        "app_name": "LYDIAN",
    }  # fmt: skip
    for count in (441, 7):
        assert np.frombuffer(made.blocks.send(count), dtype=np.float32).tolist() == [0.25] * 2 * count
    assert close is not None
    close()
    assert not made.open


@pytest.mark.parametrize("works", ["none", "made"])
def test_a_computer_without_a_device(monkeypatch: pytest.MonkeyPatch, works: str) -> None:
    library = with_library(monkeypatch, works)
    assert open_device(lambda count: np.zeros((count, 2), dtype=np.float32)) is None
    assert not any(made.open for made in library.made)


def test_without_the_library_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    speaker = Speaker()
    with pytest.raises(BadInput) as caught:
        speaker.switch(True)
    assert str(caught.value) == 'sound needs miniaudio (miniaudio is not installed); pip install "lydian[sound]"'
    assert not speaker.on


def test_the_real_library_reads_the_mixer_in_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own silent device stands in for the one of the computer."""
    library = pytest.importorskip("miniaudio")
    make = library.PlaybackDevice
    monkeypatch.setattr(library, "PlaybackDevice", lambda **words: make(**words, backends=[library.Backend.NULL]))
    asked: list[int] = []
    enough = __import__("threading").Event()

    def read(count: int) -> Samples:
        asked.append(count)
        enough.set()
        return np.zeros((count, 2), dtype=np.float32)

    close = open_device(read)
    assert close is not None
    assert enough.wait(20)
    close()
    assert all(count > 0 for count in asked)
