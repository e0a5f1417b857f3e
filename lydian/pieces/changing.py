"""Transitions between states: one look fades into the next, as a function of time alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import NO_STATE, Kind
from lydian.views.network.scene import BUSY_SHOWN, Floats, Scene

__all__ = ["STATE_FADE", "before_at"]

#: How long a change of state is shown at the default speed of one time unit per second (tokens: motion.stateChange).
STATE_FADE = 0.18


def before_at(scene: Scene, t: float, fade: float, slots: NDArray[np.int16]) -> tuple[NDArray[np.int16], Floats]:
    """Return the slot of each process before its last change, and how much of that change has been shown.

    A guarded action is shown even if the state stays the same; its slot before is then the current one.

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
    rules = (run.kind[first:stop] == Kind.RULE)[told].tolist()
    rows = zip(process[told].tolist(), state[told].tolist(), time[told].tolist(), rules, strict=True)
    for p, code, at, rule in rows:
        if rule:
            before[p], changed[p] = slots[p], _eased((t - at) / fade)
        if code != now[p]:
            if scene.slots[code] != scene.slots[now[p]]:
                before[p] = scene.slots[now[p]]
                changed[p] = _eased((t - at) / fade)
            now[p] = code
    return before, changed


def _eased(share: float) -> float:
    """Return the share of a change that is shown: fast at first, then slower."""
    return 1.0 - (1.0 - min(max(share, 0.0), 1.0)) ** 3
