"""The lines of a run that are no links: arcs, arrows beside links, and straight lines between other processes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.channels import SAMPLES, Asked
from lydian.pieces.marks import Marks
from lydian.pieces.pointers import Pointer, bands_of
from lydian.views.network.scene import Ints, Scene
from lydian.views.time.axis import remember

__all__ = ["BEND", "BESIDE", "bend_of", "bent_arrows"]

#: How far an arc bends, and an arrow beside a link, as a share of its length.
BEND, BESIDE = 0.2, 0.1
#: The maximum number of ways of messages that labels avoid.
WAYS = 60
_Arrows = tuple[Ints, Ints, NDArray[np.float64]]


def bend_of(declared: Pointer | Marks, linked: bool) -> float | None:
    """Return how far the line between two processes bends, or None if it lies on their link or does not exist.

    Args:
        linked: whether there is a link between the two.
    """
    style = declared.style
    if style == "arc":
        return BEND
    if style == "arrow":
        if linked:
            return BESIDE if isinstance(declared, Marks) else None
        return BEND
    if linked or style in ("thick", "struck", "dot"):
        return None
    return 0.0


def bent_arrows(scene: Scene) -> _Arrows:
    """Return the lines that are no links at any of some moments of the run: source, target, and bend of each, (k,).

    Lines that are drawn only for selected processes are left out.
    """
    empty = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.empty(0)
    animation = scene.animation
    if scene.timeline is None or not (animation.pointers or animation.marks):
        return empty
    found: _Arrows = remember(scene.run, ("bent arrows", id(scene)), lambda: (_sampled(scene), scene))[0]
    return found


def ways_of(scene: Scene) -> tuple[Ints, Ints]:
    """Return the pairs of processes between which most messages of the run are sent, at most :data:`WAYS`."""
    if scene.timeline is None:
        return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    found: tuple[Ints, Ints] = remember(scene.run, ("ways", id(scene)), lambda: (_frequent(scene), scene))[0]
    return found


def _frequent(scene: Scene) -> tuple[Ints, Ints]:
    run, n = scene.run, scene.network.n
    source, target = run.message_source, run.message_target
    here = (source >= 0) & (target >= 0)
    ends = np.column_stack((source[here], target[here]))
    if scene.renumber is not None:
        ends = scene.renumber[ends]
    ends = ends[(ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])]
    pairs, counts = np.unique(ends.min(axis=1).astype(np.int64) * n + ends.max(axis=1), return_counts=True)
    most = pairs[np.argsort(-counts, kind="stable")[:WAYS]]
    return (most // n).astype(np.int32), (most % n).astype(np.int32)


def _sampled(scene: Scene) -> _Arrows:
    run, found = scene.run, set[tuple[int, int, float]]()
    for k in np.unique(np.linspace(0, run.length, SAMPLES).astype(int)).tolist():
        asked = Asked(scene, k, run.states_at(k), run.crashed_at(k))
        for declared, a, b in _lines(asked):
            bend = bend_of(declared, (min(a, b), max(a, b)) in scene.link_index)
            if bend is not None and a != b:
                found.add((a, b, bend))
    rows = np.array(sorted(found), dtype=np.float64).reshape(-1, 3)
    return rows[:, 0].astype(np.int32), rows[:, 1].astype(np.int32), rows[:, 2]


def _lines(asked: Asked) -> Iterator[tuple[Pointer | Marks, int, int]]:
    """Yield the lines of all pointers and sets at a moment."""
    for band in bands_of(asked):
        if not band.declared.selected:
            yield from ((band.declared, a, b) for a, b in zip(band.source.tolist(), band.target.tolist(), strict=True))
    for number, marks in enumerate(asked.scene.animation.marks):
        channel = None if marks.selected else asked.channel("marks", number)
        if channel is not None:
            yield from ((marks, p, q) for p, members in asked.answers(channel).items() for q in members)
