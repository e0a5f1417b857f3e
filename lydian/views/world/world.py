"""The view World: the network in three dimensions, with everything that the flat network shows.

A frame contains the frame of the flat network and the places of its processes in space; :func:`sight` says what a
camera sees of it, as arrays sorted from the farthest to the nearest. The flat drawing and the deep one are the two ends
of one continuous motion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput, did_you_mean
from lydian.model.network import Network
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.basic import BasicFrame
from lydian.views.network.scene import Scene
from lydian.views.registry import Choice, View
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.time.axis import remember
from lydian.views.world.camera import NEAR, Camera, Eye, Floats, between, fitted
from lydian.views.world.places import HELIX, LAYOUTS, TOWER, flattened, helix, nearest, places_of, shape_of
from lydian.views.world.tower import HEIGHT, Tower, tower_at

__all__ = [
    "VIEW", "Sight", "WorldFrame", "bottom_of", "close_to", "frame", "hit_at", "home", "laid_out", "riding",
    "riding_at", "seen_from", "sight",
]  # fmt: skip

#: The direction of the first view: from the right of the front, and from above, in radians.
YAW, PITCH = math.radians(-24.0), math.radians(-17.0)
#: A network lower than this share of its width is seen more from above.
LOW, STEEP = 0.6, math.radians(-34.0)
#: The same for a tower.
TOWER_YAW, TOWER_PITCH = math.radians(-20.0), math.radians(-24.0)
#: The diameter of a process as a share of the distance to its neighbours, and its limits.
BODY, SMALLEST, LARGEST = 0.42, 0.012, 0.17
#: The largest diameter of a process where many have to be seen behind one another, times the root of their number.
CROWDED = 0.6
#: The same at the top of a tower.
TOP = 0.25
#: The distance between two eyes as a share of that of the pivot: 65 mm if the pivot is two metres away.
EYES = 0.065 / 2.0
#: The size of the light of a message, as a share of that of a process.
LIGHT = 0.5
#: The largest diameter in pixels of the light of a message, which would otherwise hide everything when one rides on it.
DAZZLING = 34.0
#: How far behind a message and above it the camera rides, in diameters of a process.
BEHIND, ABOVE = 3.6, 1.1
#: How much higher it is there as long as the sender would hide the message, as a share of the distance behind it.
OVER = 0.55
#: The distance at which a process is looked at, in diameters, and its least value.
CLOSE, LEAST = 9.0, 0.4
#: How far a message flies to the right of its link, as a share of the diameter of a process.
LANE = 0.2
#: The length of the trail behind a message, as a share of its way.
TRAIL = 0.42
#: The distance of the floor below the lowest process.
FLOOR = 0.28
#: The part of the run from which on the first view of a tower grows with it.
GROWN = 0.6
#: The room around the floor of a tower that the first view shows, as a share of its size.
AROUND = 0.15
#: The share of the screen that is filled at first.
FILLED = 0.7


@dataclass(frozen=True, eq=False)
class WorldFrame:
    """The network in space at a time.

    Attributes:
        flat: the frame of the flat network: states, messages, pointers, legend.
        layout: one of :data:`lydian.views.world.places.LAYOUTS`.
        depth: from 0, the flat drawing, to 1.
        level: the places of the processes without depth, (n, 3).
        deep: their places in the layout, (n, 3).
        places: where they are drawn, (n, 3), between the two.
        body: the diameter of a process in units of space.
        tower: the execution above the network, or None in other layouts.
        grown: how much of the tower there is, from 0 to 1, while the layout changes.
        bottom: the height of the floor.
        before, share: the layout from which the processes are on their way, or empty, and how much of it has passed.
        say: the sentence of a guided flight, or empty.
        stereo: whether there are two pictures side by side, for two eyes.
        title: one line in numbers.
    """

    flat: BasicFrame
    layout: str
    depth: float
    level: Floats
    deep: Floats
    places: Floats
    body: float
    tower: Tower | None
    bottom: float
    title: str
    grown: float = 1.0
    before: str = ""
    share: float = 1.0
    say: str = ""
    stereo: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the processes."""
        return self.flat.names

    @property
    def started(self) -> bool:
        """Whether any event has happened."""
        return self.flat.started

    @property
    def radius(self) -> float:
        """The radius of everything around the origin."""
        return 1.0 if self.tower is None else math.hypot(1.0, self.grown * HEIGHT / 2)

    @property
    def sides(self) -> tuple[float, ...]:
        """How far each eye is to the right of the camera, as a share of the distance of the pivot: one eye, or two."""
        return (-EYES / 2, EYES / 2) if self.stereo else (0.0,)

    @property
    def extent(self) -> Floats:
        """The points that the first view shows, (k, 3)."""
        return self.places if self.tower is None else self.tower.points


