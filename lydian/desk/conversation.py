"""The exchange of :mod:`lydian.engine.wire` frames with a child process that does a run, a search or a sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lydian.desk.loop import Child, Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.client import ENTRY
from lydian.engine.end.failure import gone

__all__ = ["Conversation"]

#: On closing, the seconds to wait for a gently stopped child, and then for any child that has been killed.
PATIENCE, LAST_PATIENCE = 6.0, 3.0


class Conversation:
    """A conversation that handles one request at a time; a new request replaces the one in progress.

    A child can be started before there is a request, so that its modules are already loaded when one arrives.

    Attributes:
        heard: emitted with each frame from the child.
        gone: emitted when the child has ended, with the reason as a sentence; the sentence is empty if the child had
            sent its result or had been told to stop. Neither signal is emitted for a request that was dropped.
        stopping: whether the child has been told to stop; reset by the next request.
    """

    def __init__(
        self, loop: Loop, entry: Sequence[str] = ENTRY, *, patience: int = 0, gentle: bool = False,
        decode: Callable[[bytes], wire.Frame] = wire.decode, until_closed: bool = False,
    ) -> None:  # fmt: skip
        """Create a conversation without a child.

        Args:
            entry: the entry point that a child runs.
            patience: the milliseconds after which a child that was told to stop is killed; 0 for never.
            gentle: whether a child that is dropped is told to stop, not killed, because it has children of its own.
            decode: returns the frame of a line, or raises :class:`~lydian.engine.wire.Refused`.
            until_closed: whether a child ends when its input is closed; a gentle conversation then ends it so.
        """
        self.heard, self.gone = Signal(), Signal()
        self.stopping = False
        self._loop, self._entry, self._patience, self._gentle = loop, entry, patience, gentle
        self._decode, self._until_closed = decode, until_closed
        self._child: Child | None = None
        self._spare: Child | None = None
        self._leaving: list[Child] = []  # dropped children that have not ended yet
        self._asked = ""
        self._over = False
        self._clock = loop.timer(self.kill)

    @property
    def alive(self) -> bool:
        """Whether a request is in progress."""
        return self._child is not None

    def prepare(self) -> None:
        """Start a waiting child, so that the next request is handled at once."""
        if self._spare is None:
            self._spare = self._made()

    def hand_over(self) -> Child:
        """Give a waiting child to the caller, either the prepared one or a new one."""
        child, self._spare = self._spare or self._made(), None
        return child

    def start(self, request: wire.Frame, child: Child | None = None) -> None:
        """Send a request to a waiting child, by default this conversation's own; drop the request in progress."""
        self.drop()
        self._child = child = child or self.hand_over()
        self._asked, self._over, self.stopping = request.kind, False, False
        self._attach(child)
        self.tell(request)

    def tell(self, frame: wire.Frame) -> None:
        """Send a frame to the child if there is one."""
        if self._child is not None:
            self._child.write(wire.encode(frame))

    def listen(self, seconds: float) -> bool:
        """Wait at most ``seconds`` for the child's next output; return True if there was any."""
        return self._child is not None and self._child.listen(seconds)

    def stop(self) -> None:
        """Tell the child to stop and to send what it has; :attr:`heard` and :attr:`gone` are still emitted."""
        if self._child is not None and not self.stopping:
            self.stopping = True
            self.tell(wire.Stop())
            if self._patience:
                self._clock.start(self._patience)

    def kill(self) -> None:
        """Kill the child at once; :attr:`gone` is emitted afterwards."""
        if self._child is not None:
            self._child.kill()

    def drop(self) -> None:
        """End the child without emitting any further signal. A child that has sent its result ends by itself."""
        if self._child is not None:
            self._leaving.append(self._child)
            if self._gentle and self._until_closed:
                self._child.finish()
            elif self._gentle:
                self.tell(wire.Stop())
            elif not self._over:
                self._child.kill()
        self._forget()

    def close(self) -> None:
        """End all children and the timer."""
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
            frame = self._decode(line)
        except wire.Refused:
            return  # not a frame: something else was printed on standard output
        if isinstance(frame, wire.Result | wire.Bye) or (isinstance(frame, wire.Error) and frame.exit_code is not None):
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
    """Ignore a call."""
