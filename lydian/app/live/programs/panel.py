"""The panel of programs in any language: what to run, how far the run is, and what each program writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QWidget

from lydian.app.kit.form import BoundForm, choice, number, whole
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.protocol.checking.printed import Line, PrintedPane, line_of
from lydian.language import tr, translated
from lydian.nodes.workloads import WORKLOADS
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

__all__ = ["NETWORKS", "ProgramsPanel"]

#: Networks that are offered; any other can be typed.
NETWORKS = ("complete:5", "grid:3x3", "grid:5x5", "ring:6", "star:6")
#: The most lines of standard error that are shown.
MOST = 500
_SILENT = tr(
    "The programs have written nothing to standard error. What they write there appears here, with the time and the "
    "process; select processes in a view to see only theirs."
)
#: What the run is doing -> the words for it.
_PHASES = {
    "starting": tr("Starting the programs…"), "running": tr("Running"),
    "settling": tr("Waiting before the last requests"),
    "last requests": tr("Making the last requests"), "ending": tr("Ending the programs…"), "over": tr("Checking…"),
}  # fmt: skip


class ProgramsPanel(QWidget):
    """The panel."""

    #: The run that the fields describe is to be started: a mapping from the names of the fields to their values.
    wanted = Signal(object)
    #: The run in progress is to be ended.
    stopping = Signal()
    #: A program is to be chosen from the files.
    choosing = Signal()
    #: An event is to be shown.
    event_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.running = False
        self._theme = theme
        self._lines: list[Line] = []
        self._timeline: Timeline | None = None
        self._seen = 0
        self._chosen: frozenset[str] = frozenset()
        self._make()
        self._lay_out()
        set_look(self.command, theme, font="body mono")
        set_look(self, theme, min_width=stretched(360))
        self.show_progress({}, running=False)

    def _make(self) -> None:
        self.form = form = BoundForm(lambda _key: None, small=True)
        self.command = set_up(
            QLineEdit(), name=tr("Command"), empty="./broadcast",
            tip=tr("The program that every process runs, with its arguments: ./broadcast, node raft.js"),
        )  # fmt: skip
        self.command.returnPressed.connect(self._go)
        self.browse = set_up(
            QPushButton(tr("Choose…")), name=tr("Choose a program"), clicked=lambda: self.choosing.emit()
        )
        form.row("command", tr("Command"), held(across((self.command, 1), self.browse, spacing=5)))
        form.bind("command", self.command, name=tr("Command"))
        titles = {name: f"{name}: {translated(each.title)}" for name, each in WORKLOADS.items()}
        form.add("workload", tr("Workload"), choice(*((title, name) for name, title in titles.items()), short=12))
        self.network = QComboBox()
        self.network.setEditable(True)
        self.network.addItems(NETWORKS)
        set_up(self.network, name=tr("Network"), tip=tr("A network as on the command line, or the name of one"))
        form.row("network", tr("Network"), self.network)
        form.add("duration", tr("Duration"), whole(100, 3_600_000, step=1000, unit=" ms"))
        form.add("rate", tr("Requests"), number(0.1, 10_000, step=10, unit=tr(" in a second")))
        self.delay = set_up(QLineEdit(), name=tr("Delay"), empty=tr("that of the network, in ms"))
        form.row("delay", tr("Delay"), self.delay)
        form.bind("delay", self.delay, name=tr("Delay"))
        form.add("loss", tr("Loss"), number(0, 100, unit=" %"))
        self.faults = set_up(
            QLineEdit(), name=tr("Faults"), empty="crash n1 at 2000 until 4000; pause n2 at 3000",
            tip=tr("Faults on a schedule, with semicolons between them; times are in milliseconds"),
        )  # fmt: skip
        form.row("faults", tr("Faults"), self.faults)
        form.bind("faults", self.faults, name=tr("Faults"))
        form.add("settle", tr("Rest"), whole(0, 600_000, step=1000, unit=tr(" ms before the last requests")))
        form.add("seed", tr("Seed"), whole(0, 2**31 - 1))
        form.say({"duration": 10_000, "rate": 20.0, "loss": 0.0, "settle": 1000, "seed": 1})
        self.state = set_up(QLabel(), look="cardValue", wraps=True, plain=True)
        self.problem = set_up(QLabel(), look="problem", wraps=True, plain=True)
        self.problem.hide()
        self.go = set_up(QPushButton(), clicked=self._go)
        self.go.setProperty("primary", True)
        self.printed = PrintedPane(self._theme, nothing=_SILENT)
        self.printed.setAccessibleName(tr("Standard error of the programs"))
        self.printed.event_wanted.connect(self.event_wanted)

    def _lay_out(self) -> None:
        down(
            self.form.rows, across((self.state, 1), self.go, spacing=8), self.problem, (self.printed, 1),
            on=self, margins=(12, 10, 12, 8), spacing=8,
        )  # fmt: skip

    # ------------------------------------------------------------------ what to run

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields."""
        return {**self.form.read(), "network": self.network.currentText().strip()}

    def _go(self) -> None:
        if self.running:
            self.stopping.emit()
        else:
            self.refuse("")
            self.wanted.emit(self.values)

    def refuse(self, sentence: str) -> None:
        """Show why the run cannot be started or has failed; "" for no problem."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    # ------------------------------------------------------------------ the run

    def show_progress(self, progress: Mapping[str, Any], *, running: bool, over: str = "") -> None:
        """Show how far the run is, or what became of it."""
        self.running = running
        self.go.setText(tr("Stop") if running else tr("Run"))
        self.go.setAccessibleName(tr("Stop the programs") if running else tr("Run the programs"))
        if not running:
            self.state.setText(over)
            return
        words = _PHASES.get(str(progress.get("phase")), "")
        if "messages" in progress:
            words = tr(
                "{phase}: {messages:,} messages, {operations:,} requests", phase=words,
                messages=progress["messages"], operations=progress["operations"],
            )  # fmt: skip
        self.state.setText(words)

    def show_run(self, timeline: Timeline | None) -> None:
        """Show what the programs of a run have written; only new lines are read if it has grown."""
        same = timeline is not None and self._timeline is not None and (
            timeline.length >= self._seen and timeline.trace.summary.get("programs") is not None
            and timeline.trace.versions is self._timeline.trace.versions
        )  # fmt: skip
        if not same:
            self._lines, self._seen = [], 0
        self._timeline = timeline
        if timeline is not None and timeline.trace.summary.get("programs") is not None:
            rows = np.flatnonzero(timeline.kind[self._seen :] == Kind.PRINT) + self._seen
            self._lines += [line_of(timeline, row) for row in rows.tolist()]
            self._seen = timeline.length
        self._show_lines()

    def choose(self, processes: frozenset[str]) -> None:
        """Show only what some processes have written; all of them if none is given."""
        if processes != self._chosen:
            self._chosen = processes
            self._show_lines()

    def _show_lines(self) -> None:
        lines = [each for each in self._lines if not self._chosen or each.process in self._chosen]
        whose = tr("Standard error of {processes}", processes=", ".join(sorted(self._chosen)[:5]))
        shown = tuple(lines[-MOST:])
        self.printed.show_lines(shown, (whose if self._chosen else tr("Standard error")) if shown else "")
        self.printed.table.scrollToBottom()