def frame(
    timeline: Timeline | None,
    t: float,
    selection: Selection = NOTHING,
    *,
    network: Network | None = None,
    animation: Animation | None = None,
    hover: Hit | None = None,
    fade: float = 0.0,
    layout: str = "shape",
    depth: float = 1.0,
    before: str = "",
    share: float = 1.0,
    say: str = "",
    stereo: bool = False,
) -> WorldFrame:
    """Return the network in space at time ``t``.

    Args:
        timeline, t, selection, network, animation, hover, fade: as for :func:`lydian.views.network.basic.frame`.
        layout: one of :data:`lydian.views.world.places.LAYOUTS`.
        depth: from 0, the flat drawing, to 1.
        before: the layout from which the processes are on their way, or empty.
        share: the part of that way that has passed, from 0 to 1.
        say: the sentence of a guided flight.
        stereo: whether there are two pictures side by side, for two eyes.

    Raises:
        BadInput: there is no such layout.
    """
    for each in (layout, before or layout):
        if each not in LAYOUTS:
            raise BadInput(f"unknown layout '{each}'{did_you_mean(each, LAYOUTS)}; choose from {', '.join(LAYOUTS)}")
    flat = basic.frame(timeline, t, selection, network=network, animation=animation, hover=hover, fade=fade)
    scene = flat.scene
    depth = min(max(float(depth), 0.0), 1.0)
    level = flattened(_positions(flat), like=scene.positions)
    deep, body = laid_out(scene, layout, level)
    share = min(max(float(share), 0.0), 1.0) if before else 1.0
    other, other_body = (deep, body) if share == 1 else laid_out(scene, before, level)
    grown = (share if layout == TOWER else 0.0) + (1 - share if before == TOWER else 0.0)
    tower, floor = None, deep if layout == TOWER else other
    bottom = _bottom(other, before) + share * (_bottom(deep, layout) - _bottom(other, before))
    if grown and timeline is not None:
        still = deep if grown == 1 else other if layout == TOWER else deep  # where the processes are without the tower
        tower = tower_at(
            scene, flat.k, t, floor, level + depth * (still - level) if grown < 1 else level, depth * grown
        )
        places = tower.tops
    else:
        places = level + depth * (other + share * (deep - other) - level)
        bottom = bottom_of(deep) if timeline is None else bottom
    return WorldFrame(
        flat=flat,
        layout=layout,
        depth=depth,
        level=level,
        deep=deep,
        places=places,
        body=other_body + share * (body - other_body),
        tower=tower,
        bottom=bottom,
        title=_title(flat, layout, tower),
        grown=grown if tower is not None else 1.0,
        before=before if share < 1 else "",
        share=share,
        say=say,
        stereo=stereo,
    )


def _bottom(deep: Floats, layout: str) -> float:
    """Return the height of the floor of a layout."""
    return -HEIGHT / 2 if layout == TOWER else bottom_of(deep)


def _positions(flat: BasicFrame) -> Floats:
    """Return the positions of the flat drawing; those of moving processes at this moment."""
    return flat.scene.positions if flat.standing is None else flat.standing.points


def laid_out(scene: Scene, layout: str, level: Floats) -> tuple[Floats, float]:
    """Return the places of a layout and the diameter of processes, computed once for a run.

    Args:
        level: the places in the flat drawing, (n, 3), from which a helix is wound.
    """
    if layout == HELIX:
        places = helix(level)
        return places, min(_size(places, layout), _size(level, layout))
    if scene.timeline is None:
        return _laid_out(scene.network, layout)
    key = ("places in space", layout, id(scene.network))
    places, body, _ = remember(scene.timeline, key, lambda: (*_laid_out(scene.network, layout), scene))
    return places, body


def bottom_of(places: Floats) -> float:
    """Return the height of the floor below places."""
    return float(places[:, 1].min(initial=0.0)) - FLOOR


def _laid_out(network: Network, layout: str) -> tuple[Floats, float]:
    """Return the places of a layout, and the diameter of the processes there."""
    places = places_of(network, layout)
    return places, _size(places, layout)


def _size(places: Floats, layout: str) -> float:
    """Return the diameter of processes at some places."""
    most = min(LARGEST, CROWDED / math.sqrt(max(len(places), 1)))
    share = TOP if layout == TOWER else BODY
    return max(min(share * nearest(places), most), SMALLEST)


