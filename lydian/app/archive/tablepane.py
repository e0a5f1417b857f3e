"""The table of states and events beside the state diagram, read-only; pointing highlights an entry in both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSplitter, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.table.cellgrid import CellGrid
from lydian.app.protocol.table.diagrampane import DiagramPane
from lydian.authoring.celltable import TableLook, table_look
from lydian.authoring.failing import Failure
from lydian.authoring.statediagram import arrows_of
from lydian.language import tr
from lydian.model.protocol.folder import read_source
from lydian.model.source.draft import Draft, read
from lydian.model.source.outline import Outline, outline_of

__all__ = ["Studied", "TablePane", "study"]


@dataclass(frozen=True, eq=False)
class Studied:
    """The contents of a file, read in the background: its table and the arrows of its state diagram."""

    path: Path
    draft: Draft
    outline: Outline
    look: TableLook
    arrows: Any


def study(path: Path) -> Studied:
    """Read a protocol.

    Raises:
        LydianError: the file cannot be read.
    """
    draft = read(read_source(path))
    outline = outline_of(draft)
    return Studied(path, draft, outline, table_look(draft, outline, path.stem), arrows_of(draft))


class _Text(QObject):
    """A document as the diagram needs it, which is never edited and never run."""

    read = Signal()
    ran = Signal()
    said = Signal(str, bool)

    def __init__(self, studied: Studied, parent: QObject) -> None:
        super().__init__(parent)
        self.studied = studied
        self.failure: Failure | None = None

    @property
    def path(self) -> Path:
        return self.studied.path

    @property
    def draft(self) -> Draft:
        return self.studied.draft

    @property
    def outline(self) -> Outline:
        return self.studied.outline

    def say(self, sentence: str, problem: bool = False) -> None:
        """Show the user a sentence."""
        self.said.emit(sentence, problem)


class _Diagram(DiagramPane):
    """The diagram of a protocol that has been read."""

    def arrows(self) -> Any:
        return cast(_Text, self.document).studied.arrows


#: Table and diagram are side by side from this width on, if it also exceeds the height by this much.
WIDE, WIDER_THAN_HIGH = 820, 1.9
#: The least height of a diagram.
LEAST = 250


class _Looking:
    """The owner of a read-only grid."""

    def __init__(self) -> None:
        self.look = TableLook()

    def choose(self, state: str, event: str, kind: str, function: str) -> str:
        return _REFUSED

    def rename_function(self, old: str, new: str) -> str:
        return _REFUSED

    def rename_state(self, old: str, new: str) -> str:
        return _REFUSED


_REFUSED = tr("Protocols of the archive cannot be changed; copy the protocol to change it.")


class _Grid(CellGrid):
    """The grid without its fields: Enter and a double click show the code."""

    def open_chooser(self, typed: str = "") -> None:
        """Do nothing: the table is read-only."""

    def rename_state_at(self, row: int) -> None:
        """Do nothing: the table is read-only."""

    def rename_function(self) -> None:
        """Do nothing: the table is read-only."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.ignore()
            return False
        return super().event(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._jumping = False
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._jump(self.currentIndex())
        elif event.text() or event.key() == Qt.Key.Key_F2:  # Typing has no effect.
            event.ignore()
        else:
            super().keyPressEvent(event)


class TablePane(QWidget):
    """Table and diagram of one protocol."""

    #: Emitted with the line of code to show.
    line_wanted = Signal(int)

    #: Emitted with a sentence on a saved picture of the diagram, and whether it is a problem.
    said = Signal(str, bool)

    def __init__(self, studied: Studied, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.text = _Text(studied, self)
        self.text.said.connect(self.said)
        self._looking = _Looking()
        self.grid = _Grid(self._looking, theme)
        self.grid.setAccessibleName(tr("Transition table (read-only)"))
        self.diagram = _Diagram(cast(ProtocolDocument, self.text), theme)
        self.note = set_up(QLabel(), look="explained", wraps=True)
        self.note.setContentsMargins(10, 4, 10, 4)
        left = QFrame()
        left.setObjectName("panel")
        down(self.grid, self.note, ..., on=left, spacing=0)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(5)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.diagram)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self.splitter)
        down(self.area, on=self)
        self.grid.hovered.connect(self.diagram.highlight)
        self.grid.current_changed.connect(lambda state, event: self.diagram.highlight((state, event)))
        self.grid.jump_wanted.connect(lambda state, event: self.line_wanted.emit(self._line(state, event)))
        self.diagram.cell_hovered.connect(self.grid.highlight)
        self.diagram.cell_picked.connect(self._picked)
        self.diagram.jump_wanted.connect(self.line_wanted)
        self._follow()

    def _picked(self, state: str, event: str) -> None:
        if event:
            self.grid.select((state, event))

    def _line(self, state: str, event: str) -> int:
        return self.text.outline.cell(state, event).line

    def show_protocol(self, studied: Studied) -> None:
        """Show another protocol."""
        if studied is not self.text.studied:
            self.text.studied = studied
            self.text.read.emit()
            self._follow()

    def _follow(self) -> None:
        look = self._looking.look = self.text.studied.look
        self.grid.follow()
        empty = any(cell.kind == "impossible" for cell in look.cells.values())
        words = tr("An event that cannot happen would stop the run.") if empty else ""
        if not look.states:
            words = tr("The file has no states yet.")
        self.note.setText(words)
        self.note.setVisible(bool(words))
        self.grid.setVisible(bool(look.states))
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() > max(WIDER_THAN_HIGH * self.height(), self.theme.stretched(WIDE))
        wanted = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)
        self._share()

    def _share(self) -> None:
        """Give the table the height it needs, at most half; give the diagram the rest."""
        if self.splitter.orientation() == Qt.Orientation.Horizontal:
            self.splitter.setMinimumHeight(0)
            self.splitter.setSizes([self.width() * 58 // 100, self.width() * 42 // 100])
            return
        note = 0 if self.note.isHidden() else self.note.heightForWidth(max(self.width() - 20, 60)) + 4
        table = self.grid.wanted_height + 12 + note
        high = max(self.height(), table + LEAST)
        self.splitter.setMinimumHeight(high if high > self.height() else 0)
        self.splitter.setSizes([table, high - table])
