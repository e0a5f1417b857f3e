"""What is heard at a moment: the loudest tones, and the direction from which each of them comes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lydian.sound.score import Note, Score
from lydian.sound.space import Listener
from lydian.sound.voices import VOICES

__all__ = ["Heard", "at_places", "loudest"]

#: The seconds for which a tone is told, and the time in which it becomes soft.
SPAN, FADE = 1.2, 0.5
#: How far from straight ahead a tone is still ahead, and from where on it is behind, in degrees.
AHEAD, BEHIND = 12.0, 135.0


@dataclass(frozen=True)
class Heard:
    """A tone that is heard.

    Attributes:
        event: the number of its event.
        voice: the name of its voice.
        direction: where it comes from, in degrees clockwise from straight ahead, from 0 to 360.
        near: how near it is, from 0, far away, to 1, at the listener.
        loud: how loud it is, from 0 to 1.
    """

    event: int
    voice: str
    direction: float
    near: float
    loud: float

    @property
    def side(self) -> str:
        """The side from which it comes: ahead, right, behind or left."""
        off = min(self.direction, 360.0 - self.direction)
        return "ahead" if off <= AHEAD else "behind" if off >= BEHIND else "right" if self.direction < 180.0 else "left"


def at_places(notes: list[Note], process: NDArray[np.int32], places: NDArray[np.float64] | None) -> list[Note]:
    """Return notes at the places of the processes of their events; those of no process have no place.

    Args:
        process: the process of each event of the run.
        places: (n, 3); ``None`` leaves all notes where they are.
    """
    if places is None:
        return notes
    found = []
    for note in notes:
        number = int(process[note.event]) if note.event >= 0 else -1
        if 0 <= number < len(places):
            x, y, z = places[number].tolist()
            found.append(replace(note, place=(x, y, z)))
        else:
            found.append(replace(note, place=None))
    return found


def loudest(
    score: Score, t: float, listener: Listener, places: NDArray[np.float64] | None = None, most: int = 3
) -> list[Heard]:
    """Return the loudest tones at a time of the run, the loudest first, at most one of each kind for each side.

    Args:
        places: where the processes of the run are, (n, 3); by default as in the flat drawing.
    """
    timeline = score.timeline
    notes = score.notes(t - SPAN * score.speed, t)
    best: dict[tuple[str, int, str], Heard] = {}
    for note in at_places(notes, timeline.process, places):
        if note.event < 0 or note.place is None:
            continue
        ears = listener.hears(note.place)
        loud = min(ears.loud * note.loud * 1.6, 1.0) * math.exp(-(SPAN - min(note.at, SPAN)) / FADE)
        loud *= 1.0 if VOICES[note.voice].foremost else 0.85
        tone = Heard(note.event, note.voice, listener.direction(note.place), ears.loud, loud)
        label = int(timeline.label[note.event])
        key = "" if label >= 0 else note.voice, label, tone.side
        if key not in best or tone.loud > best[key].loud:
            best[key] = tone
    return sorted(best.values(), key=lambda tone: (-tone.loud, tone.event))[:most]
