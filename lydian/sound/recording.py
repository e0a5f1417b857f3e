"""A run as a sound file, or as the sound of a movie."""

from __future__ import annotations

import math
import wave
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.reading import whole_file
from lydian.pieces.animation import Animation
from lydian.sound.mixer import blocks, mixed
from lydian.sound.score import TAIL, Note, Score
from lydian.sound.space import Listener
from lydian.sound.voices import RATE, Samples
from lydian.trace.timeline import Timeline

__all__ = ["MAX_SECONDS", "VOLUME", "soundtrack", "write_wav"]

#: A longer recording is refused unless more is asked for.
MAX_SECONDS = 600.0
#: The amplitude of everything in a file.
VOLUME = 0.8


def soundtrack(
    timeline: Timeline,
    seconds: float,
    *,
    animation: Animation | None = None,
    listener: Listener | None = None,
    start: float = 0.0,
    end: float | None = None,
    speed: float = 1.0,
) -> Samples:
    """Return the sound of a part of a run, (samples, 2), cut off or continued by silence to the given length.

    Args:
        listener: someone in front of the whole network by default.
        start: the simulated time of the first sample; ``end`` is the latest time that is heard.
        speed: units of simulated time in a second.
    """
    notes, ears = _played(timeline, animation, listener, start, timeline.end if end is None else end, speed)
    return mixed(notes, seconds, ears, volume=VOLUME)


def write_wav(
    path: Path | str,
    timeline: Timeline,
    *,
    animation: Animation | None = None,
    listener: Listener | None = None,
    start: float | None = None,
    end: float | None = None,
    speed: float = 1.0,
    max_seconds: float = MAX_SECONDS,
    progress: Callable[[float], object] | None = None,
) -> float:
    """Write the sound of a run as a WAV file (16 bits, two channels), and return its length in seconds.

    Args:
        start: the simulated time at which it begins, by default 0; ``end`` is where it ends, by default the end of the
            run, which rings out.
        progress: called with the share that is done.

    Raises:
        BadInput: the times or the speed are not allowed, the file would be too long, or it cannot be written.
    """
    low, high = 0.0 if start is None else max(start, 0.0), timeline.end if end is None else min(end, timeline.end)
    seconds = _seconds(timeline, low, high, speed, max_seconds)
    notes, ears = _played(timeline, animation, listener, low, high, speed)
    done, whole = 0, max(round(seconds * RATE), 1)
    with whole_file(path) as stream, wave.open(stream, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for block in blocks(notes, seconds, ears, volume=VOLUME):
            file.writeframes(np.round(block * 32_767).astype("<i2").tobytes())
            done += len(block)
            if progress is not None:
                progress(done / whole)
    return seconds


def _seconds(timeline: Timeline, low: float, high: float, speed: float, most: float) -> float:
    """Return the length of a recording.

    Raises:
        BadInput: it is not allowed.
    """
    if not 0 < speed < math.inf:
        raise BadInput(tr("the speed must be a positive number of time units per second, not {speed:g}", speed=speed))
    if math.isnan(low) or math.isnan(high):
        raise BadInput(tr("the times of a recording must be numbers, not NaN"))
    if low > high:
        raise BadInput(tr("a recording from {start:.6g} to {end:.6g} would run backwards", start=low, end=high))
    seconds = (high - low) / speed + (TAIL if high >= timeline.end else 0.0)
    if not seconds <= most:
        least = float(f"{(high - low) / max(most - TAIL, 1.0):.2g}") * 1.1
        raise BadInput(
            tr(
                "the recording would take {seconds:.5g} seconds, but at most {most:g} are allowed; "
                "choose a higher speed, such as {speed:.2g}, or allow more seconds",
                seconds=seconds,
                most=most,
                speed=least,
            )
        )
    return seconds


def _played(
    timeline: Timeline, animation: Animation | None, listener: Listener | None, start: float, end: float, speed: float
) -> tuple[list[Note], Listener]:
    """Return the notes of a part of a run, with its ending if that is part of it, and who hears them."""
    score = Score(timeline, animation, speed)
    notes = score.notes(start, end, first=True)
    if end >= timeline.end:
        last = (timeline.end - start) / speed
        notes += [replace(note, at=note.at + last) for note in score.ending()]
    return notes, listener or score.places.listener
