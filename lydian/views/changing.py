"""Changes of state that are just being shown: one look fades into the next, as a function of time alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import NO_STATE
from lydian.views.scene import BUSY_SHOWN, Floats, Scene

__all__ = ["STATE_FADE", "before_at"]

#: How long a change of state is shown at the usual speed of one unit of time a second (tokens: motion.stateChange).
STATE_FADE = 0.18


def before_at(scene: Scene, t: float, fade: float, slots: NDArray[np.int16]) -> tuple[NDArray[np.int16], Floats]:
    """The slot of each process of the trace before its last change, and how much of that change has been shown.

    Args:
        t: the time.
        fade: how long a change is shown; with 0, and in very large networks, every change is over.
        slots: the slots at the time.
    """
    run, n = scene.run, len(slots)
    before, changed = slots.copy(), np.ones(n)
    if not fade > 0 or n > BUSY_SHOWN:
        return before, changed
    first, stop = run.count(t - fade), run.count(t)
    if first == stop:
        return before, changed
    now = run.states_at(first)
    process, state, time = run.process[first:stop], run.state[first:stop], run.time[first:stop]
    told = np.flatnonzero((process >= 0) & (state != NO_STATE))
    for p, code, at in zip(process[told].tolist(), state[told].tolist(), time[told].tolist(), strict=True):
        if code != now[p]:
            if scene.slots[code] != scene.slots[now[p]]:
                before[p] = scene.slots[now[p]]
                share = min(max((t - at) / fade, 0.0), 1.0)
                changed[p] = 1.0 - (1.0 - share) ** 3  # quick at first, then slower
            now[p] = code
    return before, changed
