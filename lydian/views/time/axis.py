"""The common parts of views along time: window, ticks, rows, and a cache of what one execution determines.

The causality and the occupation view are one above the other. They have the same rows and the same window, so the
playhead is one line through both.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput
from lydian.trace.events import NO_STATE, Kind
from lydian.trace.timeline import Timeline

if TYPE_CHECKING:
    from lydian.pieces.animation import Animation

__all__ = [
    "Rows",
    "Window",
    "checked",
    "fit",
    "goes_on",
    "kinds_of",
    "nice_step",
    "remember",
    "rows_of",
    "slots_of",
    "spans_of_crashes",
    "step_above",
    "tick_text",
    "ticks",
]

T = TypeVar("T")

#: An interval of simulated time: start, end.
Window = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Rows:
    """The process in each row.

    ``processes`` (rows,) is the process of each row from top to bottom, ``row`` (n,) the row of each process or -1.
    """

    processes: NDArray[np.int32]
    row: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.processes)


def rows_of(timeline: Timeline, order: Iterable[int] | None = None) -> Rows:
    """Return the rows for an order of processes (their numbers); by default the order of the network.

    A process that ``order`` leaves out has no row. Equal orders give the same object, so painters may keep what
    they drew.

    Raises:
        BadInput: for a process that is not there or is in two rows.
    """
    n = len(timeline.processes)
    key = None if order is None else tuple(int(p) for p in order)

    def make() -> Rows:
        processes = np.arange(n, dtype=np.int32) if key is None else np.array(key, dtype=np.int32)
        inside = not len(processes) or (processes.min() >= 0 and processes.max() < n)
        if not inside or len(np.unique(processes)) < len(processes):
            raise BadInput(f"rows must be numbers of different processes, from 0 to {n - 1}")
        row = np.full(n, -1, dtype=np.int32)
        row[processes] = np.arange(len(processes), dtype=np.int32)
        return Rows(processes, row)

    return remember(timeline, ("rows", key), make)


_memories: dict[int, tuple[weakref.ref[Any], dict[Any, Any]]] = {}
_KEPT = 64


def remember(timeline: Timeline, key: Any, make: Callable[[], T], *, of_kind: int | None = None) -> T:
    """Return the result of ``make()``, computed once for a timeline and a key (which must be hashable).

    A timeline never changes, so results that follow from it alone may be kept as long as it exists; the 64 keys used
    last are kept. ``of_kind`` limits the number of tuples with the same first word.
    """
    number = id(timeline)
    held = _memories.get(number)
    if held is None or held[0]() is not timeline:

        def forget(_: object, memories: dict[int, Any] = _memories) -> None:
            memories.pop(number, None)  # This is bound above because module names may be gone when the program ends.

        held = (weakref.ref(timeline, forget), {})
        _memories[number] = held
    memory = held[1]
    if key in memory:
        memory[key] = value = memory.pop(key)
        return value  # type: ignore[no-any-return]
    value = make()
    memory[key] = value
    if of_kind is not None:
        alike = [other for other in memory if isinstance(other, tuple) and other[0] == key[0]]
        for other in alike[:-of_kind]:
            del memory[other]
    if len(memory) > _KEPT:
        memory.pop(next(iter(memory)))
    return value


def slots_of(timeline: Timeline, animation: Animation) -> NDArray[np.int16]:
    """Return the slot of each state code, (256,); a code without a state has slot 7 (grey)."""

    def make() -> tuple[NDArray[np.int16], Animation]:
        slots = np.full(NO_STATE + 1, 7, dtype=np.int16)
        for code, name in enumerate(timeline.states):
            slots[code] = animation.slot(name)
        return slots, animation

    return remember(timeline, ("slots", id(animation)), make)[0]


def kinds_of(timeline: Timeline, animation: Animation) -> NDArray[np.int16]:
    """Return the kind of each label code, (labels + 1,); the last one, for code -1, is 0."""

    def make() -> tuple[NDArray[np.int16], Animation]:
        return np.array([*(animation.kind(name) for name in timeline.labels), 0], dtype=np.int16), animation

    return remember(timeline, ("kinds", id(animation)), make)[0]


def checked(window: Window) -> Window:
    """Return the window as two floats.

    Raises:
        BadInput: if it is empty, turned round or not finite.
    """
    start, stop = float(window[0]), float(window[1])
    if not (math.isfinite(start) and start < stop < math.inf):
        raise BadInput(f"a window must begin before it ends, not go from {start:g} to {stop:g}")
    return start, stop


def goes_on(timeline: Timeline) -> bool:
    """Return True if more events of the execution will follow: it is live, or still being computed."""
    summary = timeline.trace.summary
    return "stopped" in summary and summary["stopped"] is None


def step_above(value: float) -> float:
    """Return the end of an axis on which a value grows: the next of 1, 1.5, 2, 3, 5 and 7 times a power of ten.

    The axis thus stays unchanged for a while and then grows by about half, instead of a little with each event.
    """
    if not 0 < value < math.inf:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0) if step * power >= value)


def fit(timeline: Timeline) -> Window:
    """Return the window that shows the whole execution with a small margin at its end; it grows in steps while it
    continues.
    """
    end = float(timeline.end) * 1.02
    if goes_on(timeline):
        end = step_above(end)
    return (0.0, end if end > 0 else 1.0)


def nice_step(length: float, count: int) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that divides ``length`` into at most ``count`` parts."""
    if not (length > 0 and math.isfinite(length)) or count < 1:
        return 1.0
    power = 10.0 ** math.floor(math.log10(length / count))
    for factor in (1.0, 2.0, 5.0, 10.0):
        if length / (factor * power) <= count * (1 + 1e-9):
            return factor * power
    return 10.0 * power


def ticks(window: Window, count: int) -> tuple[NDArray[np.float64], float]:
    """Return round times in the window, at most ``count`` + 1 of them, and their step."""
    start, stop = window
    step = nice_step(stop - start, count)
    first, last = math.ceil(start / step - 1e-9), math.floor(stop / step + 1e-9)
    return np.arange(first, last + 1, dtype=np.float64) * step, step


def tick_text(value: float, step: float) -> str:
    """Return a tick with as many decimals as its step needs: ``4``, ``0.25``, ``12,000``."""
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    text = f"{value:,.{min(decimals, 12)}f}"
    return text.lstrip("-") if float(text.replace(",", "")) == 0 else text


def spans_of_crashes(timeline: Timeline) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """Return when processes were crashed: process, start, end (infinite without recovery), in order of the crashes."""

    def make() -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
        kind = np.asarray(timeline.kind)
        spans: list[list[float]] = []
        down: dict[int, list[float]] = {}
        for seq in np.flatnonzero((kind == Kind.CRASH) | (kind == Kind.RECOVER)).tolist():
            process, time = int(timeline.process[seq]), float(timeline.time[seq])
            if kind[seq] == Kind.CRASH and process not in down:
                down[process] = [process, time, math.inf]
                spans.append(down[process])
            elif kind[seq] == Kind.RECOVER and process in down:
                down.pop(process)[2] = time
        table = np.array(spans, dtype=np.float64).reshape(-1, 3)
        return table[:, 0].astype(np.int32), table[:, 1].copy(), table[:, 2].copy()

    return remember(timeline, "crashes", make)
