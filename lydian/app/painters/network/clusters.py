"""The painter of very large networks: neighbouring processes form one disc with a pie of their states and their number.

Cells are squares in the network's own coordinates, doubled or halved when the zoom has changed by that factor, so that
moving the view changes nothing. Links between two discs are one bundle, whose width shows its traffic; messages sent
along a bundle at about the same time travel as one dot.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPixmap

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_cross, draw_process
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.network.netmap import Floats, Map
from lydian.language import tr
from lydian.views.network.basic import BasicFrame
from lydian.views.network.clusters import Clusters, clusters_of, traffic_of
from lydian.views.network.scene import Scene
from lydian.views.words.words import plural

__all__ = ["ClusterLayer"]

#: The approximate number of discs that fill the view.
DISCS = 90
#: The look of crashed processes, after the sixteen slots.
CRASHED = 24
#: The number of times that the widths of bundles change in a run; in between, their picture is kept.
TRAFFIC_STEPS = 64
#: The sizes of dots for 1, 2.., 4.., 8.. messages, in pixels.
DOTS = (4.0, 5.5, 7.5, 10.0, 13.0, 16.0)


class ClusterLayer:
    """The painter of a network too large for its view."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._clusters: tuple[tuple[object, float], Scene, Clusters] | None = None
        self._laid: tuple[Map, Floats, Floats, NDArray[np.bool_]] | None = None
        self._traffic: tuple[Clusters, Scene, NDArray[np.int32]] | None = None
        self._bundles: tuple[Hashable, QPixmap] = (None, QPixmap())
        self._discs: dict[Hashable, QPixmap] = {}
        self._atlases: dict[tuple[float, str], Atlas] = {}

    # ------------------------------------------------------------------ positions

    def clusters(self, m: Map, frame: BasicFrame) -> Clusters:
        """Return the clusters at the zoom of the map."""
        wide, tall = (float(x) for x in np.ptp(m.points, axis=0))
        area = min(wide, m.rect.width()) * min(tall, m.rect.height())
        target = min(max(math.sqrt(area / DISCS), 60.0), 150.0)
        cell = 2.0 ** round(math.log2(target / m.scale))
        standing = frame.standing
        key = ((id(frame.scene), None if standing is None else standing.settled), cell)
        if self._clusters is None or self._clusters[0] != key:
            at = frame.positions if standing is None else standing.rest
            self._clusters = key, frame.scene, clusters_of(at, frame.link_ends, cell)
            self._laid = None
        return self._clusters[2]

    def discs(self, m: Map, frame: BasicFrame) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return the centre and radius of each disc on the screen, without overlaps, and whether it is in view."""
        clusters = self.clusters(m, frame)
        if self._laid is None or self._laid[0] is not m:
            at = clusters.middle * m.scale + (m.dx, m.dy)
            pitch = self._cell_on_screen(m)
            share = np.sqrt(clusters.count / max(int(clusters.count.max(initial=1)), 1))
            radius = np.maximum(share * pitch * 0.37, min(15.0, pitch * 0.3))
            box = m.rect.adjusted(-pitch, -pitch, pitch, pitch)
            seen = (
                (at[:, 0] > box.left()) & (at[:, 0] < box.right()) & (at[:, 1] > box.top()) & (at[:, 1] < box.bottom())
            )
            near = np.flatnonzero(seen)
            if len(near) > 1:
                away = np.hypot(*(at[near][:, None, :] - at[near][None, :, :]).transpose(2, 0, 1))
                np.fill_diagonal(away, np.inf)
                both = radius[near][:, None] + radius[near][None, :]
                radius[near] *= np.minimum(1.0, ((away - 2.0) / both).min(axis=1))
            self._laid = m, at, np.maximum(radius, 2.0), seen
        return self._laid[1:]

    def _cell_on_screen(self, m: Map) -> float:
        assert self._clusters is not None
        return self._clusters[0][1] * m.scale

    def at(self, m: Map, frame: BasicFrame, pos: QPointF) -> int:
        """Return the cluster under a point, or -1 for none."""
        at, radius, seen = self.discs(m, frame)
        away = np.hypot(at[:, 0] - pos.x(), at[:, 1] - pos.y())
        away[~seen] = np.inf
        nearest = int(np.argmin(away)) if len(away) else -1
        return nearest if nearest >= 0 and away[nearest] <= radius[nearest] + 2 else -1

    def inside(self, m: Map, frame: BasicFrame, pos: QPointF) -> NDArray[np.int64]:
        """Return the processes in the disc under a point, or none if there is no disc."""
        cluster = self.at(m, frame, pos)
        return np.flatnonzero(self.clusters(m, frame).of == cluster) if cluster >= 0 else np.empty(0, dtype=np.int64)

    def note(self, m: Map, frame: BasicFrame, pos: QPointF) -> str:
        """Describe the disc at a point, as rich text."""
        cluster = self.at(m, frame, pos)
        if cluster < 0:
            return ""
        clusters = self.clusters(m, frame)
        inside = clusters.of == cluster
        lines = [f"<b>{plural(int(clusters.count[cluster]), 'process')}</b>"]
        words = {item.number: item.word for item in frame.legend if item.sort == "state"}
        up = inside & ~frame.crashed
        for slot, count in enumerate(np.bincount(frame.slots[up], minlength=1).tolist()):
            if count:
                lines.append(f"{tr('{number:,}', number=count)} {words.get(slot, tr('at rest'))}")
        if (inside & frame.crashed).any():
            lines.append(plural(int((inside & frame.crashed).sum()), "crashed", "crashed"))
        flights = frame.flights
        within = inside[flights.source] & inside[flights.target]
        out, into = inside[flights.source] & ~within, inside[flights.target] & ~within
        if len(flights):
            lines.append(
                tr(
                    "messages in transit: {within:,} within, {leaving:,} out, {entering:,} in",
                    within=int(within.sum()),
                    leaving=int(out.sum()),
                    entering=int(into.sum()),
                )
            )
        lines.append(tr("double click or zoom in to see each process"))
        return "<br>".join(lines)

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, m: Map, frame: BasicFrame, *, picture: bool) -> None:
        """Draw bundles, messages and discs."""
        if not len(m.points):
            return
        clusters = self.clusters(m, frame)
        at, radius, seen = self.discs(m, frame)
        if frame.animation.places is None or frame.animation.places.links:
            self._paint_bundles(p, m, frame, clusters, at, picture)
        self._chains(p, m, frame, clusters, at)
        self._paint_messages(p, m, frame, clusters, at, radius, picture)
        self._paint_discs(p, m, frame, clusters, at, radius, seen, picture)

    def _paint_bundles(
        self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, at: Floats, picture: bool
    ) -> None:
        length = frame.timeline.length if frame.timeline is not None else 0
        step = frame.k * TRAFFIC_STEPS // length if length else 0
        ratio = p.device().devicePixelRatioF() if picture else 1.0
        which = None if self._clusters is None else self._clusters[0]  # the arrangement: an id alone might be reused
        cut = frame.links_down.tobytes(), frame.ways_down.tobytes()
        key = (which, id(clusters), m.scale, m.dx, m.dy, m.rect.getRect(), step, ratio, cut)
        if not picture:
            self._draw_bundles(p, frame, clusters, at, step)
            return
        if self._bundles[0] != key:
            pixmap = QPixmap(max(1, round(m.rect.width() * ratio)), max(1, round(m.rect.height() * ratio)))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            inner = QPainter(pixmap)
            try:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing, len(clusters.pairs) < 1_500)
                inner.translate(-m.rect.topLeft())
                self._draw_bundles(inner, frame, clusters, at, step)
            finally:
                inner.end()
            self._bundles = key, pixmap
        p.drawPixmap(m.rect.topLeft(), self._bundles[1])

    def _draw_bundles(self, p: QPainter, frame: BasicFrame, clusters: Clusters, at: Floats, step: int) -> None:
        """Draw bundles by width, thin ones first, with a cross on those that contain a cut link."""
        if not len(clusters.pairs):
            return
        canvas, base = self.theme.color("surface.canvas"), self.theme.color("link.base")
        traffic = np.zeros(len(clusters.pairs), dtype=np.int32)
        if frame.timeline is not None and step:
            traffic = self._sent(frame, clusters)[step]
        width = np.minimum(np.floor(np.log2(1 + traffic)), 7).astype(np.int64)
        # In dense networks, even thin bundles would hide the background, so they are paler.
        crowd = 0.55 if len(clusters.pairs) < 600 else 0.3
        for value in np.unique(width).tolist():
            chosen = width == value
            share = 0.2 + (crowd - 0.2) * value / 4 if value < 4 else crowd + 0.08 * (value - 4)
            pen = QPen(mixed(canvas, base, share), 1.0 + value * 0.75)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            p.setPen(pen)
            draw_lines(p, at[clusters.pairs[chosen, 0]], at[clusters.pairs[chosen, 1]])
        cut = np.unique(clusters.link_bundle[frame.links_down | (frame.ways_down != 0)])
        for bundle in cut[cut >= 0].tolist():
            a, b = clusters.pairs[bundle].tolist()
            x, y = ((at[a] + at[b]) / 2).tolist()
            draw_cross(p, self.theme.color("fault.base"), x, y, 3.5, 1.8)

    def _sent(self, frame: BasicFrame, clusters: Clusters) -> NDArray[np.int32]:
        """Return the traffic of every bundle at each step of the run, counted once for each size of cells."""
        kept = self._traffic
        if kept is None or kept[0] is not clusters or kept[1] is not frame.scene:
            scene = frame.scene
            counted = traffic_of(scene.run, clusters, TRAFFIC_STEPS, scene.renumber)
            kept = self._traffic = clusters, scene, counted
        return kept[2]

    def _chains(self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, at: Floats) -> None:
        """Draw waiting chains from disc to disc, once for each pair of discs."""
        for band in frame.pointers:
            if band.declared.style != "waiting" or not len(band.source):
                continue
            ends = np.column_stack((clusters.of[band.source], clusters.of[band.target]))
            ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
            p.setPen(QPen(self.theme.color("chain.waiting"), 1.6))
            draw_lines(p, at[ends[:, 0]], at[ends[:, 1]])

    def _paint_messages(
        self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, at: Floats, radius: Floats, picture: bool
    ) -> None:
        """Draw one dot for messages of one kind sent along a bundle, in one direction, at about the same time."""
        flights = frame.flights
        if not len(flights) or frame.timeline is None:
            return
        a, b = clusters.of[flights.source], clusters.of[flights.target]
        out = np.flatnonzero(a != b)
        if not len(out):
            return
        a, b, fraction = a[out], b[out], flights.fraction[out]
        sent = frame.timeline.message_sent[flights.id[out]]
        bin_width = max(float(frame.network.delay.mean) / 4, 1e-9)
        when = (np.floor(sent / bin_width).astype(np.int64)) % 1024
        key = ((a * len(clusters.count) + b) * 8 + flights.kind[out]) * 1024 + when
        _, first, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        share = np.bincount(inverse.reshape(-1), weights=fraction) / count
        a, b, kind = a[first], b[first], flights.kind[out][first]
        way = at[b] - at[a]
        length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
        u = way / length[:, None]
        along = radius[a] + np.maximum(length - radius[a] - radius[b], 0.0) * share
        places = at[a] + u * along[:, None] + np.column_stack((-u[:, 1], u[:, 0])) * 2.0
        size = np.minimum(np.log2(count).astype(np.int64), len(DOTS) - 1)
        looks = kind.astype(np.int64) * len(DOTS) + size
        inside = (places[:, 0] > m.rect.left()) & (places[:, 0] < m.rect.right())
        inside &= (places[:, 1] > m.rect.top()) & (places[:, 1] < m.rect.bottom())
        self._stamp(p, "dot", DOTS[-1] + 4, looks[inside], places[inside], picture)

    def _stamp(
        self, p: QPainter, what: str, side: float, looks: NDArray[np.int64], places: Floats, picture: bool
    ) -> None:
        """Draw equal small pictures at many points."""
        draw = self._dot if what == "dot" else self._state
        if not picture:
            for look, (x, y) in zip(looks.tolist(), places.tolist(), strict=True):
                p.save()
                p.translate(x, y)
                draw(p, look)
                p.restore()
            return
        ratio = p.device().devicePixelRatioF()
        if (ratio, what) not in self._atlases:
            self._atlases[ratio, what] = Atlas(side, ratio, draw)
        atlas = self._atlases[ratio, what]
        present = np.unique(looks)
        table = np.zeros(int(present.max(initial=0)) + 1, dtype=np.int64)
        table[present] = atlas.prepare(present.tolist())
        atlas.paint(p, places[:, 0], places[:, 1], table[looks])

    def _dot(self, p: QPainter, look: Hashable) -> None:
        kind, size = divmod(int(look), len(DOTS))  # type: ignore[call-overload]
        p.setPen(QPen(self.theme.color("surface.canvas"), 0.6))
        p.setBrush(self.theme.message(kind).color)
        p.drawEllipse(QPointF(0, 0), DOTS[size] / 2, DOTS[size] / 2)

    def _state(self, p: QPainter, look: Hashable) -> None:
        slot = int(look)  # type: ignore[call-overload]
        draw_process(p, self.theme, 0, 0, 9.0, slot % CRASHED, crashed=slot == CRASHED)

    def _paint_discs(
        self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, at: Floats, radius: Floats,
        seen: NDArray[np.bool_], picture: bool,
    ) -> None:  # fmt: skip
        look = np.where(frame.crashed, CRASHED, frame.slots).astype(np.int64)
        wide = CRASHED + 1
        counts = np.bincount(clusters.of * wide + look, minlength=len(clusters.count) * wide).reshape(-1, wide)
        chosen = {int(clusters.of[i]) for i in frame.selection.processes if i < len(clusters.of)}
        hover = frame.hover
        if hover is not None and hover.kind == "process" and isinstance(hover.id, int) and hover.id < len(clusters.of):
            chosen.add(int(clusters.of[hover.id]))
        ratio = p.device().devicePixelRatioF() if picture else 1.0
        if len(self._discs) > 4_000:
            self._discs.clear()
        for cluster in np.flatnonzero(seen).tolist():
            x, y = at[cluster].tolist()
            r, parts = round(float(radius[cluster]), 1), tuple(counts[cluster].tolist())
            if picture:
                key = (r, parts, ratio)
                pixmap = self._discs.get(key)
                if pixmap is None:
                    pixmap = self._discs[key] = self._disc_picture(r, parts, ratio)
                half = pixmap.width() / ratio / 2
                p.drawPixmap(QPointF(x - half, y - half), pixmap)
            else:
                p.save()
                p.translate(x, y)
                self._disc(p, r, parts)
                p.restore()
            if cluster in chosen:
                p.setPen(QPen(self.theme.color("selection"), self.theme.line("selectionRing")))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawEllipse(QPointF(x, y), r + 4, r + 4)

    def _disc_picture(self, r: float, parts: tuple[int, ...], ratio: float) -> QPixmap:
        side = math.ceil((2 * r + 6) * ratio)
        pixmap = QPixmap(side, side)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        p = QPainter(pixmap)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.translate(side / ratio / 2, side / ratio / 2)
            self._disc(p, r, parts)
        finally:
            p.end()
        return pixmap

    def _disc(self, p: QPainter, r: float, parts: tuple[int, ...]) -> None:
        """Draw a pie with a shape in every wedge that has room for it, and the number of processes in the middle."""
        total, ground = sum(parts), self.theme.color("surface.canvas")
        if total == 1 or r < 7:
            look = max(range(len(parts)), key=lambda i: parts[i])
            draw_process(p, self.theme, 0, 0, min(2 * r, 14.0), look % CRASHED, crashed=look == CRASHED)
            return
        box, start = QRectF(-r, -r, 2 * r, 2 * r), 90.0
        hole, middle = r * 0.56, r * 0.78
        spots: list[tuple[int, float]] = []
        for look, count in enumerate(parts):
            if not count:
                continue
            span = 360.0 * count / total
            fill: QColor = self.theme.color("fault.soft") if look == CRASHED else self.theme.state(look).fill
            edge = self.theme.color("fault.base") if look == CRASHED else self.theme.state(look).outline
            p.setPen(QPen(ground, 1.0) if span < 360 else Qt.PenStyle.NoPen)
            p.setBrush(fill)
            if span >= 360:
                p.drawEllipse(box)
            else:
                p.drawPie(box, round(start * 16), -round(span * 16))
            p.setPen(QPen(edge, 1.4))
            p.drawArc(box, round(start * 16), -round(span * 16))
            if math.radians(span) * middle > 14 and r * 0.44 > 13:
                spots.append((look, math.radians(start - span / 2)))
            start -= span
        p.setPen(QPen(ground, 1.0))
        p.setBrush(ground)
        p.drawEllipse(QPointF(0, 0), hole, hole)
        for look, angle in spots:
            x, y = middle * math.cos(angle), -middle * math.sin(angle)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ground)
            p.drawEllipse(QPointF(x, y), 7.0, 7.0)
            draw_process(p, self.theme, x, y, 8.5, look % CRASHED, crashed=look == CRASHED)
        text = tr("{number:,}", number=total)
        font = self.theme.font("small", semibold=True)
        size = min(float(font.pixelSize()), hole * 1.1)
        font.setPixelSize(max(6, round(size)))
        metrics = QFontMetricsF(font)
        if metrics.horizontalAdvance(text) > 1.8 * hole:
            font.setPixelSize(max(5, int(font.pixelSize() * 1.8 * hole / metrics.horizontalAdvance(text))))
        p.setFont(font)
        p.setPen(self.theme.color("text.primary"))
        p.drawText(QRectF(-r, -r, 2 * r, 2 * r), Qt.AlignmentFlag.AlignCenter, text)
