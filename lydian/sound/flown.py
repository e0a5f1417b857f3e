"""The sound of a guided flight: each tone comes from the place of its process, as the viewer in flight hears it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lydian.pieces.animation import Animation, animation_for
from lydian.sound.mixer import mixed
from lydian.sound.recording import VOLUME
from lydian.sound.score import TAIL, Note, Score
from lydian.sound.space import Listener, Point
from lydian.sound.voices import Samples
from lydian.trace.timeline import Timeline
from lydian.views.world.flights import Flight
from lydian.views.world.world import frame

__all__ = ["flown_notes", "soundtrack_of_flight"]

#: The steps in seconds in which the listener moves.
STEP = 0.1
#: The proportions of a view, on which the place of a camera that shows everything depends.
SHAPE = (1280.0, 800.0)
#: Who hears the tones, whose places are relative to the viewer; the measure is the radius of the network.
VIEWER = Listener((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0), 1.0)


def soundtrack_of_flight(timeline: Timeline, flight: Flight, animation: Animation | None = None) -> Samples:
    """Return the sound of a flight and its ringing out, (samples, 2)."""
    return mixed(flown_notes(timeline, flight, animation), flight.length + TAIL, VIEWER, volume=VOLUME)


def flown_notes(timeline: Timeline, flight: Flight, animation: Animation | None = None) -> list[Note]:
    """Return the notes of a flight in order; their seconds count from its start, their places are relative to the
    viewer: x to the right, y up and z backwards.
    """
    looks = animation or animation_for(timeline.trace)
    notes: list[Note] = []
    for number, (begin, end, low, high) in enumerate(flight.stretches()):
        score = Score(timeline, looks, (high - low) / (end - begin))
        notes += [replace(note, at=note.at + begin) for note in score.notes(low, high, first=number == 0)]
        if low < timeline.end <= high:
            last = begin + (timeline.end - low) / score.speed
            notes += [replace(note, at=note.at + last) for note in score.ending()]
    ears = _Ears(timeline, flight, looks)
    return sorted((replace(note, place=ears.place(note)) for note in notes), key=lambda note: note.at)


class _Ears:
    """The viewer of a flight, who hears where the processes are."""

    def __init__(self, timeline: Timeline, flight: Flight, animation: Animation) -> None:
        self.timeline, self.flight, self.animation = timeline, flight, animation
        self._seen: dict[int, np.ndarray] = {}

    def place(self, note: Note) -> Point | None:
        """Return where a note is heard; ``None`` for one that belongs to no process."""
        process = int(self.timeline.process[note.event]) if note.event >= 0 else -1
        if process < 0:
            return None
        places = self._places(int(note.at / STEP))
        if process >= len(places):
            return None
        x, y, z = places[process].tolist()
        return x, y, z

    def _places(self, step: int) -> np.ndarray:
        """Return the places of the processes of the run relative to the viewer after a number of steps, (n, 3)."""
        if step not in self._seen:
            seconds = min(step * STEP, self.flight.length)
            pose = self.flight.pose(seconds)
            seen = frame(self.timeline, pose.time, animation=self.animation, **pose.options)
            camera = self.flight.camera(seconds, seen, *SHAPE)
            places = (seen.places - np.asarray(camera.eye)) @ camera.axes.T * (1.0, 1.0, -1.0)
            renumber = seen.flat.scene.renumber
            self._seen[step] = places if renumber is None else places[np.maximum(renumber, 0)]
        return self._seen[step]
