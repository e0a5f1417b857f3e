"""The plots of a sweep's results: frames, curves with their spread, single runs, and the numbers of the strangest."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_head
from lydian.app.look.theme import MESSAGE_KINDS, Theme
from lydian.app.painters.plots.marks import bars, beams, dots, line_through, ribbon
from lydian.app.painters.plots.published import curves, diamond, published, upright
from lydian.views.plots.boxes import Label
from lydian.views.plots.layout import KEY, Layout, laid_out
from lydian.views.plots.options import DISTRIBUTIONS
from lydian.views.plots.plots import Plot
from lydian.views.plots.tips import Badge, Found, badges
from lydian.views.plots.trails import Frame, Trail

__all__ = ["PlotPainter", "color_of", "pen_of"]

#: The look of the only series of a plot, which needs no kinds of message.
_ALONE = 1


def color_of(theme: Theme, look: int) -> QColor:
    """Return the colour of a series."""
    return theme.message(look % MESSAGE_KINDS).color


def pen_of(theme: Theme, look: int, width: float) -> QPen:
    """Return the line of a series: colour and dash; series beyond the number of looks are dotted as well."""
    style = theme.message(look % MESSAGE_KINDS)
    pen = QPen(style.color, width)
    dash = [1.0, 2.5] if look >= MESSAGE_KINDS else style.dash
    if dash:
        pen.setDashPattern([part / width for part in dash])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


class PlotPainter:
    """The painter of a :class:`~lydian.views.plots.plots.Plot`, in a window or into a file."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._metrics: dict[str, QFontMetricsF] = {}
        self._sizes: dict[tuple[str, str], tuple[float, float]] = {}

    def measure(self, text: str, role: str) -> tuple[float, float]:
        """Return the width and height of a text, as :func:`~lydian.views.plots.layout.laid_out` needs them."""
        found = self._sizes.get((text, role))
        if found is None:
            metrics = self._metrics.setdefault(role, QFontMetricsF(self.theme.font(role, semibold=True)))
            found = self._sizes[text, role] = (metrics.horizontalAdvance(text) + 1, metrics.height())
        return found

    def layout(self, plot: Plot, width: float, height: float) -> Layout:
        """Return the places of everything."""
        return laid_out(plot, width, height, self.measure)

    def paint(
        self, p: QPainter, layout: Layout, *, numbered: Mapping[int, int] | None = None, marked: int = -1,
        hover: Found | None = None,
    ) -> list[Badge]:  # fmt: skip
        """Paint the plot from (0, 0) on with an active painter.

        Args:
            numbered: runs whose number is drawn.
            marked: the run whose number is filled.
            hover: what the pointer is over.

        Returns:
            The places of the numbers.
        """
        theme = self.theme
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.fillRect(QRectF(0, 0, layout.width, layout.height), theme.color("surface.panel"))
        if layout.plot.empty:
            self._empty(p, layout)
            return []
        for frame in layout.frames:
            self._frame(p, layout, frame)
        self._leaders(p, layout)
        for label in layout.labels:
            self._label(p, label)
        for frame in layout.frames:
            p.save()
            box = QRectF(frame.box.x, frame.box.y, frame.box.w, frame.box.h)
            p.setClipRect(box.adjusted(-9, -9, 9, 9))
            self._content(p, layout, frame)
            p.restore()
        found = badges(layout, numbered or {}, self._radius)
        for badge in found:
            self._badge(p, badge, badge.run == marked)
        if hover is not None:
            p.setPen(QPen(theme.color("selection"), 2))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawEllipse(QPointF(hover.x, hover.y), 8, 8)
        return found

    # ------------------------------------------------------------------ parts

    @property
    def _radius(self) -> float:
        return self.measure("00", "caption")[1] * 0.62

    def _look(self, layout: Layout, look: int) -> int:
        return look if layout.plot.series else _ALONE

    def _pen(self, layout: Layout, look: int, width: float) -> QPen:
        """Return the line of a series, solid if it is the only one."""
        pen = pen_of(self.theme, self._look(layout, look), width)
        if not layout.plot.series:
            pen.setStyle(Qt.PenStyle.SolidLine)
        return pen

    def _empty(self, p: QPainter, layout: Layout) -> None:
        p.setFont(self.theme.font("body"))
        p.setPen(self.theme.color("text.hint"))
        inside = QRectF(16, 8, max(layout.width - 32, 1), max(layout.height - 16, 1))
        p.drawText(inside, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), layout.plot.empty)

    def _frame(self, p: QPainter, layout: Layout, frame: Frame) -> None:
        """Draw grid lines and the x axis."""
        box, theme = frame.box, self.theme
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.setPen(QPen(theme.color("border.subtle"), 1))
        for y in frame.across:
            p.drawLine(QPointF(box.x, round(y)), QPointF(box.right, round(y)))
        p.setPen(QPen(theme.color("border.control"), 1))
        p.drawLine(QPointF(box.x, round(box.bottom)), QPointF(box.right, round(box.bottom)))
        if not layout.plot.x.names:
            for x in frame.up:
                p.drawLine(QPointF(round(x), round(box.bottom)), QPointF(round(x), round(box.bottom) + 4))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _content(self, p: QPainter, layout: Layout, frame: Frame) -> None:
        kind = layout.plot.wish.kind
        if kind in DISTRIBUTIONS:
            for trail in frame.trails:
                self._distribution(p, layout, frame, trail)
            for sign in frame.signs:
                upright(p, sign, frame.box, self._ink(layout, sign.said.look))
            return
        for trail in frame.trails:
            self._behind(p, layout, trail)
        self._bounds(p, layout, frame)
        curves(p, frame.signs, lambda look: self._ink(layout, look))
        for sign in frame.signs:
            published(p, sign, frame.box, self._ink(layout, sign.said.look))
        for trail in frame.trails:
            self._before(p, layout, trail)

    def _distribution(self, p: QPainter, layout: Layout, frame: Frame, trail: Trail) -> None:
        look = self._look(layout, trail.series.look)
        color, pen = color_of(self.theme, look), self._pen(layout, trail.series.look, 2.0)
        pale = QColor(color)
        pale.setAlphaF(0.34 if len(frame.trails) == 1 else 0.12)
        kind = layout.plot.wish.kind
        if kind == "histogram":
            bars(p, trail.x, trail.value, frame.box.bottom, pen, pale)
        else:
            line_through(p, trail.x, trail.value, pen, None if kind == "ecdf" else (frame.box.bottom, pale))

    def _behind(self, p: QPainter, layout: Layout, trail: Trail) -> None:
        """Draw the pale parts: the middle 95 % as a band, and single runs."""
        look = self._look(layout, trail.series.look)
        kind = layout.plot.wish.kind
        color = QColor(color_of(self.theme, look))
        if kind == "mean" and len(trail.x):
            band = QColor(color)
            band.setAlphaF(0.14)
            ribbon(p, trail.x, trail.low, trail.high, band)
        some = trail.series.outside
        color.setAlphaF({"mean": 0.22, "runs": 0.5}.get(kind, 0.55))
        size = 3.2 if kind != "mean" else 2.6
        dots(p, trail.dots_x[some], trail.dots_y[some], color, size)

    def _before(self, p: QPainter, layout: Layout, trail: Trail) -> None:
        """Draw the strong parts: the curve, whiskers, boxes, heads."""
        look, kind = self._look(layout, trail.series.look), layout.plot.wish.kind
        color = color_of(self.theme, look)
        if kind == "spread":
            pale = QColor(color)
            pale.setAlphaF(0.3)
            beams(p, trail.x, trail.low, trail.high, trail.first, trail.third, color, pale, min(trail.step * 0.6, 14.0))
        elif kind == "mean":
            beams(p, trail.x, trail.first, trail.third, None, None, color, color, 9.0)
        if trail.law is not None and len(trail.law[0]) > 1:
            line_through(p, *trail.law, QPen(color, 1.2), None)
        curve = kind != "runs" or len(trail.x) > 1
        if curve and len(trail.x) > 1 and not layout.plot.x.names:
            line_through(p, trail.x, trail.value, self._pen(layout, trail.series.look, 1.8), None)
        if kind != "runs" or len(trail.x) > 1:
            size = self.theme.head * 0.92
            for x, y in zip(trail.x.tolist(), trail.value.tolist(), strict=True):
                draw_head(p, self.theme, x, y, 0.0, look % MESSAGE_KINDS, size)

    def _bounds(self, p: QPainter, layout: Layout, frame: Frame) -> None:
        """Draw the values that the formula predicts."""
        for look, x, y in frame.bounds:
            color = self.theme.color("text.secondary") if look < 0 else color_of(self.theme, self._look(layout, look))
            if layout.plot.x.names or len(x) == 1:
                pen = QPen(color, 1.6)
                half = min(26.0, frame.box.w / 6)
                p.setPen(pen)
                for at, high in zip(x.tolist(), y.tolist(), strict=True):
                    p.drawLine(QPointF(at - half, high), QPointF(at + half, high))
            else:
                line_through(p, x, y, _bound_pen(color), None)

    def _leaders(self, p: QPainter, layout: Layout) -> None:
        """Draw thin lines from the ends of curves to their names."""
        for x, y, to_x, to_y, look in layout.leaders:
            color = QColor(self._ink(layout, look))
            color.setAlphaF(0.45)
            p.setPen(QPen(color, 1))
            path = QPainterPath(QPointF(x, y))
            path.cubicTo(QPointF((x + to_x) / 2, y), QPointF((x + to_x) / 2, to_y), QPointF(to_x, to_y))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawPath(path)

    def _ink(self, layout: Layout, look: int) -> QColor:
        return self.theme.color("text.secondary") if look < 0 else color_of(self.theme, self._look(layout, look))

    def _label(self, p: QPainter, label: Label) -> None:
        theme, box, left = self.theme, label.box, label.box.x
        middle = box.y + box.h / 2
        if label.look == -2:
            p.setPen(_bound_pen(theme.color("text.secondary")))
            p.drawLine(QPointF(left, middle), QPointF(left + KEY - 6, middle))
        elif label.look == -3:
            diamond(p, left + (KEY - 6) / 2, middle, theme.color("text.secondary"))
        elif label.look >= 0:
            p.setPen(pen_of(theme, label.look, 1.8))
            p.drawLine(QPointF(left, middle), QPointF(left + KEY - 6, middle))
            draw_head(p, theme, left + (KEY - 6) / 2, middle, 0.0, label.look % MESSAGE_KINDS, theme.head * 0.92)
        if label.look != -1:
            left += KEY
        font = theme.font(label.role, semibold=label.strong)
        p.setFont(font)
        p.setPen(theme.color(label.color))
        metrics = QFontMetricsF(font)
        p.drawText(QPointF(left, middle + metrics.capHeight() / 2), label.text)

    def _badge(self, p: QPainter, badge: Badge, marked: bool) -> None:
        """Draw the number of one of the strangest runs."""
        theme, r = self.theme, self._radius
        ring = theme.color("accent.base")
        p.setPen(QPen(ring, 1.2))
        away = max(abs(badge.at_x - badge.x), abs(badge.at_y - badge.y)) > r
        if away:
            p.drawLine(QPointF(badge.x, badge.y), QPointF(badge.at_x, badge.at_y))
        p.setPen(QPen(ring, 1.8))
        p.setBrush(ring if marked else theme.color("surface.panel"))
        p.drawEllipse(QPointF(badge.at_x, badge.at_y), r, r)
        font = theme.font("caption", semibold=True)
        metrics = QFontMetricsF(font)
        p.setFont(font)
        p.setPen(theme.color("text.onAccent") if marked else ring)
        text = str(badge.number)
        at = QPointF(badge.at_x - metrics.horizontalAdvance(text) / 2, badge.at_y + metrics.capHeight() / 2)
        p.drawText(at, text)


def _bound_pen(color: QColor) -> QPen:
    pen = QPen(color, 1.6)
    pen.setDashPattern([4.0, 2.4])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen
