"""The causality diagram in space: the network below, and its execution growing upwards with time as the third axis.

A process is a vertical line, in pieces by its states; a message is a line that rises from its sending to its arrival.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.messagelooks import kinds_of_messages
from lydian.views.network.scene import Bools, Scene
from lydian.views.time.axis import remember, step_above
from lydian.views.time.highlight import longest_at, marks_for
from lydian.views.world.camera import Floats

__all__ = ["HEIGHT", "MOST", "Tower", "height_of", "tower_at"]

Ids = NDArray[np.int64]

#: The height of a whole run; the network below it has a radius of 1.
HEIGHT = 1.7
#: The largest number of messages that are drawn: the latest.
MOST = 12_000
#: The number of horizontal planes that mark times, at most.
PLANES = 7
#: How far a plane extends beyond the network.
BEYOND = 0.12


@dataclass(frozen=True, eq=False)
class Tower:
    """The execution up to a moment, as lines in space.

    Attributes:
        floor: the places of the processes at the bottom, (n, 3).
        tops: the upper ends of their lines, (n, 3), where the processes are drawn.
        lives: pieces of process lines, (k, 2, 3), with the ``slots`` of the states.
        before: pieces before the first event of a process, drawn thin, (k,).
        arrows: messages from their sending on, (j, 2, 3), with their ``kinds``, their numbers ``messages`` and whether
            they were ``lost``.
        dots: the events at which messages arrived, (d, 3), with their numbers ``events``.
        chain: the pieces of the longest causal chain, (c, 2, 3); ``length`` is the number of its messages.
        planes: the time and the corners, (4, 3), of each horizontal plane; the last one is at the moment itself.
        left_out: the number of earlier messages that are not drawn.
    """

    floor: Floats
    tops: Floats
    lives: Floats
    slots: NDArray[np.int16]
    before: Bools
    arrows: Floats
    kinds: NDArray[np.int16]
    messages: Ids
    lost: Bools
    dots: Floats
    events: Ids
    chain: Floats
    length: int
    planes: tuple[tuple[float, Floats], ...]
    left_out: int

    @property
    def points(self) -> Floats:
        """Return the points between which everything is."""
        return np.vstack((self.floor, self.tops, *(corners for _, corners in self.planes[-1:])))


def height_of(t: Floats | float, end: float) -> Floats:
    """Return the height of a time above the floor; the whole run is :data:`HEIGHT` high."""
    return np.asarray(HEIGHT * np.clip(np.asarray(t, dtype=np.float64) / max(end, 1e-9), 0.0, 1.0))


def tower_at(scene: Scene, k: int, t: float, floor: Floats, flat: Floats, depth: float) -> Tower:
    """Return the tower after ``k`` events at time ``t``.

    Args:
        floor: the places of the processes at time 0, (n, 3), without depth those of the flat drawing.
        flat: their places in the flat drawing, (n, 3).
        depth: from 0, where all times are at the flat place, to 1.
    """
    run = scene.run

    def at(process: NDArray[np.int32], times: Floats) -> Floats:
        """Return the places of processes at times."""
        raised = floor[process].copy()
        raised[:, 1] += height_of(times, run.end) - HEIGHT / 2
        return flat[process] + depth * (raised - flat[process])

    own = _numbers(scene)
    everyone = np.arange(len(floor), dtype=np.int32)
    until = _until(scene, t)
    lives, slots, before = _lives(scene, t)
    process = own[lives["process"]]
    ids, left_out = _drawn(scene, k)
    source, target = own[run.message_source[ids]], own[run.message_target[ids]]
    sent, arrived = run.message_sent[ids], np.asarray(run.message_arrived[ids], dtype=np.float64)
    start, stop = at(source, sent), at(target, np.where(np.isfinite(arrived), arrived, sent + _usual(scene)))
    way = np.where(np.isfinite(arrived), arrived - sent, _usual(scene))
    gone = np.clip(np.divide(t - sent, way, out=np.ones(len(ids)), where=way > 0), 0.0, 1.0)
    gone = np.where(np.isfinite(arrived), gone, np.minimum(gone, 0.92))
    received = ids[(run.receives[ids] >= 0) & (arrived <= t) & ~run.lost[ids]]
    events = run.receives[received].astype(np.int64)
    marks = marks_for(run, None, "longest", k)
    chain = marks.chain if marks is not None else np.zeros(0, dtype=np.int64)
    chain = chain[run.process[chain] >= 0]
    steps = at(own[run.process[chain]], run.time[chain]) if len(chain) else np.zeros((0, 3))
    return Tower(
        floor=at(everyone, np.zeros(len(everyone))),
        tops=at(everyone, until),
        lives=np.stack((at(process, lives["start"]), at(process, lives["stop"])), axis=1),
        slots=slots,
        before=before,
        arrows=np.stack((start, start + (stop - start) * gone[:, None]), axis=1),
        kinds=kinds_of_messages(run, scene.animation, ids),
        messages=ids,
        lost=np.asarray(run.lost[ids], dtype=bool) & (arrived <= t),
        dots=at(own[run.process[events]], run.time[events]),
        events=events,
        chain=np.stack((steps[:-1], steps[1:]), axis=1) if len(steps) > 1 else np.zeros((0, 2, 3)),
        length=longest_at(run, k),
        planes=_planes(t, run.end, floor, flat, depth),
        left_out=left_out,
    )


def _numbers(scene: Scene) -> NDArray[np.int32]:
    """Return the number in the network of each process of the run."""
    if scene.renumber is None:
        return np.arange(scene.run.n, dtype=np.int32)
    return np.maximum(scene.renumber, 0).astype(np.int32)


def _usual(scene: Scene) -> float:
    mean = float(scene.network.delay.mean)
    return mean if np.isfinite(mean) and mean > 0 else 1.0


def _until(scene: Scene, t: float) -> Floats:
    """Return the time to which the line of each process of the network has grown: now, or its crash."""
    run = scene.run
    found = np.full(scene.network.n, t)
    own = _numbers(scene)
    for process in np.flatnonzero(run.crashed_at(run.count(t))).tolist():
        since, _ = run.down(process)
        since = since[since <= t]
        found[own[process]] = float(since[-1]) if len(since) else t
    return found


def _lives(scene: Scene, t: float) -> tuple[NDArray[np.void], NDArray[np.int16], Bools]:
    """Return the pieces of process lines until a time with their slots, and which are before any event."""
    rows, first = remember(scene.run, ("lives", id(scene)), lambda: (_periods(scene), scene))[0]
    chosen = rows["start"] <= t
    some = rows[chosen].copy()
    until = _until(scene, t)[_numbers(scene)[some["process"]]]
    some["stop"] = np.clip(np.minimum(some["stop"], until), some["start"], None)
    return some, scene.slots[some["state"]], first[chosen]


def _periods(scene: Scene) -> tuple[NDArray[np.void], Bools]:
    """Return the pieces of all process lines in the whole run, and which are before the first event."""
    run = scene.run
    kind = np.dtype([("process", np.int32), ("start", np.float64), ("stop", np.float64), ("state", np.int16)])
    found: list[tuple[int, float, float, int]] = []
    first = []
    for process in range(run.n):
        start, stop, codes = run.periods(process)
        begin = float(start[0]) if len(start) else run.end
        if begin > 0:
            found.append((process, 0.0, begin, int(run.start_states[process])))
            first.append(True)
        found += [(process, *row) for row in zip(start.tolist(), stop.tolist(), codes.tolist(), strict=True)]
        first += [False] * len(start)
    return np.array(found, dtype=kind), np.array(first, dtype=bool)


def _drawn(scene: Scene, k: int) -> tuple[Ids, int]:
    """Return the messages sent in the first k events between known processes, the latest ones, and how many are left
    out.
    """
    run = scene.run
    ids = np.flatnonzero((run.sends >= 0) & (run.sends < k) & (run.receives != run.sends)).astype(np.int64)
    ids = ids[(run.message_source[ids] >= 0) & (run.message_target[ids] >= 0)]
    if scene.renumber is not None:
        known = (scene.renumber[run.message_source[ids]] >= 0) & (scene.renumber[run.message_target[ids]] >= 0)
        ids = ids[known]
    return ids[-MOST:], max(len(ids) - MOST, 0)


def _planes(t: float, end: float, floor: Floats, flat: Floats, depth: float) -> tuple[tuple[float, Floats], ...]:
    """Return the planes at round times up to a moment, and one at the moment."""
    if not len(floor):
        return ()
    low, high = floor.min(axis=0) - BEYOND, floor.max(axis=0) + BEYOND
    step = step_above(end / PLANES)
    times = [step * number for number in range(1, PLANES + 1) if step * number < t - 0.25 * step]
    corners = np.array([(low[0], 0, low[2]), (high[0], 0, low[2]), (high[0], 0, high[2]), (low[0], 0, high[2])])
    lying = np.column_stack((corners[:, 0], -corners[:, 2], np.zeros(4)))  # the same rectangle in the flat drawing
    found = []
    for time in [*times, max(t, 0.0)]:
        raised = corners + np.array([0.0, float(height_of(time, end)) - HEIGHT / 2, 0.0])
        found.append((time, lying + depth * (raised - lying)))
    return tuple(found)
