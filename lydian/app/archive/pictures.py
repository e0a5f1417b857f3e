"""Pictures and runs of the archive, requested one after the other from a separate program, and cached."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from lydian.app.archive.cache import Wish
from lydian.app.work.loop import Child, Loop
from lydian.language import tr

__all__ = ["ENTRY", "PATIENCE", "Pictures"]

#: The program that draws.
ENTRY = ("-m", "lydian.app.archive.drawer")
#: Milliseconds after which a protocol that has not finished is given up.
PATIENCE = 30_000


class Pictures(QObject):
    """The queue of wishes; one program makes their files, and is ended when the queue is empty."""

    #: Emitted when the run and the picture of a wish exist.
    made = Signal(object)
    #: Emitted with a wish that failed and a sentence on the reason.
    failed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Wish] = []
        self._now: Wish | None = None
        self._child: Child | None = None
        self.problems: dict[Path, str] = {}  # picture -> why there is none
        self._loop = Loop(self)
        self._patience = self._loop.timer(lambda: self._give_up(tr("it does not terminate")))

    @property
    def busy(self) -> bool:
        return self._now is not None

    def want(self, wishes: Iterable[Wish]) -> None:
        """Make the files of these wishes next, before those of earlier ones."""
        fresh = [each for each in wishes if each.picture not in self.problems and not each.there]
        fresh = [each for each in fresh if each != self._now]
        self._waiting = fresh + [each for each in self._waiting if each not in fresh]
        self._next()

    def forget(self) -> None:
        """Drop all wishes but the one in progress."""
        self._waiting.clear()

    def close(self) -> None:
        """End the program; no more signals are emitted."""
        self._waiting.clear()
        self._now = None
        self._patience.stop()
        self._end()

    def _next(self) -> None:
        if self._now is not None:
            return
        if not self._waiting:
            self._end()
            return
        if self._child is None:
            self._child = self._loop.child(ENTRY)
            self._child.attach(self._read, lambda: self._give_up(tr("the drawing program has ended unexpectedly")))
        now = self._now = self._waiting.pop(0)
        request = {
            "name": now.name, "protocol": str(now.protocol), "look": now.look, "run": str(now.run),
            "experiment": None if now.experiment is None else str(now.experiment), "picture": str(now.picture),
            "given": now.given,
        }  # fmt: skip
        self._child.write(json.dumps(request).encode() + b"\n")
        self._patience.start(PATIENCE)

    def _read(self) -> None:
        for line in () if self._child is None else self._child.lines():
            try:
                answer = json.loads(line)
            except ValueError:
                continue
            now = self._now
            if now is None or not isinstance(answer, dict) or answer.get("name") != now.name:
                continue
            self._now = None
            self._patience.stop()
            self._tell(now, str(answer.get("problem") or ""))
        self._next()

    def _tell(self, wish: Wish, problem: str) -> None:
        if problem or not wish.there:
            self.problems[wish.picture] = problem or tr("its files could not be saved")
            self.failed.emit(wish, self.problems[wish.picture])
        else:
            self.made.emit(wish)

    def _give_up(self, why: str) -> None:
        now, self._now = self._now, None
        self._patience.stop()
        self._end()
        if now is not None:
            self._tell(now, why)
        self._next()

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.discard(1.0)
