"""A timer of every process as a pie that empties from when it was set until it rings."""

from __future__ import annotations

import numpy as np

from lydian.trace.events import Kind
from lydian.views.axis import remember
from lydian.views.scene import Floats, Ints, Scene

__all__ = ["left_at", "spans_of"]


def left_at(scene: Scene, t: float) -> Floats:
    """What is left of the timer at each process of the network, from 1 to 0, NaN where none runs; empty for none.

    Of a timer that has not rung yet, since the run is not known so far, it is assumed that it takes as long as the
    last time.
    """
    declared = scene.animation.countdown
    if declared is None or scene.timeline is None:
        return np.zeros(0)
    found = np.full(scene.network.n, np.nan)
    for who, (begin, end) in spans_of(scene, declared.timer).items():
        at = int(np.searchsorted(end, t, side="right"))
        if at < len(end) and begin[at] <= t:
            start, stop = float(begin[at]), float(end[at])
        elif at:  # it was set when it rang
            start = float(end[at - 1])
            stop = start + float(end[at - 1] - begin[at - 1])
        else:
            continue
        if start <= t <= stop and stop > start:
            found[who] = (stop - t) / (stop - start)
    return found


def spans_of(scene: Scene, timer: str) -> dict[int, tuple[Floats, Floats]]:
    """Process of the network -> when the timer was set, and when it rang, by rising time."""
    run = scene.run

    def make() -> tuple[dict[int, tuple[Floats, Floats]], Scene]:  # it is kept, so that its id stays its own
        code = run.labels.index(timer) if timer in run.labels else -1
        rows = np.flatnonzero((run.kind == Kind.TIMER) & (run.label == code) & (run.cause >= 0))
        who: Ints = run.process[rows] if scene.renumber is None else scene.renumber[run.process[rows]]
        found = {}
        for p in np.unique(who[who >= 0]).tolist():
            own = rows[who == p]
            found[p] = run.time[run.cause[own]], run.time[own]
        return found, scene

    return remember(run, ("countdown", timer, id(scene)), make)[0]
