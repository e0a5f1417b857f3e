"""The voices of events: short tones that are computed from a few parameters.

A tone is a sum of partials with a soft attack and an exponential decay (additive synthesis); some voices bend in pitch
or contain filtered noise. All pitches are taken from a major pentatonic scale, of which any notes sound well together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lydian.language import later
from lydian.model.streams import stream_key, uniforms
from lydian.trace.events import Kind

__all__ = ["DEGREES", "OF_KIND", "RATE", "VOICES", "Samples", "Voice", "frequency", "tone"]

Samples = NDArray[np.float32]

#: Samples per second.
RATE = 44_100
#: The steps of the major pentatonic scale in semitones, and the frequency of its lowest note at octave 0 (C3).
_SCALE, _LOWEST = (0, 2, 4, 7, 9), 130.8128
#: The number of degrees, two octaves; higher degrees begin again at the lowest one.
DEGREES = 10
#: The release at the end of a tone, in seconds, so that it does not click.
_RELEASE = 0.012


@dataclass(frozen=True)
class Voice:
    """The sound of one kind of event.

    Attributes:
        name: its name in the program.
        title: what it stands for, in English; translated where it is shown.
        partials: the frequency of each partial relative to the first one, and its amplitude.
        seconds: the length of the tone.
        attack, decay: the time until it is loudest, and the time in which it then falls to 37 per cent, in seconds.
        loud: its peak, 0 to 1.
        octave: octaves above C3.
        bend: the change of pitch from beginning to end, in semitones.
        noise: the share of noise, 0 to 1.
        smooth: the number of samples over which the noise is averaged: the more, the duller.
        foremost: whether it is never left out of a crowd and makes the other voices softer for a moment.
    """

    name: str
    title: str
    partials: tuple[tuple[float, float], ...]
    seconds: float
    attack: float
    decay: float
    loud: float
    octave: float = 1
    bend: float = 0.0
    noise: float = 0.0
    smooth: int = 1
    foremost: bool = False


#: The voices by name, in the order of the settings.
VOICES: Mapping[str, Voice] = {
    voice.name: voice
    for voice in (
        Voice(
            "start",
            later("Start", "sound of an event"),
            ((1, 0.7), (2, 0.8), (3, 0.4)),
            seconds=0.50,
            attack=0.020,
            decay=0.16,
            loud=0.34,
        ),
        Voice(
            "send",
            later("Send", "sound of an event"),
            ((1, 1.0), (2, 0.18)),
            seconds=0.16,
            attack=0.006,
            decay=0.045,
            loud=0.24,
            octave=2,
            bend=2,
        ),
        Voice(
            "receive",
            later("Receive", "sound of an event"),
            ((1, 1.0), (3.9, 0.4)),
            seconds=0.30,
            attack=0.003,
            decay=0.075,
            loud=0.32,
        ),
        Voice(
            "lose",
            later("Lose a message", "sound of an event"),
            ((1, 0.5), (1.5, 0.2)),
            seconds=0.30,
            attack=0.010,
            decay=0.09,
            loud=0.22,
            bend=-7,
            noise=0.6,
            smooth=12,
        ),
        Voice(
            "tick",
            later("Timer, command or rule", "sound of an event"),
            ((1, 0.8), (2.76, 0.8)),
            seconds=0.09,
            attack=0.002,
            decay=0.022,
            loud=0.20,
            octave=2,
        ),
        Voice(
            "deliver",
            later("Deliver", "sound of an event"),
            ((1, 1.0), (2, 0.3), (4, 0.2)),
            seconds=0.45,
            attack=0.004,
            decay=0.13,
            loud=0.28,
            octave=2,
        ),
        Voice(
            "decide",
            later("Decide", "sound of an event"),
            ((1, 1.0), (1.25, 0.7), (1.5, 0.7), (2, 0.5), (4, 0.12)),
            seconds=1.10,
            attack=0.012,
            decay=0.34,
            loud=0.44,
            octave=1,
            foremost=True,
        ),
        Voice(
            "crash",
            later("Crash or cut", "sound of an event"),
            ((1, 1.0), (1.41, 0.4), (2.3, 0.2)),
            seconds=0.80,
            attack=0.003,
            decay=0.20,
            loud=0.50,
            octave=0,
            bend=-12,
            noise=0.35,
            smooth=30,
            foremost=True,
        ),
        Voice(
            "recover",
            later("Recover or restore", "sound of an event"),
            ((1, 1.0), (2, 0.5), (3, 0.2)),
            seconds=0.55,
            attack=0.060,
            decay=0.20,
            loud=0.34,
            bend=7,
            foremost=True,
        ),
        Voice(
            "violation",
            later("Violation or error", "sound of an event"),
            ((1, 0.7), (1.0595, 0.7), (2, 0.5), (2.119, 0.5), (3, 0.5), (5, 0.4)),
            seconds=1.20,
            attack=0.004,
            decay=0.50,
            loud=0.52,
            octave=1,
            foremost=True,
        ),
        Voice(
            "rest",
            later("At rest", "sound of an event"),
            ((0.5, 0.8), (1, 1.0), (1.5, 0.5), (2, 0.25)),
            seconds=2.40,
            attack=0.250,
            decay=0.80,
            loud=0.34,
            octave=0,
        ),
        Voice(
            "crowd",
            later("A crowd of events", "sound of an event"),
            (),
            seconds=0.20,
            attack=0.080,
            decay=0.10,
            loud=0.16,
            noise=1.0,
            smooth=6,
        ),
        Voice(
            "hum",
            later("Messages in transit", "sound of an event"),
            (),
            seconds=0.50,
            attack=0.250,
            decay=0.25,
            loud=0.10,
            octave=0,
        ),
    )
}
#: The voice of each kind of event that is heard.
OF_KIND: Mapping[int, str] = {
    Kind.INIT: "start", Kind.SEND: "send", Kind.INJECT: "send", Kind.RECEIVE: "receive", Kind.DROP: "lose",
    Kind.TIMER: "tick", Kind.COMMAND: "tick", Kind.RULE: "tick", Kind.DELIVER: "deliver", Kind.DECIDE: "decide",
    Kind.CRASH: "crash", Kind.LINK_DOWN: "crash", Kind.CORRUPT: "crash", Kind.RECOVER: "recover",
    Kind.LINK_UP: "recover", Kind.ERROR: "violation",
}  # fmt: skip
#: The hum, whose grains follow each other every quarter of a second: its frequencies are multiples of 4 Hz, so that
#: each grain begins where the wave of the previous one is.
_HUM = ((132.0, 1.0), (196.0, 0.5), (264.0, 0.25))


def frequency(voice: Voice, degree: int) -> float:
    """Return the frequency of a degree of the scale in hertz."""
    degree %= DEGREES
    semitones = 12 * (voice.octave + degree // len(_SCALE)) + _SCALE[degree % len(_SCALE)]
    return float(_LOWEST * 2 ** (semitones / 12))


@lru_cache(maxsize=512)
def tone(name: str, degree: int = 0, stretch: float = 1.0) -> Samples:
    """Return the samples of a voice at a degree of the scale, (samples,), mono, with the voice's peak.

    Args:
        stretch: the length relative to that of the voice.

    Raises:
        KeyError: there is no such voice.
    """
    voice = VOICES[name]
    count = max(round(voice.seconds * stretch * RATE), 2)
    at = np.arange(count) / RATE
    if name == "hum":
        wave = sum(amplitude * np.sin(2 * np.pi * pitch * at) for pitch, amplitude in _HUM)
        wave = wave * np.sin(np.pi * np.arange(count) / count) ** 2
        return _peaked(wave, voice.loud)
    bent = 2 ** (voice.bend / 12 * at / at[-1])
    phase = 2 * np.pi * np.cumsum(frequency(voice, degree) * bent) / RATE
    wave = np.zeros(count)
    for ratio, amplitude in voice.partials:  # high partials die away first, as in strings and bars
        wave += amplitude * np.sin(ratio * phase) * np.exp(-at / (voice.decay * stretch) * (ratio - 1) * 0.35)
    if voice.noise:
        wave = (1 - voice.noise) * wave + voice.noise * _noise(count, voice.smooth)
    return _peaked(wave * _envelope(voice, at, stretch), voice.loud)


def _envelope(voice: Voice, at: NDArray[np.float64], stretch: float) -> NDArray[np.float64]:
    rise = np.minimum(at / voice.attack, 1.0)
    fall = np.exp(-np.maximum(at - voice.attack, 0.0) / (voice.decay * stretch))
    release = np.clip((at[-1] - at) / _RELEASE, 0.0, 1.0)
    found: NDArray[np.float64] = (0.5 - 0.5 * np.cos(np.pi * rise)) * fall * (0.5 - 0.5 * np.cos(np.pi * release))
    return found


def _noise(count: int, smooth: int) -> NDArray[np.float64]:
    """Return smoothed white noise with a peak of 1, the same on every machine."""
    white = 2 * uniforms(stream_key(0, "sound", "noise"), 0, count + smooth)[0] - 1
    found: NDArray[np.float64] = np.convolve(white, np.full(smooth, 1 / smooth), "same")[:count]
    found /= np.abs(found).max()
    return found


def _peaked(wave: NDArray[np.float64], peak: float) -> Samples:
    found = (wave * (peak / max(float(np.abs(wave).max()), 1e-9))).astype(np.float32)
    found.setflags(write=False)
    return found
