"""Runs as sound files: header and length, a deadlock, a livelock, and a run that comes to rest."""

from __future__ import annotations

import math
import wave
from pathlib import Path

import numpy as np
import pytest

from lydian.model.errors import BadInput
from lydian.sound.recording import soundtrack, write_wav
from lydian.sound.score import TAIL
from lydian.sound.voices import RATE
from tests.sound.made import Kind, archived, between, level, loudest, run_of


def read(path: Path) -> np.ndarray:
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (2, 2, RATE)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2) / 32_767


def test_a_file_is_as_long_as_the_run_and_its_tail(tmp_path: Path) -> None:
    run, shares = archived("two-wings"), []
    seconds = write_wav(tmp_path / "run.wav", run, speed=4, progress=shares.append)
    assert seconds == pytest.approx(run.end / 4 + TAIL)
    signal = read(tmp_path / "run.wav")
    assert len(signal) == round(seconds * RATE)
    assert 0.1 < np.abs(signal).max() <= 1
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["run.wav"]


def test_a_part_of_a_run_has_no_tail(tmp_path: Path) -> None:
    assert write_wav(tmp_path / "part.wav", archived("two-wings"), start=2, end=6, speed=2) == 2
    assert len(read(tmp_path / "part.wav")) == 2 * RATE


def test_the_left_process_is_heard_on_the_left(tmp_path: Path) -> None:
    """The loudness and the delay are measured in the file."""
    run = run_of([(0.5, Kind.RECEIVE, 0, 1), (1.5, Kind.RECEIVE, 3, 1)])
    write_wav(tmp_path / "sides.wav", run)
    signal = read(tmp_path / "sides.wav")
    first, second = between(signal, 0.5, 0.8), between(signal, 1.5, 1.8)
    assert level(first[:, 0]) > 1.4 * level(first[:, 1])
    assert level(second[:, 1]) > 1.4 * level(second[:, 0])
    began = [int(np.argmax(np.abs(first[:, side]) > 0.1 * np.abs(first[:, side]).max())) for side in (0, 1)]
    assert 5 < began[1] - began[0] < 40


def test_a_deadlock_is_silence_after_a_hum() -> None:
    run = archived("chandy-misra-crash")
    last = run.end / 10
    signal = soundtrack(run, last + 6, speed=10)
    hum = level(between(signal, last - 3, last))
    assert hum > 0.02
    assert level(between(signal, last + 1.5, last + 6)) < 0.01 * hum


def test_a_livelock_is_a_loop() -> None:
    """The loudness in hundredths of a second repeats with the period of the run, and with no shorter one."""
    rows = []
    for turn in range(12):  # two processes step aside for each other again and again
        t = 2.0 * turn
        rows += [
            (t, Kind.RULE, 0, 1),
            (t + 0.3, Kind.RULE, 1, 1),
            (t + 0.5, Kind.RULE, 0, 0),
            (t + 1.3, Kind.RULE, 1, 0),
        ]
    signal = between(soundtrack(run_of(rows, stopped="until"), 24.0), 2, 22)
    loud = np.abs(signal).sum(axis=1)[: 20 * RATE].reshape(-1, RATE // 100).sum(axis=1)
    loud = loud - loud.mean()
    alike = [float(loud[:-late] @ loud[late:] / (loud[:-late] @ loud[:-late])) for late in range(10, 300)]
    assert 10 + int(np.argmax(alike)) == 200
    assert max(alike) > 0.95
    assert max(alike[:180]) < 0.7


def test_a_livelock_of_the_archive_repeats_itself() -> None:
    """All processes change their colours in step, once a unit of time."""
    run = archived("stabilising-colouring-synchronous")
    signal = between(soundtrack(run, run.end), 40, 56)
    loud = np.abs(signal).sum(axis=1)[: 16 * RATE].reshape(-1, RATE // 100).sum(axis=1)
    loud = loud - loud.mean()
    turn = float(loud[:-100] @ loud[100:] / (loud[:-100] @ loud[:-100]))
    assert turn > 0.9


def test_a_run_that_ends_well_comes_to_rest_on_a_low_chord() -> None:
    run = archived("two-wings")
    last = run.end / 2
    signal = soundtrack(run, last + TAIL, speed=2)
    end = between(signal, last + 1.0, last + TAIL)[:, 0]
    assert level(end) > 0.01
    assert loudest(end.astype(np.float32)) < 200
    assert not np.abs(signal[-10:]).max() > 0.01


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"speed": 0}, "the speed must be a positive number of time units per second, not 0"),
        ({"speed": math.inf}, "the speed must be a positive number"),
        ({"start": math.nan}, "the times of a recording must be numbers, not NaN"),
        ({"start": 9, "end": 4}, "a recording from 9 to 4 would run backwards"),
        ({"max_seconds": 5}, "but at most 5 are allowed; choose a higher speed, such as"),
    ],
)
def test_what_cannot_be_recorded_is_refused(tmp_path: Path, words: dict[str, float], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        write_wav(tmp_path / "no.wav", archived("two-wings"), **words)
    assert sentence in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        write_wav(tmp_path / "nowhere" / "run.wav", archived("two-wings"))
