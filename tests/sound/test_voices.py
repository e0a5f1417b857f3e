"""The voices of events."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from lydian.sound.voices import DEGREES, OF_KIND, RATE, VOICES, frequency, tone
from lydian.trace.events import KINDS, Kind
from tests.sound.made import loudest


@pytest.mark.parametrize("name", VOICES)
def test_a_tone_begins_and_ends_softly_and_has_the_peak_of_its_voice(name: str) -> None:
    voice, samples = VOICES[name], tone(name)
    assert len(samples) == round(voice.seconds * RATE)
    assert samples.dtype == np.float32
    assert np.abs(samples).max() == pytest.approx(voice.loud, rel=1e-4)
    assert np.abs(samples[:5]).max() < 0.2 * voice.loud
    assert np.abs(samples[-5:]).max() < 0.02 * voice.loud


def test_the_voices_differ_in_their_spectrum() -> None:
    """The share of the power in each octave; two voices are alike if it is the same everywhere."""

    def shares(name: str) -> np.ndarray:
        power = np.abs(np.fft.rfft(tone(name, 0), 1 << 16)) ** 2
        hertz = np.array([0, 100, 200, 300, 400, 600, 800, 1200, 1800, 2600, 5000, 22050])
        edges = (hertz * (1 << 16) / RATE).astype(int)
        found = np.array([power[a:b].sum() for a, b in pairwise(edges)])
        return found / found.sum()

    heard = ("start", "send", "receive", "lose", "tick", "decide", "crash", "violation", "rest", "crowd")
    for i, a in enumerate(heard):
        for b in heard[i + 1 :]:
            assert np.abs(shares(a) - shares(b)).sum() > 0.25, (a, b)
    decided = np.abs(np.fft.rfft(tone("decide", 0), 1 << 16))
    chord = [decided[round(frequency(VOICES["decide"], 0) * ratio * (1 << 16) / RATE)] for ratio in (1, 1.25, 1.5)]
    assert min(chord) > 0.3 * max(chord)  # a chord, where a send has one tone


def test_pitches_are_those_of_the_pentatonic_scale() -> None:
    found = [frequency(VOICES["receive"], degree) for degree in range(DEGREES)]
    semitones = [round(12 * float(np.log2(pitch / found[0])), 6) for pitch in found]
    assert semitones == [0, 2, 4, 7, 9, 12, 14, 16, 19, 21]
    assert frequency(VOICES["receive"], DEGREES) == found[0]
    for degree in (0, 3, 9):
        assert loudest(tone("receive", degree)) == pytest.approx(found[degree], rel=0.02)


def test_each_kind_that_is_heard_has_a_voice() -> None:
    assert set(OF_KIND.values()) <= set(VOICES)
    silent = {KINDS[code] for code in range(len(KINDS))} - {KINDS[code] for code in OF_KIND}
    assert silent == {"note", "print", "timer_set", "timer_cancel", "intervene"}
    assert OF_KIND[Kind.DECIDE] != OF_KIND[Kind.SEND]


def test_grains_of_the_hum_make_one_even_tone() -> None:
    grain, step = tone("hum"), RATE // 4
    whole = np.zeros(step * 12 + len(grain))
    for number in range(12):
        whole[number * step : number * step + len(grain)] += grain
    inner = whole[2 * step : 10 * step]
    halves = [np.abs(part).max() for part in np.split(inner, 8)]
    assert min(halves) > 0.9 * max(halves)


def test_an_unknown_voice_is_an_error() -> None:
    with pytest.raises(KeyError):
        tone("shout")