def _title(flat: BasicFrame, layout: str, tower: Tower | None) -> str:
    words = [flat.title]
    if tower is not None:
        words.append(tr("time goes up"))
        words.append(trn("longest chain of {count:,} message", "longest chain of {count:,} messages", tower.length))
        if tower.left_out:
            words.append(trn("{count:,} earlier message is not drawn", "{count:,} earlier messages are not drawn",
                             tower.left_out))  # fmt: skip
    elif layout == "shape" and flat.scene.network.n == 16 and shape_of(flat.scene.network) == "hypercube":
        words.append(tr("the fourth direction leads inwards"))
    return " · ".join(words)


# ------------------------------------------------------------------ the camera


def home(
    frame: WorldFrame,
    width: float,
    height: float,
    layout: str = "",
    yaw: float | None = None,
    pitch: float | None = None,
) -> Camera:
    """Return the first view: everything, from the front and a little from above.

    Args:
        layout: the layout that is seen, by default that of the frame.
        yaw, pitch: another direction of view, in radians.
    """
    layout = layout or frame.layout
    scene = frame.flat.scene
    tower = layout == TOWER and scene.timeline is not None
    deep = frame.deep if layout == frame.layout else laid_out(scene, layout, frame.level)[0]
    start = Camera((0.0, 0.0, 3.0), TOWER_YAW if tower else YAW, TOWER_PITCH if tower else PITCH)
    extent = np.ptp(deep, axis=0) if len(deep) else np.ones(3)
    if not tower and extent[1] < LOW * min(extent[0], extent[2]):
        start = replace(start, pitch=STEEP)
    start = replace(start, yaw=start.yaw if yaw is None else yaw, pitch=start.pitch if pitch is None else pitch)
    eye = Eye(start, width, height)
    if not tower:
        return fitted(deep, eye, FILLED)
    up = np.array([0.0, HEIGHT, 0.0])
    floor = deep + (deep - deep.mean(axis=0)) * AROUND - up / 2
    grown = max(frame.flat.t / max(scene.run.end, 1e-9), GROWN)
    return fitted(np.vstack((floor, floor + up * grown)), eye, FILLED)


def close_to(frame: WorldFrame, process: int, yaw: float, pitch: float, zoom: float = 1.0) -> Camera:
    """Return the camera that looks at a process of the network from nearby, in a direction in radians."""
    reach = max(CLOSE * frame.body, LEAST) / zoom
    return Camera((0.0, 0.0, 0.0)).around(frame.places[process], yaw, pitch, reach)


def seen_from(frame: WorldFrame, camera: Camera | None, width: float, height: float, side: float = 0.0) -> Eye:
    """Return the eye for a camera (None: the first view) and the depth of a frame.

    Args:
        width, height: the size of the picture for this eye.
        side: one of the frame's :attr:`WorldFrame.sides`.

    Without depth it looks straight at the flat network; in between, it is on its way from there.
    """
    deep = home(frame, width, height) if camera is None else camera
    if camera is None and frame.before:
        deep = between(home(frame, width, height, frame.before), deep, frame.share)
    share = frame.depth
    if share < 1:
        front = fitted(frame.level, Eye(Camera((0.0, 0.0, 3.0)), width, height, 0.0), FILLED)
        deep = between(front, deep, share)
    return Eye(deep, width, height, share, frame.radius, side * deep.reach)


def riding(frame: WorldFrame, message: int) -> Camera | None:
    """Return the camera that rides on a message: a little behind and above it, with the receiver ahead.

    Return None if the message is not in transit.
    """
    flights = frame.flat.flights
    found = np.flatnonzero(flights.id == message)
    if not len(found):
        return None
    entry = int(found[0])
    return _aboard(frame, int(flights.source[entry]), int(flights.target[entry]), float(flights.fraction[entry]))


def riding_at(frame: WorldFrame, message: int) -> Camera | None:
    """Return the camera that rides on a message, that waits at its sender until it is sent, and that stays at its
    receiver.

    Return None if there is no such message between two processes of the network.
    """
    run, renumber = frame.flat.scene.timeline, frame.flat.scene.renumber
    if run is None or not 0 <= message < len(run.message_source):
        return None
    ends = [int(run.message_source[message]), int(run.message_target[message])]
    if renumber is not None:
        ends = [int(renumber[end]) if end >= 0 else -1 for end in ends]
    if min(ends) < 0 or ends[0] == ends[1]:
        return None
    sent, arrived = float(run.message_sent[message]), float(run.message_reached[message])
    way = arrived - sent
    done = (frame.flat.t - sent) / way if 0 < way < math.inf else float(frame.flat.t > sent)
    return _aboard(frame, ends[0], ends[1], min(max(done, 0.0), 1.0))


def _aboard(frame: WorldFrame, source: int, target: int, fraction: float) -> Camera:
    """Return the camera behind a message after a fraction of its way between two processes."""
    start, stop = frame.places[source], frame.places[target]
    way = stop - start
    length = max(float(np.linalg.norm(way)), 1e-6)
    ahead = way / length
    if abs(ahead[1]) > 0.98:  # straight up or down, where a camera that never rolls has no direction
        ahead = np.array([0.19, ahead[1] * 0.98, 0.0])
    at = start + way * fraction
    hidden = max((BEHIND + 0.8) * frame.body - fraction * length, 0.0)  # how far behind its sender the viewer would be
    eye = at - ahead * BEHIND * frame.body + np.array([0.0, ABOVE * frame.body + OVER * hidden, 0.0])
    target_at = stop + ahead * 0.6 * frame.body
    away = target_at - eye
    reach = float(np.linalg.norm(away))
    level = math.asin(min(max(float(away[1]) / max(reach, 1e-9), -1.0), 1.0))
    return Camera((0.0, 0.0, 0.0)).around(target_at, math.atan2(float(away[0]), -float(away[2])), level, reach)


# ------------------------------------------------------------------ what is seen


@dataclass(frozen=True, eq=False)
class Sight:
    """What an eye sees of a frame; processes, messages and links are each sorted from the farthest to the nearest.

    Attributes:
        eye: where it is seen from.
        process: the numbers of the processes before the eye, (p,); ``at`` are their places on the screen, (p, 2),
            ``size`` their diameters in pixels, and ``fog`` how much fog is before each.
        entry: the entries of the flights, (f,); ``lights`` are their places on the screen, with ``light_size``,
            ``light_fog`` and ``turn``, their direction of flight on the screen in radians; ``tails`` and ``tail_entry``
            are the starts of their trails.
        link: the numbers of the links, (m,); ``link_a`` and ``link_b`` are their ends, (m, 2), and ``link_fog``.
        everywhere: the place on the screen of every process, (n, 2), also behind the eye, where ``weight`` is small.
    """

    eye: Eye
    process: NDArray[np.int64]
    at: Floats
    size: Floats
    fog: Floats
    entry: NDArray[np.int64]
    lights: Floats
    light_size: Floats
    light_fog: Floats
    turn: Floats
    tails: Floats
    tail_entry: NDArray[np.int64]
    tail_ends: Floats
    link: NDArray[np.int64]
    link_a: Floats
    link_b: Floats
    link_fog: Floats
    everywhere: Floats
    weight: Floats


def flying(frame: WorldFrame) -> tuple[Floats, Floats]:
    """Return the places of the messages in transit and the starts of their trails, (f, 3) each."""
    flights = frame.flat.flights
    start, stop = frame.places[flights.source], frame.places[flights.target]
    way = stop - start
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
    skip = np.minimum(0.5 * frame.body / length, 0.4)
    share = np.clip(flights.fraction, skip, 1 - skip - np.minimum(0.3 * flights.place * frame.body / length, 0.3))
    side = np.column_stack((-way[:, 2], np.zeros(len(way)), way[:, 0]))  # to the right of the way, seen from above
    flat = np.column_stack((way[:, 1], -way[:, 0], np.zeros(len(way))))  # the same, seen from the front
    side = frame.depth * side + (1 - frame.depth) * flat
    wide = np.linalg.norm(side, axis=1)
    side = np.where(wide[:, None] > 1e-6, side / np.maximum(wide, 1e-9)[:, None], (1.0, 0.0, 0.0))
    lane = LANE * frame.body * side
    own = flights.source == flights.target
    hop = np.zeros((len(way), 3))
    hop[:, 1] = np.where(own, frame.body * (0.6 + np.sin(np.pi * flights.fraction)), 0.0)
    at = start + way * share[:, None] + lane + hop
    behind = start + way * np.maximum(share - TRAIL, skip)[:, None] + lane
    return at, np.where(own[:, None], at, behind)


def sight(frame: WorldFrame, eye: Eye) -> Sight:
    """Return what an eye sees of a frame."""
    at, weight = eye.project(frame.places)
    size = eye.size(frame.body, weight)
    ahead = (weight > 2 * NEAR) & _inside(at, size, eye)
    process = _sorted(np.flatnonzero(ahead), weight)
    where, behind = flying(frame)
    lights, far = eye.project(where)
    tails, tail_far = eye.project(behind)
    light_size = np.minimum(eye.size(LIGHT * frame.body, far), DAZZLING)
    seen = _sorted(np.flatnonzero((far > 2 * NEAR) & _inside(lights, light_size, eye)), far)
    tailed = seen[tail_far[seen] > NEAR]
    turn = np.arctan2(lights[seen, 1] - tails[seen, 1], lights[seen, 0] - tails[seen, 0])
    grown = frame.tower is not None
    points = frame.tower.floor if frame.tower is not None else frame.places
    ends = frame.flat.link_ends
    a, b, middle, link = eye.segments(points[ends[:, 0]], points[ends[:, 1]])
    order = np.argsort(-middle, kind="stable")
    fog = eye.fog(middle[order])
    return Sight(
        eye=eye,
        process=process,
        at=at[process],
        size=size[process],
        fog=eye.fog(weight[process]),
        entry=seen,
        lights=lights[seen],
        light_size=light_size[seen],
        light_fog=eye.fog(far[seen]),
        turn=turn,
        tails=tails[tailed],
        tail_entry=tailed,
        tail_ends=lights[tailed],
        link=link[order],
        link_a=a[order],
        link_b=b[order],
        link_fog=fog if not grown else np.minimum(fog + 0.1, 1.0),
        everywhere=at,
        weight=weight,
    )


def _inside(at: Floats, size: Floats, eye: Eye) -> NDArray[np.bool_]:
    """Return which things of a size touch the screen."""
    inside = (at > -size[:, None]) & (at < (eye.width, eye.height) + size[:, None])
    return np.asarray(inside.all(axis=1), dtype=np.bool_)


def _sorted(which: NDArray[np.int64], weight: Floats) -> NDArray[np.int64]:
    """Return numbers in the order from the farthest to the nearest."""
    found: NDArray[np.int64] = which[np.argsort(-weight[which], kind="stable")]
    return found


def hit_at(seen: Sight, frame: WorldFrame, x: float, y: float, reach: float = 14.0) -> Hit | None:
    """Return what is at a point of the screen: the message or the process that covers it and is nearest to the viewer,
    else one close to it, else a link.

    Args:
        reach: how far from a small thing a point still means it.
    """
    things = (
        ("message", frame.flat.flights.id[seen.entry], seen.lights, seen.light_size),
        ("process", seen.process, seen.at, seen.size),
    )
    for slack in (0.0, reach):
        for kind, ids, at, size in things:
            away = np.hypot(at[:, 0] - x, at[:, 1] - y) - size / 2
            found = np.flatnonzero(away <= slack)
            if len(found):
                one = int(found[-1] if slack == 0 else found[np.argmin(away[found])])
                return Hit(kind, int(ids[one]))  # type: ignore[arg-type]
    return _link_at(seen, frame, x, y, reach / 2)


def _link_at(seen: Sight, frame: WorldFrame, x: float, y: float, reach: float) -> Hit | None:
    """Return the link that passes within ``reach`` pixels of a point."""
    if not len(seen.link):
        return None
    way = seen.link_b - seen.link_a
    square = np.maximum((way**2).sum(axis=1), 1e-9)
    share = np.clip(((np.array([x, y]) - seen.link_a) * way).sum(axis=1) / square, 0.0, 1.0)
    off = seen.link_a + way * share[:, None] - (x, y)
    away = np.hypot(off[:, 0], off[:, 1])
    one = int(np.argmin(away))
    if away[one] > reach:
        return None
    i, j = frame.flat.link_ends[seen.link[one]].tolist()
    return Hit("link", (min(i, j), max(i, j)))


VIEW = View(
    name="world",
    entry=tr("Worl&d"),
    icon="world",
    frame=frame,
    painter="lydian.app.painters.world.world.WorldPainter",
    mouse="space",
    about=tr("The network in three dimensions, to turn, to walk through, and to ride along with its messages."),
    empty=tr("Open an experiment to see its network in space"),
    shows=tr("the network in space"),
    another=tr("Another view in space, with its own camera"),
    choices=(
        Choice("layout", trc("of processes in space", "Places"), LAYOUTS),
        Choice("stereo", tr("Pictures"), {False: tr("One"), True: tr("Two side by side, for two eyes")}),
    ),
    beside="occupation",
)
