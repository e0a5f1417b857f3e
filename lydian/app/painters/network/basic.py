"""The painter of the basic view: the network, the states of its processes, and every message at its position.

If there are many links, a picture of them is kept. Above 250 processes, shapes and messages are sprites drawn by one
call; above 1,000, processes are merged (:mod:`lydian.app.painters.network.clusters`). The tokens' levels of detail
define which details are drawn at each size; a state never loses its colour or shape.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPaintEngine, QPainter, QPen

from lydian.app.look.fragments import Atlas
from lydian.app.look.shapes import draw_change, draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.network import netmap, nettips
from lydian.app.painters.network.clusters import ClusterLayer
from lydian.app.painters.network.legend import (
    NONE,
    Legend,
    corner_legend,
    folded_legend,
    folds,
    layout_legend,
    legend_tip,
    paint_legend,
)
from lydian.app.painters.network.linklayer import LinkLayer, segments_of
from lydian.app.painters.network.messages import MessageLayer
from lydian.app.painters.network.netmap import Camera, Floats, Map
from lydian.app.painters.network.overview import Overview, overview_box
from lydian.app.painters.network.tags import Places, TagLayer
from lydian.app.painters.pieces.bands import LONGEST
from lydian.app.painters.pieces.beside import Parts, parted
from lydian.app.painters.pieces.carries import tag_height
from lydian.app.painters.pieces.masks import paint_hands, paint_masks
from lydian.app.painters.pieces.panelink import draw_ground
from lydian.app.painters.pieces.piece import Drawing, Painters, PiecePainter
from lydian.language import tr
from lydian.views.network.basic import BasicFrame
from lydian.views.network.fit import Fit
from lydian.views.selection import Hit

__all__ = ["BasicPainter"]


class Panels:
    """The painter of a frame's panels beside the network, which also finds what is at a point in them."""

    def __init__(self, theme: Theme, painters: Painters) -> None:
        self.theme, self.painters = theme, painters

    def paint(self, p: QPainter, rect: QRectF, parts: Parts, frame: BasicFrame) -> None:
        """Draw all panels for which there is room."""
        shown = [(panel, box) for panel, box in zip(frame.panels, parts.boxes, strict=True) if not box.isEmpty()]
        for _, box in shown:
            draw_ground(p, self.theme, box, rect)
        for (piece, number, state), box in shown:
            self.painters.of(piece, number).paint(p, box, frame, state)

    def hit(self, pos: QPointF, parts: Parts, frame: BasicFrame) -> Hit | None:
        """Return what can be selected at a point."""
        for (piece, number, state), box in zip(frame.panels, parts.boxes, strict=True):
            if box.contains(pos):
                found: Hit | None = self.painters.of(piece, number).hit(pos, box, frame, state)
                return found
        return None

    def note(self, pos: QPointF, parts: Parts, frame: BasicFrame) -> str:
        """Describe what is at a point, as rich text."""
        for (piece, number, state), box in zip(frame.panels, parts.boxes, strict=True):
            if box.contains(pos):
                return str(self.painters.of(piece, number).told(pos, box, frame, state))
        return ""


#: The looks of processes without their names are smaller numbers.
NAMED_LOOKS = 128


