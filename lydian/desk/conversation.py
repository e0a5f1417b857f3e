"""A conversation with a child process, in the frames of :mod:`lydian.engine.wire`: a run, a search or a sweep."""

from __future__ import annotations

from collections.abc import Sequence

from lydian.desk.loop import Child, Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.client import ENTRY
from lydian.engine.end.failure import gone

__all__ = ["Conversation"]

#: Seconds that closing waits for a gentle child that was told to stop, and then for any child that was killed.
PATIENCE, LAST_PATIENCE = 6.0, 3.0


class Conversation:
    """One request at a time; a new one takes the place of the one under way.

    A child can be started before there is a request, so that its modules are loaded when one comes.

    Attributes:
        heard: tells a frame.
        gone: tells that the child has ended and why, in a sentence; an empty one if it had said its result, or was
            told to stop.  Nothing is told of a request that was dropped.
        stopping: whether it was told to stop; until the next request.
    """

    def __init__(self, loop: Loop, entry: Sequence[str] = ENTRY, *, patience: int = 0, gentle: bool = False) -> None:
        """Talk to nobody yet.

        Args:
            entry: what a child runs.
            patience: milliseconds after which a child that was told to stop is killed; 0 for never.
            gentle: whether a child that is dropped is told to stop, rather than killed: it has children of its own.
        """
        self.heard, self.gone = Signal(), Signal()
        self.stopping = False
        self._loop, self._entry, self._patience, self._gentle = loop, entry, patience, gentle
        self._child: Child | None = None
        self._spare: Child | None = None
        self._leaving: list[Child] = []  # those that are about to end, and nobody listens to
        self._asked = ""
        self._over = False
        self._clock = loop.timer(self.kill)

    @property
    def alive(self) -> bool:
        """Whether a request is under way."""
        return self._child is not None

    def prepare(self) -> None:
        """Start a child that waits, so that the next request is taken up at once."""
        if self._spare is None:
            self._spare = self._made()

    def hand_over(self) -> Child:
        """A child that waits, the one that is there or a new one, for somebody to talk to."""
        child, self._spare = self._spare or self._made(), None
        return child

    def start(self, request: wire.Frame, child: Child | None = None) -> None:
        """Ask a child that waits, by default this conversation's own; what was under way is dropped."""
        self.drop()
        self._child = child = child or self.hand_over()
        self._asked, self._over, self.stopping = request.kind, False, False
        self._attach(child)
        self.tell(request)

    def tell(self, frame: wire.Frame) -> None:
        """Say something, if somebody is there."""
        if self._child is not None:
            self._child.write(wire.encode(frame))

    def listen(self, seconds: float) -> bool:
        """Wait for what it says next, at most so long; whether it said something."""
        return self._child is not None and self._child.listen(seconds)

    def stop(self) -> None:
        """Tell it to stop and to say what it has; :attr:`heard` and :attr:`gone` still follow."""
        if self._child is not None and not self.stopping:
            self.stopping = True
            self.tell(wire.Stop())
            if self._patience:
                self._clock.start(self._patience)

    def kill(self) -> None:
        """End it at once; :attr:`gone` follows."""
        if self._child is not None:
            self._child.kill()

    def drop(self) -> None:
        """End it; nothing is told any more.  One that has said its result ends by itself."""
        if self._child is not None:
            self._leaving.append(self._child)
            if self._gentle:
                self.tell(wire.Stop())
            elif not self._over:
                self._child.kill()
        self._forget()

    def close(self) -> None:
        """Leave no child and no timer."""
        self.drop()
        for child in self._leaving:
            child.attach(_nothing, _nothing)
            if self._gentle:
                child.wait(PATIENCE)
        for child in [*self._leaving, *([self._spare] if self._spare else [])]:
            child.discard(LAST_PATIENCE)
        self._leaving.clear()
        self._spare = None

    def _made(self) -> Child:
        child = self._loop.child(self._entry)
        self._attach(child)
        return child

    def _attach(self, child: Child) -> None:
        child.attach(lambda: self._read(child), lambda: self._ended(child))

    def _forget(self) -> None:
        self._child = None
        self._clock.stop()

    def _read(self, child: Child) -> None:
        for line in child.lines():
            self._hear(child, line)

    def _hear(self, child: Child, line: bytes) -> None:
        if child is not self._child:
            return
        try:
            frame = wire.decode(line)
        except wire.Refused:
            return  # something printed where nothing should
        if isinstance(frame, wire.Result) or (isinstance(frame, wire.Error) and frame.exit_code is not None):
            self._over = True
        self.heard.emit(frame)

    def _ended(self, child: Child) -> None:
        self._read(child)
        if child.unread:
            self._hear(child, child.unread)
        if child is self._child:
            why = "" if self._over or self.stopping else gone(*child.ending(), self._asked)
            self._forget()
            self.gone.emit(why)
        elif child is self._spare:
            self._spare = None
        elif child in self._leaving:
            self._leaving.remove(child)
        child.discard()


def _nothing() -> None:
    """Nobody listens."""
