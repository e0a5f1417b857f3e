"""The large Play button over the network at the first start."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPointF, QPropertyAnimation, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGraphicsOpacityEffect, QWidget

from lydian.app.look.theme import Theme
from lydian.language import tr, trc

__all__ = ["PlayButton"]

#: The number of milliseconds in which the button fades.
FADE = 150
#: The margin beside the words.
PAD = 9.0


class PlayButton(QAbstractButton):
    """A disc with a triangle, and the word Play with its key."""

    SIZE = 96

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.theme = theme
        self.setObjectName("bigPlay")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space plays without focus, and pauses afterwards
        self.setAccessibleName(tr("Play"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._fit()
        self._effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(self._effect)
        self._fade = QPropertyAnimation(self._effect, b"opacity", self)
        self._fade.setDuration(FADE)
        self._fade.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._fade.finished.connect(self._faded)
        parent.installEventFilter(self)
        self._place()

    def set_theme(self, theme: Theme) -> None:
        self._fit()
        self._place()

    def _fit(self) -> None:
        """Set the size for the disc, and for the words in their type."""
        word, key, _, high = self._chip()
        self.setFixedSize(QSize(max(self.SIZE + 20, round(word + key + 3 * PAD) + 4), self.SIZE + 24 + round(high)))

    def offer(self) -> None:
        """Show the button."""
        self._fade.stop()
        self._effect.setOpacity(1.0)
        self._place()
        self.show()
        self.raise_()

    def fade(self, *, at_once: bool = False) -> None:
        """Fade the button out, or hide it at once if animations are off."""
        if self.isHidden():
            return
        if at_once or self.theme.still or not self.isVisible():
            self.hide()
        elif self._fade.state() != QPropertyAnimation.State.Running:
            self._fade.setStartValue(1.0)
            self._fade.setEndValue(0.0)
            self._fade.start()

    def _faded(self) -> None:
        if self._effect.opacity() < 0.5:
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        over = self._over.rect()
        self.move((over.width() - self.width()) // 2, max(0, (over.height() - self.height()) // 2))

    def hitButton(self, position) -> bool:  # type: ignore[no-untyped-def]
        return bool(self.rect().contains(position))

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle, r = QPointF(self.width() / 2, 8 + self.SIZE / 2), self.SIZE / 2 - 4
            for ring in range(6, 0, -1):
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(QColor(0, 0, 0, 9))
                p.drawEllipse(middle + QPointF(0, 3), r + ring, r + ring)
            p.setBrush(self.theme.color("accent.hover" if self.underMouse() else "accent.base"))
            p.setPen(QPen(self.theme.color("surface.panel"), 4))
            p.drawEllipse(middle, r, r)
            triangle = QPainterPath()
            triangle.moveTo(middle + QPointF(-10, -17))
            triangle.lineTo(middle + QPointF(18, 0))
            triangle.lineTo(middle + QPointF(-10, 17))
            triangle.closeSubpath()
            ink = self.theme.color("text.onAccent")
            p.setPen(QPen(ink, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
            p.setBrush(ink)
            p.drawPath(triangle)
            self._words(p)
        finally:
            p.end()

    def _chip(self) -> tuple[float, float, float, float]:
        """Return the width of the word and of the key, and the height of the key and of both with their border."""
        word = QFontMetricsF(self.theme.font("title", semibold=True))
        key = QFontMetricsF(self.theme.font("caption"))
        tall = key.height() + 4
        return (
            word.horizontalAdvance(tr("Play")),
            key.horizontalAdvance(trc("key", "Space")) + 14,
            tall,
            max(word.height(), tall) + 8,
        )

    def _words(self, p: QPainter) -> None:
        word, key, tall, high = self._chip()
        wide = word + key + 3 * PAD
        box = QRectF((self.width() - wide) / 2, self.SIZE + 16, wide, high)
        p.setPen(
            QPen(self.theme.color("accent.ring" if self.hasFocus() else "border.subtle"), 2 if self.hasFocus() else 1)
        )
        p.setBrush(self.theme.color("surface.overlay"))
        p.drawRoundedRect(box, 7, 7)
        p.setPen(self.theme.color("text.primary"))
        p.setFont(self.theme.font("title", semibold=True))
        left = QRectF(box.left() + PAD, box.top(), word + 2, high)
        p.drawText(left, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), tr("Play"))
        p.setFont(self.theme.font("caption"))
        right = QRectF(box.right() - PAD - key, box.center().y() - tall / 2, key, tall)
        p.setPen(QPen(self.theme.color("text.secondary"), 1))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawRoundedRect(right, 3, 3)
        p.drawText(right, int(Qt.AlignmentFlag.AlignCenter), trc("key", "Space"))
