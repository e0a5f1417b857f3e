"""The painter of the static parts of the space-time diagram: lines and marks, with the dots over them.

Every part takes a strip: then only what may touch it is drawn, for a picture that was shifted sideways.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.fragments import draw_lines
from lydian.app.look.shapes import draw_text
from lydian.app.painters.hatches import draw_rects
from lydian.app.painters.time.axis import Geometry, alpha
from lydian.app.painters.time.dots import DETAILED, DotPainter, Mask, Strip
from lydian.language import trn
from lydian.views.time.highlight import FUTURE, LONGEST, PAST
from lydian.views.time.spacetime import ArrowScene

__all__ = ["DETAILED", "StillPainter"]


class StillPainter(DotPainter):
    """The painter of the parts of a :class:`~lydian.views.time.spacetime.ArrowScene`, each as if the run had ended.

    ``among`` restricts arrows or events to some of them.
    """

    # -- lines -------------------------------------------------------------------------------------------------

    def lines(
        self, p: QPainter, g: Geometry, scene: ArrowScene, strip: Strip = None, among: Mask | None = None
    ) -> None:
        """Draw everything below the dots: crashed spans, states of processes, marks, arrows."""
        self._crashes(p, g, scene, strip)
        self._tints(p, g, scene, strip)
        self._bars(p, g, scene)
        self._halos(p, g, scene, strip, among)
        detailed = len(scene.message) <= DETAILED
        width = self.width(g.pitch) if detailed else 1.0
        dim = self.number("chain.dimOpacity")
        strong = self.strong(scene) & self._in_rows(g, scene)
        known = self._touching(g, scene, strip, among)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, detailed)
        for kind, hue, some in self._groups(scene, known):
            style, color = self.theme.message(kind), self.color(scene, kind, hue)
            for full in (False, True):
                group = some[strong[some] == full]
                if not len(group):
                    continue
                pen = QPen(alpha(color, 1.0 if full else dim), width + (0.4 if scene.dimmed and full else 0.0))
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                if detailed and style.dash:
                    pen.setDashPattern([part / pen.widthF() for part in style.dash])
                p.setPen(pen)
                self._draw(p, g, scene, group)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        if among is None:
            self.through(p, g, scene, np.ones(len(scene.through), dtype=bool))

    def through(self, p: QPainter, g: Geometry, scene: ArrowScene, among: Mask) -> None:
        """Draw dashed arrows for causal chains through hidden processes."""
        if not among.any():
            return
        dim = self.number("chain.dimOpacity")
        table = scene.through
        marked = scene.through_bits > 0
        for full in (False, True):
            some = among & (marked == full) if scene.dimmed else among & full
            if not some.any():
                continue
            ink = alpha(self.theme.color("text.secondary"), 1.0 if full else dim)
            pen = QPen(ink, self.width(g.pitch), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([4.0, 3.0])
            p.setPen(pen)
            x0, y0, x1, y1 = g.at(table[some, 0]), g.y(table[some, 1]), g.at(table[some, 2]), g.y(table[some, 3])
            draw_lines(p, np.stack((x0, y0), axis=1), np.stack((x1, y1), axis=1))
            angle = np.arctan2(y1 - y0, x1 - x0)
            size, back = self.head(g) * 0.8, self.radius(g) + 1
            barbs = []
            for turn in (2.65, -2.65):
                x, y = x1 - np.cos(angle) * back, y1 - np.sin(angle) * back
                barbs.append(
                    (np.stack((x, y), axis=1), x + np.cos(angle + turn) * size, y + np.sin(angle + turn) * size)
                )
            p.setPen(QPen(ink, self.width(g.pitch)))
            for tip, x, y in barbs:
                draw_lines(p, tip, np.stack((x, y), axis=1))

    @staticmethod
    def _in_rows(g: Geometry, scene: ArrowScene) -> Mask:
        """Return the arrows that begin or end in a row in view; if rows are scrolled, the others only pass through."""
        if not g.scrolled:
            return np.ones(len(scene.message), dtype=bool)
        first, last = g.first - 0.5, g.first + g.seen - 0.5
        ends = (scene.source_row, scene.target_row)
        return np.logical_or(*((row >= first) & (row <= last) for row in ends))

    def _touching(self, g: Geometry, scene: ArrowScene, strip: Strip, among: Mask | None) -> Mask:
        """Return the arrows with an end that may touch the strip."""
        some = np.isfinite(scene.finish)
        if among is not None:
            some &= among
        if strip is not None:
            some &= (scene.begin <= g.place(strip[1] + 4)) & (scene.finish >= g.place(strip[0] - 4))
        return some

    def _groups(self, scene: ArrowScene, among: Mask) -> list[tuple[int, int, NDArray[np.int64]]]:
        """Yield arrows that look alike: kind, hue, places in the scene."""
        numbers = np.flatnonzero(among)
        codes = scene.kind[numbers].astype(np.int64) * 64 + scene.hue[numbers] + 1
        if len(scene.message) > DETAILED and scene.color != "kind":
            codes %= 64  # without dashes, kinds look alike
        return [(code // 64, code % 64 - 1, numbers[codes == code]) for code in np.unique(codes).tolist()]

    def _draw(self, p: QPainter, g: Geometry, scene: ArrowScene, some: NDArray[np.int64] | Mask) -> None:
        """Draw lines of arrows with the painter's pen, clipped far outside the plot."""
        x0, y0 = g.at(scene.begin[some]), g.y(scene.source_row[some])
        x1, y1 = g.at(scene.finish[some]), g.y(scene.end_row[some])
        low, high = g.left - 3000.0, g.right + 3000.0
        if len(x0) and (float(x0.min()) < low or float(x1.max()) > high):
            slope = np.divide(y1 - y0, x1 - x0, out=np.zeros_like(x0), where=x1 > x0)
            a, b = np.maximum(x0, low), np.minimum(x1, high)
            y0, y1, x0, x1 = y0 + (a - x0) * slope, y1 - (x1 - b) * slope, a, b
        draw_lines(p, np.stack((x0, y0), axis=1), np.stack((x1, y1), axis=1))

    def ghost(
        self, p: QPainter, g: Geometry, scene: ArrowScene, strip: Strip = None, among: Mask | None = None
    ) -> None:
        """Draw the future at full strength: thin lines without heads."""
        self._tints(p, g, scene, strip)
        self._bars(p, g, scene)
        some = self._touching(g, scene, strip, among)
        self._thin(p, g, scene, some)
        if among is None:
            self.through(p, g, scene, np.ones(len(scene.through), dtype=bool))

    def marked(
        self, p: QPainter, g: Geometry, scene: ArrowScene, strip: Strip = None, among: Mask | None = None
    ) -> None:
        """Draw only marked and selected arrows, with their halos."""
        self._halos(p, g, scene, strip, among)
        self._thin(p, g, scene, self._touching(g, scene, strip, among) & ((scene.bits > 0) | scene.chosen))

    def _thin(self, p: QPainter, g: Geometry, scene: ArrowScene, among: Mask) -> None:
        few = len(scene.message) <= DETAILED
        p.setRenderHint(QPainter.RenderHint.Antialiasing, few)
        for kind, hue, some in self._groups(scene, among):
            p.setPen(QPen(self.color(scene, kind, hue), 0.8 * self.theme.line("event") if few else 1.0))
            self._draw(p, g, scene, some)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _halos(self, p: QPainter, g: Geometry, scene: ArrowScene, strip: Strip, among: Mask | None) -> None:
        """Draw halos of the causal past and future, of the longest chain, and of selected messages."""
        known = self._touching(g, scene, strip, among)
        round_cap = Qt.PenCapStyle.RoundCap
        for bit, name, width in (
            (PAST, "chain.past", "causalHalo"),
            (FUTURE, "chain.future", "causalHalo"),
            (LONGEST, "chain.longest", "longestHalo"),
        ):
            arrows = known & ((scene.bits & bit) > 0)
            spans = scene.span_bit == bit
            if not (arrows.any() or spans.any()):
                continue
            under = alpha(self.theme.color(name), 0.55 if bit == LONGEST else 0.36)
            p.setPen(QPen(under, self.theme.line(width), Qt.PenStyle.SolidLine, round_cap))
            self._draw(p, g, scene, arrows)
            y = g.y(scene.span_row[spans].astype(np.float64))
            x0 = np.maximum(g.at(scene.span_begin[spans]), g.left - 50)
            x1 = np.maximum(np.minimum(g.at(scene.span_end[spans]), g.rect.right() + 50), x0)
            a, b = np.stack((x0, y), axis=1), np.stack((x1, y), axis=1)
            draw_lines(p, a, b)
            p.setPen(QPen(self.theme.color(name), self.theme.line("event") + 0.2))
            draw_lines(p, a, b)
        chosen = known & scene.chosen
        if chosen.any():
            color = alpha(self.theme.color("selection"), 0.35)
            p.setPen(QPen(color, self.theme.line("causalHalo"), Qt.PenStyle.SolidLine, round_cap))
            self._draw(p, g, scene, chosen)

    def _crashes(self, p: QPainter, g: Geometry, scene: ArrowScene, strip: Strip) -> None:
        """Draw the rows of crashed processes, from the crash on."""
        near, far = g.plot.left() - 10, g.plot.right() + 10
        for row, start, stop in zip(
            scene.crash_row.tolist(), scene.crash_begin.tolist(), scene.crash_end.tolist(), strict=True
        ):
            x0, x1, y = float(g.at(start)), min(float(g.at(stop)), far), g.y(row)
            if strip is not None and (x1 < strip[0] - 4 or x0 > strip[1] + 4):
                continue
            inset = min(2.0, g.pitch * 0.1)
            box = QRectF(max(x0, near), y - g.pitch / 2 + inset, x1 - max(x0, near), g.pitch - 2 * inset)
            p.fillRect(box, self.theme.color("fault.soft"))
            pen = QPen(alpha(self.theme.color("fault.base"), 0.7), self.theme.line("event"))
            pen.setDashPattern([5.0, 3.4])
            pen.setDashOffset((max(x0, near) - x0) / pen.widthF())
            p.setPen(pen)
            p.drawLine(QPointF(max(x0, near), y), QPointF(x1, y))

    def _tints(self, p: QPainter, g: Geometry, scene: ArrowScene, strip: Strip) -> None:
        """Draw the lines of processes in the colours of their states, unless they are in the state of the start."""
        near, far = strip or (g.plot.left(), g.plot.right())
        some = (scene.tint_begin <= g.place(far + 8)) & (scene.tint_end >= g.place(near - 8))
        strength = self.number("chain.tint") * (self.number("chain.dimOpacity") if scene.dimmed else 1.0)
        p.save()
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        body = QRectF(g.left, g.plot.top(), g.plot.right() - g.left, g.plot.height())
        p.setClipRect(body, Qt.ClipOperation.IntersectClip)
        high = max(1.0, round(min(self.theme.line("tint"), g.pitch * 0.3)))
        for slot in np.unique(scene.tint_slot[some]).tolist():
            mine = some & (scene.tint_slot == slot)
            x0, x1 = np.maximum(g.at(scene.tint_begin[mine]), near - 8), np.minimum(g.at(scene.tint_end[mine]), far + 8)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(alpha(self.theme.state(slot).fill, strength))
            draw_rects(p, x0, np.round(g.y(scene.tint_row[mine])) - high / 2, np.maximum(x1 - x0, 0.0), high)
        p.restore()

    def _bars(self, p: QPainter, g: Geometry, scene: ArrowScene) -> None:
        """Draw operations on shared registers from their beginnings to their ends, with their words below."""
        if not len(scene.bars):
            return
        p.save()
        body = QRectF(g.left, g.plot.top(), g.plot.right() - g.left, g.plot.height())
        p.setClipRect(body, Qt.ClipOperation.IntersectClip)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        font = self.theme.font("caption")
        metrics = QFontMetricsF(font)
        high = min(15.0, g.pitch * 0.5)
        roomy = g.pitch > high + 2 * metrics.height()
        dim = self.number("chain.dimOpacity") if scene.dimmed else 1.0
        for number, text in enumerate(scene.bars.words):
            x0, x1 = float(g.at(scene.bars.begin[number])), float(g.at(scene.bars.end[number]))
            y = float(g.y(scene.bars.row[number]))
            writes = bool(scene.bars.writes[number])
            color = self.theme.state(4).fill if writes else self.theme.color("accent.base")
            box = QRectF(x0 - 5, y - high / 2, x1 - x0 + 10, high)
            p.setPen(QPen(alpha(color, 0.9 * dim), 1.4))
            p.setBrush(alpha(color, 0.14 * dim))
            p.drawRoundedRect(box, high / 2, high / 2)
            wide = metrics.horizontalAdvance(text)
            if roomy and wide <= box.width() + 24:
                line = QRectF(box.center().x() - wide / 2 - 2, y + high / 2 + 2, wide + 4, metrics.height())
                p.setFont(font)
                p.setPen(alpha(self.theme.color("text.primary"), dim))
                p.drawText(line, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine), text)
        p.restore()

    def length(self, p: QPainter, g: Geometry, scene: ArrowScene, longest: int) -> None:
        """Draw the length of the highlighted chain near its end, inside the plot and beside labels, if it fits."""
        place = int(np.searchsorted(scene.event, scene.chain))
        if scene.chain < 0 or place >= len(scene.event) or scene.event[place] != scene.chain:
            return
        x, y = float(g.at(scene.place[place])), float(g.y(scene.row[place]))
        text = trn("{count:,} message long", "{count:,} messages long", longest)
        metrics = QFontMetricsF(self.theme.font("small", semibold=True))
        wide, high = metrics.horizontalAdvance(text), metrics.capHeight() + 4
        away = self.radius(g) + 9.0
        side = -wide / 2 if x > (g.left + g.right) / 2 else wide / 2
        heights = (max(12.0, away), -max(14.0, away + 2), g.pitch + 12.0, -g.pitch - 14.0)
        below = QPointF(x + side, y + heights[0])
        taken = self.labels.boxes(g, scene, self.radius(g))
        for middle in (QPointF(x + away + wide / 2, y), *(QPointF(x + side, y + dy) for dy in heights)):
            box = QRectF(middle.x() - wide / 2, middle.y() - high / 2, wide, high)
            inside = box.right() <= g.right and box.left() >= g.left and g.top - 4 <= box.top() <= g.bottom - high
            if inside and not any(box.intersects(other) for other in taken):
                break
        else:
            middle = below
        draw_text(
            p, self.theme, middle.x(), middle.y(), text, "small", "chain.longestInk", True, "center", semibold=True
        )
