"""The positions of the messages of an execution at a time: in transit, waiting at a busy process, or just lost."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.messagelooks import kinds_of_messages
from lydian.views.network.scene import Bools, Floats, Ints, Scene

__all__ = ["FADE", "HELD", "Flights", "Losses", "flights_at", "losses_at", "no_flights", "no_losses", "reached_by"]

#: How long a lost message is shown where it was lost, in simulated time.
FADE = 0.6
#: A message whose arrival is unknown advances at most to this share of its way.
HELD = 0.92


@dataclass(frozen=True)
class Flights:
    """The messages in transit, one entry each.

    Args:
        id: number of the message.
        source, target: numbers of processes.
        fraction: how much of its way it has gone, 0..1: (t - sent) / (arrival - sent).
        kind: its look.
        waiting: it has arrived and waits at the door of a busy process.
        place: the number of messages before it at that door, coming from the same process.
    """

    id: NDArray[np.int64]
    source: Ints
    target: Ints
    fraction: Floats
    kind: NDArray[np.int16]
    waiting: Bools
    place: Ints

    def __len__(self) -> int:
        return len(self.id)

    def only(self, chosen: Bools) -> Flights:
        """Return a subset of the messages."""
        return Flights(*(getattr(self, each.name)[chosen] for each in fields(self)))


@dataclass(frozen=True)
class Losses:
    """Messages lost recently: their positions as in :class:`Flights`; ``age`` is 0 when lost and 1 when forgotten."""

    id: NDArray[np.int64]
    source: Ints
    target: Ints
    fraction: Floats
    kind: NDArray[np.int16]
    age: Floats

    def __len__(self) -> int:
        return len(self.id)


def reached_by(scene: Scene, ids: NDArray[np.int64]) -> tuple[Floats, Bools]:
    """Return when each message arrives, or would have arrived, and whether that is only an estimate."""
    run = scene.run
    reached = run.message_reached[ids].copy()
    unsure = ~np.isfinite(reached)
    lost = np.flatnonzero(run.lost[ids])
    if len(lost):
        unsure[lost] = [scene.was_cut_short(int(message)) for message in ids[lost]]
    if unsure.any():
        some = ids[unsure]
        sent = run.message_sent[some]
        known_until = np.minimum(run.message_arrived[some], run.end)
        mean = scene.mean_between(*_ends(scene, some))
        reached[unsure] = sent + np.maximum(mean, (known_until - sent) / HELD)
    return reached, unsure


def _ends(scene: Scene, ids: NDArray[np.int64]) -> tuple[Ints, Ints]:
    source, target = scene.run.message_source[ids], scene.run.message_target[ids]
    if scene.renumber is None:
        return source, target
    return scene.renumber[source], scene.renumber[target]


def flights_at(scene: Scene, k: int, t: float) -> Flights:
    run = scene.run
    ids = run.in_flight(k, t)
    ids = ids[(run.message_source[ids] >= 0) & (run.message_target[ids] >= 0)]
    source, target = _ends(scene, ids)
    if scene.renumber is not None:
        here = (source >= 0) & (target >= 0)
        ids, source, target = ids[here], source[here], target[here]
    if not len(ids):
        return no_flights()
    sent = run.message_sent[ids]
    reached, unsure = reached_by(scene, ids)
    way = reached - sent
    # A message without delay arrives at once; a message that waits at its process has arrived.
    fraction = np.divide(t - sent, way, out=np.ones(len(ids)), where=way > 0)
    fraction = np.clip(fraction, 0.0, np.where(unsure, HELD, 1.0))
    waiting = ~unsure & (t >= reached)
    return Flights(
        id=ids,
        source=source,
        target=target,
        fraction=fraction,
        kind=kinds_of_messages(run, scene.animation, ids),
        waiting=waiting,
        place=_places(source, target, waiting, reached),
    )


def _places(source: Ints, target: Ints, waiting: Bools, reached: Floats) -> Ints:
    """Return how many messages of the same channel arrived before each waiting message."""
    place = np.zeros(len(source), dtype=np.int32)
    found = np.flatnonzero(waiting)
    if len(found) > 1:
        order = found[np.lexsort((reached[found], target[found], source[found]))]
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (source[order[1:]] != source[order[:-1]]) | (target[order[1:]] != target[order[:-1]])
        begin = np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))
        place[order] = np.arange(len(order)) - begin
    return place


def losses_at(scene: Scene, k: int, t: float) -> Losses:
    run, drops = scene.run, scene.drops
    stop = int(np.searchsorted(drops, k))
    first = int(np.searchsorted(run.time[drops[:stop]], t - FADE, side="right"))
    rows = drops[first:stop]
    ids = run.message[rows].astype(np.int64)
    good = (run.message_source[ids] >= 0) & (run.message_target[ids] >= 0)
    rows, ids = rows[good], ids[good]
    source, target = _ends(scene, ids)
    here = (source >= 0) & (target >= 0)
    rows, ids, source, target = rows[here], ids[here], source[here], target[here]
    if not len(ids):
        return no_losses()
    sent, ended = run.message_sent[ids], run.time[rows]
    reached, _ = reached_by(scene, ids)
    way = reached - sent
    fraction = np.divide(ended - sent, way, out=np.ones(len(ids)), where=way > 0)
    kind = kinds_of_messages(run, scene.animation, ids)
    return Losses(ids, source, target, np.clip(fraction, 0.0, 1.0), kind, (t - ended) / FADE)


def no_flights() -> Flights:
    i, e = np.empty(0, dtype=np.int32), np.empty(0)
    return Flights(np.empty(0, dtype=np.int64), i, i, e, np.empty(0, dtype=np.int16), np.empty(0, dtype=bool), i)


def no_losses() -> Losses:
    i, e = np.empty(0, dtype=np.int32), np.empty(0)
    return Losses(np.empty(0, dtype=np.int64), i, i, e, np.empty(0, dtype=np.int16), e)
