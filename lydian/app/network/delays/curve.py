"""The curve of a distribution, with a mean that can be dragged."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from lydian.app.look.theme import Theme
from lydian.language import tr
from lydian.model.delays import Distribution
from lydian.views.network.curves import Curve, curve, numbers, reach, sample, ticks
from lydian.views.network.delays import shown_number, tidy

__all__ = ["CurveView", "curve_path"]

#: The distance in pixels within which the mouse grips the mark of the mean.
NEAR = 14.0
#: The share of the axis by which a key moves the mean; with Shift it moves ten times as far.
KEY = 1 / 100
#: A steep inherited curve is cut at this multiple of the height of the link's own curve.
STEEPEST = 2.2
#: The space above the curve for its labels, as a share of its height.
HEAD = 0.16
#: The share of the axis within which the mean can be dragged.
LAST = 0.97


class CurveView(QWidget):
    """A plot of a density and, dashed, the inherited one, with a handle for the mean, the 90 % mark and some draws."""

    #: Emitted with the new mean while it is dragged or moved by the keys.
    mean_moved = Signal(float)
    #: Emitted when the mean is no longer being moved.
    settled = Signal()
    #: Emitted when Esc is pressed during a drag.
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.law: Distribution | None = None
        self.inherited: Distribution | None = None
        self.inherited_words = ""
        self.empty_words = ""
        self.shape: Curve | None = None
        self.behind: Curve | None = None
        self.draws: NDArray[np.float64] = np.empty(0)
        self.dragging = False
        self._upto = self._top = 1.0
        self._most = 0.0
        self._keyed = False
        self._hover = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Mean on the curve"))
        self.setAccessibleDescription(tr("Left and Right move the mean, with Shift in larger steps"))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(340, 130 + round(4.2 * self.theme.px("small")))

    def show_law(
        self,
        law: Distribution | None,
        inherited: Distribution | None = None,
        words: str = "",
        draws: NDArray[np.float64] | None = None,
        empty: str = "",
    ) -> None:
        """Show a distribution.

        Args:
            law: the distribution; ``None`` shows the sentence ``empty`` instead.
            inherited: the distribution that would be inherited, drawn dashed.
            words: the source of the inherited one: "network", "long-haul".
            draws: the numbers shown below the axis; by default the first draws of the distribution.
            empty: the reason why there is no distribution.
        """
        self.law, self.inherited = law, None if inherited == law else inherited
        self.inherited_words, self.empty_words = words, empty
        if law is None:
            self.shape = self.behind = None
        else:
            laws = [each for each in (law, self.inherited) if each is not None]
            if not self.dragging:
                self._upto = min(reach(*laws), 3 * reach(law))
            self.shape = curve(law, self._upto)
            self.behind = None if self.inherited is None else curve(self.inherited, self._upto)
            self._top = self.shape.top
            if self.behind is not None:
                self._top = max(self._top, min(self.behind.top, STEEPEST * self._top or self.behind.top))
            self._top *= 1 + HEAD
            self.draws = sample(law) if draws is None else draws
            told = numbers(law, self.draws)
            self._most = told.most
            self.setAccessibleDescription(
                tr(
                    "Mean {mean}, 90 % below {most}. Left and Right move the mean, with Shift in larger steps",
                    mean=shown_number(law.mean),
                    most=shown_number(told.most),
                )
            )
        self.update()

    # ------------------------------------------------------------------ places

    @property
    def plot(self) -> QRectF:
        """The rectangle in which the curve is drawn, without the draws and the numbers below it."""
        small = self.theme.px("small")
        return QRectF(12, 8 + small * 0.4, max(self.width() - 24, 10), self.height() - 8 - small * 3.6)

    def x_of(self, value: float) -> float:
        """Return the horizontal position of a number, in pixels."""
        return self.plot.left() + value / self._upto * self.plot.width()

    def mean_point(self) -> QPointF | None:
        """Return the position of the mark of the mean."""
        if self.shape is None:
            return None
        plot, mean = self.plot, self.shape.mean
        high = self.shape.height(mean) * plot.height() * (1 / (1 + HEAD) if self._spiked else self._share)
        return QPointF(self.x_of(min(mean, self._upto)), plot.bottom() - high)

    @property
    def _spiked(self) -> bool:
        """Whether the mean is a number of positive probability."""
        return self.shape is not None and any(at == self.shape.mean for at, _ in self.shape.spikes)

    @property
    def _share(self) -> float:
        """The height of the link's own curve as a share of the plot; an inherited curve may be higher."""
        return self.shape.top / self._top if self.shape is not None and self._top else 1.0

    def _value(self, x: float) -> float:
        share = min(max((x - self.plot.left()) / self.plot.width(), 0.0), LAST)
        step = self._step
        return tidy(max(round(share * self._upto / step) * step, step), 6)

    @property
    def _step(self) -> float:
        """The step to which the mean is rounded: about half a pixel, and 1, 2 or 5 times a power of ten."""
        least = self._upto / 600
        power = 10.0 ** math.floor(math.log10(least))
        return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)

    # ------------------------------------------------------------------ mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = self.mean_point()
        if event.button() == Qt.MouseButton.LeftButton and point is not None:
            at = event.position()
            if QLineF(at, point).length() <= NEAR or abs(at.x() - point.x()) <= NEAR / 2:
                self.dragging = True
                self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.dragging and not event.buttons():
            self._end()  # the release went to a menu or to another window
            self.settled.emit()
        if self.dragging:
            self.mean_moved.emit(self._value(event.position().x()))
            return
        point = self.mean_point()
        at = event.position()
        hover = point is not None and (QLineF(at, point).length() <= NEAR or abs(at.x() - point.x()) <= NEAR / 2)
        if hover != self._hover:
            self._hover = hover
            self.setCursor(Qt.CursorShape.SizeHorCursor if hover else Qt.CursorShape.ArrowCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.dragging and event.button() == Qt.MouseButton.LeftButton:
            self._end()
            self.settled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.dragging:
            self.cancelled.emit()
            self._end()
            return
        way = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if way is None or self.law is None:
            super().keyPressEvent(event)
            return
        many = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        self._keyed = True
        step = _round(self._upto * KEY) * many
        self.mean_moved.emit(tidy(max(self.law.mean + way * step, self._step), 6))

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._keyed and not event.isAutoRepeat() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._keyed = False
            self.settled.emit()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._keyed or self.dragging:
            self._keyed = False
            self._end()
            self.settled.emit()
        super().focusOutEvent(event)

    def _end(self) -> None:
        self.dragging = False
        self.show_law(self.law, self.inherited, self.inherited_words, self.draws, self.empty_words)

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(p)
        finally:
            p.end()

    def _paint(self, p: QPainter) -> None:
        theme = self.theme
        focus = self.hasFocus()
        p.setPen(QPen(theme.color("accent.ring" if focus else "border.subtle"), 2 if focus else 1))
        p.setBrush(theme.color("surface.panelAlt"))
        edge = 1.0 if focus else 0.5
        p.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), 6, 6)
        if self.shape is None:
            p.setFont(theme.font("small"))
            p.setPen(theme.color("text.hint"))
            centred = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            p.drawText(self.rect().adjusted(16, 8, -16, -8), centred, self.empty_words)
            return
        plot = self.plot
        self._axis(p, plot)
        top = self._top
        if self.behind is not None:
            dashed = QPen(theme.color("text.hint"), 1.3)
            dashed.setDashPattern([4, 3])
            p.setPen(dashed)
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.save()
            p.setClipRect(plot)
            p.drawPath(curve_path(self.behind, plot, top, 8.0))
            p.restore()
            self._spikes(p, plot, self.behind, dashed)
        accent = theme.color("accent.base")
        path = curve_path(self.shape, plot, top)
        soft = QColor(accent)
        soft.setAlphaF(0.14)
        filled = QPainterPath(path)
        filled.lineTo(plot.right(), plot.bottom())
        filled.lineTo(plot.left(), plot.bottom())
        filled.closeSubpath()
        p.save()
        p.setClipRect(plot.adjusted(0, -2, 0, 2))
        p.fillPath(filled, soft)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.strokePath(path, QPen(accent, 2))
        p.restore()
        self._spikes(p, plot, self.shape, QPen(accent, 2.4))
        self._rug(p, plot)
        self._marks(p, plot)

    def _axis(self, p: QPainter, plot: QRectF) -> None:
        theme = self.theme
        p.setFont(theme.font("small"))
        metrics = QFontMetricsF(p.font())
        baseline = self.height() - 5
        for value in ticks(self._upto, 6 if theme.scale < 1.5 else 3):
            x = self.x_of(value)
            p.setPen(QPen(theme.color("border.subtle"), 1))
            p.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            text = f"{value:.6g}"
            wide = metrics.horizontalAdvance(text)
            p.setPen(theme.color("text.secondary"))
            p.drawText(QPointF(min(max(x - wide / 2, 3), self.width() - wide - 3), baseline), text)
        p.setPen(QPen(theme.color("border.control"), 1))
        p.drawLine(plot.bottomLeft(), plot.bottomRight())

    def _spikes(self, p: QPainter, plot: QRectF, shape: Curve, pen: QPen) -> None:
        p.setPen(pen)
        for at, share in shape.spikes:
            if at <= self._upto:
                x = self.x_of(at)
                p.drawLine(
                    QPointF(x, plot.bottom()), QPointF(x, plot.bottom() - max(share / (1 + HEAD) * plot.height(), 3))
                )

    def _rug(self, p: QPainter, plot: QRectF) -> None:
        """Paint the draws below the axis."""
        ink = self.theme.color("text.primary")
        ink.setAlphaF(0.5)
        p.setPen(QPen(ink, 1))
        top = plot.bottom() + 4
        high = self.theme.px("small") * 0.9
        left, right = plot.left(), plot.right()
        lines = [
            QLineF(x, top, x, top + high)
            for x in (left + self.draws / self._upto * plot.width()).tolist()
            if left <= x <= right
        ]
        p.drawLines(lines)

    def _marks(self, p: QPainter, plot: QRectF) -> None:
        """Paint the mean with its handle and the number below which 90 % are, with labels that do not overlap."""
        theme, shape, mean = self.theme, self.shape, self.mean_point()
        if shape is None or mean is None:
            return
        accent = theme.color("accent.base")
        dots = QPen(accent, 1.4)
        dots.setDashPattern([1.5, 2])
        most_x = self.x_of(self._most)
        has_most = self._most <= self._upto and self._most > shape.mean * 1.0001
        p.setPen(dots)
        p.drawLine(QPointF(mean.x(), plot.bottom()), mean)
        if has_most:
            high = plot.bottom() - max(shape.height(self._most) * self._share * plot.height(), 12)
            p.drawLine(QPointF(most_x, plot.bottom()), QPointF(most_x, high))
        p.setPen(QPen(accent, 2.4))
        p.setBrush(theme.color("surface.panel"))
        radius = 7.5 if self.dragging or self._hover or self.hasFocus() else 6.0
        p.drawEllipse(mean, radius, radius)
        p.setFont(theme.font("small", semibold=True))
        metrics = QFontMetricsF(p.font())
        line = metrics.height()
        words = tr("mean {mean}") if self.dragging else tr("mean {mean} — drag")
        words = words.format(mean=shown_number(shape.mean))
        wide = metrics.horizontalAdvance(words)
        left = mean.x() + 13 if mean.x() + 13 + wide <= self.width() - 6 else mean.x() - 13 - wide
        first = QRectF(max(left, 6), min(max(mean.y() - line - 3, 3), plot.bottom() - 2 * line - 6), wide, line)
        self._word(p, first, words, accent)
        taken = [first]
        if has_most:
            text = tr("90 % below {most}", most=shown_number(self._most))
            wide = metrics.horizontalAdvance(text)
            x = min(max(most_x - wide / 2, 6), self.width() - wide - 6)
            second = QRectF(x, max(high - line - 3, 3), wide, line)
            if second.intersects(first.adjusted(-6, -1, 6, 1)):
                below = first.bottom() + 1
                second.moveTop(below if below + line <= plot.bottom() - 2 else first.top() - line - 1)
            if second.adjusted(-9, -4, 9, 4).contains(mean):
                second.moveLeft(min(mean.x() + 13, self.width() - wide - 6))
            self._word(p, second, text, accent)
            taken.append(second)
        if self.behind is not None:
            self._inherited_word(p, plot, taken)

    def _inherited_word(self, p: QPainter, plot: QRectF, taken: list[QRectF]) -> None:
        p.setFont(self.theme.font("small"))
        metrics = QFontMetricsF(p.font())
        text = metrics.elidedText(
            tr("dashed: {source} (inherited)", source=self.inherited_words),
            Qt.TextElideMode.ElideRight,
            plot.width() * 0.8,
        )
        wide = metrics.horizontalAdvance(text)
        for top in (plot.top() - 2, plot.top() + metrics.height()):
            box = QRectF(plot.right() - wide - 2, top, wide, metrics.height())
            if not any(box.adjusted(-4, -1, 4, 1).intersects(other) for other in taken):
                self._word(p, box, text, self.theme.color("text.secondary"))
                return

    def _word(self, p: QPainter, box: QRectF, text: str, ink: QColor) -> None:
        """Paint a label on a patch of the background, so that no line runs through it."""
        ground = self.theme.color("surface.panelAlt")
        ground.setAlphaF(0.82)
        p.fillRect(box.adjusted(-2, 1, 2, -1), ground)
        p.setPen(ink)
        p.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)


def curve_path(shape: Curve, plot: QRectF, top: float, most: float = 1.0) -> QPainterPath:
    """Return the path of a curve in a rectangle whose upper edge is the density ``top``; cut it at ``most`` of that."""
    path = QPainterPath()
    if not top or not shape.y.any():
        path.moveTo(plot.bottomLeft())
        return path
    x = plot.left() + shape.x / shape.upto * plot.width()
    y = plot.bottom() - np.minimum(shape.y / top, most) * plot.height()
    for number, (px, py) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        (path.lineTo if number else path.moveTo)(px, py)
    return path


def _round(value: float) -> float:
    """Return the number rounded to one significant digit."""
    return float(f"{value:.1g}")
