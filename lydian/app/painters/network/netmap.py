"""The positions and sizes of the things of the network on the screen: fit, level of detail, lanes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from lydian.app.look.theme import Theme
from lydian.views.network.basic import BasicFrame
from lydian.views.network.discs import Discs
from lydian.views.network.fit import STRETCH, Fit, fit_of, nearest

__all__ = ["Camera", "Folds", "Map", "fitted", "level_of", "map_for", "moved", "moves", "stretched"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

#: The numbers of processes in view up to which each level of detail applies; more than the last are "dense".
LEVELS = (("full", 60), ("medium", 250), ("small", 1_000))
#: The diameters below which a process is drawn at a lower level even if there are few.
SMALLEST = (("full", 24.0), ("medium", 17.0), ("small", 6.0))
#: The maximum share of the height for the margins above and below a network that fits, and for those at its sides.
MARGINS = 0.42
#: The distance from the centre of a process to the edge of the ring that shows a value by its colour, as a share of the
#: process's diameter.
RINGED = 0.78
#: The distance from the centre of a process to the edge of the shape of each slot, as a share of the process's
#: diameter; that of the cross of a crash is 0.62.
_REACH = (0.5, 0.55, 0.5, 0.63, 0.78, 0.78, 0.58, 0.6)


#: In a network in clusters: the greatest number of processes in view that are drawn with all their details, and the
#: diameters of a disc between which it unfolds.
DETAILED, UNFOLDS = 60, (190.0, 240.0)
#: The share of the distance between processes in an unfolded disc that their diameter takes, and the diameter from
#: which they have their names inside.
LOOSE, NAMED = 0.48, 26.0


@dataclass(frozen=True, eq=False)
class Folds:
    """The discs of a network in clusters on the screen.

    Args:
        at: their centres, (c, 2).
        radius: their radii, (c,).
        open: how far each is unfolded, from 0 (a pie of states) to 1 (its processes), (c,).
        seen: which are in view, (c,).
        level: the level of detail for the processes in discs that are open.
    """

    at: Floats
    radius: Floats
    open: Floats
    seen: NDArray[np.bool_]
    level: str


class Camera(Protocol):
    """A point (x, y) of the network is drawn at ``x*scale + dx``, ``y*scale*aspect + dy``; a scale of None fits
    everything.
    """

    @property
    def scale(self) -> float | None:
        """The pixels for a unit of the network, or None."""

    @property
    def dx(self) -> float:
        """The horizontal offset."""

    @property
    def dy(self) -> float:
        """The vertical offset."""

    @property
    def aspect(self) -> float:
        """The ratio of the vertical to the horizontal scale."""


@dataclass(frozen=True, eq=False)
class Map:
    """The positions that follow from the size of the widget, the camera and the network.

    ``points`` are the processes on the screen, (n, 2); ``d`` their diameter; ``lane`` the distance of a message to the
    right of its link; ``head`` the size of its head; ``visible`` which processes are in view; ``half`` the reach of the
    largest shape of the run from its centre, with a small margin. ``stand`` differs if positions that come from
    variables differ; while processes glide, ``rest`` is the map with their destinations. ``folds`` are the discs of a
    network in clusters.
    """

    rect: QRectF
    scale: float
    dx: float
    dy: float
    points: Floats
    visible: NDArray[np.bool_]
    level: str
    d: float
    lane: float
    head: float
    half: float = 0.0
    stand: Hashable = None
    rest: Map | None = None
    folds: Folds | None = None
    aspect: float = 1.0

    def same(self, other: Map) -> bool:
        """Return whether everything has the same place and size in another map."""
        return _plain(self) == _plain(other)

    @property
    def fit(self) -> Fit:
        """Return the transformation from the network to the screen."""
        return Fit(self.scale, self.dx, self.dy, self.aspect)

    @property
    def rim(self) -> float:
        """Return the distance from the centre of a process at which a message starts and ends."""
        return self.d * 0.58 + 1.0

    def ways(self, source: Ints, target: Ints) -> tuple[Floats, Floats, Floats]:
        """Return the start and end points of messages between processes, each (k, 2), and their directions as unit
        vectors.
        """
        a, b = self.points[source], self.points[target]
        way = b - a
        length = np.hypot(way[:, 0], way[:, 1])
        u = np.where(length[:, None] > 0, way / np.maximum(length, 1e-9)[:, None], (1.0, 0.0))
        side = np.column_stack((-u[:, 1], u[:, 0])) * self.lane
        first, last = self.rim, self.rim + self.head * 0.6
        room = np.minimum(1.0, 0.7 * length / (first + last))[:, None]
        return a + u * first * room + side, b - u * last * room + side, u

    def heads(
        self, source: Ints, target: Ints, fraction: Floats, place: Ints | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """Return the heads of messages, the starts of their trails, and their directions; each (k, 2)."""
        start, stop, u = self.ways(source, target)
        at = start + (stop - start) * fraction[:, None]
        if place is not None:
            at = at - u * (place * self.head * 1.15)[:, None]
        own = source == target
        if own.any():  # around a loop at the upper right of the process
            middle, radius = self.loop(source[own])
            turn = (0.75 + 2 * fraction[own]) * np.pi
            out = np.column_stack((np.cos(turn), np.sin(turn)))
            at[own] = start[own] = middle + radius * out
            u[own] = np.column_stack((-out[:, 1], out[:, 0]))
        return at, start, u

    def loop(self, processes: Ints) -> tuple[Floats, float]:
        """Return the loops of messages from processes to themselves: centres (k, 2), and their radius."""
        radius = max(0.5 * self.d, 1.2 * self.head)
        away = (self.d / 2 + 0.8 * radius) * np.sqrt(0.5)
        return self.points[processes] + np.array([away, -away]), radius


def _plain(value: object) -> object:
    """Return a map, or a part of one, as something that can be compared."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, Map | Folds):
        return [_plain(getattr(value, each.name)) for each in fields(value)]
    return value


