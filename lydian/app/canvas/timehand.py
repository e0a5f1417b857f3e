"""What mouse and keys do with the rows of a view along time: move, scroll, zoom, fold them, and compare events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QWheelEvent

from lydian.app.canvas.cameras import TimeCamera
from lydian.views.frame import Hit
from lydian.views.time.axis import Rows
from lydian.views.time.ordering import arranged, near

if TYPE_CHECKING:
    from lydian.app.canvas.canvas import Canvas

__all__ = ["TimeHand"]

#: Rows that a notch of the wheel scrolls, and how much higher it makes them.
NOTCH, GROWTH = 3.0, 1.25


class TimeHand:
    """The hand of one canvas; it does nothing while the view shows nothing."""

    def __init__(self, canvas: Canvas, camera: TimeCamera) -> None:
        self.canvas, self.camera = canvas, camera
        self._held: int | None = None

    # ------------------------------------------------------------------ where things are

    @property
    def rows(self) -> Rows | None:
        """The rows as they are arranged now, ``None`` before anything was drawn."""
        canvas, head = self.canvas, self.canvas.playhead
        if canvas.frame is None or canvas.trouble is not None or head.timeline is None:
            return None
        sort = str(canvas.options.get("sort", "id"))
        return arranged(
            head.timeline, sort, selected=head.selection.processes, hidden=self.camera.hidden, order=self.camera.order
        )

    @property
    def n(self) -> int:
        """How many processes there are."""
        timeline = self.canvas.playhead.timeline
        return 0 if timeline is None else timeline.n

    def _ask(self, name: str, position: QPointF) -> Any:
        """What the painter says about a point."""
        if self.rows is None or self.canvas.painter is None:
            return None
        rect = QRectF(self.canvas.rect())
        return getattr(self.canvas.painter, name)(position, rect, self.canvas.frame, self.camera)

    def head_at(self, position: QPointF) -> int | None:
        """The process whose head is at a point."""
        found: int | None = self._ask("head_at", position)
        return found

    def on_fold(self, position: QPointF) -> bool:
        """Whether the row that stands for hidden processes is at a point."""
        return bool(self._ask("fold_at", position))

    # ------------------------------------------------------------------ dragging a row

    @property
    def holding(self) -> bool:
        """Whether a row is being dragged."""
        return self._held is not None

    def take(self, position: QPointF) -> bool:
        """Take hold of the row whose head is at a point; whether there is one."""
        self._held = self.head_at(position)
        return self._held is not None

    def drag(self, position: QPointF) -> None:
        """Move the row that is held; at the edges the others scroll."""
        rows = self.rows
        if self._held is None or rows is None:
            return
        g = self.canvas.painter.geometry(QRectF(self.canvas.rect()), self.canvas.frame, self.camera)
        if g.scrolled and not g.top <= position.y() <= g.bottom:
            self.camera.scroll_rows(-1.0 if position.y() < g.top else 1.0, len(rows))
        self.camera.lift((self._held, position.y()))

    def let_go(self, position: QPointF) -> None:
        """Put the row that is held where it is."""
        process, rows = self._held, self.rows
        self.cancel()
        if process is None or rows is None:
            return
        g = self.canvas.painter.geometry(QRectF(self.canvas.rect()), self.canvas.frame, self.camera)
        gap, now = self.canvas.painter.gap(g, position.y()), int(rows.row[process])
        self.camera.move_row(rows, process, gap - (gap > now))

    def cancel(self) -> None:
        """Let go of the row, which stays where it was."""
        self._held = None
        self.camera.lift(None)

    # ------------------------------------------------------------------ rows

    def chosen(self) -> list[int]:
        """The selected processes that have rows, from top to bottom."""
        rows = self.rows
        if rows is None:
            return []
        chosen = [p for p in self.canvas.playhead.selection.processes if 0 <= p < self.n and rows.row[p] >= 0]
        return sorted(chosen, key=lambda p: int(rows.row[p]))

    def shift(self, by: int) -> bool:
        """Move the row of the selected process up (-1) or down (1); whether there is one."""
        rows, chosen = self.rows, self.chosen()
        if rows is None or len(chosen) != 1:
            return False
        row = min(max(int(rows.row[chosen[0]]) + by, 0), len(rows) - 1)
        self.camera.move_row(rows, chosen[0], row)
        self.camera.see_row(row, len(rows))
        return True

    def hide(self, processes: list[int]) -> None:
        """Take the rows of some processes away."""
        self.camera.hide(processes, self.n)

    def show_only(self, processes: list[int]) -> None:
        """Show some processes and their neighbours alone."""
        timeline = self.canvas.playhead.timeline
        if timeline is not None and processes:
            self.camera.show_only(near(timeline, processes), timeline.n)

    def unfold(self) -> None:
        """Give every process its row again."""
        if self.canvas.options.get("sort") == "near":
            choice = next(c for c in self.canvas.spec.choices if c.name == "sort")
            self.canvas.asked.emit(choice, "id")
        self.camera.show_all()

    # ------------------------------------------------------------------ events

    def pick(self, hit: Hit | None, *, add: bool) -> None:
        """Select what was clicked; adding a second event compares the two."""
        head = self.canvas.playhead
        event = head.selection.event
        if not add or hit is None or hit.kind != "event" or event is None or hit.id == event:
            self.camera.compare(None)
            head.pick(hit, add=add)
            return
        if self.canvas.compared == hit.id:
            self.camera.compare(None)
            return
        assert isinstance(hit.id, int) and head.timeline is not None
        self.camera.compare((event, hit.id))
        process = int(head.timeline.process[hit.id])
        if process >= 0:
            head.select(replace(head.selection, processes=head.selection.processes | {process}))

    # ------------------------------------------------------------------ wheel and keys

    def wheel(self, event: QWheelEvent, turned: float) -> bool:
        """Ctrl+Shift makes rows higher; otherwise they scroll, if not all fit.  Whether that was meant."""
        rows = self.rows
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if rows is None or control != shift:
            return False
        if control:
            g = self.canvas.painter.geometry(QRectF(self.canvas.rect()), self.canvas.frame, self.camera)
            at = g.first + (min(max(event.position().y(), g.top), g.bottom) - g.top) / g.pitch
            self.camera.zoom_rows(GROWTH ** (turned / 120), len(rows), at)
            return True
        first, last = self.camera.rows or (0.0, float(len(rows)))
        step = min(NOTCH, max((last - first) / 4, 0.5))
        return self.camera.rows is not None and (
            self.camera.scroll_rows(-turned / 120 * step, len(rows)) or self.camera.rows is not None
        )

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key that means something else in the window is for the rows at the moment."""
        if event.key() == Qt.Key.Key_Escape:
            return self.holding
        return event.matches(QKeySequence.StandardKey.Undo) and self.camera.can_take_back

    def key(self, event: QKeyEvent) -> bool:
        """Whether a key was for the rows."""
        if not self.wants(event):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
        else:
            self.camera.take_back()
        return True
