"""The speaker: notes are heard now, by a device that is open only while sound is switched on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock

from lydian.sound.device import Read, open_device
from lydian.sound.mixer import Mixer
from lydian.sound.score import Note
from lydian.sound.space import Listener
from lydian.sound.voices import RATE, Samples

__all__ = ["LATENCY", "Speaker"]

#: The seconds from a note's moment until it is heard, so that notes keep their rhythm whenever they are added.
LATENCY = 0.06
#: The seconds by which the device and the clock may differ before they are compared afresh.
DRIFT = 0.15


class Speaker:
    """The place where notes are heard.

    Args:
        opened: opens the device, as :func:`lydian.sound.device.open_device` does.
        clock: returns seconds.
    """

    def __init__(
        self,
        opened: Callable[[Read], Callable[[], None] | None] = open_device,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opened, self._clock = opened, clock
        self._mixer, self._lock = Mixer(), Lock()
        self._close: Callable[[], None] | None = None
        self._origin = 0.0  # the second at which the device began
        self.on = False

    @property
    def heard(self) -> bool:
        """Whether there is a device."""
        return self._close is not None

    @property
    def volume(self) -> float:
        """The amplitude of everything, 0 to 1."""
        return self._mixer.volume

    @volume.setter
    def volume(self, volume: float) -> None:
        self._mixer.volume = min(max(volume, 0.0), 1.0)

    def switch(self, on: bool) -> None:
        """Open or close the device.

        Raises:
            BadInput: the library for sound is missing; the speaker stays off.
        """
        if on == self.on:
            return
        if on:
            self._mixer = Mixer(self.volume)
            self._origin = self._clock()
            self._close = self._opened(self.read)
        elif self._close is not None:
            self._close()
            self._close = None
        self.on = on

    def play(self, notes: Sequence[Note], listener: Listener) -> None:
        """Play notes, whose seconds count from now; while there is no device, do nothing."""
        if not (self.heard and notes):
            return
        with self._lock:
            now = round((self._clock() - self._origin) * RATE)
            if abs(now - self._mixer.position) > DRIFT * RATE:
                self._origin = self._clock() - self._mixer.position / RATE
                now = self._mixer.position
            self._mixer.add(notes, listener, now + round(LATENCY * RATE))

    def hush(self) -> None:
        """End all notes within a moment."""
        with self._lock:
            self._mixer.hush()

    def read(self, count: int) -> Samples:
        """Return the next samples for the device, (count, 2)."""
        with self._lock:
            return self._mixer.read(count)
