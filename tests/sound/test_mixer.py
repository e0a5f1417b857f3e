"""The mixer: the signal of many notes, its limits, and the room that a foremost note gets."""

from __future__ import annotations

import numpy as np
import pytest

from lydian.sound.mixer import KNEE, MOST_AT_ONCE, Mixer, mixed, within_one
from lydian.sound.score import Note, Score
from lydian.sound.space import Listener
from lydian.sound.voices import RATE, tone
from tests.sound.made import Kind, between, level, run_of

HERE = Listener.before(0, 0, 300, 300)


def test_a_note_alone_is_its_tone_at_its_time() -> None:
    signal = mixed([Note(0.5, "receive", 4)], 1.0, HERE)
    assert signal.shape == (RATE, 2)
    assert not between(signal, 0, 0.5).any()
    sounded = signal[RATE // 2 : RATE // 2 + len(tone("receive", 4)), 0]
    assert np.allclose(sounded, tone("receive", 4), atol=1e-6)


def test_blocks_of_any_size_make_the_same_signal() -> None:
    notes = [Note(0.05 * i, "decide" if i == 4 else "send", i) for i in range(12)]
    whole, small = Mixer(), Mixer()
    whole.add(notes, HERE)
    small.add(notes, HERE)
    sizes = [1, 500, 4096, 17, 882, 30_000 - 5496]
    parts = np.concatenate([small.read(size) for size in sizes])
    assert np.allclose(whole.read(30_000), parts, atol=1e-6)


def test_ten_thousand_events_are_never_too_loud() -> None:
    rows = [(i * 0.0005, Kind.DECIDE if i % 3 == 0 else Kind.TIMER, i % 4, i % 3) for i in range(10_000)]
    run = run_of(rows)
    signal = mixed(Score(run).notes(0, 5, first=True), 6.0, HERE)
    assert float(np.abs(signal).max()) <= 1.0
    flat = np.mean(np.abs(signal) > 0.999)  # a clipped signal stays at its limit
    assert flat == 0
    assert level(between(signal, 1, 5)) > 0.05
    assert level(between(signal, 1, 5)) < 0.5


def test_the_others_are_softer_while_a_decision_sounds() -> None:
    ticks = [Note(0.1 * i, "send", 0, (0.0, 150.0, 0.0)) for i in range(20)]
    alone = mixed(ticks, 2.0, HERE)
    both = mixed(sorted([*ticks, Note(0.5, "decide")], key=lambda note: note.at), 2.0, HERE)
    decision = mixed([Note(0.5, "decide")], 2.0, HERE)
    rest = both - decision  # what remains of the others
    assert np.allclose(between(rest, 0, 0.45), between(alone, 0, 0.45), atol=1e-6)
    assert level(between(rest, 0.5, 0.6)) < 0.45 * level(between(alone, 0.5, 0.6))
    assert level(between(rest, 1.9, 2.0)) > 0.9 * level(between(alone, 1.9, 2.0))


def test_a_mixer_forgets_what_is_over() -> None:
    mixer = Mixer()
    mixer.add([Note(0.0, "tick") for _ in range(3 * MOST_AT_ONCE)], HERE)
    mixer.add([Note(0.0, "tick")], HERE)
    assert len(mixer._tones) <= MOST_AT_ONCE + 1
    mixer.read(RATE)
    assert mixer.idle


def test_the_volume_is_that_of_everything() -> None:
    loud, soft = (mixed([Note(0, "crash")], 0.5, HERE, volume=volume) for volume in (1.0, 0.25))
    assert level(soft) == pytest.approx(level(loud) / 4, rel=1e-3)


def test_what_is_too_loud_is_bent_smoothly() -> None:
    ramp = np.linspace(-4, 4, 4001, dtype=np.float32)[:, None].repeat(2, axis=1)
    bent = within_one(ramp)
    assert float(np.abs(bent).max()) <= 1.0
    assert (np.diff(bent[:, 0]) >= 0).all()
    inside = np.abs(ramp) <= KNEE
    assert (bent[inside] == ramp[inside]).all()


def test_tones_are_ended_without_a_click() -> None:
    mixer = Mixer()
    mixer.add([Note(0.0, "decide", 3), Note(1.0, "decide")], HERE)
    before = mixer.read(RATE // 10)
    mixer.hush()
    after = mixer.read(2 * RATE)
    steps = np.abs(np.diff(np.concatenate((before, after))[:, 0]))
    assert steps[len(before) - 5 :].max() <= steps[: len(before)].max()
    assert after[: RATE // 50].any()
    assert not after[RATE // 20 :].any()
    assert mixer.idle
