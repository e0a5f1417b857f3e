"""The column left of the code: the steps to a protocol that runs, the words of the language, and examples."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QToolButton,
    QWidget,
)

from lydian.app.kit.flow import FlowRow
from lydian.app.kit.theming import grown, set_look
from lydian.app.look.theme import Theme
from lydian.app.protocol.document import ProtocolDocument
from lydian.desk.archivelist import ArchiveList
from lydian.language import tr, trc

__all__ = ["CALLS", "STEPS", "ReferencePane", "StepsRow", "steps_done"]

#: The words that a process can use: the code, its meaning, the text that is inserted (the cursor goes to ``|``).
CALLS: tuple[tuple[str, str, str], ...] = (
    ("self.send(M(), to=r)", tr("send M to neighbour r"), "self.send(|(), to=r)"),
    ("self.neighbours", tr("names of my neighbours"), "self.neighbours"),
    ("self.state = DONE", tr("change my state"), "self.state = |"),
    ("self.me", tr("my own name"), "self.me"),
    ("self.set_timer(T(), 2)", tr("set a timer for 2 units"), "self.set_timer(|(), after=1.0)"),
    ("self.cancel_timer(T)", tr("cancel that timer"), "self.cancel_timer(|)"),
    ("self.decide(value)", tr("decide on my result"), "self.decide(|)"),
    ("self.deliver(value)", tr("deliver to my user"), "self.deliver(|)"),
    ("self.note(text)", tr("add a line to the trace"), 'self.note("|")'),
    ("self.random", tr("random choices from the seed"), "self.random.|"),
    ("self.clock", tr("time on my clock"), "self.clock"),
)
#: The steps to a protocol that runs -> what each is about.
STEPS = {
    "states": tr("The states; every process begins in the first"),
    "messages": tr("Messages and timers: the events that can happen"),
    "table": tr("The action for each state and event"),
    "code": tr("The functions, line by line"),
    "runs": tr("Runs on three different networks"),
}


class StepsRow(QFrame):
    """The row of five steps, each with a tick when it is done; a click goes to the step."""

    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(tr("Steps to a protocol that runs"))
        self.theme = theme
        self.done: dict[str, bool] = dict.fromkeys(STEPS, False)
        self.buttons: dict[str, QToolButton] = {}
        flow = FlowRow(self, margin=6, gap=2)
        words = {
            "states": tr("States"),
            "messages": tr("Messages"),
            "table": trc("of transitions", "Table"),
            "code": tr("Code"),
            "runs": tr("Run on 3 networks"),
        }
        for name, tip in STEPS.items():
            button = self.buttons[name] = QToolButton()
            button.setText(words[name])
            button.setToolTip(tip)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on=False, name=name: self.wanted.emit(name))
            flow.addWidget(button)
        self.set_theme(theme)

    def show_done(self, done: dict[str, bool]) -> None:
        """Show which steps are done."""
        self.done = {name: done.get(name, False) for name in STEPS}
        self.set_theme(self.theme)

    def set_theme(self, theme: Theme) -> None:
        size = theme.grown(18)
        current = next((name for name, good in self.done.items() if not good), "")
        for number, (name, button) in enumerate(self.buttons.items(), 1):
            good = self.done[name]
            button.setIcon(self._badge(number, good, name == current, size))
            button.setIconSize(QSize(size, size))
            button.setFont(theme.font("small", semibold=name == current))
            button.setAccessibleName(
                tr("Step {number}, {step}: done", number=number, step=button.text())
                if good
                else tr("Step {number}, {step}: to do", number=number, step=button.text())
            )

    def _badge(self, number: int, good: bool, current: bool, size: int) -> QPixmap:
        """Return a badge: a tick in a green ring if done, the number on blue if current, or in a ring if later."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(round(size * ratio), round(size * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        p = QPainter(picture)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            name = "check.holds" if good else "accent.base" if current else "border.control"
            p.setPen(QPen(self.theme.color(name), 1.4))
            p.setBrush(self.theme.color("check.holdsSoft" if good else "accent.base" if current else "surface.panel"))
            p.drawEllipse(1, 1, size - 2, size - 2)
            if good:
                p.setPen(QPen(self.theme.color("check.holds"), 1.8))
                k = size / 18
                p.drawPolyline([QPointF(5 * k, 9.2 * k), QPointF(8 * k, 12 * k), QPointF(13 * k, 6.2 * k)])
            else:
                p.setPen(self.theme.color("text.onAccent" if current else "text.secondary"))
                p.setFont(self.theme.font("caption", semibold=True))
                p.drawText(picture.rect().adjusted(0, 0, size - picture.width(), size - picture.height()),
                           int(Qt.AlignmentFlag.AlignCenter), str(number))  # fmt: skip
        finally:
            p.end()
        return picture


