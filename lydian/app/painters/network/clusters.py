"""The painter of large networks: a disc for each cluster, with a ring of its processes' states and their number inside.

The processes that belong together by their links are one disc (:mod:`lydian.views.network.discs`), which unfolds into
its processes where there is room. Where positions come from variables, the discs are square cells of the network
instead, doubled or halved when the zoom has changed by that factor. Messages in transit between two discs widen and
colour the bundle of links between them, and messages sent at about the same time travel along it as one dot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_cross, draw_process, draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.network.netmap import NAMED, Floats, Map
from lydian.app.painters.pieces.bands import draw_band
from lydian.language import tr, trn
from lydian.views.network.basic import BasicFrame
from lydian.views.network.clusters import Clusters, clusters_of
from lydian.views.network.flights import flights_at
from lydian.views.network.scene import Scene
from lydian.views.words.words import plural

__all__ = ["ClusterLayer"]

Ints = NDArray[np.int64]

#: The approximate number of discs that fill the view.
DISCS = 90
#: The look of crashed processes, after the sixteen slots.
CRASHED = 24
#: The number of bundles that are drawn in colour, those with most messages in transit.
BUSIEST = 35
#: The width of a bundle with one message and of the busiest one, in pixels, and the opacity of both.
WIDTHS, STRENGTHS = (1.6, 9.0), (0.36, 0.64)
#: The number of times that traffic is counted while a message with the mean delay is on its way.
STEPS = 8
#: How far bundles bend towards the middle of the view, as a share of their distance from it.
BEND = 0.18
#: The sizes of dots for 1, 2.., 4.., 8.. messages, in pixels.
DOTS = (3.0, 3.6, 4.4, 5.2, 6.0, 7.0)


class ClusterLayer:
    """The painter of a network too large for its view."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._clusters: tuple[tuple[object, float], Scene, Clusters] | None = None
        self._laid: tuple[Map, Floats, Floats, NDArray[np.bool_]] | None = None
        self._inner: tuple[Map, Clusters, Map] | None = None
        self._bundles: tuple[int | None, tuple[object, ...], Ints, list[tuple[QColor, float]]]
        self._bundles = None, (), np.empty(0, dtype=np.int64), []
        self._busy: tuple[QPixmap | None, Hashable, QPixmap] = (None, None, QPixmap())
        self._hairs: tuple[Hashable, Map | None, Clusters | None, QPixmap] = (None, None, None, QPixmap())
        self._pies: dict[int, tuple[Hashable, QPixmap]] = {}
        self._atlases: dict[tuple[float, str], Atlas] = {}

    # ------------------------------------------------------------------ positions

    def clusters(self, m: Map, frame: BasicFrame) -> Clusters:
        """Return the clusters at the zoom of the map."""
        if frame.discs is not None:
            return frame.discs.clusters
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
        if m.folds is not None:
            return m.folds.at, m.folds.radius, m.folds.seen
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

    def opened(self, m: Map, frame: BasicFrame) -> Floats:
        """Return how far each disc is unfolded, from 0 to 1."""
        return np.zeros(len(self.clusters(m, frame).count)) if m.folds is None else m.folds.open

    def inner(self, m: Map, frame: BasicFrame) -> Map | None:
        """Return the map of the processes in discs that are unfolded, None if none is in view."""
        if m.folds is None or not (m.folds.seen & (m.folds.open > 0)).any():
            return None
        clusters = self.clusters(m, frame)
        if self._inner is None or self._inner[0] is not m or self._inner[1] is not clusters:
            inside = m.folds.open[clusters.of] > 0
            self._inner = m, clusters, replace(m, level=m.folds.level, visible=m.visible & inside, folds=None)
        return self._inner[2]

    def at(self, m: Map, frame: BasicFrame, pos: QPointF) -> int:
        """Return the cluster under a point that is drawn as a disc, or -1 for none."""
        at, radius, seen = self.discs(m, frame)
        away = np.hypot(at[:, 0] - pos.x(), at[:, 1] - pos.y())
        away[~seen | (self.opened(m, frame) > 0.5)] = np.inf
        nearest = int(np.argmin(away)) if len(away) else -1
        return nearest if nearest >= 0 and away[nearest] <= radius[nearest] + 2 else -1

    def inside(self, m: Map, frame: BasicFrame, pos: QPointF) -> Ints:
        """Return the processes in the disc under a point, or none if there is no disc."""
        cluster = self.at(m, frame, pos)
        return np.flatnonzero(self.clusters(m, frame).of == cluster) if cluster >= 0 else np.empty(0, dtype=np.int64)

    def process_at(self, m: Map, frame: BasicFrame, pos: QPointF, reach: float) -> int:
        """Return the process under a point in a disc that is unfolded, or -1 for none."""
        inner = self.inner(m, frame)
        shown = np.flatnonzero(inner.visible) if inner is not None else np.empty(0, dtype=np.int64)
        if not len(shown):
            return -1
        away = np.hypot(m.points[shown, 0] - pos.x(), m.points[shown, 1] - pos.y())
        nearest = int(np.argmin(away))
        return int(shown[nearest]) if away[nearest] <= max(m.d / 2 + 4, min(reach, m.d)) else -1

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
        lines.append(
            tr("double click or zoom in to see each process")
            if frame.discs is None
            else tr("click or zoom in to see each process")
        )
        return "<br>".join(lines)

    # ------------------------------------------------------------------ painting

    def paint(
        self, p: QPainter, m: Map, frame: BasicFrame, *, picture: bool, each: Callable[[Map, BasicFrame], None]
    ) -> None:
        """Draw bundles, messages and discs.

        Args:
            picture: whether pixels are acceptable.
            each: draws the processes in view of a map, and the messages of a frame.
        """
        if not len(m.points):
            return
        clusters = self.clusters(m, frame)
        at, radius, seen = self.discs(m, frame)
        if frame.animation.places is None or frame.animation.places.links:
            self._paint_bundles(p, m, frame, clusters, at, radius, picture)
        inner = self.inner(m, frame)
        if inner is not None:
            self._paint_ground(p, m, inner, frame, clusters)
        rim, named = self._chain(p, m, frame, clusters, at, radius)
        if inner is not None:
            self._paint_open(p, m, inner, frame, clusters, each)
            self._names(p, m, frame, named)
        self._paint_discs(p, m, frame, clusters, at, radius, seen, picture, rim)
        self._cuts(p, frame, clusters, at)
        self._name_unfolded(p, m, frame)

    def covers(self, p: QPainter, m: Map, frame: BasicFrame) -> bool:
        """Return whether the picture of the bundles, which has a ground of its own, covers the whole map."""
        shown = frame.animation.places is None or frame.animation.places.links
        if not shown or not len(m.points) or not len(self.clusters(m, frame).pairs):
            return False
        ratio, whole = p.device().devicePixelRatioF(), p.deviceTransform().mapRect(m.rect)
        same = p.deviceTransform().m11() == ratio == p.deviceTransform().m22()
        return same and QRectF(whole.toRect()) == whole

    def _ends(self, clusters: Clusters, at: Floats, middle: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the first points, control points and last points of the curves of all bundles, each (b, 2)."""
        a, b = at[clusters.pairs[:, 0]], at[clusters.pairs[:, 1]]
        half = (a + b) / 2
        return a, half + (middle - half) * BEND, b

    def _paint_bundles(
        self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, at: Floats, radius: Floats, picture: bool
    ) -> None:
        """Draw all bundles as hairlines, the busiest ones in the colour of their messages, and those on the way."""
        if not len(clusters.pairs):
            return
        curves = self._ends(clusters, at, at.mean(axis=0))
        step, t = self._step(frame)
        ratio = p.device().devicePixelRatioF() if picture else 1.0
        of = (m, clusters, frame.scene)
        if self._bundles[0] != step or any(a is not b for a, b in zip(self._bundles[1], of, strict=True)):
            self._bundles = step, of, *self._busiest(m, frame, clusters, curves, t)
        _, _, busy, widths = self._bundles
        if picture:
            p.drawPixmap(m.rect.topLeft(), self._busy_picture(m, clusters, curves, busy, widths, ratio))
        else:
            self._draw_hairs(p, m, curves)
            self._draw_busy(p, curves, busy, widths)
        if not len(busy):
            return
        flights = frame.flights
        coloured = np.zeros(len(clusters.pairs) + 1, dtype=bool)  # the last stands for messages within a cluster
        coloured[busy] = True
        bundle = clusters.bundle_of(clusters.of[flights.source], clusters.of[flights.target])
        self._paint_messages(p, m, frame, clusters, curves, radius, np.flatnonzero(coloured[bundle]), picture)

    def _step(self, frame: BasicFrame) -> tuple[int, float]:
        """Return the moment at which traffic is counted: its number and time. It is counted a few times per delay."""
        mean = float(frame.network.delay.mean)
        if frame.timeline is None or not 0 < mean < math.inf:
            return frame.k, frame.t
        step = math.floor(frame.t / mean * STEPS)
        return step, step * mean / STEPS

    def _busiest(
        self, m: Map, frame: BasicFrame, clusters: Clusters, curves: tuple[Floats, Floats, Floats], t: float
    ) -> tuple[Ints, list[tuple[QColor, float]]]:
        """Return the bundles in view with the most messages in transit at a time, busiest first, and their looks."""
        if frame.timeline is None:
            return np.empty(0, dtype=np.int64), []
        flights = flights_at(frame.scene, frame.scene.run.count(t), t)
        bundle = clusters.bundle_of(clusters.of[flights.source], clusters.of[flights.target])
        across = np.flatnonzero((bundle >= 0) & self._in_view(m, curves[0], curves[2])[np.maximum(bundle, 0)])
        if not len(across):
            return np.empty(0, dtype=np.int64), []
        kind = flights.kind[across].astype(np.int64)
        wide = int(kind.max()) + 1
        size = len(clusters.pairs) * wide
        counts = np.bincount(bundle[across] * wide + kind, minlength=size).reshape(-1, wide)
        total = counts.sum(axis=1)
        busy = np.argsort(-total, kind="stable")[:BUSIEST]
        busy = busy[total[busy] > 0]
        most, looks = max(int(total[busy[0]]), 1), []
        for number in busy.tolist():
            share = math.sqrt(total[number] / most)
            color = QColor(self.theme.message(int(counts[number].argmax())).color)
            color.setAlphaF(STRENGTHS[0] + (STRENGTHS[1] - STRENGTHS[0]) * share)
            looks.append((color, WIDTHS[0] + (WIDTHS[1] - WIDTHS[0]) * share * min(1.0, most / 4)))
        return busy, looks

    def _draw_busy(
        self, p: QPainter, curves: tuple[Floats, Floats, Floats], busy: Ints, looks: list[tuple[QColor, float]]
    ) -> None:
        """Draw the busiest bundles, those with fewest messages first."""
        a, turn, b = curves
        p.setBrush(Qt.BrushStyle.NoBrush)
        for number, (color, width) in reversed(list(zip(busy.tolist(), looks, strict=True))):
            p.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            path = QPainterPath(QPointF(*a[number]))
            path.quadTo(QPointF(*turn[number]), QPointF(*b[number]))
            p.drawPath(path)

    def _in_view(self, m: Map, a: Floats, b: Floats) -> NDArray[np.bool_]:
        """Return which bundles may cross the view."""
        low, high = np.minimum(a, b), np.maximum(a, b)
        r = m.rect
        found: NDArray[np.bool_] = (high[:, 0] > r.left()) & (low[:, 0] < r.right())
        return found & (high[:, 1] > r.top()) & (low[:, 1] < r.bottom())

    def _busy_picture(
        self, m: Map, clusters: Clusters, curves: tuple[Floats, Floats, Floats], busy: Ints,
        looks: list[tuple[QColor, float]], ratio: float,
    ) -> QPixmap:  # fmt: skip
        """Return a picture of all bundles with the busiest ones in colour, which is kept while these stay the same."""
        hairs = self._hairs_picture(m, clusters, curves, ratio)
        key = (busy.tobytes(), tuple((color.rgba(), width) for color, width in looks))
        if self._busy[0] is not hairs or self._busy[1] != key:
            pixmap = hairs.copy()
            inner = QPainter(pixmap)
            try:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                inner.translate(-m.rect.topLeft())
                self._draw_busy(inner, curves, busy, looks)
            finally:
                inner.end()
            self._busy = hairs, key, pixmap
        return self._busy[2]

    def _hairs_picture(
        self, m: Map, clusters: Clusters, curves: tuple[Floats, Floats, Floats], ratio: float
    ) -> QPixmap:
        """Return a picture of all bundles as hairlines, which is kept while nothing moves."""
        key = (m.rect.getRect(), ratio, self.theme)
        if self._hairs[0] != key or self._hairs[1] is not m or self._hairs[2] is not clusters:
            pixmap = QPixmap(max(1, round(m.rect.width() * ratio)), max(1, round(m.rect.height() * ratio)))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(self.theme.color("surface.canvas"))  # an opaque picture is copied, not blended
            inner = QPainter(pixmap)
            try:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing, len(curves[0]) < 1_500)
                inner.translate(-m.rect.topLeft())
                self._draw_hairs(inner, m, curves)
            finally:
                inner.end()
            self._hairs = key, m, clusters, pixmap
        return self._hairs[3]

    def _draw_hairs(self, p: QPainter, m: Map, curves: tuple[Floats, Floats, Floats]) -> None:
        p.setPen(QPen(self.theme.color("link.dim"), 1.0))
        shown = self._in_view(m, curves[0], curves[2])
        a, turn, b = (each[shown] for each in curves)
        if len(a) > 500:  # so many that a bend would not be seen
            draw_lines(p, a, b)
            return
        before = a
        for t in np.linspace(0, 1, 9)[1:].tolist():
            after = _along(a, turn, b, t)
            draw_lines(p, before, after)
            before = after

    def _paint_messages(
        self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, curves: tuple[Floats, Floats, Floats],
        radius: Floats, flying: Ints, picture: bool,
    ) -> None:  # fmt: skip
        """Draw one dot for messages of one kind sent along a bundle, in one direction, at about the same time."""
        flights = frame.flights
        if frame.timeline is None or not len(flying):
            return
        a, b = clusters.of[flights.source[flying]], clusters.of[flights.target[flying]]
        sent = frame.timeline.message_sent[flights.id[flying]]
        bin_width = max(float(frame.network.delay.mean) / 4, 1e-9)
        when = (np.floor(sent / bin_width).astype(np.int64)) % 1024
        key = ((a * len(clusters.count) + b) * 8 + flights.kind[flying]) * 1024 + when
        _, first, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        share = np.bincount(inverse.reshape(-1), weights=flights.fraction[flying]) / count
        a, b, kind = a[first], b[first], flights.kind[flying][first]
        bundle = clusters.bundle_of(a, b)
        start, turn, end = (each[bundle] for each in curves)
        backwards = (a > b)[:, None]
        start, end = np.where(backwards, end, start), np.where(backwards, start, end)
        length = np.maximum(np.hypot(*(end - start).T), 1e-9)
        from_, to = np.minimum(radius[a] / length, 0.45), np.minimum(radius[b] / length, 0.45)
        places = _along(start, turn, end, (from_ + (1 - from_ - to) * share)[:, None])
        size = np.minimum(np.log2(count).astype(np.int64), len(DOTS) - 1)
        looks = kind.astype(np.int64) * len(DOTS) + size
        inside = (places[:, 0] > m.rect.left()) & (places[:, 0] < m.rect.right())
        inside &= (places[:, 1] > m.rect.top()) & (places[:, 1] < m.rect.bottom())
        self._stamp(p, looks[inside], places[inside], picture)

    def _stamp(self, p: QPainter, looks: Ints, places: Floats, picture: bool) -> None:
        """Draw dots at many points."""
        if not picture:
            for look, (x, y) in zip(looks.tolist(), places.tolist(), strict=True):
                p.save()
                p.translate(x, y)
                self._dot(p, look)
                p.restore()
            return
        ratio = p.device().devicePixelRatioF()
        if (ratio, "dot") not in self._atlases:
            self._atlases[ratio, "dot"] = Atlas(DOTS[-1] + 4, ratio, self._dot)
        atlas = self._atlases[ratio, "dot"]
        present = np.unique(looks)
        table = np.zeros(int(present.max(initial=0)) + 1, dtype=np.int64)
        table[present] = atlas.prepare(present.tolist())
        atlas.paint(p, places[:, 0], places[:, 1], table[looks])

    def _dot(self, p: QPainter, look: Hashable) -> None:
        kind, size = divmod(int(look), len(DOTS))  # type: ignore[call-overload]
        p.setPen(QPen(self.theme.color("surface.canvas"), 0.6))
        p.setBrush(self.theme.message(kind).color)
        p.drawEllipse(QPointF(0, 0), DOTS[size] / 2, DOTS[size] / 2)

    # ------------------------------------------------------------------ unfolded discs

    def _paint_ground(self, p: QPainter, m: Map, inner: Map, frame: BasicFrame, clusters: Clusters) -> None:
        """Draw unfolded discs and the links in them."""
        folds = m.folds
        assert folds is not None
        theme, ends = self.theme, frame.link_ends
        for cluster in np.flatnonzero(folds.seen & (folds.open > 0)).tolist():
            p.setOpacity(float(folds.open[cluster]))
            p.setPen(QPen(theme.color("accent.base" if self._chosen(frame, cluster) else "border.strong"), 1.6))
            p.setBrush(theme.color("surface.canvas"))
            r = float(folds.radius[cluster])
            p.drawEllipse(QPointF(*folds.at[cluster]), r, r)
        p.setOpacity(float(folds.open[folds.seen & (folds.open > 0)].max()))
        within = (clusters.link_bundle < 0) & (inner.visible[ends[:, 0]] | inner.visible[ends[:, 1]])
        within &= folds.open[clusters.of[ends[:, 0]]] > 0
        p.setPen(QPen(theme.color("link.dim"), 1.0))
        draw_lines(p, m.points[ends[within, 0]], m.points[ends[within, 1]])
        p.setOpacity(1.0)

    def _paint_open(
        self, p: QPainter, m: Map, inner: Map, frame: BasicFrame, clusters: Clusters,
        each: Callable[[Map, BasicFrame], None],
    ) -> None:  # fmt: skip
        """Draw the processes of unfolded discs and the messages between them."""
        folds, flights = m.folds, frame.flights
        assert folds is not None
        p.setOpacity(float(folds.open[folds.seen & (folds.open > 0)].max()))
        here = clusters.of[flights.source] == clusters.of[flights.target]
        here &= folds.open[clusters.of[flights.source]] > 0
        each(inner, replace(frame, flights=flights.only(here)))
        p.setOpacity(1.0)

    def _chosen(self, frame: BasicFrame, cluster: int) -> bool:
        return frame.discs is not None and frame.discs.unfolded == cluster

    def pill(self, m: Map, frame: BasicFrame) -> QRectF:
        """Return the box of the name above the disc that was unfolded by a click, empty if there is none."""
        if m.folds is None or frame.discs is None or frame.discs.unfolded < 0 or frame.discs.share < 1:
            return QRectF()
        cluster = frame.discs.unfolded
        name, fold = self._pill_words(frame)
        metrics = QFontMetricsF(self.theme.font("small", semibold=True))
        wide, high = metrics.horizontalAdvance(name + fold) + 44, metrics.height() + 12
        x, top = float(m.folds.at[cluster, 0]), float(m.folds.at[cluster, 1] - m.folds.radius[cluster])
        box = QRectF(x - wide / 2, max(top - high * 0.7, m.rect.top() + 4), wide, high)
        box.moveRight(min(box.right(), m.rect.right() - 4))
        return box

    def _pill_words(self, frame: BasicFrame) -> tuple[str, str]:
        assert frame.discs is not None
        count = int(frame.discs.clusters.count[frame.discs.unfolded])
        return trn("{count:,} process, unfolded", "{count:,} processes, unfolded", count), tr("Fold  Esc")

    def _name_unfolded(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw the number of processes above the disc that was unfolded by a click, and how to fold it."""
        box = self.pill(m, frame)
        if box.isEmpty():
            return
        name, fold = self._pill_words(frame)
        p.setPen(QPen(self.theme.color("accent.base"), 1.4))
        p.setBrush(self.theme.color("surface.canvas"))
        p.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        y = box.center().y()
        draw_text(p, self.theme, box.left() + 14, y, name, "small", "text.primary", semibold=True)
        draw_text(p, self.theme, box.right() - 14, y, fold, "small", "accent.base", align="right", semibold=True)

    # ------------------------------------------------------------------ the chain and cuts

    def _chain(
        self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, at: Floats, radius: Floats
    ) -> tuple[set[int], set[int]]:
        """Draw the longest waiting chain, from rim to rim of folded discs and from process to process in others.

        Return the folded discs through which it passes, and its processes in others.
        """
        opened = self.opened(m, frame) > 0.5
        rim: set[int] = set()
        named: set[int] = set()
        for band in frame.pointers:
            if band.declared.style != "waiting" or not band.longest.any():
                continue
            done: set[tuple[object, object]] = set()
            for s, t in zip(band.source[band.longest].tolist(), band.target[band.longest].tolist(), strict=True):
                a, b = int(clusters.of[s]), int(clusters.of[t])
                one, other = (("p", s) if opened[a] else ("c", a)), (("p", t) if opened[b] else ("c", b))
                rim |= {c for c, is_open in ((a, opened[a]), (b, opened[b])) if not is_open}
                named |= {q for q, is_open in ((s, opened[a]), (t, opened[b])) if is_open}
                if one == other or (one, other) in done:
                    continue
                done.add((one, other))
                start = m.points[s] if opened[a] else at[a]
                stop = m.points[t] if opened[b] else at[b]
                length = float(np.hypot(*(stop - start)))
                first = m.d * 0.5 if opened[a] else float(radius[a]) + 2
                last = m.d * 0.5 if opened[b] else float(radius[b]) + 2
                if length > first + last + 2:
                    u = (stop - start) / length
                    ends = tuple((start + u * first).tolist()), tuple((stop - u * last).tolist())
                    draw_band(p, self.theme, "waiting", *ends)
        return rim, named

    def _names(self, p: QPainter, m: Map, frame: BasicFrame, processes: set[int]) -> None:
        """Write the names of processes above them, unless there is room for names inside."""
        for process in sorted(processes) if m.d < NAMED else ():
            x, y = m.points[process].tolist()
            name = frame.names[process]
            draw_text(p, self.theme, x, y - m.d / 2 - 9, name, "small", "text.primary", True, "center", semibold=True)

    def _cuts(self, p: QPainter, frame: BasicFrame, clusters: Clusters, at: Floats) -> None:
        """Draw a cross on each bundle that contains a cut link."""
        cut = np.unique(clusters.link_bundle[frame.links_down | (frame.ways_down != 0)])
        if not len(cut) or frame.scene.paths is not None:
            return
        middle = _along(*self._ends(clusters, at, at.mean(axis=0)), 0.5)
        for x, y in middle[cut[cut >= 0]].tolist():
            draw_cross(p, self.theme.color("fault.base"), x, y, 3.5, 1.8)

    # ------------------------------------------------------------------ folded discs

    def _paint_discs(
        self, p: QPainter, m: Map, frame: BasicFrame, clusters: Clusters, at: Floats, radius: Floats,
        seen: NDArray[np.bool_], picture: bool, rim: set[int],
    ) -> None:  # fmt: skip
        look = np.where(frame.crashed, CRASHED, frame.slots).astype(np.int64)
        wide = CRASHED + 1
        counts = np.bincount(clusters.of * wide + look, minlength=len(clusters.count) * wide).reshape(-1, wide)
        chosen = {int(clusters.of[i]) for i in frame.selection.processes if i < len(clusters.of)}
        hover = frame.hover
        if hover is not None and hover.kind == "process" and isinstance(hover.id, int) and hover.id < len(clusters.of):
            chosen.add(int(clusters.of[hover.id]))
        ratio = p.device().devicePixelRatioF() if picture else 1.0
        opened = self.opened(m, frame)
        on_pixels = p.deviceTransform()
        copied = picture and on_pixels.m11() == ratio and on_pixels.m22() == ratio
        places = at
        if copied:  # from pixel to pixel, which is several times as fast as between them, and sharp
            shift = np.array([on_pixels.dx(), on_pixels.dy()])
            places = (np.round(at * ratio + shift) - shift) / ratio
        smooth = bool(p.renderHints() & QPainter.RenderHint.SmoothPixmapTransform)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth and not copied)
        for cluster in np.flatnonzero(seen & (opened < 1)).tolist():
            x, y = places[cluster].tolist()
            r, parts = round(float(radius[cluster]), 1), tuple(counts[cluster].tolist())
            p.setOpacity(1.0 - float(opened[cluster]))
            if picture and not opened[cluster]:
                pixmap = self._disc_picture(cluster, r, parts, ratio)
                half = pixmap.width() / ratio / 2
                p.drawPixmap(QPointF(x - half, y - half), pixmap)
            else:
                p.save()
                p.translate(x, y)
                self._disc(p, r, parts)
                p.restore()
            if cluster in rim:
                p.setPen(QPen(self.theme.color("chain.waiting"), 3.0))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawEllipse(QPointF(x, y), r + 1.5, r + 1.5)
            if cluster in chosen:
                p.setPen(QPen(self.theme.color("selection"), self.theme.line("selectionRing")))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawEllipse(QPointF(x, y), r + 4, r + 4)
        p.setOpacity(1.0)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)

    def _disc_picture(self, cluster: int, r: float, parts: tuple[int, ...], ratio: float) -> QPixmap:
        """Return the picture of a disc, which is drawn only if it has changed; its middle is a corner of pixels."""
        key = (r, parts, ratio)
        kept = self._pies.get(cluster)
        if kept is not None and kept[0] == key:
            return kept[1]
        side = 2 * math.ceil((r + 5) * ratio)
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
        self._pies[cluster] = key, pixmap
        return pixmap

    def _disc(self, p: QPainter, r: float, parts: tuple[int, ...]) -> None:
        """Draw a pie with a shape in every wedge that has room for it, and the number of processes in the middle."""
        total, ground = sum(parts), self.theme.color("surface.canvas")
        if total == 1 or r < 7:
            look = max(range(len(parts)), key=lambda i: parts[i])
            draw_process(p, self.theme, 0, 0, min(2 * r, 14.0), look % CRASHED, crashed=look == CRASHED)
            return
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ground)
        p.drawEllipse(QPointF(0, 0), r + 3, r + 3)
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
            if math.radians(span) * middle > 14 and r * 0.44 > 17:
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


def _along(a: Floats, turn: Floats, b: Floats, t: Floats | float) -> Floats:
    """Return points on quadratic curves, at the share ``t`` of their way."""
    found: Floats = a * (1 - t) ** 2 + turn * (2 * t * (1 - t)) + b * t**2
    return found
