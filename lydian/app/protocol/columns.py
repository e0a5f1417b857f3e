"""How the workspace Protocol is put together: three columns, each part under its title, and who hears whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look
from lydian.app.look.theme import Theme

if TYPE_CHECKING:
    from lydian.app.protocol.workspace import ProtocolWorkspace

__all__ = ["Titled", "connect", "put_together"]

#: Widths of the three columns at first, and heights in the left and the middle one.
COLUMNS = (290, 740, 345)
LEFT_ROWS, MIDDLE_ROWS = (330, 260), (400, 250)


class Titled(QFrame):
    """Sign, name and a note above a widget."""

    def __init__(self, theme: Theme, sign: str, name: str, note: str, widget: QWidget) -> None:
        super().__init__()
        self.sign, self.name, self.note = QLabel(), QLabel(name), QLabel(note)
        set_look(self.sign, theme, icon=sign, ink="text.secondary")
        set_look(self.note, theme, font="small")
        self.name.setObjectName("dockName")
        self.note.setObjectName("dockNote")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.note.setToolTip(note)
        head = QFrame()
        head.setObjectName("dockTitle")
        across(self.sign, self.name, (self.note, 1), on=head, margins=(12, 4, 8, 4), spacing=8)
        body = QFrame()
        body.setObjectName("dockBody")
        down(widget, on=body, margins=(1, 0, 1, 1), spacing=0)
        down(head, (body, 1), on=self, spacing=0)


def put_together(w: ProtocolWorkspace) -> None:
    """Put the parts of the workspace where they belong."""
    upper = _middle(w)
    left, right = _left(w), _right(w)
    w.splitter = QSplitter(Qt.Orientation.Horizontal)
    centre = QWidget()
    down((upper, 1), w.results, w.further.strip, on=centre, spacing=5)
    for part in (left, centre, right):
        w.splitter.addWidget(part)
    for each in (w.splitter, w.left, w.middle):
        each.setChildrenCollapsible(False)
        each.setHandleWidth(5)
    w.splitter.setStretchFactor(1, 1)
    w.splitter.setSizes(list(COLUMNS))
    desk = QWidget()
    down(w.top, (w.splitter, 1), w.strip.list, on=desk, spacing=5)
    w.pages = QStackedWidget()
    w.pages.addWidget(desk)
    down(w.pages, on=w, spacing=0)


def connect(w: ProtocolWorkspace) -> None:
    """Let the parts of the workspace hear of each other."""
    document, files, runs = w.document, w.files, w.runs
    w.further.listen()
    document.read.connect(w.follow_text)
    document.moved.connect(w.show_file)
    document.said.connect(w.say)
    files.said.connect(w.said)
    files.opened.connect(w.opened)
    files.written.connect(lambda: w.kept.load(document.path))
    runs.said.connect(w.say)
    runs.over.connect(w.run_is_over)
    runs.watch_wanted.connect(w.watch_wanted)
    runs.hindered.connect(w.show_problem)
    w.top.run_wanted.connect(w.run)
    w.top.three_wanted.connect(w.run_three)
    w.top.network_wanted.connect(w.network_wanted)
    w.top.chip_wanted.connect(w.chip)
    w.top.renamed.connect(files.rename)
    w.steps.wanted.connect(w.step)
    w.reference.insert_wanted.connect(w.insert)
    w.reference.open_wanted.connect(files.open)
    w.results.wanted.connect(lambda attempt: w.experiment_wanted.emit(attempt.experiment))
    w.results.runs.ended.connect(w.three_over)
    w.strip.wanted.connect(w.show_problem)
    w.moment.line_wanted.connect(w.go_to)
    w.moment.wanted.connect(w.deed)
    w.kept.said.connect(w.say)
    w.printed.event_wanted.connect(w.event_wanted)
    w.kept.wanted.connect(w.experiment_wanted)
    w.table.jump_wanted.connect(w.go_to)
    w.table.cell_hovered.connect(w.diagram.highlight)
    w.diagram.cell_hovered.connect(w.table.highlight)
    w.diagram.cell_picked.connect(w.table.select)
    w.properties.jump_wanted.connect(w.go_to)
    w.table.open_changed.connect(w.show_open)
    w.diagram.jump_wanted.connect(w.go_to)
    w.session.experiment_changed.connect(w.show_experiment)
    w.code.placed.connect(w.strip.show_place)
    w.code.copy_wanted.connect(files.make_copy)
    w.code.help_wanted.connect(w.help_wanted)
    w.code.break_wanted.connect(w.break_wanted)
    w.code.zoom_wanted.connect(w.zoom_wanted)
    w.code.moment_wanted.connect(lambda _seq: w.deed_wanted.emit("show"))


def _framed(*widgets: QWidget) -> QFrame:
    """Widgets one below the other in a frame, the last with all the room."""
    frame = QFrame()
    frame.setObjectName("dockBody")
    down(*widgets[:-1], (widgets[-1], 1), on=frame, margins=1, spacing=0)
    return frame


def _tabs(name: str) -> QTabWidget:
    tabs = QTabWidget()
    tabs.setAccessibleName(name)
    tabs.setDocumentMode(True)
    tabs.tabBar().setDrawBase(False)
    tabs.setUsesScrollButtons(False)
    return tabs


def _middle(w: ProtocolWorkspace) -> QWidget:
    w.tabs = _tabs("Texts")
    w.tabs.setObjectName("codeTabs")
    w.tabs.addTab(w.code, w.document.name)
    w.tabs.tabBar().setAutoHide(True)
    w.table_dock = Titled(w.theme, "table", "What to do when", "state × event; figures: how often it ran", w.table)
    w.middle = QSplitter(Qt.Orientation.Vertical)
    w.middle.addWidget(_framed(w.bar, w.failed_bar, w.tabs))
    w.middle.addWidget(w.table_dock)
    w.middle.setStretchFactor(0, 1)
    w.middle.setSizes(list(MIDDLE_ROWS))
    return w.middle


def _left(w: ProtocolWorkspace) -> QWidget:
    w.diagram_dock = Titled(w.theme, "branch", "States", "drawn from the text", w.diagram)
    w.left = QSplitter(Qt.Orientation.Vertical)
    w.left.addWidget(w.diagram_dock)
    w.left.addWidget(_framed(w.reference))
    w.left.setSizes(list(LEFT_ROWS))
    left = QWidget()
    down(w.steps, (w.left, 1), on=left, spacing=5)
    return left


def _right(w: ProtocolWorkspace) -> QWidget:
    w.right = _tabs("The moment, properties, kept runs, what was printed")
    w.right.setObjectName("besideCode")
    w.right.addTab(w.moment, "The moment")
    w.right.addTab(w.properties, "Properties")
    w.right.addTab(w.kept, "Kept runs")
    w.right.addTab(w.printed, "Printed")
    return _framed(w.right)
