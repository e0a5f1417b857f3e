"""The pane about a failed run: the network at that moment, the events before, the variables, and further commands."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.kit.layout import down
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.shapes import head_icon
from lydian.app.look.theme import Theme
from lydian.authoring.failing import Failure, Step, Variable, variables_of, way_to
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.registry import view
from lydian.views.selection import Selection

__all__ = ["BUTTONS", "MomentPane"]

#: The commands for a failure: name -> label, icon, tooltip.
BUTTONS = {
    "show": (tr("Show this moment"), "play", tr("Show all views of the run at this moment")),
    "message": (tr("Python's message"), "code", tr("Show Python's error message, with the file and the line")),
    "again": (
        tr("Same run again"),
        "undo",
        tr("Save the protocol and run it on the same network with the same seed (F5)"),
    ),
    "others": (tr("Others too?"), "dice", tr("Did other runs break too? Run the experiment with twenty other seeds")),
    "stop": (
        tr("Stop here next time"),
        "stop",
        tr("Set a breakpoint, so that playback stops when the process gets here"),
    ),
    "keep": (tr("Keep as a test"), "flag", tr("Keep this run for lydian check; it must not fail again")),
}


class MomentPane(QWidget):
    """The pane that shows the failure of a run, or a text if there is none."""

    #: Emitted with a line of the protocol to go to.
    line_wanted = Signal(int)
    #: Emitted with the name of one of :data:`BUTTONS` when it is pressed.
    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("momentPane")
        self.setAccessibleName(tr("The moment of the failure"))
        self.theme = theme
        self.failure: Failure | None = None
        self.steps: tuple[Step, ...] = ()
        self.variables: tuple[Variable, ...] = ()
        self.playhead = Playhead()
        self.canvas = Canvas(view("basic"), self.playhead, theme, TimeCamera())
        self.canvas.setAccessibleName(tr("Network at the moment of the failure"))
        self.canvas.setMinimumHeight(130)
        self._unsubscribe = self.playhead.changed.connect(lambda _what: self.canvas.refresh())
        self.note = QLabel()
        self.note.setObjectName("dockNote")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.said = set_up(QLabel(), look="problem", name=tr("Cause of the failure"), wraps=True)
        self.said.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.way_title, self.variables_title = QLabel(), QLabel(tr("Its variables"))
        for label in (self.way_title, self.variables_title):
            label.setObjectName("heading")
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.way = _table(("", "", ""), tr("How the process got there"))
        self.way.cellActivated.connect(lambda row, _column: self._go(self.steps[row].line))
        self.way.cellClicked.connect(lambda row, _column: self._look(row))
        self.values = _table((tr("Variable"), tr("Value"), tr("Last changed")), tr("Variables of the process"))
        self.values.horizontalHeader().show()
        self.values.cellActivated.connect(lambda row, _column: self._go(self.variables[row].line))
        self.values.cellClicked.connect(lambda row, _column: self._go(self.variables[row].line))
        self.buttons: dict[str, QPushButton] = {}
        for name, (words, _icon, tip) in BUTTONS.items():
            self.buttons[name] = set_up(
                QPushButton(words), look="offer", name=words, tip=tip,
                clicked=lambda _on=False, name=name: self.wanted.emit(name),
            )  # fmt: skip
        self.python = set_up(QLabel(), look="explained", name=tr("Python's message"), wraps=True)
        self.python.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.python.hide()
        self.empty = set_up(QLabel(), look="hint", wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setMargin(12)
        self._lay_out()
        for name, (_words, sign, _tip) in BUTTONS.items():
            set_look(self.buttons[name], theme, icon=sign)
        set_look(self.way, theme, font="small", rows=grown(24), icon_size=14)
        set_look(self.values, theme, font="small", rows=grown(24))
        self.show_none()

    def _lay_out(self) -> None:
        self.body = QWidget()
        self.note.setMargin(3)
        self.note.setIndent(9)
        grid = QGridLayout()
        grid.setSpacing(6)
        for number, button in enumerate(self.buttons.values()):
            grid.addWidget(button, number // 2, number % 2)
        below = down(
            self.said, self.way_title, (self.way, 40), self.variables_title, (self.values, 40), ..., grid, self.python,
            margins=(11, 2, 11, 0), spacing=4,
        )  # fmt: skip
        down(self.note, (self.canvas, 3), (below, 4), on=self.body, margins=(0, 4, 0, 8), spacing=4)
        self.nothing = QWidget()
        down((self.empty, 1), on=self.nothing)
        down((self.body, 1), (self.nothing, 1), on=self, spacing=0)

    # ------------------------------------------------------------------ display

    def show_none(self, sentence: str = tr("When a run fails, the network at that moment is shown here.")) -> None:
        """Show a text instead of a failure."""
        self.failure, self.steps, self.variables = None, (), ()
        self.note.setText("")
        self.empty.setText(sentence)
        self.body.hide()
        self.nothing.show()

    def show_failure(self, timeline: Timeline, animation: Animation, failure: Failure, where: str, error: str) -> None:
        """Show the moment of a failure.

        Args:
            where: the network and seed, for the title.
            error: the complete error of the simulator, with file and line.
        """
        self.failure = failure
        self.nothing.hide()
        self.body.show()
        self.note.setText(tr("At {time:.2f}, {run}", time=failure.time, run=where))
        self.note.setToolTip(self.note.text())
        self.said.setText(failure.sentence)
        self.python.setText(error or failure.message)
        self.python.hide()
        self.canvas.retry()
        self.playhead.load(timeline, animation)
        self.playhead.seek(failure.time)
        if failure.process in timeline.processes:
            number = timeline.processes.index(failure.process)
            message = int(timeline.message[failure.seq])
            messages = frozenset({message} if message >= 0 else ())
            self.playhead.select(Selection(processes=frozenset({number}), messages=messages))
        self.canvas.fit()
        self.way_title.setText(tr("How process {process} got there", process=failure.process))
        self.steps = way_to(timeline, failure)
        for part in (self.way_title, self.way):
            part.setVisible(bool(self.steps))
        self._fill_way(animation)
        self.variables = variables_of(timeline, failure)
        self._fill_values()

    def _fill_way(self, animation: Animation) -> None:
        self.way.setRowCount(len(self.steps))
        for row, step in enumerate(self.steps):
            texts = (f"{step.time:.2f}", step.text, f"{step.function}{' ×' if step.role == 'failed' else ''}")
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(tr("Line {line}: press Enter to go there", line=step.line) if step.line else "")
                if column == 1 and step.message:
                    kind = animation.kind(step.message)
                    item.setIcon(head_icon(self.theme, kind, 14))
                self._tint(item, step.role)
                self.way.setItem(row, column, item)
        _fit_rows(self.way, 8)

    def _fill_values(self) -> None:
        self.values.setRowCount(len(self.variables))
        for row, variable in enumerate(self.variables):
            value = f"{variable.before} → {variable.value}" if variable.before and variable.blamed else variable.value
            for column, text in enumerate((variable.name, value, variable.changed)):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self._tint(item, "earlier" if variable.blamed and variable.line and column == 2 else "")
                self.values.setItem(row, column, item)
        self.values.setVisible(bool(self.variables))
        self.variables_title.setVisible(bool(self.variables))
        _fit_rows(self.values, 6)

    def _tint(self, item: QTableWidgetItem, role: str) -> None:
        ground = {"failed": "check.violatedSoft", "earlier": "check.warnSoft"}.get(role)
        ink = {"failed": "check.violated", "earlier": "check.warn"}.get(role, "text.primary")
        item.setForeground(self.theme.color(ink))
        if ground:
            item.setBackground(self.theme.color(ground))
        elif role == "":
            item.setBackground(QColor(0, 0, 0, 0))

    def _look(self, row: int) -> None:
        """Show the moment and the line of the selected event."""
        step = self.steps[row]
        self.playhead.seek(step.time)
        self._go(step.line)

    def _go(self, line: int) -> None:
        if line:
            self.line_wanted.emit(line)

    def toggle_python(self) -> None:
        """Show or hide Python's message."""
        self.python.setVisible(self.python.isHidden())

    def set_theme(self, theme: Theme) -> None:
        if self.failure is not None and self.playhead.animation is not None:
            self._fill_way(self.playhead.animation)
            self._fill_values()

    def close_all(self) -> None:
        """Disconnect all listeners."""
        self._unsubscribe()


def _table(heads: tuple[str, ...], name: str) -> QTableWidget:
    table = QTableWidget(0, len(heads))
    table.setAccessibleName(name)
    table.setHorizontalHeaderLabels(list(heads))
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
    table.horizontalHeader().hide()
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setTabKeyNavigation(False)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    return table


def _fit_rows(table: QTableWidget, most: int) -> None:
    """Make a list as high as its rows, up to a limit."""
    row = table.verticalHeader().defaultSectionSize()
    head = table.horizontalHeader().sizeHint().height() if not table.horizontalHeader().isHidden() else 0
    table.setMinimumHeight(min(table.rowCount(), 2) * row + head + 2)
    table.setMaximumHeight(min(table.rowCount(), most) * row + head + 2)
    table.scrollToBottom() if head == 0 else table.scrollToTop()
