"""The score of a run: which tones are heard when, as a pure function of the timeline.

Each event has a voice by its kind. Its pitch follows the state of its process (or, without states, a value), so that
processes in the same state sound alike and a system that converges comes to rest on one tone. Its length follows the
load: the more a process does, the shorter its tones. A hum lasts as long as messages are in transit; when a run gets
stuck, it stops, and nothing follows. A run that ended well ends with a low chord.

A crowd becomes a texture: in each eighth of a second at most a few events keep their own tones, and the others together
become one soft rustle from the middle of the places where they happen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.animation import Animation, animation_for
from lydian.sound.places import Places
from lydian.sound.space import Point
from lydian.sound.voices import DEGREES, OF_KIND, VOICES
from lydian.trace.events import NO_STATE
from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import marks_of
from lydian.views.words.contents import contents

__all__ = ["TAIL", "Note", "Score", "rests_well"]

#: The length of the windows in which events are counted, in seconds.
WINDOW = 0.125
#: The most events in a window that keep their own tones: ordinary ones, and foremost ones (decisions, crashes).
MOST, MOST_FOREMOST = 4, 2
#: The seconds from one grain of the hum to the next.
GRAIN = 0.25
#: The seconds after the last event in which a run rings out.
TAIL = 3.0
#: The seconds from the last event to the chord of a run that ended well.
CHORD = 0.35
#: Whether an event is heard, by the code of its kind.
_AUDIBLE: NDArray[np.bool_] = np.isin(np.arange(256), list(OF_KIND))


@dataclass(frozen=True)
class Note:
    """A tone of the score.

    Attributes:
        at: when it begins, in seconds.
        voice: the name of its voice.
        degree: its degree on the scale.
        place: where it is heard, in the units of the network; ``None`` for in the middle and near.
        loud: its amplitude relative to that of the voice.
        stretch: its length relative to that of the voice.
        event: the row of the trace that it stands for, -1 if it stands for several or none.
    """

    at: float
    voice: str
    degree: int = 0
    place: Point | None = None
    loud: float = 1.0
    stretch: float = 1.0
    event: int = -1


@dataclass(frozen=True, eq=False)
class Score:
    """The score of a run at a speed.

    Args:
        timeline: the run.
        animation: the slots of its states, which are its pitches; its own animation by default.
        speed: units of simulated time in a second.
    """

    timeline: Timeline
    animation: Animation | None = None
    speed: float = 1.0

    def notes(self, t0: float, t1: float, *, first: bool = False) -> list[Note]:
        """Return the tones of the events after ``t0`` and up to ``t1`` in order, and of the hum between them.

        They begin so many seconds after ``t0`` as the speed demands. The choice of tones in a crowd depends on the run
        and the speed alone, so that the notes of two stretches are those of both together.

        Args:
            first: whether events at ``t0`` itself are included.
        """
        timeline = self.timeline
        start = int(np.searchsorted(timeline.time, t0, side="left" if first else "right"))
        stop = timeline.count(t1)
        width = WINDOW * self.speed
        notes = self._hum(t0, t1, first)
        if start < stop:
            low = math.floor(float(timeline.time[start]) / width) * width
            high = (math.floor(float(timeline.time[stop - 1]) / width) + 1) * width
            begin, end = np.searchsorted(timeline.time, (low, high), side="left").tolist()
            rows = np.arange(begin, end)
            rows = rows[_AUDIBLE[timeline.kind[begin:end]]]
            for window in _split(rows, np.floor(timeline.time[rows] / width).astype(np.int64)):
                notes += [note for note in self._of_window(window) if start <= note.event < stop]
        for row in self._violated:
            if start <= row < stop:
                notes.append(self._note(row, "violation"))
        notes = [replace(note, at=self._after(t0, note.event, note.at)) for note in notes]
        return sorted((replace(n, event=-1) if n.voice == "crowd" else n for n in notes), key=lambda n: (n.at, n.event))

    def ending(self) -> list[Note]:
        """Return the chord of a run that ended well, whose seconds count from the last event; else nothing."""
        return [Note(CHORD, "rest")] if rests_well(self.timeline) else []

    # ------------------------------------------------------------------ events

    @cached_property
    def _looks(self) -> Animation:
        return self.animation or animation_for(self.timeline.trace)

    @cached_property
    def places(self) -> Places:
        """Where its events are heard."""
        return Places(self.timeline, self._looks)

    @cached_property
    def _violated(self) -> list[int]:
        """The events at which a property that must always hold was violated first."""
        found = []
        for check in self.timeline.trace.summary.get("checks") or ():
            at = check.get("at")
            if check.get("holds") is False and check.get("kind") == "always" and isinstance(at, int):
                found.append(min(max(at, 0), self.timeline.length - 1))
        return sorted(set(found))

    def _after(self, t0: float, event: int, at: float) -> float:
        """Return the second after ``t0`` at which an event is heard; ``at`` if the note is of no event."""
        return max((float(self.timeline.time[event]) - t0) / self.speed, 0.0) if event >= 0 else at

    def _of_window(self, rows: NDArray[np.int64]) -> list[Note]:
        """Return the notes of a window's events; a crowd's rustle is dated by the first event that is left out."""
        timeline = self.timeline
        voices = [OF_KIND[kind] for kind in timeline.kind[rows].tolist()]
        foremost = np.array([VOICES[voice].foremost for voice in voices], dtype=bool)
        kept = np.concatenate((_spread(rows[foremost], MOST_FOREMOST), _spread(rows[~foremost], MOST)))
        notes = [self._note(row, OF_KIND[int(timeline.kind[row])]) for row in kept.tolist()]
        left = np.setdiff1d(rows, kept)
        if len(left):
            loud = min(0.35 + 0.13 * math.log2(len(left)), 1.6)
            notes.append(Note(0.0, "crowd", 0, self.places.middle(left), loud, event=int(left[0])))
        return notes

    def _note(self, row: int, voice: str) -> Note:
        load = self._load(row)
        stretch = 1.0 if VOICES[voice].foremost else max(round(1 / (1 + 0.12 * max(load - 2, 0)), 1), 0.4)
        return Note(0.0, voice, self.degree(row), self.places.of(row), 1.0, stretch, row)

    def _load(self, row: int) -> int:
        """Return the number of events of the same process in the second before an event."""
        process = int(self.timeline.process[row])
        if process < 0:
            return 0
        since = int(np.searchsorted(self.timeline.time, self.timeline.time[row] - self.speed))
        return int(np.count_nonzero(self.timeline.process[since:row] == process))

    def degree(self, row: int) -> int:
        """Return the pitch of an event: by the state of its process, without states by a value, else by the process."""
        timeline = self.timeline
        state = int(timeline.state[row])
        if len(timeline.states) > 1 and state != NO_STATE:
            return self._looks.slot(timeline.states[state]) % DEGREES
        value = _number(timeline, row)
        return (int(timeline.process[row]) if value is None else value) % DEGREES

    # ------------------------------------------------------------------ what is between events

    def _hum(self, t0: float, t1: float, first: bool) -> list[Note]:
        """Return the grains of the hum, whose loudness grows with the number of messages in transit."""
        timeline, step = self.timeline, GRAIN * self.speed
        low = math.ceil(t0 / step - 1e-9) if first else math.floor(t0 / step + 1e-9) + 1
        high = min(math.floor(t1 / step + 1e-9), math.floor(timeline.end / step))
        notes = []
        for number in range(low, high + 1):
            t = number * step
            waiting = len(timeline.in_flight(timeline.count(t)))
            if waiting:
                loud = min(0.4 + 0.12 * math.log2(1 + waiting), 1.2)
                notes.append(Note((t - t0) / self.speed, "hum", loud=loud))
        return notes


def rests_well(timeline: Timeline) -> bool:
    """Return whether a run came to rest with no process waiting and no property violated."""
    summary = timeline.trace.summary
    rest = summary.get("rest")
    waiting = rest.get("waiting") if isinstance(rest, Mapping) else ()
    violated = any(check.get("holds") is False for check in summary.get("checks") or ())
    broken = any(mark.kind == "error" for mark in marks_of(timeline))
    return summary.get("stopped") == "quiescent" and not (waiting or violated or broken)


def _split(rows: NDArray[np.int64], windows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return rows window by window."""
    return [] if not len(rows) else np.split(rows, np.flatnonzero(np.diff(windows)) + 1)


def _spread(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return at most so many of the rows, spread evenly over them."""
    if len(rows) <= most:
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).round().astype(np.int64)]


def _number(timeline: Timeline, row: int) -> int | None:
    """Return a number in an event: its value, else that of a field of its message, else of a changed variable."""
    detail: dict[str, Any] = timeline.trace.recorded(row) or {}
    changed = detail.get("changed")
    found = [detail.get("value"), *contents(timeline, row).values()]
    found += list(changed.values()) if isinstance(changed, dict) else []
    numbers = (v for v in found if isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v))
    number = next(numbers, None)
    return None if number is None else int(number)