def level_of(count: int, d: float) -> str:
    """Return the level of detail for the given number of processes in view and their diameter."""
    for (name, most), (_, least) in zip(LEVELS, SMALLEST, strict=True):
        if count <= most and d >= least:
            return name
    return "dense"


def fitted(theme: Theme, rect: QRectF, frame: BasicFrame, below: float = 0.0) -> Fit:
    """Return the transformation that fits the whole network above a strip of height ``below``.

    The axes are scaled separately so that the network fills the view (see :func:`stretched`).
    """
    count = len(frame.names)
    if not count:
        return Fit(1.0, rect.center().x(), rect.center().y())
    if frame.discs is not None:
        return _fitted_discs(rect, frame.discs, below)
    # Positions that come from variables may change, so the fit covers all positions that are ever reached.
    points = frame.positions if frame.standing is None else frame.standing.extent
    typical = _typical_link(frame) if frame.standing is None else 0.0
    longest = max(0.75 * min(rect.width(), rect.height()) + 60, 0.55 * max(rect.width(), rect.height()))
    stretch, d = STRETCH if stretched(frame) else 1.0, _wanted(theme, count)
    fit = fit_of(points, _room(theme, rect, frame, d, below), stretch, longest, typical)
    larger = _grown(theme, count, fit.place(frame.positions)) if stretch > 1 else d
    if larger > d:
        fit = fit_of(points, _room(theme, rect, frame, larger, below), stretch, longest, typical)
    return fit


def stretched(frame: BasicFrame) -> bool:
    """Return whether the axes may be scaled separately: not if places on a track have a meaning, nor in a large
    network.
    """
    return frame.standing is None and len(frame.names) <= LEVELS[1][1]


def _room(theme: Theme, rect: QRectF, frame: BasicFrame, d: float, below: float) -> tuple[float, float, float, float]:
    """Return the part of a view for the centres of processes of diameter ``d``."""
    few = len(frame.names) <= LEVELS[0][1]
    text = theme.px("small") * 1.9 if few else 6.0
    reach = d * _reach(frame) if few else d / 2
    aside = reach + (text * 1.4 if few else 10.0)
    if frame.scene.loops:
        aside += d / 2
    # With large text in a low pane, the margins would leave no room for the network, so their share is limited.
    aside = min(aside, MARGINS / 2 * rect.width())
    above, under = reach + (16 if not frame.scene.loops else d + 4), reach + text + 6
    if frame.animation.flags:  # they are outside the circle
        above, under, aside = (each + theme.px("caption") for each in (above, under, aside))
    squeeze = min(1.0, MARGINS * max(rect.height() - below, 0.0) / (above + under))
    room = rect.adjusted(aside, above * squeeze, -aside, -(under * squeeze + below))
    if room.width() < 20 or room.height() < 20:
        room = rect.adjusted(rect.width() * 0.1, rect.height() * 0.1, -rect.width() * 0.1, -rect.height() * 0.1)
    return room.left(), room.top(), room.right(), room.bottom()


