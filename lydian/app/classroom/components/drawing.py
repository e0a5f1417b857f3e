"""Drawing the borders of components on the network: a click, a drag or a loop moves processes; letters do as well."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent

from lydian.app.canvas.canvas import SLACK, Aide, Canvas
from lydian.app.classroom.components.marks import Areas
from lydian.desk.splitting import Borders

__all__ = ["BorderHand"]


class BorderHand(QObject):
    """The gestures and keys in a network view while borders are drawn.

    A click moves a process to the chosen component, a drag moves it to the component at whose processes it ends, and a
    loop drawn from an empty place moves all processes inside it. With the keyboard, the letter of a component moves the
    selected processes there.

    Args:
        canvas: the network view.
        areas: the layer on it.
        borders: what is drawn.
        chosen: returns the component to which a click or a loop moves processes.
        moved: called with how many processes were moved, and where.
    """

    def __init__(
        self, canvas: Canvas, areas: Areas, borders: Borders, chosen: Callable[[], str],
        moved: Callable[[int, str], object],
    ) -> None:  # fmt: skip
        super().__init__(canvas)
        self.canvas, self.areas, self.borders = canvas, areas, borders
        self._chosen, self._moved = chosen, moved
        self._before: Aide | None = canvas.aide
        self._from: QPointF | None = None
        self._process = ""
        canvas.aide = self
        canvas.installEventFilter(self)
        canvas.setCursor(Qt.CursorShape.CrossCursor)

    def end(self) -> None:
        """Leave the view as it was."""
        self.lost()
        self.canvas.aide = self._before
        self.canvas.removeEventFilter(self)
        self.canvas.setCursor(Qt.CursorShape.ArrowCursor)
        self.deleteLater()

    def move(self, processes: list[str], name: str) -> None:
        """Move processes to a component."""
        count = self.borders.move(processes, name)
        if count:
            self._moved(count, name)

    def move_selected(self, name: str) -> None:
        """Move the selected processes to a component."""
        self.move(self.selected, name)

    @property
    def selected(self) -> list[str]:
        """The processes that are selected."""
        timeline = self.canvas.playhead.timeline
        if timeline is None:
            return []
        return [timeline.processes[each] for each in sorted(self.canvas.playhead.selection.processes)]

    # ------------------------------------------------------------------ the mouse

    def pressed(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False  # the view pans, selects and shows menus as usual
        timeline, hit = self.canvas.playhead.timeline, self.canvas.hit(event.position())
        self._from = event.position()
        self._process = ""
        if hit is not None and hit.kind == "process" and timeline is not None:
            self._process = timeline.processes[int(hit.id)]  # type: ignore[arg-type]
        return True

    def moved(self, event: QMouseEvent) -> bool:
        if self._from is None:
            self.canvas.setCursor(Qt.CursorShape.CrossCursor)
            return True
        if (event.position() - self._from).manhattanLength() <= SLACK and not self.areas.lasso:
            return True
        if self._process:
            self.areas.dragged = (self._process, event.position())
        else:
            self.areas.lasso = [*(self.areas.lasso or [self._from]), event.position()]
        self.areas.update()
        return True

    def released(self, event: QMouseEvent) -> bool:
        if self._from is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        process, dragged, loop = self._process, self.areas.dragged, self.areas.lasso
        self.lost()
        if loop:
            self.move(self.areas.inside(loop), self._chosen())
        elif process:
            where = self.areas.at(event.position(), process) if dragged is not None else self._chosen()
            self.move([process], where)
        return True

    def lost(self) -> None:
        self._from, self._process = None, ""
        self.areas.dragged, self.areas.lasso = None, []
        self.areas.update()

    def left(self) -> None:
        """Do nothing: a gesture goes on outside."""

    def takes(self, start: QPointF) -> bool:
        return False

    def drag(self, at: QPointF) -> None:
        """Do nothing: all gestures begin with a press."""

    def let_fall(self, at: QPointF) -> None:
        """Do nothing: all gestures begin with a press."""

    # ------------------------------------------------------------------ the keyboard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return False
        act = self.act_of(event)
        if act is None:
            return False
        if event.type() == QEvent.Type.KeyPress:
            act()
        event.accept()
        return True

    def act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key does while borders are drawn; ``None`` for nothing."""
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.borders.undo
        if event.matches(QKeySequence.StandardKey.Redo):
            return self.borders.redo
        if event.key() == Qt.Key.Key_Escape and self._from is not None:
            return self.lost
        letter = event.text().upper()
        if letter and letter in self.borders.groups and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return lambda: self.move_selected(letter)
        return None
