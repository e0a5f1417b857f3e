"""The large Play button over the network at the first start."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPointF, QPropertyAnimation, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QGraphicsOpacityEffect, QWidget

from lydian.app.look.theme import Theme
from lydian.language import tr, trc
from lydian.views.network.fit import open_point

__all__ = ["PlayButton", "free_place"]

#: The number of milliseconds in which the button fades.
FADE = 150
#: The distance between places that are tried where nothing is empty, and the least distance of the middle of the disc
#: from processes and links where something is.
STEP, LEAST = 6, 44.0
#: The shares of that distance that are tried one after the other in a small view, where links may pass under the disc.
TIGHTER = (1.0, 0.8, 0.6, 0.4)
_SIDES = ("left", "top", "right", "bottom")
#: The margin around the disc, beside the words, and between the two.
RIM, PAD, GAP = 8, 9.0, 2.0

Occupied = tuple[Sequence[QRectF], int, NDArray[np.float64]]


def _nothing() -> Occupied:
    return (), 0, np.empty((0, 4))


class PlayButton(QAbstractButton):
    """A disc with a triangle, and beside it the word Play with its key.

    Args:
        over: the widget that it is laid over.
        occupied: the boxes in that widget that the button should leave free, how many of the last may be covered if
            need be, and the lines, rows x1, y1, x2, y2.
    """

    SIZE = 80

    def __init__(self, theme: Theme, over: QWidget, occupied: Callable[[], Occupied] = _nothing) -> None:
        super().__init__(over)
        self._over, self._occupied = over, occupied
        self._placed: tuple[object, ...] = ()
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
        over.installEventFilter(self)
        self._place()

    def set_theme(self, theme: Theme) -> None:
        self._fit()
        self._place()

    def _fit(self) -> None:
        """Set the size for the disc, and for the words in their type."""
        word, key, _, high = self._chip()
        tall = max(self.SIZE + 2 * RIM, round(high) + 4)
        self.setFixedSize(QSize(round(self.SIZE + 2 * RIM + GAP + word + key + 3 * PAD) + 2, tall))

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
        if event.type() == QEvent.Type.Resize or (event.type() == QEvent.Type.Paint and self.isVisible()):
            self._place()
        return False

    def _place(self) -> None:
        """Move the disc to the emptiest place near the middle, or the button to the lower edge if there is none."""
        over = self._over.rect()
        boxes, soft, segments = self._occupied() if self.isVisible() else _nothing()
        now = (
            over.width(), over.height(), self.width(), self.height(), tuple(box.getRect() for box in boxes),
            segments.tobytes(),
        )  # fmt: skip
        if now == self._placed:
            return
        self._placed = now
        x, y = self._middle.toTuple()
        right, bottom = self.width() - x, self.height() - y
        words = self._words_box().translated(-x, -y)
        edges = np.array([_edges(box) for box in boxes]).reshape(-1, 4)
        room = 0.0, 0.0, float(over.width()), float(over.height())
        found = (
            open_point(room, (-x, -y, right, bottom), edges, segments, share * LEAST, _edges(words), soft)
            for share in TIGHTER
        )
        place = next((each for each in found if each is not None), None)
        if place is None:
            self.move(*free_place(over.size(), self.size(), boxes))
        else:
            self.move(round(place[0] - x), round(place[1] - y))

    @property
    def _middle(self) -> QPointF:
        """The middle of the disc in the button."""
        return QPointF(RIM + self.SIZE / 2, self.height() / 2)

    def hitButton(self, position) -> bool:  # type: ignore[no-untyped-def]
        return bool(self.rect().contains(position))

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle, r = self._middle, self.SIZE / 2 - 2
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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._place()

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

    def _words_box(self) -> QRectF:
        """Return the box of the word and the key in the button."""
        word, key, _, high = self._chip()
        return QRectF(self.SIZE + 2 * RIM + GAP, self._middle.y() - high / 2, word + key + 3 * PAD, high)

    def _words(self, p: QPainter) -> None:
        word, key, tall, high = self._chip()
        box = self._words_box()
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


def _edges(box: QRectF) -> tuple[float, float, float, float]:
    return box.left(), box.top(), box.right(), box.bottom()


def free_place(room: QSize, size: QSize, boxes: Sequence[QRectF]) -> tuple[int, int]:
    """Return where a rectangle covers the boxes least; of several such places, the one nearest to the middle of the
    lower edge.
    """
    xs = np.arange(0, max(room.width() - size.width(), 0) + 1, STEP)[:, None, None]
    ys = np.arange(0, max(room.height() - size.height(), 0) + 1, STEP)[None, :, None]
    left, top, right, bottom = (np.array([getattr(box, side)() for box in boxes]) for side in _SIDES)
    wide = np.minimum(xs + size.width(), right) - np.maximum(xs, left)
    high = np.minimum(ys + size.height(), bottom) - np.maximum(ys, top)
    covered = (np.maximum(wide, 0) * np.maximum(high, 0)).sum(axis=2)
    x, y = xs[:, :, 0], ys[:, :, 0]
    away = np.hypot(x - (room.width() - size.width()) / 2, y - (room.height() - size.height()))
    i, j = np.unravel_index(np.lexsort((away.ravel(), covered.ravel()))[0], covered.shape)
    return int(x[i, 0]), int(y[0, j])
