"""Positions of processes from their variables: on a circle, on a line, or as in the network.

A position is a function of time alone: after the event that changes it, a process glides to its new place within a part
of a mean delay. The glides are computed once for a run and grow with it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.lang.expression import Expression, expression
from lydian.pieces.checks import expression_is_right, one_of, share_is_right
from lydian.pieces.piece import Piece, Teller, register
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Bools, Floats, Scene
from lydian.views.words.expressions import History, grown, missing_in, number

__all__ = ["GLIDE", "Moves", "Places", "Standing", "Track", "moves_of", "standing_at", "track_of"]

#: The duration of a glide, as a share of the mean delay of the network.
GLIDE = 0.6
#: In larger networks nothing glides.
MOST = 1_000
#: The distance between processes at one place, as a share of the radius.
BEHIND = 0.22
#: The number of separate positions at one place; further processes share the last one. Processes behind move up when
#: one leaves.
DEEP = 6
#: The distance of "outside" from the middle of the circle, as a share of the radius; anything nearer than the second
#: number is in the middle.
OUTSIDE, MIDDLE = 1.34, 0.3
#: Numbers closer than this are one place.
NEAR = 1e-9


@dataclass(frozen=True)
class Places:
    """Positions of processes from their variables; a disc whose number changes glides to its new place.

    Args:
        at: an expression over the variables of a process, its parameters, ``state`` and ``me``: a number from 0 to 1
            (on a circle only the part after the point counts). ``binary(text)`` is the number 0.text of a text of
            binary digits, ``ring(number, bits)`` is number / 2**bits. Where it is None, not a number or cannot be
            worked out, ``rest`` gives the position of the process.
        shape: ``"circle"``, clockwise from the top, or ``"line"``, from left to right.
        off: an expression for how far outside the circle (below the line) a process is, as a share of the
            radius (of the height); negative: inside; without one, on it. Several at one place are drawn one behind the
            other, and move up when one leaves.
        size: the radius of the circle as a share of half the smaller side of the network, the length of the line as a
            share of its width.
        rest: where those without a number stand: ``"home"``, where the network has them; ``"outside"``: outside of the
            circle in the same direction, unless they are in its middle (a supervisor).
        track: whether the circle or the line is drawn.
        links: whether the links of the network are drawn; without them messages and pointers alone are seen.
        word: what tool tips call the number.
    """

    at: str
    shape: str = "circle"
    off: str = ""
    size: float = 0.8
    rest: str = "home"
    track: bool = True
    links: bool = True
    word: str = ""

    def __post_init__(self) -> None:
        one_of("places", "shape", self.shape, ("circle", "line"))
        one_of("places", "rest", self.rest, ("home", "outside"))
        expression_is_right("at", self.at)
        if self.off:
            expression_is_right("off", self.off)
        share_is_right("size", self.size, 0.05, 2.0)


@dataclass(frozen=True)
class Track:
    """The circle or line on which processes are placed, in coordinates of the network: its middle and its extent.

    The extent is the radius of a circle, or half the length and half the height of the network for a line.
    """

    shape: str
    x: float
    y: float
    wide: float
    tall: float

    def point(self, at: float, off: float) -> tuple[float, float]:
        """Return the point of a number from 0 to 1, at the given distance from the track."""
        if self.shape == "line":
            return self.x + self.wide * (2 * min(max(at, 0.0), 1.0) - 1), self.y + self.tall * off
        angle = 2 * math.pi * (at % 1.0)
        return self.x + self.wide * (1 + off) * math.sin(angle), self.y - self.tall * (1 + off) * math.cos(angle)


@dataclass(frozen=True, eq=False)
class Standing:
    """The positions of processes at a time.

    Args:
        points: where they are, (n, 2), in coordinates of the network.
        rest: where they are going, or are.
        extent: corners of all they ever reach, (2, 2).
        gliding: which of them are on their way, (n,).
        key: equal keys mean equal places.
        settled: the same for ``rest``.
        track: the line on which they are.
        at: the number of each process, NaN for one that is where the network has it, (n,).
        apart: the distance of processes that have no number at the beginning; infinite for fewer than two.
        used: whether anybody ever has a number.
    """

    points: Floats
    rest: Floats
    extent: Floats
    gliding: Bools
    key: Hashable
    settled: Hashable
    track: Track
    at: Floats
    apart: float = math.inf
    used: bool = True

    @property
    def arrived(self) -> Standing:
        """Return the same with all processes at their destinations."""
        return replace(self, points=self.rest, gliding=np.zeros_like(self.gliding), key=self.settled)


def track_of(declared: Places, home: Floats) -> Track:
    """Return the circle or line in a network whose processes have these places."""
    low, high = (home.min(axis=0), home.max(axis=0)) if len(home) else (np.zeros(2), np.zeros(2))
    (x, y), (wide, tall) = ((low + high) / 2).tolist(), ((high - low) / 2).tolist()
    if declared.shape == "line":
        return Track("line", x, y, (wide or 200.0) * declared.size, (tall or 200.0) * declared.size)
    radius = (min(wide, tall) or max(wide, tall) or 200.0) * declared.size
    return Track("circle", x, y, radius, radius)


def homes(declared: Places, track: Track, home: Floats) -> Floats:
    """Return the positions of processes without a number."""
    if declared.rest == "home" or track.shape == "line" or not len(home):
        return home
    away = home - (track.x, track.y)
    far = np.hypot(away[:, 0], away[:, 1])
    out = np.maximum(OUTSIDE * track.wide / np.maximum(far, 1e-9), 1.0)
    return np.where((far > MIDDLE * track.wide)[:, None], (track.x, track.y) + away * out[:, None], home)


def standing_at(scene: Scene, k: int, t: float) -> Standing | None:
    """Return the positions of processes, or None if the animation does not declare any or the run lacks a variable."""
    moves = moves_of(scene)
    return None if moves is None else moves.at(k, t)


def moves_of(scene: Scene) -> Moves | None:
    """Return all glides of a run; None as for :func:`standing_at`."""
    declared = scene.animation.places
    if declared is None or scene.timeline is None or not scene.network.n:
        return None
    run, place = scene.run, ("places", declared, id(scene.network), scene.renumber is None)
    wanted = [expression(text) for text in (declared.at, declared.off) if text]
    if any(missing_in(run, each) for each in wanted):
        return None
    moves = grown(run, (*place, scene.names), lambda: Moves(declared, scene, wanted))
    moves.grow(run)
    return moves


def _apart(points: Floats) -> float:
    """Return the median distance of points from their nearest neighbours."""
    if not 2 <= len(points) <= MOST:
        return math.inf
    away = np.hypot(*(points[:, None, :] - points[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(away, np.inf)
    return float(np.median(away.min(axis=1))) or math.inf


def _same(a: float, b: float) -> bool:
    """Return True if two numbers are equal; NaN equals NaN."""
    return a == b or (a != a and b != b)


#: A glide: event, time, process, from (x, y), to (x, y), the number there.
Move = tuple[int, float, int, float, float, float, float, float]


class Moves:
    """All glides of a run: process, time, origin and destination.

    Attributes:
        track: the circle or line.
        home: the positions of processes without a number, (n, 2).
        glide: how long a glide takes.
        first: the position of each process before the first event, (n, 2).
        table: the glides in order, rows as in :data:`Move`.
        extent: corners of all that is ever reached, (2, 2).
    """

    def __init__(self, declared: Places, scene: Scene, wanted: list[Expression]) -> None:
        self.network = scene.network  # The object is kept so that its id remains unique.
        self.track = track_of(declared, scene.positions)
        self.home = homes(declared, self.track, scene.positions)
        n, run = scene.network.n, scene.run
        self._place = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
        mean = float(scene.network.delay.mean)
        self.glide = GLIDE * mean if math.isfinite(mean) and n <= MOST else 0.0
        self._histories = [History(run, each, number) for each in wanted]
        self._at, self._off = [math.nan] * n, [0.0] * n  # These are lists because single entries are read very often.
        for history, column in zip(self._histories, (self._at, self._off), strict=False):
            for p, q in enumerate(self._place):
                if q >= 0:
                    column[q] = float(history.start[p])
        self._rows: dict[float, dict[int, None]] = {}  # The processes at each place, from the front, as keys.
        self._rank = [0] * n
        self._own = [(x, y) for x, y in self.home.tolist()]
        for q in range(n):
            self._enter(q)
        self._to, self._numbers = [self._target(q) for q in range(n)], list(self._at)
        self.first, self._numbers_first = np.array(self._to).reshape(-1, 2), np.array(self._at)
        self._last: dict[int, Move] = {}  # The last glide of each process.
        self.table: NDArray[np.float64] = np.zeros((0, 8))
        self._order: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._starts: NDArray[np.int64] = np.zeros(n + 1, dtype=np.int64)
        self.apart = _apart(self.home[np.isnan(self._numbers_first)])
        corners = np.vstack((self.first, self._corners()))
        self.extent = np.vstack((corners.min(axis=0), corners.max(axis=0)))

    @property
    def length(self) -> int:
        """The number of events that have been read."""
        return self._histories[0].length

    @property
    def used(self) -> bool:
        """True if any process has a number in the run so far."""
        return bool(np.isfinite(self._numbers_first).any() or np.isfinite(self.table[:, 7]).any())

    def _corners(self) -> Floats:
        t = self.track
        tall = 0.0 if t.shape == "line" else t.tall
        return np.array([[t.x - t.wide, t.y - tall], [t.x + t.wide, t.y + tall]])

    # ------------------------------------------------------------------ who stands where

    def _key(self, q: int) -> float:
        at = self._at[q]
        at = at % 1.0 if self.track.shape == "circle" else at
        return round(at / NEAR) * NEAR + 1e3 * round(self._beside(q), 6)

    def _beside(self, q: int) -> float:
        """Return the distance of a process from the track."""
        off = self._off[q]
        return off if math.isfinite(off) else 0.0

    def _enter(self, q: int) -> None:
        """Put a process at its place, behind those already there."""
        if math.isfinite(self._at[q]):
            row = self._rows.setdefault(self._key(q), {})
            self._rank[q] = min(len(row), DEEP)
            row[q] = None

    def _leave(self, q: int) -> list[int]:
        """Remove a process from its place; the given processes behind it move up."""
        if not math.isfinite(self._at[q]):
            return []
        row = self._rows[self._key(q)]
        del row[q]
        behind = list(islice(row, self._rank[q], DEEP))
        for place, other in enumerate(behind, self._rank[q]):
            self._rank[other] = place
        return behind

    def _target(self, q: int) -> tuple[float, float]:
        if not math.isfinite(self._at[q]):
            return self._own[q]
        return self.track.point(self._at[q], self._beside(q) + BEHIND * self._rank[q])

    # ------------------------------------------------------------------ growing

    def grow(self, run: Timeline) -> None:
        """Read the events since the last call."""
        if self.length == run.length and self._histories[-1].length == run.length:
            return
        rows = []
        for which, history in enumerate(self._histories):
            seq, process, value = history.more(run)
            rows += [(at, which, p, v) for at, p, v in zip(seq.tolist(), process.tolist(), value.tolist(), strict=True)]
        rows.sort()
        moves: list[Move] = []
        for at, group in groupby(rows, key=lambda row: row[0]):  # An event changes one process.
            changes = [(self._place[p], (self._at, self._off)[which], v) for _, which, p, v in group]
            changes = [(q, column, v) for q, column, v in changes if q >= 0 and not _same(column[q], v)]
            if not changes:
                continue
            q, behind = changes[0][0], self._leave(changes[0][0])
            for _, column, v in changes:
                column[q] = v
            self._enter(q)
            found = (self._move(at, float(run.time[at]), each) for each in (q, *behind))
            moves += [move for move in found if move is not None]
        if moves:
            self._index(np.array(moves, dtype=np.float64))

    def _move(self, seq: int, time: float, q: int) -> Move | None:
        """Return the glide that begins now, or None if the place stays the same."""
        x, y = self._target(q)
        number_, last = self._at[q], self._last.get(q)
        if (x, y) == self._to[q] and number_ == self._numbers[q]:
            return None
        fx, fy = self._to[q]
        if last is not None:
            share = self._share(time - last[1])
            fx, fy = last[3] + (last[5] - last[3]) * share, last[4] + (last[6] - last[4]) * share
        self._last[q] = move = (seq, time, q, fx, fy, x, y, number_)
        self._to[q], self._numbers[q] = (x, y), number_
        return move

    def _share(self, since: float) -> float:
        """Return the completed share of a glide: slow at both ends."""
        if self.glide <= 0 or since >= self.glide:
            return 1.0
        part = max(since, 0.0) / self.glide
        return part * part * (3 - 2 * part)

    def _index(self, moves: NDArray[np.float64]) -> None:
        table = np.vstack((self.table, moves))
        self._order = np.lexsort((np.arange(len(table)), table[:, 2]))
        self.table = table
        n = len(self.home)
        self._starts = np.searchsorted(table[self._order, 2], np.arange(n + 1)).astype(np.int64)
        low = np.minimum(self.extent[0], moves[:, 5:7].min(axis=0))
        high = np.maximum(self.extent[1], moves[:, 5:7].max(axis=0))
        self.extent = np.vstack((low, high))

    # ------------------------------------------------------------------ a moment

    def at(self, k: int, t: float) -> Standing:
        """Return the positions of all processes after ``k`` events, at time ``t``."""
        n = len(self.home)
        done = int(np.searchsorted(self.table[:, 0], k)) if len(self.table) else 0
        points, rest = self.first.copy(), self.first.copy()
        gliding, at = np.zeros(n, dtype=bool), self._numbers_first.copy()
        if done:
            last = self._last_of(done)
            who = np.flatnonzero(last >= 0)
            rows = self.table[last[who]]
            rest[who] = rows[:, 5:7]
            at[who] = rows[:, 7]
            points[who] = rest[who]
            if self.glide > 0:
                part = np.clip((t - rows[:, 1]) / self.glide, 0.0, 1.0)
                under = part < 1.0
                share = (part * part * (3 - 2 * part))[under, None]
                points[who[under]] = rows[under, 3:5] + (rows[under, 5:7] - rows[under, 3:5]) * share
                gliding[who[under]] = True
        settled = (id(self), done)
        key = (*settled, t) if gliding.any() else settled
        return Standing(points, rest, self.extent, gliding, key, settled, self.track, at, self.apart, self.used)

    def _last_of(self, done: int) -> NDArray[np.int64]:
        """Return the last of the first ``done`` moves of each process, -1 for none."""
        low, high = self._starts[:-1].copy(), self._starts[1:].copy()
        while (low < high).any():
            middle = (low + high) // 2
            open_ = low < high
            before = open_ & (self._order[np.minimum(middle, len(self._order) - 1)] < done)
            low = np.where(before, middle + 1, low)
            high = np.where(open_ & ~before, middle, high)
        has = low > self._starts[:-1]
        return np.where(has, self._order[np.maximum(low - 1, 0)], -1)


def page(tell: Teller, declared: Places) -> dict[str, Any] | None:
    """Return all glides of the run."""
    scene, codes, column, moves = tell.scene, tell.codes, tell.column, moves_of(tell.scene)
    if moves is None:
        return None
    rows, track = moves.table, moves.track
    numbers = {"number": column(rows[:, 7]), "firstNumber": column(moves.at(0, 0.0).at)}
    return {
        "shape": track.shape, "x": track.x, "y": track.y, "wide": track.wide, "tall": track.tall,
        "track": declared.track and moves.used, "links": declared.links, "glide": moves.glide,
        "extent": moves.extent.tolist(),
        "process": column(codes), "firstX": column(moves.first[:, 0]), "firstY": column(moves.first[:, 1]),
        "at": column(rows[:, 0].astype(np.int64)), "time": column(rows[:, 1]),
        "who": column(codes[rows[:, 2].astype(np.int64)]),
        **{name: column(rows[:, 3 + i]) for i, name in enumerate(("fromX", "fromY", "toX", "toY"))},
        **(numbers if scene.animation.sectors else {}),
    }  # fmt: skip


register(Piece("places", Places, page=page, order=10,
               painter="lydian.app.painters.pieces.places.PlacesPainter", script="player.places.js"))  # fmt: skip
