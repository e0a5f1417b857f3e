"""The command that runs programs in any language, and the panel about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from lydian.app.live.programs.panel import ProgramsPanel
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.views.selection import Selection

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk
    from lydian.nodes.plan import Plan

__all__ = ["RunningPrograms", "plan_of"]

#: The width at which the fields are readable.
ROOM = 440


def plan_of(values: Mapping[str, Any]) -> Plan:
    """Return the plan that the fields of the panel describe.

    Raises:
        LydianError: a field cannot be used; the sentence says which.
    """
    from lydian.model.archive.archive import archive
    from lydian.model.delays import parse
    from lydian.nodes import faults
    from lydian.nodes.plan import Plan, command_of, renamed

    command = command_of(str(values["command"]), tr("Command"))
    network = renamed(archive().network(str(values["network"])))
    if str(values["delay"]).strip():
        network = network.replace(delay=parse(str(values["delay"]), place=tr("Delay")), gst=None)
    if values["loss"]:
        network = network.replace(loss=float(values["loss"]) / 100)
    planned = [each for text in str(values["faults"]).split(";") if text.strip() for each in faults.read(text.strip())]
    return Plan(
        command, network, str(values["workload"]), seed=int(values["seed"]), duration=float(values["duration"]),
        rate=float(values["rate"]), settle=float(values["settle"]), faults=tuple(planned),
    )  # fmt: skip


class RunningPrograms(QObject):
    """The command *Run programs…* and its panel."""

    def __init__(self, desk: Desk, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage = desk, stage
        stage.add_dock(
            "programs", tr("Programs"), "play", lambda: self.panel,
            about=tr("Programs in any language as the processes of a network: what to run, and what they write."),
        )  # fmt: skip
        desk.programs.changed.connect(self._changed)
        desk.programs.ended.connect(self._ended)
        desk.session.run_grown.connect(lambda _run, _first, _play: self._show())
        desk.session.run_ready.connect(lambda _run, _play: self._show())
        desk.playhead.changed.connect(self._chosen)

    @cached_property
    def panel(self) -> ProgramsPanel:
        """The panel, created on first use."""
        panel = ProgramsPanel(self.stage.theme)
        panel.wanted.connect(self.start)
        panel.stopping.connect(self.desk.programs.stop)
        panel.choosing.connect(self.choose)
        panel.event_wanted.connect(self._show_event)
        return panel

    @property
    def _made(self) -> bool:
        return "panel" in self.__dict__

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"run_programs": self.show}

    def show(self) -> None:
        """Show the panel and go to its first field."""
        self.desk.workspaces.show("run")
        self.stage.show_view("programs", True)
        dock, wide = self.stage.docks["programs"], self.stage.theme.stretched(ROOM)
        if not dock.isFloating() and dock.width() < wide and not self.stage.maximised:
            self.stage.resizeDocks([dock], [min(wide, self.stage.width() // 2)], Qt.Orientation.Horizontal)
        self.panel.command.setFocus()
        self._show()

    def choose(self) -> None:
        """Ask for a program and write it into the field."""
        settings = self.desk.settings
        name, _kind = QFileDialog.getOpenFileName(self.stage, tr("Choose a program"), settings.folder)
        if name:
            settings.folder = str(Path(name).parent)
            self.panel.command.setText(_quoted(name))

    def start(self, values: Mapping[str, Any]) -> None:
        """Run the programs that the fields of the panel describe, or say there why that is impossible."""
        try:
            plan = plan_of(values)
        except LydianError as error:
            self.panel.refuse(str(error))
            return
        self.desk.programs.start(plan.to_dict())

    def _changed(self) -> None:
        if self._made:
            programs = self.desk.programs
            self.panel.show_progress(programs.progress, running=programs.on, over=_outcome(programs.result))

    def _ended(self, sentence: str) -> None:
        if self._made:
            self.panel.refuse(sentence)
        if sentence:
            self.desk.notices.say(sentence)

    def _show(self) -> None:
        if self._made and not self.stage.docks["programs"].isHidden():
            self.panel.show_run(self.desk.playhead.timeline)

    def _chosen(self, what: str) -> None:
        timeline = self.desk.playhead.timeline
        if what == "selection" and self._made and timeline is not None:
            chosen = self.desk.playhead.selection.processes
            self.panel.choose(frozenset(timeline.processes[p] for p in chosen if p < timeline.n))

    def _show_event(self, seq: int) -> None:
        head = self.desk.playhead
        if head.timeline is not None and seq < head.timeline.length:
            self.desk.jump(float(head.timeline.time[seq]))
            head.select(Selection(event=seq))


def _quoted(name: str) -> str:
    import shlex

    return shlex.quote(name)


def _outcome(result: Mapping[str, Any]) -> str:
    """Return what became of a run, in a line."""
    checks = [each for each in result.get("checks", ()) if isinstance(each, Mapping)]
    if not checks:
        return ""
    broken = next((each for each in checks if each.get("holds") is False), None)
    if broken is not None:
        return f"{broken['name']}: {broken['why']}" if broken.get("why") else str(broken["name"])
    return tr("All checks hold.") if all(each.get("holds") for each in checks) else tr("Some checks are open.")
