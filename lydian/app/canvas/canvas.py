"""A canvas shows one view and turns mouse and keys into selection, zoom and time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
from lydian.app.canvas.viewpicture import ViewPicture
from lydian.app.canvas.viewspec import ViewSpec
from lydian.app.look.theme import Theme
from lydian.views.frame import Hit
from lydian.views.playhead import Playhead

__all__ = ["TOOLTIP_DELAY", "Canvas"]

#: Milliseconds the pointer rests before the tool tip comes.
TOOLTIP_DELAY = 350
#: Pixels the pointer may move between press and release of a click.
SLACK = 4


class Canvas(ViewPicture):
    """One view that can be pointed at."""

    #: A process was double-clicked.
    opened = Signal(int)
    #: Somebody took hold of the picture to move time.
    scrubbed = Signal(float)

    def __init__(
        self, spec: ViewSpec, playhead: Playhead, theme: Theme, time_camera: TimeCamera, parent: QWidget | None = None
    ) -> None:
        super().__init__(spec, playhead, theme, time_camera, parent)
        self._press: QPointF | None = None
        self._last = QPointF()
        self._drag = ""
        self._hit: Hit | None = None
        self._note = ""
        self._tip = 0  # a timer of the widget itself: it ends with it
        self.setMouseTracking(True)

    # ------------------------------------------------------------------ pointing

    def hit(self, position: QPointF) -> Hit | None:
        """What is drawn at a point of the widget."""
        if self._painter is None or self.frame is None or self.trouble is not None:
            return None
        try:
            hit: Hit | None = self._painter.hit(position, QRectF(self.rect()), self.frame, self.camera)
        except Exception as error:  # noqa: BLE001  whatever a view does, the window lives
            self._failed(error)
            self.update()
            return None
        return hit

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position()
        if self._press is not None:
            self._dragged(position, event.buttons())
        else:
            hit = self.hit(position)
            self.playhead.point_at(hit)
            self.setCursor(Qt.CursorShape.PointingHandCursor if hit is not None else Qt.CursorShape.ArrowCursor)
            if hit != self._hit or hit is None:
                QToolTip.hideText()
            self._hit = hit
            self._note = self._note_at(position) if hit is None else ""
            if hit is not None or self._note:
                self._rest(TOOLTIP_DELAY)
            else:
                self._rest(0)
        self._last = position
        event.accept()

    def _note_at(self, position: QPointF) -> str:
        """What the view says about a place where nothing can be hit, such as its legend."""
        note = getattr(self._painter, "note_at", None)
        if note is None or self.frame is None or self.trouble is not None:
            return ""
        return str(note(position, QRectF(self.rect()), self.frame, self.camera))

    def _rest(self, milliseconds: int) -> None:
        """Wait for the pointer to rest that long; 0 waits no more."""
        if self._tip:
            self.killTimer(self._tip)
        self._tip = self.startTimer(milliseconds) if milliseconds else 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._tip:
            super().timerEvent(event)
            return
        self._rest(0)
        self.show_tooltip()

    def show_tooltip(self) -> None:
        """Explain what the pointer is over."""
        if self.frame is None or self._painter is None:
            return
        try:
            text = self._note if self._hit is None else str(self._painter.tooltip(self._hit, self.frame) or "")
        except Exception as error:  # noqa: BLE001  whatever a view does, the window lives
            self._failed(error)
            self.update()
            return
        if text:
            QToolTip.showText(self.mapToGlobal(self._last.toPoint()) + QPoint(12, 12), text, self)

    def leaveEvent(self, event: QEvent) -> None:
        self._rest(0)
        self._hit = None
        self.playhead.point_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = self._last = event.position()
        self._drag = ""
        self._rest(0)
        QToolTip.hideText()
        if event.button() == Qt.MouseButton.MiddleButton and self.spec.kind in ("map", "time"):
            self._drag = "pan"
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        event.accept()

    def _dragged(self, position: QPointF, buttons: Qt.MouseButton) -> None:
        assert self._press is not None
        if not self._drag and (position - self._press).manhattanLength() > SLACK:
            self._drag = {"time": "scrub", "map": "pan"}.get(self.spec.kind, "none")
        moved = position - self._last
        if self._drag == "pan" and isinstance(self.camera, NetworkCamera):
            self._need_scale()
            self.camera.pan(moved.x(), moved.y())
            self.refresh()
        elif self._drag == "pan" and isinstance(self.camera, TimeCamera):
            self.camera.drag(self.time_at(self._last.x()), self.time_at(position.x()))
        elif self._drag == "scrub":
            self.scrubbed.emit(self.time_at(position.x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._drag, self._press = self._drag, "", None
        self.setCursor(Qt.CursorShape.ArrowCursor)
        event.accept()
        if dragged or event.button() != Qt.MouseButton.LeftButton:
            return
        add = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self.playhead.pick(self.hit(event.position()), add=add)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position())
        event.accept()
        if hit is None:
            self.fit()
        elif hit.kind == "event" and self.playhead.timeline is not None:
            self.playhead.pause()
            self.playhead.seek(float(self.playhead.timeline.time[int(hit.id)]))  # type: ignore[arg-type]
        elif hit.kind == "process":
            self.opened.emit(int(hit.id))  # type: ignore[arg-type]

    # ------------------------------------------------------------------ moving

    def time_at(self, x: float) -> float:
        """The simulated time at a horizontal place of a view along time."""
        painter, rect = self._painter, QRectF(self.rect())
        if painter is None or self.frame is None or not hasattr(painter, "time_at"):
            return self.playhead.t
        return float(painter.time_at(QPointF(x, rect.center().y()), rect, self.frame, self.camera))

    def _need_scale(self) -> None:
        """Turn "as fits" into the numbers it means at the moment."""
        if not isinstance(self.camera, NetworkCamera) or self.camera.scale is not None or self._painter is None:
            return
        if self.frame is not None:
            seen = self._painter.map(QRectF(self.rect()), self.frame, self.camera)
            self.camera.set(seen.scale, seen.dx, seen.dy)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        position = event.position()
        event.accept()
        if not turned:
            return
        if isinstance(self.camera, TimeCamera) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.camera.move(-turned / 1200)
        elif self.spec.kind == "list":
            self._scroll(-1 if turned > 0 else 1)
        else:
            self.zoom(1.0015**turned, position)

    def _scroll(self, rows: int) -> None:
        scroll = getattr(self._painter, "scrolled", None)
        if scroll is not None and self.frame is not None:
            self.set_option("offset", scroll(self.frame, rows * 3, QRectF(self.rect())))

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge around a point, the middle by default."""
        at = QRectF(self.rect()).center() if at is None else at
        if isinstance(self.camera, NetworkCamera):
            self._need_scale()
            self.camera.zoom(factor, at.x(), at.y())
            self.refresh()
        elif isinstance(self.camera, TimeCamera):
            self.camera.zoom(factor, self.time_at(at.x()))

    def fit(self) -> None:
        """Show everything."""
        if self.camera is not None:
            self.camera.fit()
        self.refresh()

    def fit_processes(self, processes: Sequence[int]) -> None:
        """Show these processes of the network as large as fits, at most four times as large as the whole."""
        places = getattr(self.frame, "positions", None)
        if not isinstance(self.camera, NetworkCamera) or places is None or not len(processes):
            return
        self.camera.fit()
        self._need_scale()
        whole = self.camera.scale
        if whole is None:
            return
        low, high = places[list(processes)].min(axis=0), places[list(processes)].max(axis=0)
        wide, tall = max(float(high[0] - low[0]), 1e-9), max(float(high[1] - low[1]), 1e-9)
        scale = min(0.6 * self.width() / wide, 0.6 * self.height() / tall, 4 * whole)
        x, y = (low + high) / 2
        self.camera.set(scale, self.width() / 2 - float(x) * scale, self.height() / 2 - float(y) * scale)
        self.refresh()

    # ------------------------------------------------------------------ keys and focus

    def focusInEvent(self, event: QFocusEvent) -> None:
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        self.setProperty("keyboard", event.reason() in reasons)
        self._drawn = None
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._drawn = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        arrows = {
            Qt.Key.Key_Left: (-1.0, 0.0),
            Qt.Key.Key_Right: (1.0, 0.0),
            Qt.Key.Key_Up: (0.0, -1.0),
            Qt.Key.Key_Down: (0.0, 1.0),
        }
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in arrows:
            self._walk(*arrows[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _walk(self, dx: float, dy: float) -> None:
        """Select the nearest process in a direction; the first one if none is selected."""
        timeline, chosen = self.playhead.timeline, sorted(self.playhead.selection.processes)
        if timeline is None or not timeline.n:
            return
        places = getattr(self.frame, "positions", None)
        if not chosen:
            self.playhead.pick(Hit("process", 0))
        elif places is None or len(places) != timeline.n:
            self.playhead.pick(Hit("process", min(max(chosen[0] + int(dx + dy), 0), timeline.n - 1)))
        else:
            x, y = places[chosen[0]]
            ahead = [
                ((px - x) ** 2 + (py - y) ** 2 + 3 * ((px - x) * dy - (py - y) * dx) ** 2, index)
                for index, (px, py) in enumerate(places)
                if (px - x) * dx + (py - y) * dy > 1e-9
            ]
            if ahead:
                self.playhead.pick(Hit("process", min(ahead)[1]))
