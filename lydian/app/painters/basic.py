"""Draws the basic view: the network, the states of its processes, and every message where it is.

Links are kept as a picture where there are many; above 250 processes shapes and messages are sprites drawn by one
call.  What is drawn at which size follows the tokens' levels of detail; a state never loses its colour or shape.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPaintEngine, QPainter, QPainterPath, QPen

from lydian.app.look.fragments import Atlas
from lydian.app.look.shapes import draw_process, draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters import netmap, nettips
from lydian.app.painters.bands import LONGEST, draw_band
from lydian.app.painters.labels import crossing, place_chips, place_texts
from lydian.app.painters.legend import NONE, Legend, layout_legend, legend_tip, paint_legend
from lydian.app.painters.linklayer import LinkLayer, chip_size, chip_text, draw_chip, segments_of
from lydian.app.painters.messages import MessageLayer
from lydian.app.painters.netmap import Camera, Floats, Map
from lydian.views.basic import BasicFrame
from lydian.views.frame import Hit

__all__ = ["BasicPainter"]

#: More chips than this would hide the network.
CHIPS = 40
Texts = dict[int, QRectF]


class BasicPainter:
    """Draws frames of :mod:`lydian.views.basic`; one for each widget, as it keeps what it has drawn."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._links = LinkLayer(theme)
        self._messages = MessageLayer(theme)
        self._atlases: dict[tuple[float, float], Atlas] = {}
        self._map: tuple[Hashable, Map, Legend] | None = None
        self._chips: tuple[object, Texts] | None = None
        self._texts: tuple[Hashable, Texts, dict[int, frozenset[int]]] | None = None
        self._written: set[int] = set()  # the processes whose text is drawn; the others show a number

    # ------------------------------------------------------------------ places

    def fitted(self, rect: QRectF, frame: BasicFrame) -> tuple[float, float, float]:
        """Scale and offsets of a camera that shows everything."""
        legend = layout_legend(self.theme, rect, frame.legend)
        return netmap.fitted(self.theme, rect, frame, legend.height)

    def map(self, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> Map:
        """Where everything is."""
        return self._placed(rect, frame, camera)[0]

    def _placed(self, rect: QRectF, frame: BasicFrame, camera: Camera | None) -> tuple[Map, Legend]:
        lens = None if camera is None or camera.scale is None else (camera.scale, camera.dx, camera.dy)
        sizes = tuple((item.sort, item.number, item.widest, item.most) for item in frame.legend)
        key = (rect.getRect(), lens, id(frame.scene), sizes)
        if self._map is None or self._map[0] != key:
            legend = layout_legend(self.theme, rect, frame.legend) if frame.legend else NONE
            self._map = key, netmap.map_for(self.theme, rect, frame, camera, legend.height), legend
        return self._map[1], self._map[2]

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> None:
        """Draw the frame into the rectangle."""
        m, legend = self._placed(rect, frame, camera)
        picture = p.paintEngine().type() in (QPaintEngine.Type.Raster, QPaintEngine.Type.OpenGL2)
        p.save()
        p.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        p.fillRect(rect, self.theme.color("surface.canvas"))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._links.paint(p, m, frame, picture=picture)
        self._marked_links(p, m, frame)
        self._bands(p, m, frame)
        self._marks(p, m, frame)
        if m.level == "full":
            self._paint_chips(p, m, frame)
            self._paint_texts(p, m, legend, frame)
        self._messages.paint(p, m, frame, picture=picture)
        self._processes(p, m, frame, picture)
        self._messages.paint_losses(p, m, frame)
        self._rings(p, m, frame)
        paint_legend(p, self.theme, legend, frame.legend, frame.animation)
        p.restore()

    def _bands(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Pointers: the thin ones first, the longest waiting chain last."""
        thin = m.level in ("small", "dense")
        for band in sorted(frame.bands, key=lambda band: band.style == "waiting"):
            for on_longest in (False, True):
                chosen = band.longest == on_longest
                for a, b in zip(band.source[chosen].tolist(), band.target[chosen].tolist(), strict=True):
                    ends = tuple(m.points[a].tolist()), tuple(m.points[b].tolist())
                    if not m.visible[a] and not m.visible[b]:
                        continue
                    if thin:
                        self._thin_band(p, band.style, *ends, on_longest)
                    else:
                        draw_band(p, self.theme, band.style, *ends, longest=on_longest, inset=m.rim)

    def _thin_band(
        self, p: QPainter, style: str, a: tuple[float, float], b: tuple[float, float], longest: bool
    ) -> None:
        names = {"tree": None, "arrow": "border.strong"}
        name = names.get(style, "chain.waiting")
        color = self.theme.state(3).outline if name is None else self.theme.color(name)
        p.setPen(QPen(color, 3.0 if longest else 2.2 if style == "waiting" else 1.2))
        p.drawLine(QPointF(*a), QPointF(*b))

    def _marks(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """A dot at the holder's end of a link for each member of a set."""
        if m.level not in ("full", "medium"):
            return
        for band in frame.marks:
            start, stop, _ = m.ways(band.source, band.target)
            at = start + (stop - start) * 0.04
            p.setPen(QPen(self.theme.color("surface.canvas"), 1.2))
            p.setBrush(self.theme.state(band.number).fill)
            for x, y in at.tolist():
                p.drawEllipse(QPointF(x, y), m.d * 0.12, m.d * 0.12)

    def _marked_links(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Rails along selected links and the one under the pointer, far enough apart for a band between them."""
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "link" else None
        for pair in [*frame.selection.links, *([hover] if isinstance(hover, tuple) else [])]:
            if max(pair) < len(m.points):
                rail = self.theme.line("selectionRing") if pair in frame.selection.links else 1.3
                wide = self.theme.line("waitingChain") * LONGEST if m.level in ("full", "medium") else 3.0
                inner = wide + 2 * self.theme.size("line.selectionGap")
                for color, width in (
                    ("selection", inner + 2 * rail), ("surface.canvas", inner), ("link.base", self.theme.line("link")),
                ):  # fmt: skip
                    p.setPen(QPen(self.theme.color(color), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
                    p.drawLine(QPointF(*m.points[pair[0]].tolist()), QPointF(*m.points[pair[1]].tolist()))

    def _places_of_chips(self, m: Map, frame: BasicFrame) -> Texts:
        if self._chips is None or self._chips[0] is not m:
            different = np.flatnonzero(np.abs(frame.factors - 1) > 0.005)
            links = different[np.argsort(-np.abs(np.log(np.maximum(frame.factors[different], 1e-6))), kind="stable")]
            chosen = [int(link) for link in links[:CHIPS]]
            sizes = [chip_size(self.theme, chip_text(frame.factors[link])) for link in chosen]
            height = chip_size(self.theme, "×1")[1]
            self._chips = m, place_chips(m, segments_of(m, frame), chosen, [wide for wide, _ in sizes], height)
        return self._chips[1]

    def _paint_chips(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        segments = segments_of(m, frame)
        for link, box in self._places_of_chips(m, frame).items():
            x1, y1, x2, y2 = segments[link].tolist()
            draw_chip(p, self.theme, box, chip_text(frame.factors[link]), (x1, y1, x2, y2))

    def _paint_texts(self, p: QPainter, m: Map, legend: Legend, frame: BasicFrame) -> None:
        """The watch lines, each at the side of its process where it hides least."""
        if not any(frame.watch):
            return
        metrics = QFontMetricsF(self.theme.font("small"))
        widest = max(metrics.horizontalAdvance(text) for text in frame.watch if text)
        width = min(math.ceil((widest + 4) / 16) * 16, 220)
        key = (id(m), width)
        if self._texts is None or self._texts[0] != key:
            taken = [*self._places_of_chips(m, frame).values(), *([legend.card] if legend.cells else [])]
            processes = [int(process) for process in np.flatnonzero(m.visible)]
            height = metrics.capHeight() + 7
            boxes = place_texts(m, segments_of(m, frame), processes, width, height, taken)
            self._texts = key, boxes, crossing(m, segments_of(m, frame), boxes)
        banded = _banded(frame)
        self._written = {
            process
            for process in self._texts[1]
            if not (frame.badges and frame.badges[process]) or not self._texts[2][process] & banded
        }
        for process, box in self._texts[1].items():
            text = frame.watch[process]
            if text and process in self._written:
                line = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
                align, at = _aligned(box, float(m.points[process, 0]), m.d)
                draw_text(
                    p, self.theme, at, box.center().y(), line, "small",
                    self.theme.color("text.secondary"), halo=True, align=align,
                )  # fmt: skip

    def _processes(self, p: QPainter, m: Map, frame: BasicFrame, picture: bool) -> None:
        slots = frame.slots + 16 * frame.crashed + 32 * frame.initiators
        shown = np.flatnonzero(m.visible)
        if picture and m.level in ("small", "dense"):
            self._sprites(p, m, slots[shown], shown)
            return
        named = m.level in ("full", "medium")
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "process" else None
        for process in shown.tolist():
            x, y = m.points[process].tolist()
            busy = float(frame.busy[process])
            draw_process(
                p,
                self.theme,
                x,
                y,
                m.d,
                int(frame.slots[process]),
                frame.names[process] if named else "",
                initiator=bool(frame.initiators[process]),
                selected=process in frame.selection.processes,
                hover=process == hover,
                crashed=bool(frame.crashed[process]),
                busy=busy if named and math.isfinite(busy) else None,
            )
            if named:
                self._beside(p, m, frame, process, x, y)

    def _sprites(self, p: QPainter, m: Map, looks: NDArray[Any], shown: NDArray[np.int64]) -> None:
        ratio = p.device().devicePixelRatioF()
        key = (m.d, ratio)
        if key not in self._atlases:
            theme, d = self.theme, m.d

            def draw(inner: QPainter, look: Hashable) -> None:
                assert isinstance(look, int)
                draw_process(inner, theme, 0, 0, d, look % 16, crashed=look % 32 >= 16, initiator=look >= 32)

            self._atlases = {key: Atlas(m.d * 1.6 + 4, ratio, draw)}
        atlas = self._atlases[key]
        present = np.unique(looks)
        table = np.zeros(int(present.max(initial=0)) + 1, dtype=np.int64)
        table[present] = atlas.prepare(present.tolist())
        atlas.paint(p, m.points[shown, 0], m.points[shown, 1], table[looks])

    def _beside(self, p: QPainter, m: Map, frame: BasicFrame, process: int, x: float, y: float) -> None:
        """What stands at a process: who starts, since when it is crashed, how many it waits for."""
        if frame.initiators[process] and not frame.started and m.level == "full":
            self._flag(p, x + m.d * 0.56, y - m.d * 0.62, m.d * 0.29)
        if frame.crashed[process] and m.level == "full" and math.isfinite(frame.crashed_since[process]):
            self._crash_chip(p, m, x, y, float(frame.crashed_since[process]))
        badge = frame.badges[process] if frame.badges and not frame.crashed[process] else ""
        if badge and (m.level == "medium" or not frame.watch or process not in self._written):
            size = max(13.0, m.d * 0.5)
            box = QRectF(x + m.d * 0.3, y - m.d * 0.3 - size, size * max(1.0, 0.5 + 0.45 * len(badge)), size)
            p.setPen(QPen(self.theme.color("chain.waiting"), 1.2))
            p.setBrush(self.theme.color("surface.canvas"))
            p.drawRoundedRect(box, size / 2, size / 2)
            font = self.theme.font("caption", semibold=True)
            font.setPixelSize(max(9, round(size * 0.72)))
            p.setFont(font)
            p.setPen(self.theme.color("text.primary"))
            p.drawText(box, Qt.AlignmentFlag.AlignCenter, badge)

    def _flag(self, p: QPainter, x: float, y: float, r: float) -> None:
        style = self.theme.state(1)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(style.fill)
        p.drawEllipse(QPointF(x, y), r, r)
        path = QPainterPath(QPointF(x - r * 0.4, y + r * 0.6))
        path.lineTo(x - r * 0.4, y - r * 0.5)
        path.lineTo(x + r * 0.5, y - r * 0.5)
        path.lineTo(x + r * 0.25, y - r * 0.18)
        path.lineTo(x + r * 0.5, y + r * 0.14)
        path.lineTo(x - r * 0.4, y + r * 0.14)
        p.strokePath(path, QPen(style.label, max(1.2, r * 0.16)))

    def _crash_chip(self, p: QPainter, m: Map, x: float, y: float, since: float) -> None:
        text, k = f"crashed {since:.2f}", self.theme.px("small") / 12
        wide = QFontMetricsF(self.theme.font("small", semibold=True)).horizontalAdvance(text) + 16 * k
        left = min(x + m.d * 0.62, m.rect.right() - wide - 4)
        box = QRectF(left, max(y - m.d * 0.62 - 20 * k, m.rect.top() + 4), wide, 20 * k)
        p.setPen(QPen(self.theme.color("fault.base"), 1.2))
        p.setBrush(self.theme.color("fault.soft"))
        p.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        ink: QColor = self.theme.color("fault.base" if self.theme.dark else "text.primary")
        draw_text(p, self.theme, box.center().x(), box.center().y(), text, "small", ink, align="center", semibold=True)

    def _rings(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Rings round messages, and round processes that are drawn as sprites."""
        hover = frame.hover
        color = self.theme.color("selection")
        p.setBrush(Qt.BrushStyle.NoBrush)
        if m.level in ("small", "dense"):
            pointed = {int(hover.id)} if hover is not None and hover.kind == "process" else set()  # type: ignore[arg-type]
            for process in frame.selection.processes | pointed:
                if process < len(m.points):
                    chosen = process in frame.selection.processes
                    p.setPen(QPen(color, self.theme.line("selectionRing") if chosen else 1.3))
                    p.drawEllipse(QPointF(*m.points[process].tolist()), m.d / 2 + 5, m.d / 2 + 5)
        flights = frame.flights
        wanted = set(frame.selection.messages)
        if hover is not None and hover.kind == "message":
            wanted.add(int(hover.id))  # type: ignore[arg-type]
        for entry in np.flatnonzero(np.isin(flights.id, list(wanted))).tolist():
            one = slice(entry, entry + 1)
            at, _, _ = m.heads(flights.source[one], flights.target[one], flights.fraction[one], flights.place[one])
            chosen = int(flights.id[entry]) in frame.selection.messages
            p.setPen(QPen(color, self.theme.line("selectionRing") if chosen else 1.3))
            r = m.head * 0.6 + 4
            p.drawEllipse(QPointF(*at[0].tolist()), r, r)

    # ------------------------------------------------------------------ pointing

    def hit(self, pos: QPointF, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> Hit | None:
        """What is at a point: a message, a process, a link, each within at least 14 pixels."""
        m, legend = self._placed(rect, frame, camera)
        if legend.cells and legend.card.contains(pos):
            return None
        x, y = pos.x(), pos.y()
        reach = self.theme.size("node.hitMinimum") / 2
        nearest, process = np.inf, -1
        if len(m.points):
            away = np.hypot(m.points[:, 0] - x, m.points[:, 1] - y)
            process = int(np.argmin(away))
            nearest = float(away[process])
        flights = frame.flights
        if len(flights):
            at, _, _ = m.heads(flights.source, flights.target, flights.fraction, flights.place)
            away = np.hypot(at[:, 0] - x, at[:, 1] - y)
            message = int(np.argmin(away))
            # A head under the pointer comes first, then a process, then a head near the pointer.
            near = reach if nearest > max(reach, m.d / 2 + 4) else min(m.head * 0.7, nearest)
            if away[message] <= near:
                return Hit("message", int(flights.id[message]))
        if nearest <= max(reach, m.d / 2 + 4):
            return Hit("process", process)
        segments = segments_of(m, frame)
        if len(segments):
            away = _distances(x, y, segments)
            link = int(np.argmin(away))
            if away[link] <= reach:
                a, b = frame.link_ends[link].tolist()
                return Hit("link", (min(a, b), max(a, b)))
        return None

    def note_at(self, pos: QPointF, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> str:
        """What stands at a point where nothing can be hit, as rich text: the legend in words."""
        legend = self._placed(rect, frame, camera)[1]
        return legend_tip(frame.legend) if legend.cells and legend.card.contains(pos) else ""

    def tooltip(self, hit: Hit | None, frame: BasicFrame) -> str:
        """What is under the pointer, as rich text."""
        return nettips.tooltip(hit, frame)


def _aligned(box: QRectF, x: float, d: float) -> tuple[Qt.AlignmentFlag, float]:
    """How a text stands in its box: towards its process if it is beside it, else in the middle."""
    if box.left() > x + d / 4:
        return Qt.AlignmentFlag.AlignLeft, box.left()
    if box.right() < x - d / 4:
        return Qt.AlignmentFlag.AlignRight, box.right()
    return Qt.AlignmentFlag.AlignHCenter, box.center().x()


def _banded(frame: BasicFrame) -> frozenset[int]:
    """The links that are drawn as bands at this moment."""
    pairs = {
        (min(a, b), max(a, b))
        for band in frame.bands
        for a, b in zip(band.source.tolist(), band.target.tolist(), strict=True)
    }
    if not pairs:
        return frozenset()
    ends = np.sort(frame.link_ends, axis=1).tolist()
    return frozenset(link for link, (a, b) in enumerate(ends) if (a, b) in pairs)


def _distances(x: float, y: float, segments: Floats) -> Floats:
    """How far a point is from each segment (rows x1 y1 x2 y2)."""
    a, way = segments[:, :2], segments[:, 2:] - segments[:, :2]
    square = np.maximum((way**2).sum(axis=1), 1e-12)
    along = np.clip(((np.array([x, y]) - a) * way).sum(axis=1) / square, 0, 1)
    nearest = a + way * along[:, None]
    distance: Floats = np.hypot(nearest[:, 0] - x, nearest[:, 1] - y)
    return distance
