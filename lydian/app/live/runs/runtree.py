"""The tree of runs as a list: names on the left, and on the right one line for each run, with time going right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from lydian.app.live.runs import runlines
from lydian.app.look.theme import Theme
from lydian.language import tr
from lydian.views.others.branchtree import Line, Tree, about, clusters, walked
from lydian.views.words.words import number

__all__ = ["Pointed", "RunTree", "RunsModel"]

#: The largest distance in pixels between the pointer and a fork or glyph that it is over.
NEAR = 9.0
#: The shortest time range that is shown, as a share of the whole time.
LEAST = 1e-4
_WAYS = {
    Qt.Key.Key_Left: "parent", Qt.Key.Key_Right: "child", Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down",
}  # fmt: skip

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Pointed:
    """The thing at a point: the ``name`` of a run, its ``line``, a ``fork`` where a run leaves, or a ``deed``."""

    sort: str
    branch: int
    words: str = ""


class RunsModel(QAbstractListModel):
    """The runs of a tree from top to bottom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree: Tree | None = None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  as Qt has it
        return 0 if self.tree is None or parent.isValid() else len(self.tree.lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.tree is None or not 0 <= index.row() < len(self.tree.lines):
            return None
        line = self.tree.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.name
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return about(self.tree, line)
        return None

    def load(self, tree: Tree) -> bool:
        """Load other runs; return True if the runs or their rows have changed."""
        before = [] if self.tree is None else [(line.branch, line.name) for line in self.tree.lines]
        other = before != [(line.branch, line.name) for line in tree.lines]
        if other:
            self.beginResetModel()
        self.tree = tree
        if other:
            self.endResetModel()
        return other


class _Rows(QStyledItemDelegate):
    """A delegate that has each row drawn by the tree."""

    def __init__(self, tree: RunTree) -> None:
        super().__init__(tree)
        self._tree = tree

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        rect: QRect = option.rect
        painter.save()
        try:
            self._tree.paint_row(painter, rect, index.row())
        finally:
            painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(120, self._tree.row_height)


class RunTree(QListView):
    """The list of runs, with mouse and keys.

    A click selects a run, and a click on the name of the run shown renames it; a double click shows a run or, on a
    fork, goes there. The arrow keys move from run to run (to its parent, its first child, its neighbours), and Enter
    shows the run. Ctrl and the wheel zoom in time, Shift and the wheel scroll in it.

    Attributes:
        time: the time of the play head.
        seen: the time range in view, ``None`` for the whole time.
    """

    #: Emitted to show this run; to go to its fork; to rename it; to open its menu at a point.
    wanted = Signal(int)
    fork_wanted = Signal(int)
    naming = Signal(int)
    menu_wanted = Signal(int, QPoint)
    #: Emitted when another run is current, and when another time range is in view.
    chosen = Signal(int)
    zoomed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme, self.time = theme, 0.0
        self.seen: tuple[float, float] | None = None
        self.runs = RunsModel(self)
        self._links: list[list[runlines.Link]] = []
        self._pressed: Pointed | None = None
        self.setModel(self.runs)
        self.setItemDelegate(_Rows(self))
        self.setAccessibleName(tr("Branches"))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.selectionModel().currentChanged.connect(lambda *_: self.chosen.emit(self.current))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 3 * self.row_height)

    # ------------------------------------------------------------------ contents

    def set_theme(self, theme: Theme) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def show_tree(self, tree: Tree, time: float) -> None:
        """Show these runs, with the play head at a time; the current run stays current."""
        before, was_shown = self.current, None if self.runs.tree is None else self.runs.tree.shown
        if self.runs.tree != tree:
            grew = self.runs.load(tree)
            if grew or tree.shown != was_shown:  # A run that has only grown leaves all corners where they are.
                self._links = runlines.links_of(tree)
            if grew or tree.shown != was_shown:
                self.choose(tree.shown if tree.shown != was_shown or tree.line(before) is None else before)
        self.time = time
        self.viewport().update()

    @property
    def tree(self) -> Tree:
        """The tree that is shown."""
        return self.runs.tree if self.runs.tree is not None else Tree((), 0, 0.0)

    @property
    def current(self) -> int:
        """The run that keys apply to; -1 if there is none."""
        line = self.line_at(self.currentIndex().row())
        return -1 if line is None else line.branch

    def line_at(self, row: int) -> Line | None:
        """Return the run in a row."""
        lines = self.tree.lines
        return lines[row] if 0 <= row < len(lines) else None

    def choose(self, branch: int) -> None:
        """Make a run current and scroll it into view, without showing the run itself."""
        line = self.tree.line(branch)
        if line is not None:
            self.setCurrentIndex(self.runs.index(line.row))

    # ------------------------------------------------------------------ places

    @property
    def row_height(self) -> int:
        return self.theme.grown(28)

    @property
    def name_width(self) -> int:
        """The largest width of the names."""
        return round(min(max(self.viewport().width() * 0.36, 96), self.theme.grown(260)))

    @property
    def stretch(self) -> tuple[float, float]:
        """The time range in view."""
        whole = max(self.tree.until, 1e-9) * 1.03
        return (0.0, whole) if self.seen is None else self.seen

    def place(self, time: float) -> float:
        """Return the horizontal place of a time."""
        return self.placer()(time)

    def placer(self) -> Callable[[float], float]:
        """Return a function from times to horizontal places, for many calls."""
        start, stop = self.stretch
        left, right = self.name_width + 12, self.viewport().width() - 16
        scale = max(right - left, 1) / (stop - start)
        return lambda time: left + (time - start) * scale

    def time_at(self, x: float) -> float:
        """Return the time at a horizontal place."""
        start, stop = self.stretch
        left, right = self.name_width + 12, self.viewport().width() - 16
        return start + (x - left) / max(right - left, 1) * (stop - start)

    def hit(self, at: QPointF) -> Pointed | None:
        """Return the thing at a point of the viewport."""
        line = self.line_at(self.indexAt(at.toPoint()).row())
        if line is None:
            return None
        if at.x() < self.name_width:
            return Pointed("name", line.branch, about(self.tree, line))
        forks = [(abs(self.place(child.begins) - at.x()), child) for child in self.tree.children(line.branch)]
        near = [each for each in forks if each[0] <= NEAR]
        if near:
            child = min(near, key=lambda each: each[0])[1]
            words = tr(
                "{run} branches off here, at {time}; double-click to go there",
                run=child.name,
                time=number(child.begins),
            )
            return Pointed("fork", child.branch, words)
        places = [self.place(deed.time) for deed in line.deeds]
        for group in clusters(places, runlines.GLYPH):
            if abs(places[group[0]] - at.x()) <= NEAR:
                return Pointed("deed", line.branch, "\n".join(line.deeds[index].words for index in group[:8]))
        return Pointed("line", line.branch, about(self.tree, line))

    def name_rect(self, branch: int) -> QRect:
        """Return the rectangle of the name of a run."""
        line = self.tree.line(branch)
        rect = self.visualRect(self.runs.index(0 if line is None else line.row))
        return QRect(rect.left() + 22, rect.top() + 2, self.name_width - 24, rect.height() - 4)

    # ------------------------------------------------------------------ painting

    def paint_row(self, p: QPainter, rect: QRect, row: int) -> None:
        line = self.line_at(row)
        if line is None:
            return
        here = line.row == self.currentIndex().row()
        if here or line.branch == self.tree.shown:
            p.fillRect(rect, self.theme.color("accent.soft" if here else "surface.panelAlt"))
        runlines.paint_name(p, self.theme, rect, self.name_width, line, line.branch == self.tree.shown)
        p.setClipRect(rect.adjusted(self.name_width + 2, 0, 0, 0))
        runlines.paint_line(p, self.theme, rect, self.placer(), line, self._links[row], self.time)
        if here and self.hasFocus():
            p.setClipping(False)
            runlines.paint_focus(p, self.theme, rect)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if len(self.tree.lines) != 1:
            return
        painter = QPainter(self.viewport())
        try:
            painter.setPen(self.theme.color("text.hint"))
            painter.setFont(self.theme.font("body"))
            room = self.viewport().rect().adjusted(20, self.row_height + 8, -20, -8)
            words = tr("One run so far. When you intervene, the original is kept here.")
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), words)
        finally:
            painter.end()

    # ------------------------------------------------------------------ mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.hit(event.position())
        # A click on the name of the current run, if it is also the one shown, renames it.
        again = place is not None and place.branch == self.current == self.tree.shown and place.sort == "name"
        self._pressed = Pointed("again", place.branch) if again and place is not None else place
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        super().mouseReleaseEvent(event)
        place = self.hit(event.position())
        if event.button() != Qt.MouseButton.LeftButton or pressed is None or place is None:
            return
        if pressed.sort == "again" and place.sort == "name" and place.branch == pressed.branch:
            self.naming.emit(place.branch)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self.hit(event.position())
        line = self.line_at(self.indexAt(event.position().toPoint()).row())
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton or place is None or line is None:
            return
        if place.sort == "fork":
            self.fork_wanted.emit(place.branch)
        elif line.branch != self.tree.shown:
            self.wanted.emit(line.branch)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.hit(event.position())
        shape = Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.hit(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if place is None else place.words, self)
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        if not held or not turned:
            super().wheelEvent(event)
            return
        event.accept()
        start, stop = self.stretch
        if held & Qt.KeyboardModifier.ControlModifier:
            at = self.time_at(max(event.position().x(), self.name_width + 12))
            factor = 1.0015**-turned
            self._see(at + (start - at) * factor, at + (stop - at) * factor)
        else:
            by = -(stop - start) * turned / 1200
            self._see(start + by, stop + by)

    def _see(self, start: float, stop: float) -> None:
        """Show a time range, shifted to lie within the whole time."""
        whole = max(self.tree.until, 1e-9) * 1.03
        length = max(stop - start, whole * LEAST)
        start = min(max(start, 0.0), max(whole - length, 0.0))
        self.seen = None if length >= whole * 0.999 else (start, start + length)
        self.viewport().update()
        self.zoomed.emit()

    def fit(self) -> None:
        """Show the whole time."""
        self._see(0.0, max(self.tree.until, 1e-9) * 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.zoomed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            super().keyPressEvent(event)
        elif key in _WAYS:
            self.choose(walked(self.tree, self.current, _WAYS[key]))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.wanted.emit(self.current)
        elif key == Qt.Key.Key_F2:
            self.naming.emit(self.current)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.accept()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            if self.current >= 0:
                self.menu_wanted.emit(self.current, self.viewport().mapToGlobal(self.name_rect(self.current).center()))
            return
        line = self.line_at(self.indexAt(event.pos()).row())
        if line is not None:
            self.choose(line.branch)
            self.menu_wanted.emit(line.branch, event.globalPos())
