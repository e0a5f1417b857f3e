"""Watching a running system in the window: a file that grows, or what other programs on this computer send."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from lydian.app.work.loop import Loop
from lydian.desk.desk import Desk
from lydian.desk.watching import Watching
from lydian.engine.wire import Watch
from lydian.language import tr
from lydian.model.errors import LydianError

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage

__all__ = ["Watcher"]


class Watcher(QObject):
    """The command that watches a growing log, and the notices about what happens there."""

    def __init__(self, desk: Desk, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage = desk, stage
        self.watching = Watching(Loop(self), desk.session, desk.playhead)
        self._name = ""
        self.watching.violated.connect(self._violated)
        self.watching.ended.connect(self._ended)
        self.watching.listening.connect(
            lambda where: desk.notices.say(tr("Programs on this computer can send events to {address}.", address=where))
        )
        desk.session.leaving.connect(self._left)
        desk.notices.cancelled.connect(self.watching.stop)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"watch_log": self.choose}

    def choose(self) -> None:
        """Ask for a growing log and watch it; while one is watched, stop."""
        if self.watching.on:
            self.watching.stop()
            return
        settings = self.desk.settings
        kinds = ";;".join((tr("Logs (*.log *.txt *.out)"), tr("All files (*)")))
        name, _kind = QFileDialog.getOpenFileName(self.stage, tr("Watch a growing log"), settings.folder, kinds)
        if name:
            settings.folder = str(Path(name).parent)
            self.start(Watch(name))

    def start(self, request: Watch) -> None:
        """Watch a source, in place of the run on the screen."""
        self._name = Path(request.source).name
        try:
            self.watching.start(request)
        except LydianError as error:
            self.desk.notices.say(str(error))
            return
        words = tr("Watching {source}", source=self._name)
        self.desk.notices.work(words, 0.0, tr("Stop watching; what was seen stays in the list of runs"))

    def close(self) -> None:
        """End the child process."""
        self.watching.close()

    def _violated(self, check: Mapping[str, Any]) -> None:
        if check["kind"] == "always":
            words = tr("“{name}” is violated by event {event}.", name=check["name"], event=check["at"])
            self.desk.notices.say(words)

    def _left(self) -> None:
        """Another experiment is opened, so the system is no longer watched."""
        if self.watching.on:
            self.watching.stop()

    def _ended(self, why: str) -> None:
        self.desk.notices.work("", 1.0)
        if why:
            self.desk.notices.say(why)
