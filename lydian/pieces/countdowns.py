"""A timer of each process, drawn as a pie that empties from the moment when it is set until it expires."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.model.errors import BadInput, shown
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Floats, Scene
from lydian.views.time.axis import remember

__all__ = ["Countdown", "left_at", "spans_of"]


@dataclass(frozen=True)
class Countdown:
    """A timer, drawn as a pie at each process: full when the timer is set, empty when it expires.

    Args:
        timer: its class.
        word: what the legend calls it.
    """

    timer: str
    word: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.timer, str) or not self.timer:
            raise BadInput(f"a countdown must name a class of timers, not {shown(self.timer)}")


def left_at(now: Moment, declared: Countdown) -> Floats:
    """Return the remaining share of the timer at each process of the network, from 1 to 0, or NaN where none runs.

    If a process runs several timers of the class, the first to expire counts.
    """
    scene, t = now.scene, now.t
    found = np.full(scene.network.n, np.nan)
    for who, (begin, end, rings) in spans_of(scene, declared.timer).items():
        running = np.flatnonzero((begin <= t) & (t < end) & (begin < rings))
        if len(running):
            first = running[np.argmin(rings[running])]
            found[who] = (rings[first] - t) / (rings[first] - begin[first])
    return found


def spans_of(scene: Scene, timer: str) -> dict[int, tuple[Floats, Floats, Floats]]:
    """Process of the network -> when each timer of a class was set, until when it ran, and when it rings if nothing
    intervenes, by rising time of setting."""
    run = scene.run

    # The object is kept so that its id remains unique.
    def make() -> tuple[dict[int, tuple[Floats, Floats, Floats]], Scene]:
        spans = np.array(_spans(run, timer), dtype=np.float64).reshape(-1, 4)
        process = spans[:, 0].astype(np.int64)
        who = process if scene.renumber is None else scene.renumber[process]
        return {p: tuple(spans[who == p, 1:].T) for p in np.unique(who[who >= 0]).tolist()}, scene

    return remember(run, ("countdown", timer, id(scene)), make)[0]


def _spans(run: Timeline, timer: str) -> list[tuple[int, float, float, float]]:
    """Return, for each timer of a class: process, time of setting, end of its run, time of expiry.

    A timer runs until it expires, until it is cancelled, or until an equal one is set. A trace without rows for that,
    from an earlier version, records only the timers that expired.
    """
    code = run.labels.index(timer) if timer in run.labels else -1
    rows = np.flatnonzero(
        np.isin(run.kind, (Kind.TIMER, Kind.TIMER_SET, Kind.TIMER_CANCEL)) & (run.label == code) & (run.process >= 0)
    )
    kinds = run.kind[rows]
    if not (kinds == Kind.TIMER_SET).any():
        rang = rows[(kinds == Kind.TIMER) & (run.cause[rows] >= 0)]
        set_at, rang_at = run.time[run.cause[rang]], run.time[rang]
        return list(zip(run.process[rang].tolist(), set_at.tolist(), rang_at.tolist(), rang_at.tolist(), strict=True))
    found: list[tuple[int, float, float, float]] = []
    running: dict[tuple[int, str], tuple[int, float, float]] = {}  # process, fields -> cause, set at, rings at

    def ends(key: tuple[int, str], when: float) -> None:
        if key in running:
            _, begin, rings = running.pop(key)
            found.append((key[0], begin, min(when, rings), rings))

    for row, kind in zip(rows.tolist(), kinds.tolist(), strict=True):
        p, when, cause = int(run.process[row]), float(run.time[row]), int(run.cause[row])
        if kind == Kind.TIMER:  # Of several timers that one event set, this is the one with the matching time.
            mine = [key for key, (by, _, _) in running.items() if key[0] == p and by == cause]
            if mine:
                ends(min(mine, key=lambda key: running[key][2]), when)
            continue
        detail = run.trace.detail(row) or {}
        key = p, json.dumps(detail.get("fields", {}), sort_keys=True)
        ends(key, when)
        if kind == Kind.TIMER_SET and isinstance(detail.get("rings"), (int, float)):
            running[key] = cause, when, float(detail["rings"])
    found += [(key[0], begin, rings, rings) for key, (_, begin, rings) in running.items()]
    return sorted(found, key=lambda span: span[1])


def legend(seen: Occurring, number: int, declared: Countdown) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if declared.timer in seen.run.labels:
        word = declared.word or seen.scene.animation.label(declared.timer)
        yield LegendItem.plain("countdown", number, word)


def page(tell: Teller, declared: Countdown) -> dict[str, Any] | None:
    """Return when each timer was set, until when it ran and when it expires, by process, then by time."""
    spans, column = spans_of(tell.scene, declared.timer), tell.column
    if not spans:
        return None
    return {
        "process": column(np.concatenate([np.full(len(begin), tell.codes[p]) for p, (begin, _, _) in spans.items()])),
        **{
            name: column(np.concatenate([part[i] for part in spans.values()]))
            for i, name in enumerate(("begin", "end", "rings"))
        },
    }


register(Piece("countdown", Countdown, at=left_at, nothing=np.zeros(0), legend=legend, page=page, order=30,
               painter="lydian.app.painters.pieces.countdowns.CountdownPainter",
               script="player.countdowns.js"))  # fmt: skip
