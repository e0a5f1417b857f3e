"""The assumptions of the protocol on the desk: switched off as steps of undo, and the search for their witnesses."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from lydian.app.panels.relies import ReliesPanel
from lydian.app.work.loop import Loop
from lydian.desk.runs.relying import Witnesses, assumptions, kept, switched, undeclared
from lydian.language import tr
from lydian.model.experiment.assumptions import FIRM
from lydian.model.goal.goal import Goal
from lydian.model.protocol.properties import Need
from lydian.views.words.relying import answer, title

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.archivelist import ArchiveList
    from lydian.desk.desk import Desk

__all__ = ["Relying"]

#: The parts of an experiment that stay as they are when a witness is opened.
_KEPT = ("path", "written", "animation", "protocol")


class Relying(QObject):
    """The dock of the assumptions, created on first use.

    Attributes:
        witnesses: the search, and what it has found.
        needs: the assumptions of the protocol on the desk.
    """

    def __init__(self, desk: Desk, stage: Stage, shelf: ArchiveList, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage, self._shelf = desk, stage, shelf
        self.witnesses = Witnesses(Loop(self))
        self.needs: tuple[Need, ...] = ()
        self._source: object = None
        self._game: Goal | None = None  # the goal that is being played
        self._secret: frozenset[str] = frozenset()
        stage.add_dock(
            "relies", tr("What it relies on"), "relies", lambda: self.panel,
            tr("The assumptions of the protocol. Switch one off: the program looks for a run that fails without it."),
            beside="step", how="tab", narrow="causality",
        )  # fmt: skip
        desk.session.experiment_changed.connect(self._changed)

    @cached_property
    def panel(self) -> ReliesPanel:
        """The panel, created on first use."""
        panel = ReliesPanel(self.stage.theme)
        panel.lock(self._secret)
        panel.switched.connect(self.switch)
        panel.witness_wanted.connect(self.open)
        panel.all_wanted.connect(lambda: self.look(*(need.name for need in self.needs)))
        panel.stop_wanted.connect(self.witnesses.stop)
        self.witnesses.changed.connect(self._refresh)
        self.stage.docks["relies"].visibilityChanged.connect(lambda on: self._changed() if on else None)
        return panel

    def close(self) -> None:
        """End the search in progress."""
        self.witnesses.close()

    # ------------------------------------------------------------------ actions

    def play(self, goal: Goal | None, over: bool) -> None:
        """Show the assumptions that a goal is about as switched off; their witnesses are locked until it is over.

        Args:
            goal: the goal that is being played; ``None`` if no game is played.
            over: whether it is won, or proved to be impossible.
        """
        secret = frozenset() if goal is None or over else frozenset(goal.off)
        if (goal, secret) == (self._game, self._secret):
            return
        self._game, self._secret = goal, secret
        if "panel" in self.__dict__:
            self.panel.lock(secret)
            self._refresh()

    def switch(self, name: str, on: bool) -> None:
        """Let the experiment make an assumption or violate it on purpose, and look for a witness."""
        session = self.desk.session
        need = next((each for each in self.needs if each.name == name), None)
        if need is None or session.experiment is None:
            return
        if self._game is not None:  # a game keeps its rules; the question is answered all the same
            self.look(name)
            self._refresh()
            return
        words = tr("with “{assumption}”", assumption=title(need)) if on else tr("without “{assumption}”",
                                                                                assumption=title(need))  # fmt: skip
        session.change(words, **switched(session.experiment, self.needs, need, on))
        if not on:
            self.look(name)
        self._refresh()

    def look(self, *names: str) -> None:
        """Look for runs that show why assumptions are needed."""
        experiment = self.desk.session.experiment if self._game is None else self._game.experiment
        if experiment is not None and self.desk.session.may_run():
            fixed = self._fixed()
            self.witnesses.look(experiment.with_(branches=()), *(name for name in names if name not in fixed))

    def open(self, name: str) -> None:
        """Show the run that shows why an assumption is needed, as one step of undo."""
        session, notices = self.desk.session, self.desk.notices
        found, need = self.witnesses.witness(name), next((each for each in self.needs if each.name == name), None)
        if found is None or need is None or session.experiment is None:
            return
        parts = {each.name: getattr(found, each.name) for each in fields(found) if each.name not in _KEPT}
        session.change(tr("run without “{assumption}”", assumption=title(need)), **parts)
        at = session.undo.index
        why = answer(self.witnesses.found[name])[1]
        notices.show(
            tr("Without “{assumption}”: {reason}.", assumption=title(need), reason=why),
            problem=False, button=tr("Back"),
            act=lambda: session.undo.go(at - 1) if session.undo.index == at else None,
        )  # fmt: skip

    # ------------------------------------------------------------------ showing

    def _changed(self) -> None:
        """Show the assumptions of the current protocol, and forget what was found about another one."""
        if "panel" not in self.__dict__:
            return
        experiment = self.desk.session.experiment
        source = "" if experiment is None else self._shelf.source(experiment.protocol, experiment.path)
        if source != self._source:
            self._source = source
            self.needs = assumptions(source) if source else ()
            self.witnesses.forget()
            why = tr("This protocol declares no assumptions.") if source else tr("There is no protocol on the desk.")
            self.panel.load(self.needs, why, undeclared(source))
        self._refresh()

    def _fixed(self) -> set[str]:
        found = self.witnesses.found
        firm = {need.name for need in self.needs if need.name in FIRM and need.breach is None}
        return firm | {name for name in found if found[name]["verdict"] == "fixed"}

    def _refresh(self) -> None:
        experiment, witnesses = self.desk.session.experiment, self.witnesses
        off = () if experiment is None else kept(experiment, self.needs)
        off = off if self._game is None else self._game.off
        self.panel.refresh(
            off, self._fixed(), witnesses.found, witnesses.whole, witnesses.doing, witnesses.waiting, witnesses.problem
        )