class BasicPainter:
    """The painter of frames of :mod:`lydian.views.network.basic`, one for each widget because it has a cache."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._links = LinkLayer(theme)
        self._messages = MessageLayer(theme)
        self._tags = TagLayer(theme)
        self._clusters = ClusterLayer(theme)
        self._overview = Overview(theme)
        self._atlases: dict[tuple[float, float, tuple[str, ...]], Atlas] = {}
        self._pieces = Painters(theme)
        self.panels = Panels(theme, self._pieces)
        self._map: tuple[Hashable, Map, Legend] | None = None
        self._fitted: tuple[Hashable, Map, Legend] | None = None
        self._moved: tuple[Hashable, Map] | None = None

    # ------------------------------------------------------------------ positions

    def fitted(self, rect: QRectF, frame: BasicFrame) -> Fit:
        """Return the transformation of a camera that shows everything."""
        return self._placed(rect, frame, None)[0].fit

    def room(self, rect: QRectF, frame: BasicFrame) -> QRectF:
        """Return the part of the rectangle for the network."""
        return parted(self.theme, rect, frame).network

    def map(self, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> Map:
        """Return the map with the positions of everything."""
        return self._placed(rect, frame, camera)[0]

    def labels(self, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> Places:
        """Return the place of each label of the run (see :meth:`lydian.app.painters.network.tags.TagLayer.places`)."""
        m, legend = self._placed(rect, frame, camera)
        return self._tags.places(m, frame, self._taken(m, legend, frame))

    def _placed(self, rect: QRectF, frame: BasicFrame, camera: Camera | None) -> tuple[Map, Legend]:
        zoomed = camera is not None and camera.scale is not None
        lens = (camera.scale, camera.dx, camera.dy, camera.aspect) if camera is not None and zoomed else None
        folded = getattr(camera, "folded", False)
        sizes = tuple((item.sort, item.number, item.widest, item.most) for item in frame.legend)
        standing = frame.standing
        place = None if standing is None else standing.settled
        open_ = None if frame.discs is None else (frame.discs.unfolded, frame.discs.share)
        fitted = (rect.getRect(), folded, id(frame.scene), sizes, place, open_)
        key = (lens, fitted)
        if self._map is None or self._map[0] != key:
            rect = parted(self.theme, rect, frame).network
            if self._fitted is None or self._fitted[0] != fitted:
                self._fitted = fitted, *self._with_legend(rect, frame, folds(rect) if folded is None else folded)
            _, m, legend = self._fitted
            m = netmap.map_for(self.theme, rect, frame, camera) if zoomed else m
            # While a run grows, most maps are like the one before, and what was drawn with that is still right.
            self._map = key, m if self._map is None or not m.same(self._map[1]) else self._map[1], legend
        if standing is None or not standing.gliding.any():
            return self._map[1], self._map[2]
        if self._moved is None or self._moved[0] != (key, standing.key):
            self._moved = (key, standing.key), netmap.moved(self._map[1], frame)
        return self._moved[1], self._map[2]

    def _with_legend(self, rect: QRectF, frame: BasicFrame, folded: bool) -> tuple[Map, Legend]:
        """Return the map that shows everything, and the legend: folded, in an empty corner, or below the drawing."""
        if not frame.legend:
            return netmap.map_for(self.theme, rect, frame, None), NONE
        if folded:
            return netmap.map_for(self.theme, rect, frame, None), folded_legend(self.theme, rect, frame.legend)
        beside = self._in_corner(rect, frame) if netmap.stretched(frame) else None
        if beside is not None:
            return beside
        legend = layout_legend(self.theme, rect, frame.legend)
        return netmap.map_for(self.theme, rect, frame, None, legend.height), legend

    def _in_corner(self, rect: QRectF, frame: BasicFrame) -> tuple[Map, Legend] | None:
        """Return the map that shows everything, perhaps moved to the side, and the legend in an empty corner."""
        m = netmap.map_for(self.theme, rect, frame, None)
        half, below = max(m.half, m.d / 2), self.theme.px("small") * 1.9 if m.level == "full" else 0.0
        for to_side in netmap.moves(rect, m):
            moved = m if not to_side else netmap.map_for(self.theme, rect, frame, m.fit.moved(to_side))
            shapes = np.hstack((moved.points - half, moved.points + np.array([half, half + below])))
            corner = corner_legend(self.theme, rect, frame.legend, shapes, segments_of(moved, frame))
            if corner is not None:
                return moved, corner
        return None

    def occupied(
        self, rect: QRectF, frame: BasicFrame, camera: Camera | None = None
    ) -> tuple[list[QRectF], int, Floats]:
        """Return the boxes of the processes in view, of the legend, of the weights of links and of labels, how many
        labels of links there are at the end, and the links as rows x1, y1, x2, y2.
        """
        m, legend = self._placed(rect, frame, camera)
        half = max(m.half, m.d / 2)
        seen = m.points[m.visible] if m.level != "dense" else m.points[:0]
        taken = self._taken(m, legend, frame)
        places = {} if frame.started else self._tags.places(m, frame, taken)
        corners = [box for (what, _), box in places.items() if what == "corner"]
        chips = [box for (what, _), box in places.items() if what == "chip"]
        shapes = [QRectF(x - half, y - half, 2 * half, 2 * half) for x, y in seen.tolist()]
        return [*shapes, *taken, *corners, *chips], len(chips), segments_of(m, frame)

    def _taken(self, m: Map, legend: Legend, frame: BasicFrame | None = None) -> tuple[QRectF, ...]:
        """Return where no label may be placed: the legend, the overview, and in a frame the weights of links."""
        boxes = [legend.card if legend.shown else QRectF(), overview_box(m)]
        boxes += [] if frame is None else self._links.weight_boxes(m, frame).values()
        return tuple(box for box in boxes if not box.isEmpty())

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> None:
        """Draw the frame into the rectangle."""
        m, legend = self._placed(rect, frame, camera)
        picture = p.paintEngine().type() in (QPaintEngine.Type.Raster, QPaintEngine.Type.OpenGL2)
        p.save()
        p.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        if not (picture and m.level == "dense" and m.rect == rect and self._clusters.covers(p, m, frame)):
            p.fillRect(rect, self.theme.color("surface.canvas"))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if frame.beside:
            parts = parted(self.theme, rect, frame)
            self.panels.paint(p, rect, parts, frame)
            p.setClipRect(parts.network, Qt.ClipOperation.IntersectClip)
        if m.level == "dense":
            self._clusters.paint(p, m, frame, picture=picture, each=partial(self._paint_inner, p, picture=picture))
        else:
            self._paint_each(p, m, frame, self._taken(m, legend, frame), picture=picture)
        self._overview.paint(p, m, frame)
        paint_legend(p, self.theme, legend, frame.legend, frame.animation)
        p.restore()

    def _paint_each(self, p: QPainter, m: Map, frame: BasicFrame, taken: tuple[QRectF, ...], *, picture: bool) -> None:
        """Draw every process, link and message by itself."""
        pieces = self._pieces.all(frame)
        d = Drawing(p, m, frame, taken, self._tags)
        for piece in pieces:
            piece.under(d)
        for piece in pieces:
            piece.areas(d)
        self._links.paint(p, m, frame, picture=picture)
        self._marked_links(p, m, frame)
        for piece in pieces:
            piece.lines(d)
        for piece in pieces:
            piece.arrows(d)
        for piece in pieces:
            piece.points(d)
        self._tags.paint(p, m, frame, taken)
        self._links.paint_weights(p, m, frame)
        for piece in pieces:
            piece.inner(d)
        self._messages.paint(p, m, frame, picture=picture)
        for piece in pieces:
            piece.rings(d)
        self._processes(d, pieces, picture)
        self._messages.paint_losses(p, m, frame)
        for piece in pieces:
            piece.beside(d)
        for piece in pieces:
            piece.above(d)
        paint_hands(p, self.theme, m, frame)
        paint_masks(p, self.theme, m, frame)
        for piece in pieces:
            piece.over(d)
        self._tags.paint_corners(p, m, frame, taken)
        for piece in pieces:
            piece.last(d)
        self._rings(p, m, frame)

    def _paint_inner(self, p: QPainter, m: Map, frame: BasicFrame, *, picture: bool) -> None:
        """Draw the processes of unfolded discs, and the messages between them."""
        pieces = self._pieces.all(frame)
        self._messages.paint(p, m, frame, picture=picture)
        self._processes(Drawing(p, m, frame, (), self._tags), pieces, picture)
        self._rings(p, m, frame)

    def _marked_links(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw rails along selected links and the hovered one, far enough apart for a band between them."""
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

    def _processes(self, d: Drawing, pieces: list[PiecePainter], picture: bool) -> None:
        p, m, frame = d.p, d.m, d.frame
        slots = frame.slots + 32 * frame.crashed + 64 * frame.initiators
        shown = np.flatnonzero(m.visible)
        if picture and m.level in ("small", "dense"):
            self._sprites(p, m, slots[shown], shown)
            for process in shown[frame.changed[shown] < 1].tolist():
                self._change(p, m, frame, process, "")
            return
        named = m.level in ("full", "medium")
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "process" else None
        if picture and m.level == "medium" and all(type(piece).fills is PiecePainter.fills for piece in pieces):
            # Most processes look as before: they are drawn at once, from pictures with their names.
            alone = np.isfinite(frame.busy[shown])
            alone |= np.isin(shown, [*frame.selection.processes, *([] if hover is None else [hover])])
            same = shown[~alone]
            self._sprites(p, m, slots[same] + NAMED_LOOKS * (same + 1), same, frame.names)
            for process in same[frame.changed[same] < 1].tolist():
                self._change(p, m, frame, process, frame.names[process])
            shown = shown[alone]
        for process in shown.tolist():
            x, y = m.points[process].tolist()
            busy, slot = float(frame.busy[process]), int(frame.slots[process])
            inner = next((piece for piece in pieces if piece.fills(m, frame, process)), None)
            name = frame.names[process] if named else ""
            draw_process(
                p,
                self.theme,
                x,
                y,
                m.d,
                slot,
                "" if inner else name,
                initiator=bool(frame.initiators[process]),
                selected=process in frame.selection.processes,
                hover=process == hover,
                crashed=bool(frame.crashed[process]),
                busy=busy if named and math.isfinite(busy) else None,
            )
            self._change(p, m, frame, process, "" if inner else name)
            if inner:
                inner.inside(d, process)

    def _sprites(
        self, p: QPainter, m: Map, looks: NDArray[Any], shown: NDArray[np.int64], names: tuple[str, ...] = ()
    ) -> None:
        """Draw processes from pictures; a look of ``NAMED_LOOKS`` and more contains the number of the process."""
        ratio = p.device().devicePixelRatioF()
        key = (m.d, ratio, names)
        if key not in self._atlases:
            theme, d = self.theme, m.d

            def draw(inner: QPainter, look: Hashable) -> None:
                assert isinstance(look, int)
                process, look = look // NAMED_LOOKS - 1, look % NAMED_LOOKS
                name = names[process] if process >= 0 else ""
                draw_process(inner, theme, 0, 0, d, look % 32, name, crashed=look % 64 >= 32, initiator=look >= 64)

            self._atlases = {key: Atlas(m.d * 1.6 + 4, ratio, draw)}
        atlas = self._atlases[key]
        present, which = np.unique(looks, return_inverse=True)
        atlas.paint(p, m.points[shown, 0], m.points[shown, 1], np.asarray(atlas.prepare(present.tolist()))[which])

    def _change(self, p: QPainter, m: Map, frame: BasicFrame, process: int, name: str) -> None:
        """Draw the previous state's look, as far as it has not faded yet."""
        share = float(frame.changed[process])
        if share < 1 and not frame.crashed[process]:
            x, y = m.points[process].tolist()
            draw_change(p, self.theme, x, y, m.d, int(frame.before[process]), int(frame.slots[process]), share, name)

    def _rings(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw rings around messages, and around processes that are sprites."""
        hover = frame.hover
        color = self.theme.color("selection")
        p.setBrush(Qt.BrushStyle.NoBrush)
        if m.level == "dense":
            return
        if m.level == "small":
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
        """Return what is at a point: a message, a process or a link, each within at least 14 pixels."""
        m, legend = self._placed(rect, frame, camera)
        if frame.beside:
            parts = parted(self.theme, rect, frame)
            if not parts.network.contains(pos):
                return self.panels.hit(pos, parts, frame)
            if not m.rect.contains(pos):
                return None
        if any(box.contains(pos) for box in self._taken(m, legend)):
            return None
        x, y = pos.x(), pos.y()
        reach = self.theme.size("node.hitMinimum") / 2
        if m.level == "dense":
            process = self._clusters.process_at(m, frame, pos, reach)
            return None if process < 0 else Hit("process", process)
        nearest, process = np.inf, -1
        if len(m.points):
            away = np.hypot(m.points[:, 0] - x, m.points[:, 1] - y)
            process = int(np.argmin(away))
            nearest = float(away[process])
        flights = frame.flights
        if len(flights):
            at, _, u = m.heads(flights.source, flights.target, flights.fraction, flights.place)
            away = np.hypot(at[:, 0] - x, at[:, 1] - y)
            if frame.carries and m.level == "full":
                value = at - u * (0.5 * tag_height(m) + 0.45 * m.head)
                behind = np.hypot(value[:, 0] - x, value[:, 1] - y)
                away = np.where(frame.carries[0].flying >= 0, np.minimum(away, behind), away)
            message = int(np.argmin(away))
            # A head under the pointer takes precedence over a process, and that over a head near the pointer.
            near = reach if nearest > max(reach, m.d / 2 + 4) else min(m.head * 0.7, nearest)
            if away[message] <= near:
                return Hit("message", int(flights.id[message]))
        if nearest <= max(reach, m.d / 2 + 4):
            return Hit("process", process)
        hidden = frame.animation.places is not None and not frame.animation.places.links
        segments = segments_of(m, frame)
        if len(segments) and not hidden:
            away = _distances(x, y, segments)
            link = int(np.argmin(away))
            if away[link] <= reach:
                a, b = frame.link_ends[link].tolist()
                return Hit("link", (min(a, b), max(a, b)))
        return None

    def note_at(self, pos: QPointF, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> str:
        """Describe a point where nothing can be hit, as rich text: the legend in words, or a disc of processes."""
        m, legend = self._placed(rect, frame, camera)
        if frame.beside:
            parts = parted(self.theme, rect, frame)
            if not parts.network.contains(pos):
                return self.panels.note(pos, parts, frame)
        if legend.shown and legend.card.contains(pos):
            return legend_tip(frame.legend)
        if overview_box(m).contains(pos):
            return tr("the whole network; drag to move the view")
        if m.level == "dense":
            return self._clusters.note(m, frame, pos) if len(m.points) else ""
        notes = (piece.note(pos, m, frame) for piece in reversed(self._pieces.all(frame)))
        return next((note for note in notes if note), "")

    def legend_at(self, pos: QPointF, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> bool | None:
        """Return whether the legend under a point is folded, or None if there is no legend."""
        _, legend = self._placed(rect, frame, camera)
        return legend.folded if legend.shown and legend.card.contains(pos) else None

    def disc_at(self, pos: QPointF, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> NDArray[np.int64]:
        """Return the processes that are drawn as one disc at a point, or none if there is no disc."""
        m, _ = self._placed(rect, frame, camera)
        if m.level != "dense" or not len(m.points) or overview_box(m).contains(pos):
            return np.empty(0, dtype=np.int64)
        return self._clusters.inside(m, frame, pos)

    def fold_at(self, pos: QPointF, rect: QRectF, frame: BasicFrame, camera: Camera | None = None) -> bool:
        """Return whether a point is on the name of the disc that was unfolded, a click on which folds it."""
        return self._clusters.pill(self._placed(rect, frame, camera)[0], frame).contains(pos)

    def overview_at(
        self, pos: QPointF, rect: QRectF, frame: BasicFrame, camera: Camera | None = None, *, inside: bool = True
    ) -> tuple[float, float] | None:
        """Return the point of the network at a point of the overview map, or None if there is no map there.

        Args:
            inside: False also accepts points beside the map, for a drag that began on it.
        """
        return self._overview.at(self._placed(rect, frame, camera)[0], pos, inside=inside)

    def tooltip(self, hit: Hit | None, frame: BasicFrame) -> str:
        """Describe what is under the pointer, as rich text."""
        return nettips.tooltip(hit, frame)


def _distances(x: float, y: float, segments: Floats) -> Floats:
    """Return the distances of a point from segments (rows x1 y1 x2 y2)."""
    a, way = segments[:, :2], segments[:, 2:] - segments[:, :2]
    square = np.maximum((way**2).sum(axis=1), 1e-12)
    along = np.clip(((np.array([x, y]) - a) * way).sum(axis=1) / square, 0, 1)
    nearest = a + way * along[:, None]
    distance: Floats = np.hypot(nearest[:, 0] - x, nearest[:, 1] - y)
    return distance
