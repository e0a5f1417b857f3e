"""A dot for every step of a lesson: those behind, the one that is shown, those to come."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from lydian.app.look.theme import Theme

__all__ = ["Dots"]


class Dots(QWidget):
    """One dot a step; a click or an arrow key goes to it."""

    #: Number of the step that is wanted.
    wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.titles: list[str] = []
        self.now = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Steps of the lesson")

    def show_steps(self, titles: list[str], now: int) -> None:
        """Show the steps with these titles, one of them in front."""
        self.titles, self.now = titles, now
        here = f"{now + 1} of {len(titles)}: {titles[now]}" if now < len(titles) else "the end"
        self.setAccessibleDescription(f"Step {here}" if titles else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.stretched(16) * max(len(self.titles), 1), self.theme.stretched(20))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def centre(self, step: int) -> QPointF:
        """Where the dot of a step is."""
        wide = self.theme.stretched(16)
        return QPointF(wide * (step + 0.5), self.height() / 2)

    def at(self, x: float) -> int | None:
        """The step whose dot is there."""
        step = int(x // self.theme.stretched(16))
        return step if 0 <= step < len(self.titles) else None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            accent, pale = self.theme.color("accent.base"), self.theme.color("border.control")
            for step in range(len(self.titles)):
                radius = self.theme.stretched(9 if step == self.now else 7) / 2
                painter.setPen(QPen(accent if step <= self.now else pale, 1.5))
                painter.setBrush(accent if step <= self.now else Qt.BrushStyle.NoBrush)
                painter.setOpacity(0.55 if step < self.now else 1.0)
                painter.drawEllipse(self.centre(step), radius, radius)
            painter.setOpacity(1.0)
            if self.hasFocus() and self.now < len(self.titles):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self.theme.color("accent.ring"), 2))
                ring = self.theme.stretched(15)
                c = self.centre(self.now)
                painter.drawEllipse(QRectF(c.x() - ring / 2, c.y() - ring / 2, ring, ring))
        finally:
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        step = self.at(event.position().x())
        if step is not None and event.button() == Qt.MouseButton.LeftButton:
            self.wanted.emit(step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if way and 0 <= self.now + way < len(self.titles):
            self.wanted.emit(self.now + way)
        elif not way:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asked and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.setAccepted(not event.modifiers())
            return True
        if isinstance(event, QHelpEvent):
            step = self.at(event.pos().x())
            QToolTip.showText(event.globalPos(), "" if step is None else f"{step + 1}. {self.titles[step]}", self)
            return True
        return bool(super().event(event))
