"""The mixer: notes become one signal for two ears, which is never louder than 1.

There are two groups of notes. While a foremost one sounds (a decision, a crash, a violation), the others are softer
("ducking"). What would be too loud is bent smoothly below 1, so nothing is ever cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from lydian.sound.score import Note
from lydian.sound.space import Listener, in_space
from lydian.sound.voices import RATE, VOICES, Samples, tone

__all__ = ["Mixer", "blocks", "mixed", "within_one"]

#: The share by which the others are softer when a foremost note begins, and the seconds in which this passes.
DUCK, PASSES = 0.7, 0.35
#: The amplitude up to which the signal is unchanged.
KNEE = 0.75
#: The most tones at once; of more, the oldest end.
MOST_AT_ONCE = 48
#: The samples of a block, and how far ahead notes are added, as ducking begins before its cause.
_BLOCK, _AHEAD = 4_096, RATE // 50
#: The amplitude of tones that are ended.
_FADE = np.linspace(1, 0, RATE // 40, dtype=np.float32) ** 2


@dataclass(frozen=True, eq=False)
class _Tone:
    start: int
    samples: Samples
    foremost: bool


@dataclass(eq=False)
class Mixer:
    """A mixer of tones, from which the signal is read block by block.

    Attributes:
        volume: the amplitude of everything, 0 to 1.
        position: the number of samples that have been read.
    """

    volume: float = 1.0
    position: int = 0
    _tones: list[_Tone] = field(default_factory=list)
    _foremost: list[int] = field(default_factory=list)

    @property
    def idle(self) -> bool:
        """Whether nothing sounds and nothing is going to."""
        return not self._tones

    def add(self, notes: Iterable[Note], listener: Listener, start: int | None = None) -> None:
        """Add notes, whose seconds count from the sample ``start`` (by default, from the next one that is read)."""
        start = self.position if start is None else start
        for note in notes:
            ears = listener.hears(note.place)
            samples = in_space(tone(note.voice, note.degree, note.stretch), ears) * np.float32(note.loud)
            foremost = VOICES[note.voice].foremost
            begins = start + round(note.at * RATE)
            self._tones.append(_Tone(begins, samples, foremost))
            if foremost:
                self._foremost.append(begins)
        sounding = [tone for tone in self._tones if tone.start <= self.position]
        for old in sounding[:-MOST_AT_ONCE] if len(sounding) > MOST_AT_ONCE else ():
            self._tones.remove(old)

    def hush(self) -> None:
        """End all tones within a moment, too softly for a click."""
        left = []
        for each in self._tones:
            gone = self.position - each.start
            if gone > 0:
                part = each.samples[: gone + len(_FADE)].copy()
                part[gone:] *= _FADE[: len(part) - gone, None]
                left.append(_Tone(each.start, part, each.foremost))
        self._tones = left
        self._foremost = [start for start in self._foremost if start < self.position]

    def read(self, count: int) -> Samples:
        """Return the next samples, (count, 2)."""
        ordinary, foremost = np.zeros((count, 2), dtype=np.float32), np.zeros((count, 2), dtype=np.float32)
        begin, end = self.position, self.position + count
        for tone_ in self._tones:
            low, high = max(tone_.start, begin), min(tone_.start + len(tone_.samples), end)
            if low < high:
                group = foremost if tone_.foremost else ordinary
                group[low - begin : high - begin] += tone_.samples[low - tone_.start : high - tone_.start]
        self._tones = [each for each in self._tones if each.start + len(each.samples) > end]
        mix = ordinary * self._softer(begin, count)[:, None] + foremost
        self.position = end
        return within_one(mix * np.float32(self.volume))

    def _softer(self, begin: int, count: int) -> Samples:
        """Return the amplitude of the ordinary notes, which falls within a hundredth of a second and then rises."""
        self._foremost = [start for start in self._foremost if start > begin - 5 * PASSES * RATE]
        found = np.ones(count, dtype=np.float32)
        for start in self._foremost:
            since = (np.arange(begin, begin + count) - start) / RATE
            depth = np.clip(since / 0.01 + 1, 0, 1) * np.exp(-np.maximum(since, 0) / PASSES)
            found = np.minimum(found, (1 - DUCK * depth).astype(np.float32))
        return found


def blocks(notes: Sequence[Note], seconds: float, listener: Listener, *, volume: float = 1.0) -> Iterator[Samples]:
    """Yield the signal of notes in ascending order in blocks, (samples, 2) each, until it has the given length."""
    mixer, at = Mixer(volume), 0
    whole = max(round(seconds * RATE), 0)
    while mixer.position < whole:
        count = min(_BLOCK, whole - mixer.position)
        upto = at
        while upto < len(notes) and round(notes[upto].at * RATE) < mixer.position + count + _AHEAD:
            upto += 1
        mixer.add(notes[at:upto], listener, 0)
        at = upto
        yield mixer.read(count)


def mixed(notes: Sequence[Note], seconds: float, listener: Listener, *, volume: float = 1.0) -> Samples:
    """Return the signal of notes in ascending order, (samples, 2), of the given length."""
    parts = list(blocks(notes, seconds, listener, volume=volume))
    return np.concatenate(parts) if parts else np.zeros((0, 2), dtype=np.float32)


def within_one(signal: Samples) -> Samples:
    """Return a signal whose amplitude is below 1: unchanged up to :data:`KNEE`, then bent smoothly."""
    size = np.abs(signal)
    if not len(signal) or float(size.max()) <= KNEE:
        return signal
    room = 1 - KNEE
    bent = KNEE + room * np.tanh((size - KNEE) / room) * (1 - 1e-6)
    found: Samples = np.where(size <= KNEE, signal, np.sign(signal) * bent).astype(np.float32)
    return found
