"""The sound of the run that is shown: it follows the play head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lydian.desk.notices import Notices
from lydian.desk.playhead import Playhead
from lydian.desk.settings import Settings
from lydian.desk.signal import Signal
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.pieces.animation import generic
from lydian.sound.heard import Heard, at_places, loudest
from lydian.sound.score import Note, Score
from lydian.sound.space import Listener
from lydian.sound.speaker import Speaker
from lydian.sound.walk import Walk, walk

__all__ = ["Sounding"]

Floats = NDArray[np.float64]

#: The longest delay of a note within one frame, in seconds, if a frame took long.
LONGEST = 0.25
#: Where a voice that is tried is heard.
_MIDDLE = Listener.before(0.0, 0.0, 1.0, 1.0)


class Sounding:
    """The sound of a window.

    While playing, what lies between the last moment and the current one is heard. While paused, a move past a single
    moment is heard, which is a step; a longer jump is silent.

    Attributes:
        changed: emitted when sound was switched on or off, or the volume was changed.
        listener: returns who hears the run; ``None`` for someone in front of the whole network.
        space: returns who hears the run in three dimensions, and where the processes of the trace are there, (n, 3);
            ``None`` if the run is heard in the plane.
    """

    def __init__(
        self, playhead: Playhead, settings: Settings, notices: Notices, speaker: Speaker | None = None
    ) -> None:
        self.playhead, self.settings, self.notices = playhead, settings, notices
        self.speaker = Speaker() if speaker is None else speaker
        self.speaker.volume = settings.volume
        self.changed = Signal()
        self.listener: Callable[[], Listener | None] = lambda: None
        self.space: Callable[[], tuple[Listener, Floats] | None] = lambda: None
        self._last, self._playing = playhead.t, playhead.playing
        self._score: Score | None = None
        self._walk: tuple[object, Walk, int] | None = None
        self._unsubscribe = playhead.changed.connect(self._heard)

    # ------------------------------------------------------------------ switching

    @property
    def on(self) -> bool:
        """Whether sound is switched on."""
        return self.speaker.on

    def switch(self, on: bool) -> None:
        """Switch sound on or off, and keep this for the next start; a missing library is reported."""
        try:
            self.speaker.switch(on)
        except BadInput as error:
            self.notices.say(str(error))
        else:
            self.settings.sound = on
            if on and not self.speaker.heard:
                self.notices.say(tr("There is no sound device; nothing will be heard."), False)
        self._last = self.playhead.t
        self.changed.emit()

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0 to 1, and keep it for the next start."""
        self.settings.volume = self.speaker.volume = volume
        self.changed.emit()

    def hear_voice(self, name: str) -> None:
        """Play the tone of a voice alone."""
        self.speaker.play([Note(0.0, name, 2)], _MIDDLE)

    def close(self) -> None:
        """Close the device; the setting stays."""
        self._unsubscribe()
        self.speaker.switch(False)

    # ------------------------------------------------------------------ following

    def _heard(self, what: str) -> None:
        if what in ("timeline", "speed"):
            self._score = None
        if what == "timeline":
            self._last = self.playhead.t
        elif what == "time":
            before, self._last = self._last, self.playhead.t
            if self.on and before != self._last:
                self._move(before, self._last)
        elif what == "playing":
            paused, self._playing = self._playing and not self.playhead.playing, self.playhead.playing
            if paused and not self.playhead.at_end:
                self.speaker.hush()

    def _move(self, before: float, now: float) -> None:
        """Play what a move of the play head passes."""
        head = self.playhead
        timeline = head.timeline
        if timeline is None:
            return
        low, high = min(before, now), max(before, now)
        if head.playing and (now - before) * head.direction < 0:
            return  # a loop began again
        if not head.moving and not self._one_moment(low, high):
            return
        score = self._scored()
        notes = score.notes(low, high)
        if not head.playing:
            notes = [note for note in notes if note.voice != "hum"]
        whole = (high - low) / score.speed
        if now < before:
            notes = [replace(note, at=whole - note.at) for note in reversed(notes)]
        if now >= head.reach > before and head.playing and not head.unending:
            notes += [replace(note, at=whole + note.at) for note in score.ending()]
        longest = whole + 1.0 if head.playing else 0.0
        notes = [replace(note, at=min(max(note.at, 0.0), max(longest, LONGEST))) for note in notes]
        around = self.space()
        if around is None:
            self.speaker.play(notes, self.listener() or score.places.listener)
        else:
            listener, places = around
            self.speaker.play(at_places(notes, timeline.process, places), listener)

    def _one_moment(self, low: float, high: float) -> bool:
        """Return whether all events after ``low`` and up to ``high`` happen at the same time."""
        timeline = self.playhead.timeline
        assert timeline is not None
        first, stop = timeline.count(low), timeline.count(high)
        return first < stop and timeline.time[first] == timeline.time[stop - 1]

    def _scored(self) -> Score:
        head = self.playhead
        assert head.timeline is not None
        if self._score is None:
            self._score = Score(head.timeline, head.animation, self._speed())
        return self._score

    def _speed(self) -> float:
        """Return the units of simulated time in a second; when events are paced, their mean."""
        head = self.playhead
        if head.pace == "time" or head.timeline is None:
            return head.speed
        moments = len(np.unique(head.timeline.time))
        return max((head.end - head.start) * head.rate / max(moments, 1), 1e-9)

    def loudest(self) -> list[Heard]:
        """Return the loudest tones at this moment, with the directions from which they come; none if it is silent."""
        if not self.on or self.playhead.timeline is None:
            return []
        score, around = self._scored(), self.space()
        listener, places = (self.listener() or score.places.listener, None) if around is None else around
        return loudest(score, self.playhead.t, listener, places)

    # ------------------------------------------------------------------ walking

    def step_walk(self) -> str:
        """Go to the next part of the walk around the selected process, play it and return its sentence.

        After the last part, and when the moment or the selection has changed, the walk begins again.
        """
        head = self.playhead
        chosen = sorted(head.selection.processes)
        timeline = head.timeline
        if timeline is None or not chosen or chosen[0] >= timeline.n:
            return tr("Select a process first; the walk is around it.")
        key = (id(timeline), head.t, chosen[0])
        if self._walk is None or self._walk[0] != key or self._walk[2] >= len(self._walk[1].parts):
            self._walk = (key, walk(timeline, head.t, chosen[0], head.animation or generic()), 0)
        _key, found, number = self._walk
        self._walk = (key, found, number + 1)
        part = found.parts[number]
        self.speaker.hush()
        self.speaker.play(part.notes, found.listener)
        return part.sentence