class ReferencePane(QTabWidget):
    """The pane with one tab for the words that a process can use and one for examples."""

    #: Emitted with a text to insert, in which ``|`` marks the new place of the cursor.
    insert_wanted = Signal(str)
    #: Emitted with a protocol from the library to open.
    open_wanted = Signal(object)

    def __init__(self, shelf: ArchiveList, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("referencePane")
        self.setAccessibleName(tr("Words of a protocol, and examples"))
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.shelf, self.theme = shelf, theme
        self.calls = _list(tr("What a process can use"), tr("Press Enter or double-click to insert it at the cursor"))
        self.examples = _list(tr("Protocols to learn from"), tr("Press Enter or double-click to open it for reading"))
        self.calls.setRowCount(len(CALLS))
        for row, (code, words, _put) in enumerate(CALLS):
            self._row(self.calls, row, code, words)
        self._names: list[str] = []
        self.calls.cellActivated.connect(lambda row, _c: self.insert_wanted.emit(CALLS[row][2]))
        self.calls.cellDoubleClicked.connect(lambda row, _c: self.insert_wanted.emit(CALLS[row][2]))
        self.examples.cellActivated.connect(lambda row, _c: self._open(row))
        self.examples.cellDoubleClicked.connect(lambda row, _c: self._open(row))
        self.addTab(self.calls, tr("Words"))
        self.addTab(self.examples, tr("Examples"))
        self.currentChanged.connect(lambda index: self._fill() if index == 1 else None)
        for table in (self.calls, self.examples):
            set_look(table, theme, rows=grown(24))
        self.set_theme(theme)

    def _fill(self) -> None:
        """Fill the list of examples when it is first shown."""
        if self._names:
            return
        found = self.shelf.protocols()
        self._names = [name for name, _about in found]
        self.examples.setRowCount(len(found))
        for row, (name, about) in enumerate(found):
            self._row(self.examples, row, name, about)
        self.set_theme(self.theme)

    def _open(self, row: int) -> None:
        path: Path = self.shelf.archive.find("protocols", self._names[row])
        self.open_wanted.emit(path)

    def _row(self, table: QTableWidget, row: int, code: str, words: str) -> None:
        for column, text in enumerate((code, words)):
            item = QTableWidgetItem(text)
            item.setToolTip(f"{code}: {words}")
            table.setItem(row, column, item)

    def set_theme(self, theme: Theme) -> None:
        looks = (
            (theme.font("small", mono=True), theme.color("text.link")),
            (theme.font("small"), theme.color("text.secondary")),
        )
        for table in (self.calls, self.examples):
            for row in range(table.rowCount()):
                for column, (font, color) in enumerate(looks):
                    item = table.item(row, column)
                    if item is not None:
                        item.setFont(font)
                        item.setForeground(color)


def _list(name: str, tip: str) -> QTableWidget:
    table = QTableWidget(0, 2)
    table.setAccessibleName(name)
    table.setAccessibleDescription(tip)
    table.horizontalHeader().hide()
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    header = table.horizontalHeader()
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    return table


def steps_done(document: ProtocolDocument, ran_well: bool) -> dict[str, bool]:
    """Return which steps are done in a text."""
    outline = document.outline
    readable = not any(each.kind == "error" for each in document.problems)
    events = outline.messages or outline.timers or outline.commands
    return {
        "states": len(outline.states) > 0,
        "messages": bool(events),
        "table": bool(outline.cells),
        "code": bool(outline.cells) and readable,
        "runs": ran_well,
    }
