"""The shortening of the failing run on screen, in a process of its own; the result is one step of undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from PySide6.QtCore import QObject

from lydian.app.work.loop import Loop
from lydian.desk.conversation import Conversation
from lydian.desk.desk import Desk
from lydian.engine import wire
from lydian.engine.shorten.shorten import SECONDS
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import from_dict

__all__ = ["ENTRY", "Shortening"]

#: The program that shortens.
ENTRY = ("-m", "lydian.engine.shorten.serve")
#: The parts of an experiment that stay as they are.
_KEPT = ("name", "about", "path", "written", "branches", "animation", "parameters", "protocol")


class Shortening(QObject):
    """The command that replaces a failing run by the shortest one found that fails in the same way."""

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self.desk = desk
        self._events = 0
        self.conversation = Conversation(Loop(self), ENTRY)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._over)
        desk.notices.cancelled.connect(self.conversation.stop)
        desk.session.experiment_changed.connect(self._changed)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"run_shorten": self.start}

    @property
    def busy(self) -> bool:
        """Whether a run is being shortened."""
        return self.conversation.alive

    def start(self) -> None:
        """Shorten the run on screen; say why if that is not possible."""
        session, notices = self.desk.session, self.desk.notices
        run = session.shown
        if session.experiment is None or run is None:
            notices.say(tr("There is no experiment whose run could be shortened."))
            return
        if session.live.alive or session.worker.busy:
            notices.say(tr("The run has not finished; shorten it when it has failed."))
            return
        checks = run.result.get("checks") or ()
        if not run.result.get("error") and all(each.get("holds") is not False for each in checks):
            notices.say(tr("This run does not fail, so there is nothing to shorten."), False)
            return
        experiment, self._events = session.live.recorded(), int(run.result.get("events") or len(run.trace))
        path = experiment.path or session.path
        folder = None if path is None else str(path.parent)
        try:
            self.conversation.start(wire.Shorten(experiment.to_dict(), folder, seconds=SECONDS))
        except LydianError as error:
            notices.say(str(error))
            return
        self._say(self._events)

    def close(self) -> None:
        """End the shortening in progress."""
        self.conversation.close()

    def _say(self, events: int) -> None:
        words = tr("Shortening the run: {now:,} of {before:,} events", now=events, before=self._events)
        self.desk.notices.work(words, -1.0, tr("Stop, and show the shortest run so far"))

    def _changed(self) -> None:
        """Another experiment is on screen, so the shorter run is not wanted any more."""
        if self.busy:
            self.conversation.drop()
            self._over("")

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress) and "events" in said.done:
            self._say(int(said.done["events"]))
        elif isinstance(said, wire.Error):
            self.conversation.drop()
            self._over(said.text)
        elif isinstance(said, wire.Result):
            self.conversation.drop()
            self._over("")
            self._show(said)

    def _over(self, why: str) -> None:
        self.desk.notices.work("", 1.0)
        if why:
            self.desk.notices.say(why)

    def _show(self, said: wire.Result) -> None:
        """Show the shortest run, if it is shorter."""
        before, after = (said.result[name] for name in ("before", "after"))
        notices, session = self.desk.notices, self.desk.session
        if after == before:
            notices.say(tr("Nothing can be left out: this is the shortest run found that fails in this way."), False)
            return
        found = from_dict(said.experiment)
        parts = {each.name: getattr(found, each.name) for each in fields(found) if each.name not in _KEPT}
        session.change(tr("shortened run"), **parts)
        at = session.undo.index
        sentence = tr(
            "The run fails in the same way after {after:,} of {before:,} events, with {now} of {all} processes.",
            after=after["events"], before=before["events"], now=after["processes"], all=before["processes"],
        )  # fmt: skip
        notices.show(
            sentence, problem=False, button=tr("Back to the long run"),
            act=lambda: session.undo.go(at - 1) if session.undo.index == at else None,
        )  # fmt: skip