def _fitted_discs(rect: QRectF, discs: Discs, below: float) -> Fit:
    """Return the transformation that fits all discs, and the name above one that is unfolded."""
    left, top, right, bottom = discs.box
    aside, above = min(24.0, 0.1 * rect.width()), min(18.0 + 18.0 * discs.share, 0.1 * rect.height())
    room = rect.adjusted(aside, above, -aside, -min(12.0 + below, 0.4 * rect.height()))
    scale = min(room.width() / max(right - left, 1e-9), room.height() / max(bottom - top, 1e-9))
    x, y = (left + right) / 2, (top + bottom) / 2
    return Fit(scale, room.center().x() - x * scale, room.center().y() - y * scale)


def _folds(
    theme: Theme, rect: QRectF, discs: Discs, scale: float, at: Floats, visible: NDArray[np.bool_]
) -> tuple[Folds, float, str]:
    """Return the discs on the screen, the diameter of processes, and the level of detail."""
    radius, of = discs.radius * scale, discs.clusters.of
    low, high = at + radius[:, None], at - radius[:, None]
    seen = (low[:, 0] > rect.left()) & (high[:, 0] < rect.right())
    seen &= (low[:, 1] > rect.top()) & (high[:, 1] < rect.bottom())
    start, stop = UNFOLDS
    opened = np.clip((2 * radius - start) / (stop - start), 0.0, 1.0)
    # When a process alone is as large as in a small network, clusters of few processes are open as well.
    tight = discs.spacing * scale * LOOSE
    opened = np.maximum(opened, np.clip(tight - SMALLEST[1][1], 0.0, 1.0))
    if discs.unfolded >= 0:
        opened[discs.unfolded] = max(opened[discs.unfolded], discs.share)
    shown = seen & (opened > 0)
    count = int((visible & shown[of]).sum())
    d = min(_wanted(theme, count), float(tight[shown].min(initial=np.inf)))
    inner = level_of(count, d) if d >= NAMED else "small"
    whole = not bool((seen & (opened < 1)).any()) and 0 < int(visible.sum()) <= DETAILED
    return Folds(at, radius, opened, seen, inner), d, inner if whole else "dense"


def map_for(theme: Theme, rect: QRectF, frame: BasicFrame, camera: Camera | None, below: float = 0.0) -> Map:
    """Return the map for a widget and a camera, with the destinations of gliding processes."""
    if camera is None or camera.scale is None:
        fit = fitted(theme, rect, frame, below)
    else:
        fit = Fit(camera.scale, camera.dx, camera.dy, camera.aspect if stretched(frame) else 1.0)
    standing, folds = frame.standing, None
    points = fit.place(frame.positions if standing is None else standing.rest)
    visible = _in_view(points, rect)
    count = int(visible.sum())
    if frame.discs is not None:
        at = fit.place(frame.discs.centre)
        folds, d, level = _folds(theme, rect, frame.discs, fit.scale, at, visible)
    else:
        wanted = _grown(theme, count, points[visible]) if stretched(frame) else _wanted(theme, count)
        d = min(wanted, _spacing(frame, fit, points[visible]) * 0.62)
        level = level_of(count, d)
    d = max(d, theme.size("node.diameter.xs"))
    k = theme.line("link") / theme.size("line.link")
    level_in = level if folds is None else folds.level
    size = {"full": theme.head, "medium": theme.head * 0.85}.get(level_in, 5.0 * k if level_in == "small" else 3.5 * k)
    lane = {"full": 7.0, "medium": 5.0, "small": 2.5}.get(level_in, 1.5) * k * (min(1.0, d / 30) if d >= 17 else 1.0)
    if level == "full" and folds is None:  # everything is scaled with the processes
        size, lane = (each * max(1.0, d / theme.diameter) ** 0.5 for each in (size, lane))
    half = d * _reach(frame) + 2
    stand = None if standing is None else standing.settled
    return Map(
        QRectF(rect), fit.scale, fit.dx, fit.dy, points, visible, level, d, lane, size, half, stand, folds=folds,
        aspect=fit.aspect,
    )  # fmt: skip


