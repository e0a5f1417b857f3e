"""The painter of bars beside the network: the frequency of each number at the moment."""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.hatches import hatch
from lydian.app.painters.ink import MIDDLE, RIGHT, Ink
from lydian.app.painters.layers import is_raster
from lydian.app.painters.pieces.chart import levels_between, number_text
from lydian.app.painters.pieces.panelink import draw_reason
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.language import tr
from lydian.pieces.bars import BarsFrame
from lydian.views.network.basic import BasicFrame

__all__ = ["BarsPainter"]

#: The maximum width of a bar.
WIDEST = 44.0


class BarsPainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.bars.BarsFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    # ------------------------------------------------------------------ places

    def _high(self, bars: BarsFrame) -> float:
        return max(bars.classes.most, 1.0)

    def _levels(self, box: QRectF, bars: BarsFrame, k: float) -> list[tuple[float, str]]:
        found = levels_between(0.0, self._high(bars), min(max(int((box.height() - 60 * k) / (26 * k)), 2), 6))
        return [(value, text) for value, text in found if value == round(value)]

    def plot(self, box: QRectF, bars: BarsFrame) -> QRectF:
        """Return the area of the bars; each class has an equal part of the width."""
        k = self.theme.px("small") / 12
        numbers = max((self.ink.width(text, "small") for _, text in self._levels(box, bars, k)), default=0.0)
        left = box.left() + 12 * k + numbers + 8 * k + (16 * k if bars.declared.axis else 0.0)
        top, under = box.top() + 32 * k, 24 * k
        wide = min(box.right() - 14 * k - left, WIDEST * k * max(len(bars.classes.seqs), 1))
        return QRectF(left, top, wide, box.bottom() - under - top)

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, bars: BarsFrame) -> None:
        """Draw the bars."""
        k = self.theme.px("small") / 12
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        if bars.problem:
            draw_reason(p, self.theme, box.adjusted(20 * k, 8 * k, -20 * k, -8 * k), bars.problem)
            p.restore()
            return
        line = QRectF(box.left() + 12 * k, box.top() + 5 * k, box.width() - 26 * k, 18 * k)
        words = self._summary(bars)
        wide = self.ink.width(words, "small")
        title = self.ink.width(bars.declared.title, "small", semibold=True)
        if title + wide + 16 * k <= line.width():
            self.ink.text(p, line, words, "small", "text.secondary", RIGHT)
        self.ink.text(p, line, bars.declared.title, "small", "text.primary", semibold=True)
        self._bars(p, box, self.plot(box, bars), bars, k)
        p.restore()

    def _summary(self, bars: BarsFrame) -> str:
        total = f"{number_text(bars.total)} {bars.declared.axis or tr('values')}"
        if not math.isfinite(bars.mean):
            return total
        return tr("{total}, mean {mean}", total=total, mean=number_text(float(f"{bars.mean:.3g}")))

    def _bars(self, p: QPainter, box: QRectF, plot: QRectF, bars: BarsFrame, k: float) -> None:
        ink, high = self.ink, self._high(bars)
        for value, text in self._levels(box, bars, k):
            y = plot.bottom() - plot.height() * value / high
            p.setPen(QPen(self.theme.color("surface.grid"), 1))
            p.drawLine(QPointF(plot.left(), y), QPointF(box.right() - 14 * k, y))
            ink.text(p, QRectF(box.left(), y - 8 * k, plot.left() - 6 * k - box.left(), 16 * k), text, "small",
                     "text.secondary", RIGHT)  # fmt: skip
        classes = bars.classes
        slot = plot.width() / max(len(bars.now), 1)
        gap = min(max(slot * 0.14, 0.5), 4 * k)
        look = self.theme.state(bars.declared.slot)
        p.setBrush(hatch(self.theme, bars.declared.slot) if is_raster(p) and slot >= 8 * k else look.fill)
        p.setPen(QPen(look.outline, 1) if slot >= 6 * k else Qt.PenStyle.NoPen)
        for place, count in enumerate(bars.now):
            tall = plot.height() * min(max(count / high, 0.0), 1.0)
            if tall > 0:
                p.drawRect(QRectF(plot.left() + place * slot + gap, plot.bottom() - tall, slot - 2 * gap, tall))
        p.setPen(QPen(self.theme.color("border.control"), 1))
        p.drawLine(plot.bottomLeft(), QPointF(box.right() - 14 * k, plot.bottom()))
        self._numbers(p, box, plot, bars, slot, k)
        if not classes.seqs:
            ink.text(p, plot, tr("no values yet"), "small", "text.hint", MIDDLE)
        axis = bars.declared.axis
        if axis and ink.width(axis, "small") <= plot.height() + 20 * k:
            p.save()
            p.translate(box.left() + 14 * k, plot.center().y())
            p.rotate(-90)
            long = plot.height() + 24 * k
            ink.text(p, QRectF(-long / 2, -8 * k, long, 16 * k), axis, "small", "text.hint", MIDDLE)
            p.restore()

    def _numbers(self, p: QPainter, box: QRectF, plot: QRectF, bars: BarsFrame, slot: float, k: float) -> None:
        """Draw the numbers under the bars, centred for whole numbers, else at the bounds of the classes."""
        classes, ink = bars.classes, self.ink
        line = QRectF(plot.left(), plot.bottom() + 4 * k, box.right() - 14 * k - plot.left(), 16 * k)
        word = ink.width(bars.declared.word, "small") + 8 * k if bars.declared.word else 0.0
        ink.text(p, line, bars.declared.word, "small", "text.hint", RIGHT)
        texts = [number_text(float(f"{classes.low + i * classes.step:.6g}")) for i in range(len(classes.seqs))]
        widest = max((ink.width(text, "small") for text in texts), default=0.0)
        step = max(1, math.ceil((widest + 8 * k) / max(slot, 1e-9)))
        for place in range(0, len(texts), step):
            middle = plot.left() + (place + (0.5 if classes.single else 0.0)) * slot
            if middle + widest / 2 <= line.right() - word:
                under = QRectF(middle - widest, line.top(), 2 * widest, line.height())
                ink.text(p, under, texts[place], "small", "text.secondary", MIDDLE)

    # ------------------------------------------------------------------ pointing

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, bars: BarsFrame) -> str:
        """Describe the bar above or below a point, as rich text."""
        plot = self.plot(box, bars)
        if bars.problem or not bars.now or not plot.adjusted(0, -6, 0, 16).contains(pos):
            return ""
        place = min(int((pos.x() - plot.left()) / plot.width() * len(bars.now)), len(bars.now) - 1)
        word = f"{bars.declared.word} " if bars.declared.word else ""
        count = f"{number_text(bars.now[place])} {bars.declared.axis}".rstrip()
        return f"<b>{escape(word + bars.classes.words(place))}</b><br>{escape(count)}"
