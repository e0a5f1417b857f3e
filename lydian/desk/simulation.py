"""A conversation with a simulator in a process of its own, in the frames of :mod:`lydian.engine.wire`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lydian.desk.loop import Child
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.failure import gone

__all__ = ["Simulation"]


class Simulation:
    """One run, from its request on.  Once :meth:`drop` was called nothing is told any more.

    Attributes:
        heard: tells a frame.
        gone: tells that the process is gone without having said good-bye, in a sentence.
    """

    def __init__(self, child: Child, experiment: dict[str, Any], folder: Path | None, **wanted: Any):
        """Talk to a child that waits.

        Args:
            experiment: as in its file.
            folder: where the files are that it names.
            wanted: the other fields of :class:`~lydian.engine.wire.Request`.
        """
        self.heard, self.gone = Signal(), Signal()
        self.child = child
        self._over = False
        child.attach(self._read, self._ended)
        self.tell(wire.Hello(wire.VERSION, "window"))
        self.tell(wire.Request(experiment, None if folder is None else str(folder), **wanted))

    def tell(self, frame: wire.Frame) -> None:
        """Say something."""
        if not self._over:
            self.child.write(wire.encode(frame))

    def listen(self, seconds: float) -> bool:
        """Wait for what it says next, at most so long; whether it said something."""
        return not self._over and self.child.listen(seconds)

    def drop(self) -> None:
        """End it at once."""
        self._over = True
        self.child.discard(1.0)

    def _read(self) -> None:
        for line in self.child.lines():
            if self._over:
                return
            try:
                frame = wire.decode(line)
            except wire.Refused:
                continue  # a protocol found a way to print here
            self.heard.emit(frame)

    def _ended(self) -> None:
        self._read()
        if not self._over:
            self.gone.emit(gone(*self.child.ending()))