def moves(rect: QRectF, m: Map) -> tuple[float, ...]:
    """Return how far the whole drawing may be moved to the side so that a corner of the view becomes empty: at first
    not at all, then farther and farther, as long as its margin stays.
    """
    if not len(m.points):
        return (0.0,)
    free = min(rect.right() - float(m.points[:, 0].max()), float(m.points[:, 0].min()) - rect.left())
    most = max(free - max(2 * m.half, 1.5 * m.d), 0.0)
    return (0.0, *(most * share for share in (0.25, 0.5, 0.75, 1.0)))


def moved(m: Map, frame: BasicFrame) -> Map:
    """Return the same map with gliding processes on their way; labels keep their final places."""
    standing = frame.standing
    if standing is None:
        return m
    points = m.fit.place(standing.points)
    return replace(m, points=points, visible=_in_view(points, m.rect), stand=standing.key, rest=m)


def _in_view(points: Floats, rect: QRectF) -> NDArray[np.bool_]:
    x, y = points[:, 0], points[:, 1]
    return (x >= rect.left()) & (x <= rect.right()) & (y >= rect.top()) & (y <= rect.bottom())


def _reach(frame: BasicFrame) -> float:
    """Return the distance from a process's centre to the edge of its largest shape, as a share of its diameter."""
    if frame.timeline is None:
        return _REACH[0]
    scene = frame.scene
    reach = [_REACH[int(scene.slots[code]) % len(_REACH)] for code in scene.seen_states]
    if any(value.style in ("colour", "tint") for value in frame.animation.values):
        reach.append(RINGED)
    return max([*reach, 0.62 if scene.ever_crashed else 0.5])


def _wanted(theme: Theme, count: int) -> float:
    """Return the diameter for the given number of processes, if there is room."""
    grow = theme.diameter / theme.size("node.diameter.l")
    if count <= LEVELS[0][1]:
        return theme.diameter
    if count <= LEVELS[1][1]:
        return theme.size("node.diameter.m") * grow
    if count <= LEVELS[2][1]:
        return theme.size("node.diameter.s") * grow
    return 9.0


def _grown(theme: Theme, count: int, points: Floats) -> float:
    """Return the diameter for the given number of processes: a third of the distance between neighbours on the screen,
    within limits.
    """
    usual = _wanted(theme, count)
    if count > LEVELS[0][1]:
        return usual
    most = usual * theme.size("node.diameter.xl") / theme.size("node.diameter.l")
    return float(min(max(nearest(points) / 3, usual), most))


def _spacing(frame: BasicFrame, fit: Fit, points: Floats) -> float:
    """Return the distance between processes in view on the screen."""
    scale = fit.scale * min(fit.aspect, 1.0)
    if frame.standing is not None:
        track, n = frame.standing.track, len(frame.names)
        room = track.wide * scale * (2.0 if track.shape == "line" else 2 * np.pi) / max(n, 1)
        # Discs on a track may be closer to each other than those of a network.
        return max(min(room * 1.35, frame.standing.apart * scale * 1.1), 1e-9)
    if len(points) < 2:
        return np.inf
    wide, tall = np.ptp(points, axis=0).tolist()
    spread = max(np.sqrt(wide * tall / len(points)), max(wide, tall) / len(points))
    if spread == 0:  # all at one point, which zooming cannot separate
        return np.inf
    typical = _typical_link(frame) * scale
    return float(min(spread, typical) if typical > 0 else spread)


def _typical_link(frame: BasicFrame) -> float:
    """Return the length of a rather short link in coordinates of the network; it is kept with the scene."""
    kept: float | None = _lengths.get(id(frame.scene.positions))
    if kept is None:
        ends, points = frame.link_ends, frame.positions
        length = np.hypot(*(points[ends[:, 0]] - points[ends[:, 1]]).T) if len(ends) else np.zeros(0)
        kept = float(np.quantile(length, 0.2)) if len(length) else 0.0
        if len(_lengths) > 100:
            _lengths.clear()
            _arrays.clear()
        _lengths[id(frame.scene.positions)] = kept
        _arrays.append(frame.scene.positions)  # keeps the object alive, so that its id is not reused
    return kept


_lengths: dict[int, float] = {}
_arrays: list[Floats] = []
