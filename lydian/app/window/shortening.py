"""The shortening of the failing run on screen, in a process of its own; the result is one step of undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from lydian.app.live.runs.comparing import Other
from lydian.app.work.loop import Loop
from lydian.desk.conversation import Conversation
from lydian.desk.desk import Desk
from lydian.desk.runs.run import Run
from lydian.engine import wire
from lydian.engine.shorten.shorten import SECONDS
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import from_dict

if TYPE_CHECKING:
    from lydian.app.live.runs.comparing import Comparing
    from lydian.app.panels.shortened import ShortenedStrip

__all__ = ["ENTRY", "Shortening"]

#: The program that shortens.
ENTRY = ("-m", "lydian.engine.shorten.serve")
#: The parts of an experiment that stay as they are.
_KEPT = ("name", "about", "path", "written", "branches", "animation", "parameters", "protocol")


class Shortening(QObject):
    """The command that replaces a failing run by the shortest one found that fails in the same way.

    Both runs stay at hand in the strip above the views, until something else is changed.
    """

    def __init__(self, desk: Desk, strip: ShortenedStrip, comparing: Comparing, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.strip, self._comparing = desk, strip, comparing
        self._sizes: list[int] = []
        self._began, self._at = 0.0, -1  # when shortening began; the number of changes after it
        self._runs: dict[bool, Run] = {}  # the shortened run, and the run as it was found
        self.conversation = Conversation(Loop(self), ENTRY)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._over)
        desk.session.experiment_changed.connect(self._changed)
        desk.session.leaving.connect(self._forget)
        desk.session.undo.moved.connect(self._moved)
        desk.session.run_ready.connect(lambda run, _play: self._ready(run))
        strip.stop_wanted.connect(self.conversation.stop)
        strip.chosen.connect(self.choose)
        strip.both_wanted.connect(self.compare)

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
            notices.say(tr("There is no experiment whose run can be shortened."))
            return
        if session.live.alive or session.worker.busy:
            notices.say(tr("The run has not finished; shorten it when it has failed."))
            return
        checks = run.result.get("checks") or ()
        if not run.result.get("error") and all(each.get("holds") is not False for each in checks):
            notices.say(tr("This run does not fail, so there is nothing to shorten."), False)
            return
        self._forget()
        experiment = session.live.recorded()
        path = experiment.path or session.path
        folder = None if path is None else str(path.parent)
        try:
            self.conversation.start(wire.Shorten(experiment.to_dict(), folder, seconds=SECONDS))
        except LydianError as error:
            notices.say(str(error))
            return
        self._sizes, self._began = [int(run.result.get("events") or len(run.trace))], monotonic()
        self._runs = {False: replace(run, timeline=None)}
        self.strip.show_work(self._sizes)

    def close(self) -> None:
        """End the shortening in progress."""
        self.conversation.close()

    # ------------------------------------------------------------------ in progress

    def _changed(self) -> None:
        """Another experiment is on screen, so the shorter run is no longer wanted."""
        if self.busy:
            self.conversation.drop()
            self._forget()

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress) and "events" in said.done:
            self._sizes.append(int(said.done["events"]))
            self.strip.show_work(self._sizes)
        elif isinstance(said, wire.Error):
            self.conversation.drop()
            self._over(said.text)
        elif isinstance(said, wire.Result):
            self.conversation.drop()
            self.strip.hide()
            self._show(said)

    def _over(self, why: str) -> None:
        self._forget()
        if why:
            self.desk.notices.say(why)

    def _forget(self) -> None:
        """Hide the strip and forget both runs."""
        self._at = -1
        self._runs.clear()
        self.strip.hide()

    # ------------------------------------------------------------------ both runs

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
        self._at = session.undo.index
        self.strip.show_found(before, after, monotonic() - self._began)

    def _moved(self, index: int) -> None:
        """Mark the run that is on the screen after an undo or redo; after any other change there are no such runs."""
        if self._at < 0:
            return
        if index in (self._at, self._at - 1) and self.desk.session.undo.text(self._at - 1) == tr("shortened run"):
            self.strip.show_chosen(shortened=index == self._at)
        else:
            self._forget()

    def _ready(self, run: Run | None) -> None:
        """Keep the shortened run for comparison when it has been executed."""
        if self._at >= 0 and run is not None and self.desk.session.undo.index == self._at:
            self._runs.setdefault(True, replace(run, timeline=None))

    def choose(self, shortened: bool) -> None:
        """Show the shortened run, or the run as it was found."""
        if self._at >= 0:
            self.strip.show_chosen(shortened=self.desk.session.undo.index == self._at)  # until it is shown
            self.desk.session.undo.go(self._at if shortened else self._at - 1)

    def compare(self) -> None:
        """Show both runs beside each other."""
        shortened = self.desk.session.undo.index == self._at
        other = self._runs.get(not shortened)
        if self._at >= 0 and other is not None:
            name = tr("the run as it was found") if shortened else tr("the shortened run")
            self._comparing.compare_run(other, Other(name, -1, lambda: self.choose(not shortened)))
