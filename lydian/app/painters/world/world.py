"""The painter of the view World: bodies, lights and paths in space, drawn by raster from projected arrays.

Things are drawn from the farthest to the nearest; those at about the same distance have the same size and are drawn
together, from pictures that are kept.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_cross, draw_text
from lydian.app.look.theme import MESSAGE_KINDS, Theme, mixed
from lydian.app.painters.ink import MIDDLE, Ink
from lydian.app.painters.layers import Layers, is_raster
from lydian.app.painters.network import nettips
from lydian.app.painters.network.legend import (
    NONE,
    Legend,
    corner_legend,
    folded_legend,
    folds,
    legend_tip,
    paint_legend,
)
from lydian.app.painters.network.messages import colours_of
from lydian.app.painters.world.bodies import GLOW, HALO, draw_body, draw_glow, draw_light, draw_ring
from lydian.app.painters.world.caption import caption_box, draw_caption
from lydian.app.painters.world.figures import draw_figures
from lydian.app.painters.world.ground import EDGE, MapPainter, draw_air, draw_floor, map_box, on_map
from lydian.app.painters.world.lines import draw_foggy, draw_path, with_alpha
from lydian.app.painters.world.tower import draw_tower
from lydian.language import tr
from lydian.views.selection import Hit
from lydian.views.world.camera import Camera, Eye, Floats
from lydian.views.world.flights import Aloft
from lydian.views.world.labels import kept
from lydian.views.world.world import LIGHT, Sight, WorldFrame, hit_at, seen_from, sight

__all__ = ["WorldPainter"]

#: The ratio between two sizes of pictures that are kept, and the largest diameter of a body drawn from one.
STEP, LARGEST = 1.11, 96.0
#: The number of degrees of fog of the pictures that are kept.
FOGS = 5
#: The number of messages above which their heads and the fading of their trails are left out.
HEADS = 300
#: The number of nearest processes that may have labels, and the diameter from which on a process may have one.
LABELLED, NAMED = 70, 9.0
#: The width below which the legend is folded at first, and how far below the controls it is if it is unfolded there.
ROOMY, BESIDE = 900.0, 42.0
#: The styles of marks that are drawn as lines.
MARKED = ("arc", "half", "thick", "arrow")
#: The number of processes above which only half as many have labels.
CROWD = 250


class WorldPainter:
    """The painter of frames of :mod:`lydian.views.world.world`, one for each widget because it keeps pictures."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._layers = Layers()
        self._bodies: dict[tuple[int, float], Atlas] = {}
        self._lights: dict[tuple[int, float], Atlas] = {}
        self._told: tuple[Hashable, Legend] | None = None
        self._map = MapPainter(theme)
        self._ink = Ink(theme)
        self._seen: dict[float, tuple[Hashable, WorldFrame, Sight]] = {}

    # ------------------------------------------------------------------ positions

    def eye(self, rect: QRectF, frame: WorldFrame, camera: Any = None, side: float = 0.0) -> Eye:
        """Return the eye from which a camera of the window, one in space, or one on a flight sees the frame.

        Args:
            side: one of the frame's sides.
        """
        view = _view_of(camera)
        if isinstance(view, Aloft):
            view = view.camera(frame, rect.width(), rect.height())
        return seen_from(frame, view, rect.width(), rect.height(), side)

    def sight(self, rect: QRectF, frame: WorldFrame, camera: Any = None, side: float = 0.0) -> Sight:
        """Return what is seen of a frame; the last one is kept for each eye."""
        key = (_view_of(camera), rect.width(), rect.height())
        kept = self._seen.get(side)
        if kept is None or kept[0] != key or kept[1] is not frame:
            kept = self._seen[side] = key, frame, sight(frame, self.eye(rect, frame, camera, side))
        return kept[2]

    @staticmethod
    def halves(rect: QRectF, frame: WorldFrame) -> list[tuple[QRectF, float]]:
        """Return the part of the rectangle for each eye, and its side."""
        wide = rect.width() / len(frame.sides)
        return [
            (QRectF(rect.left() + number * wide, rect.top(), wide, rect.height()), side)
            for number, side in enumerate(frame.sides)
        ]

    def _half(self, pos: QPointF, rect: QRectF, frame: WorldFrame) -> tuple[QRectF, float]:
        """Return the part of the rectangle in which a point is, and its side."""
        halves = self.halves(rect, frame)
        return next((each for each in halves if each[0].contains(pos)), halves[0])

    def _legend(self, rect: QRectF, frame: WorldFrame, camera: Any) -> Legend:
        folded = getattr(camera, "folded", None)
        sizes = tuple((item.sort, item.number, item.widest, item.most) for item in frame.flat.legend)
        bar = _covered(camera, "bar")
        key = (rect.getRect(), folded, sizes, bar.getRect())
        if self._told is None or self._told[0] != key:
            legend = self._placed_legend(rect, frame, folded)
            if folded is None and legend.card.intersects(bar.adjusted(-EDGE, 0, 0, 0)):
                legend = self._placed_legend(rect, frame, True)
            self._told = key, legend
        return self._told[1]

    def _placed_legend(self, rect: QRectF, frame: WorldFrame, folded: bool | None) -> Legend:
        if not frame.flat.legend:
            return NONE
        narrow = rect.width() < ROOMY
        if narrow or folds(rect) if folded is None else folded:
            legend = folded_legend(self.theme, rect, frame.flat.legend)
            return _raised(legend, rect.top() + EDGE)
        nothing = np.empty((0, 4))
        found = corner_legend(self.theme, rect, frame.flat.legend, nothing, nothing)
        return NONE if found is None else _raised(found, rect.top() + EDGE + (BESIDE if narrow else 0.0))

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, rect: QRectF, frame: WorldFrame, camera: Any = None) -> None:
        """Draw the frame into the rectangle: one picture, or one for each eye."""
        for number, (part, side) in enumerate(self.halves(rect, frame)):
            self._paint(p, part, frame, camera, side, number)

    def _paint(self, p: QPainter, rect: QRectF, frame: WorldFrame, camera: Any, side: float, number: int) -> None:
        """Draw the picture for one eye."""
        theme, seen = self.theme, self.sight(rect, frame, camera, side)
        raster = is_raster(p)
        p.save()
        p.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        depth, air = round(frame.depth, 2), f"air {number}"
        self._layers.draw(p, air, (depth,), rect, rect, lambda inner, _strip: draw_air(inner, theme, rect, depth))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        p.translate(rect.topLeft())
        if frame.depth > 0:
            draw_floor(p, theme, seen.eye, frame.bottom)
        self._links(p, frame, seen)
        if frame.tower is not None:
            draw_tower(p, theme, frame, seen.eye, frame.tower)
        else:
            self._pointers(p, frame, seen)
        self._trails(p, frame, seen)
        self._things(p, frame, seen, raster=raster)
        self._losses(p, frame, seen)
        self._rings(p, frame, seen)
        draw_figures(p, theme, self._ink, seen.eye, getattr(camera, "figures", ()))
        p.translate(-rect.topLeft())
        legend, box = self._legend(rect, frame, camera), map_box(theme, rect)
        words, lines = caption_box(theme, self._ink, rect, frame.say, box, _covered(camera, "hear"))
        self._labels(p, rect, frame, seen, self._cards(rect, frame, camera))
        self._map.paint(p, box, frame, seen.eye)
        draw_caption(p, theme, self._ink, words, lines)
        paint_legend(p, theme, legend, frame.flat.legend, frame.flat.animation)
        p.restore()

    def _links(self, p: QPainter, frame: WorldFrame, seen: Sight) -> None:
        theme, flat = self.theme, frame.flat
        many = len(seen.link) > 2_000
        p.setRenderHint(QPainter.RenderHint.Antialiasing, not many)
        color = mixed(theme.color("link.base"), theme.color("surface.canvas"), 0.35 if many else 0.1)
        down = flat.links_down[seen.link]
        wide = 0.0 if many else theme.line("link") * 0.8
        draw_foggy(p, theme, color, seen.link_a[~down], seen.link_b[~down], seen.link_fog[~down], wide)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        cut = theme.color("fault.base")
        draw_foggy(p, theme, cut, seen.link_a[down], seen.link_b[down], seen.link_fog[down], 1.4, [5.0, 5.0])
        hover = flat.hover.id if flat.hover is not None and flat.hover.kind == "link" else None
        marked = {*flat.selection.links, *([hover] if isinstance(hover, tuple) else [])}
        if marked:
            numbers = [flat.scene.link_index[pair] for pair in marked if pair in flat.scene.link_index]
            some = np.isin(seen.link, numbers)
            p.setPen(QPen(theme.color("selection"), theme.line("selectionRing")))
            draw_lines(p, seen.link_a[some], seen.link_b[some])

    def _pointers(self, p: QPainter, frame: WorldFrame, seen: Sight) -> None:
        """Draw waiting chains as glowing paths, and other pointers as lines."""
        theme, flat, eye = self.theme, frame.flat, seen.eye
        for band in flat.pointers:
            a, b, weight, which = eye.segments(frame.places[band.source], frame.places[band.target])
            fog = eye.fog(weight)
            if band.declared.style in ("waiting", "waited"):
                width = np.clip(eye.size(0.09 * frame.body, weight), 1.2, theme.line("waitingChain"))
                width = np.where(band.longest[which], 1.35 * width, width)
                width = width if band.declared.style == "waiting" else 0.5 * width
                order = np.argsort(-weight)
                draw_path(p, theme, theme.color("chain.waiting"), a[order], b[order], width[order], fog[order],
                          arrows=band.declared.style == "waiting")  # fmt: skip
            else:
                tree = band.declared.style in ("tree", "ring")
                color = theme.state(3).outline if tree else theme.color("border.strong")
                draw_foggy(p, theme, color, a, b, fog, theme.line("treeEdge") * (0.8 if tree else 0.4))
        for band in flat.marks:
            if band is not None and band.declared.style in MARKED:
                a, b, weight, _ = eye.segments(frame.places[band.source], frame.places[band.target])
                wide = theme.line("treeEdge") * (0.8 if band.declared.style == "thick" else 0.45)
                draw_foggy(p, theme, theme.state(band.declared.slot).fill, a, b, eye.fog(weight), wide)

    def _trails(self, p: QPainter, frame: WorldFrame, seen: Sight) -> None:
        """Draw the way behind each message, brighter towards its head."""
        theme, flat = self.theme, frame.flat
        entries = seen.tail_entry
        if not len(entries):
            return
        moving = ~flat.flights.waiting[entries]
        entries, start, stop = entries[moving], seen.tails[moving], seen.tail_ends[moving]
        position = np.searchsorted(np.sort(seen.entry), entries)
        fog = seen.light_fog[np.argsort(seen.entry)][position]
        kinds, said = flat.flights.kind[entries], colours_of(flat)[entries]
        looks = np.where(said < 0, kinds, said)
        parts = ((0.0, 0.5, 0.25), (0.5, 0.8, 0.5), (0.8, 1.0, 0.95)) if len(entries) <= HEADS else ((0.4, 1.0, 0.6),)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, len(entries) <= HEADS)
        for look in np.unique(looks).tolist():
            some = looks == look
            way = stop[some] - start[some]
            for low, high, alpha in parts:
                color = with_alpha(theme.message(look).color, alpha)
                wide = theme.line("messageTrail") * (0.5 + 0.6 * high) if len(entries) <= HEADS else 0.0
                draw_foggy(p, theme, color, start[some] + low * way, start[some] + high * way, fog[some], wide)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)

    # ------------------------------------------------------------------ bodies and lights

    def _things(self, p: QPainter, frame: WorldFrame, seen: Sight, *, raster: bool) -> None:
        """Draw processes and messages together, from the farthest to the nearest."""
        flat = frame.flat
        looks = flat.slots[seen.process] + 32 * flat.crashed[seen.process] + 64 * flat.initiators[seen.process]
        said = colours_of(flat)[seen.entry]
        kinds = flat.flights.kind[seen.entry] % MESSAGE_KINDS + MESSAGE_KINDS * (said.astype(np.int64) + 1)
        body, light = _steps(seen.size), _steps(seen.light_size / LIGHT)
        largest = _steps(np.array([LARGEST]))[0]
        heads = len(seen.entry) <= HEADS
        for step in np.unique(np.concatenate((body, light))).tolist():
            mine, flying = np.flatnonzero(body == step), np.flatnonzero(light == step)
            if raster and step <= largest:
                self._sprites(p, seen, step, mine, looks)
                self._glints(p, seen, step, flying, kinds, heads=heads)
                continue
            for one in mine.tolist():
                x, y = seen.at[one].tolist()
                self._body(p, x, y, float(seen.size[one]), int(looks[one]), float(seen.fog[one]))
            for one in flying.tolist():
                turn = float(seen.turn[one])
                p.save()
                p.translate(*seen.lights[one].tolist())
                self._light(p, float(seen.light_size[one]), int(kinds[one]), float(seen.light_fog[one]), turn)
                p.restore()

    def _body(self, p: QPainter, x: float, y: float, d: float, look: int, fog: float) -> None:
        theme, slot = self.theme, look % 32
        crashed = look % 64 >= 32
        if not crashed and d >= 6:
            p.save()
            p.translate(x, y)
            draw_glow(
                p, mixed(theme.state(slot).fill, theme.color("surface.canvas"), fog), d, 0.34 if theme.dark else 0.22
            )
            p.restore()
        draw_body(p, theme, x, y, d, slot, fog=fog, crashed=crashed, initiator=look >= 64)

    def _light(self, p: QPainter, d: float, look: int, fog: float, turn: float | None) -> None:
        kind, own = look % MESSAGE_KINDS, look // MESSAGE_KINDS - 1
        draw_light(p, self.theme, d, kind, self.theme.message(kind if own < 0 else own).color, fog, turn)

    def _sprites(self, p: QPainter, seen: Sight, step: int, which: NDArray[np.int64], looks: NDArray[Any]) -> None:
        if not len(which):
            return
        ratio, d = p.device().devicePixelRatioF(), STEP**step
        if (step, ratio) not in self._bodies:

            def draw(inner: QPainter, key: Hashable) -> None:
                assert isinstance(key, int)
                self._body(inner, 0, 0, d, key // FOGS, (key % FOGS + 0.5) / FOGS)

            self._bodies[step, ratio] = Atlas(d * GLOW + 4, ratio, draw)
        fog = np.minimum((seen.fog[which] * FOGS).astype(np.int64), FOGS - 1)
        _paint(self._bodies[step, ratio], p, seen.at[which], looks[which].astype(np.int64) * FOGS + fog)

    def _glints(
        self, p: QPainter, seen: Sight, step: int, which: NDArray[np.int64], kinds: NDArray[np.int64], *, heads: bool
    ) -> None:
        if not len(which):
            return
        ratio, d = p.device().devicePixelRatioF(), LIGHT * STEP**step
        if (step, ratio) not in self._lights:

            def draw(inner: QPainter, key: Hashable) -> None:
                assert isinstance(key, int)
                key, turned = divmod(key, 2)
                self._light(inner, d, key // FOGS, (key % FOGS + 0.5) / FOGS, 0.0 if turned else None)

            self._lights[step, ratio] = Atlas(d * HALO + 4, ratio, draw)
        turned = heads and d >= 5
        fog = np.minimum((seen.light_fog[which] * FOGS).astype(np.int64), FOGS - 1)
        keys = (kinds[which] * FOGS + fog) * 2 + turned
        turn = np.degrees(seen.turn[which]) if turned else 0.0
        _paint(self._lights[step, ratio], p, seen.lights[which], keys, turn)

    def _losses(self, p: QPainter, frame: WorldFrame, seen: Sight) -> None:
        """Draw a fading cross where a message was lost."""
        losses = frame.flat.losses
        if not len(losses):
            return
        start, stop = frame.places[losses.source], frame.places[losses.target]
        at, weight = seen.eye.project(start + (stop - start) * losses.fraction[:, None])
        size = np.clip(seen.eye.size(0.3 * frame.body, weight), 2.0, 9.0)
        for (x, y), far, half, age in zip(
            at.tolist(), weight.tolist(), size.tolist(), losses.age.tolist(), strict=True
        ):
            if far > 0.1:
                p.setOpacity(min(1.0, max(0.0, 1.25 - 1.25 * age)))
                draw_cross(p, self.theme.color("fault.base"), x, y, half, max(1.4, half * 0.35))
        p.setOpacity(1.0)

    def _rings(self, p: QPainter, frame: WorldFrame, seen: Sight) -> None:
        """Draw rings around what is selected or under the pointer."""
        flat = frame.flat
        pointed = flat.hover
        for kind, chosen, ids, at, size in (
            ("process", flat.selection.processes, seen.process, seen.at, 1.35 * seen.size),
            ("message", flat.selection.messages, flat.flights.id[seen.entry], seen.lights, 1.6 * seen.light_size),
        ):
            wanted = set(chosen)
            if pointed is not None and pointed.kind == kind and isinstance(pointed.id, int):
                wanted.add(pointed.id)
            for one in np.flatnonzero(np.isin(ids, sorted(wanted))).tolist() if wanted else ():
                x, y = at[one].tolist()
                draw_ring(p, self.theme, x, y, max(float(size[one]), 14.0) + 6, chosen=int(ids[one]) in chosen)

    # ------------------------------------------------------------------ labels

    def labels(self, rect: QRectF, frame: WorldFrame, camera: Any = None) -> list[tuple[int, QRectF]]:
        """Return the processes with labels and the boxes of these in the rectangle, the nearest first; those of the
        first picture.
        """
        rect, side = self.halves(rect, frame)[0]
        placed = self._placed(rect, frame, self.sight(rect, frame, camera, side), self._cards(rect, frame, camera))
        return [
            (process, QRectF(left, top, right - left, bottom - top))
            for process, (left, top, right, bottom), *_ in placed
        ]

    def _cards(self, rect: QRectF, frame: WorldFrame, camera: Any) -> list[QRectF]:
        """Return the cards over the view, which labels leave free."""
        box = map_box(self.theme, rect)
        words, _ = caption_box(self.theme, self._ink, rect, frame.say, box, _covered(camera, "hear"))
        covered = getattr(camera, "covered", {}).values()
        cards = (self._legend(rect, frame, camera).card, box, words, *covered)
        return [each for each in cards if not each.isEmpty()]

    def _placed(self, rect: QRectF, frame: WorldFrame, seen: Sight, cards: list[QRectF]) -> list[Any]:
        """Return the labels that have room: process, box, role of type, name, second line, and fog."""
        flat, theme = frame.flat, self.theme
        most = LABELLED if len(flat.names) <= CROWD else LABELLED // 2
        nearest = np.arange(len(seen.process))[::-1][: 2 * most]
        always = flat.selection.processes
        nearest = np.array(
            sorted(nearest.tolist(), key=lambda one: int(seen.process[one]) not in always), dtype=np.int64
        )
        line = {role: 1.3 * theme.px(role) + 1 for role in ("body", "small", "caption")}
        found, boxes = [], []
        for one in nearest.tolist():
            d, process = float(seen.size[one]), int(seen.process[one])
            if d < NAMED and process not in always:
                continue
            role = "body" if d > 34 else "small" if d > 18 else "caption"
            name = flat.names[process]
            text = flat.watch[process] if flat.watch and d > 18 else ""
            wide = self._ink.width(name, role, semibold=True) + 12
            wide = max(wide, self._ink.width(text, "small")) if text else wide
            tall = line[role] + (line["small"] if text else 0)
            x = rect.left() + float(seen.at[one, 0])
            y = rect.top() + float(seen.at[one, 1])
            top = y - 0.62 * d - tall if frame.tower is not None else y + 0.62 * d + 1
            boxes.append((x - wide / 2, top, x + wide / 2, top + tall))
            found.append((process, boxes[-1], role, name, text, float(seen.fog[one])))
        taken = [_edges(card) for card in cards]
        left = kept(np.array([*taken, *boxes]).reshape(-1, 4), most + len(taken))
        return [found[number - len(taken)] for number in left.tolist() if number >= len(taken)]

    def _labels(self, p: QPainter, rect: QRectF, frame: WorldFrame, seen: Sight, cards: list[QRectF]) -> None:
        theme = self.theme
        for process, (left, top, right, bottom), role, name, text, fog in reversed(
            self._placed(rect, frame, seen, cards)
        ):
            tall = 1.3 * theme.px(role)
            wide = self._ink.width(name, role, semibold=True) + 11
            x = (left + right) / 2
            pill = QRectF(x - wide / 2, top, wide, tall)
            p.setOpacity(1.0 - 0.75 * fog)
            chosen = process in frame.flat.selection.processes
            p.setPen(QPen(theme.color("selection"), 1.6) if chosen else Qt.PenStyle.NoPen)
            p.setBrush(with_alpha(theme.color("surface.window"), 0.82))
            p.drawRoundedRect(pill, tall / 2, tall / 2)
            self._ink.text(p, pill, name, role, "text.primary", MIDDLE, semibold=True)
            if text:
                draw_text(p, theme, x, (pill.bottom() + bottom) / 2, text, "small", "text.secondary", True, "center")
        p.setOpacity(1.0)

    # ------------------------------------------------------------------ pointing

    def hit(self, pos: QPointF, rect: QRectF, frame: WorldFrame, camera: Any = None) -> Hit | None:
        """Return what is at a point: a message, a process or a link."""
        rect, side = self._half(pos, rect, frame)
        cards = self._cards(rect, frame, camera)
        if any(card.contains(pos) for card in cards):
            return None
        at = pos - rect.topLeft()
        return hit_at(
            self.sight(rect, frame, camera, side), frame, at.x(), at.y(), self.theme.size("node.hitMinimum") / 2
        )

    def note_at(self, pos: QPointF, rect: QRectF, frame: WorldFrame, camera: Any = None) -> str:
        """Describe a point where nothing can be hit, as rich text."""
        rect, _ = self._half(pos, rect, frame)
        legend = self._legend(rect, frame, camera)
        if legend.shown and legend.card.contains(pos):
            return legend_tip(frame.flat.legend)
        if map_box(self.theme, rect).contains(pos):
            return tr("the network from above, with your place and the direction in which you look; click to go there")
        return ""

    def legend_at(self, pos: QPointF, rect: QRectF, frame: WorldFrame, camera: Any = None) -> bool | None:
        """Return whether the legend under a point is folded, or None if there is no legend."""
        rect, _ = self._half(pos, rect, frame)
        legend = self._legend(rect, frame, camera)
        return legend.folded if legend.shown and legend.card.contains(pos) else None

    def map_at(self, pos: QPointF, rect: QRectF, frame: WorldFrame) -> tuple[bool, tuple[float, float] | int | None]:
        """Return whether a point is on the map, and what it means there (:func:`on_map`)."""
        rect, _ = self._half(pos, rect, frame)
        box = map_box(self.theme, rect)
        if not box.contains(pos):
            return False, None
        return True, on_map(self.theme, box, frame, pos.x(), pos.y())

    def place_of(self, process: int, rect: QRectF, frame: WorldFrame, camera: Any = None) -> QRectF | None:
        """Return where a process of the run is drawn, in the first picture, or None if it is not in view."""
        rect, side = self.halves(rect, frame)[0]
        seen = self.sight(rect, frame, camera, side)
        renumber = frame.flat.scene.renumber
        number = process if renumber is None else int(renumber[process])
        found = np.flatnonzero(seen.process == number)
        if not len(found):
            return None
        (x, y), d = seen.at[found[0]].tolist(), float(seen.size[found[0]])
        return QRectF(rect.left() + x - d / 2, rect.top() + y - d / 2, d, d)

    def tooltip(self, hit: Hit | None, frame: WorldFrame) -> str:
        """Describe what is under the pointer, as rich text."""
        return nettips.tooltip(hit, frame.flat)


def _covered(camera: Any, name: str) -> QRectF:
    """Return the box of something that is laid over the view; empty if there is no such thing."""
    found: QRectF = getattr(camera, "covered", {}).get(name, QRectF())
    return found


def _view_of(camera: Any) -> Camera | Aloft | None:
    """Return where a camera of the window is, or the camera itself if it is one in space."""
    view: Camera | Aloft | None = camera if camera is None or isinstance(camera, Camera | Aloft) else camera.view
    return view


def _raised(legend: Legend, top: float) -> Legend:
    """Return a legend in the upper left corner."""
    by = top - legend.card.top()
    cells = tuple((number, cell.translated(0, by)) for number, cell in legend.cells)
    return replace(legend, card=legend.card.translated(0, by), cells=cells)


def _edges(box: QRectF) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of a box."""
    return box.left(), box.top(), box.right(), box.bottom()


def _steps(size: Floats) -> NDArray[np.int64]:
    """Return the number of the picture size for each diameter."""
    found: NDArray[np.int64] = np.round(np.log(np.maximum(size, 2.0)) / math.log(STEP)).astype(np.int64)
    return found


def _paint(atlas: Atlas, p: QPainter, at: Floats, keys: NDArray[np.int64], turn: Floats | float = 0.0) -> None:
    """Draw pictures of an atlas by their keys."""
    present, which = np.unique(keys, return_inverse=True)
    atlas.paint(p, at[:, 0], at[:, 1], atlas.prepare(present.tolist())[which], rotation=turn)
