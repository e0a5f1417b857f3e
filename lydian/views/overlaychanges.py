"""When what an animation draws of the variables changes: one entry a change, for players that only replay.

:mod:`lydian.views.overlays` answers for one moment; this walks once through a trace and tells every moment at which
the answer for a process differs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from lydian.trace.details import detail_texts
from lydian.trace.events import NO_STATE, Kind
from lydian.views.animation import Watch
from lydian.views.overlays import TEXTS_SHOWN, _number, _size
from lydian.views.scene import Scene

__all__ = ["changes_of"]


def changes_of(scene: Scene, index: Mapping[str, int], text: Callable[[str], int]) -> dict[str, list[int]]:
    """The changes, in order.

    Args:
        scene: the run and its animation.
        index: name of a process -> its code.
        text: gives a number to a text.

    Returns:
        Lists of equal length.  ``at`` is the event with which the change comes, -1 for the beginning; ``process``
        whose it is; ``what`` the number of a pointer of the animation, then (counting on) its line to watch, its
        badge, its marks; ``value`` the process pointed at or -1, the number of a text, or for marks a process that
        is marked from now on, or ``-2 - process`` for one that is no longer.
    """
    run, drawn = scene.run, scene.animation
    out: dict[str, list[int]] = {"at": [], "process": [], "what": [], "value": []}
    if not scene.animation_needs_variables:
        return out
    known = frozenset(run.variable_names)
    watch = drawn.watch if isinstance(drawn.watch, Watch) and run.n <= TEXTS_SHOWN else None
    if watch is not None and not known.issuperset(watch.variables):
        watch = None
    badge = drawn.badge if drawn.badge in known and run.n <= TEXTS_SHOWN else None
    lines = len(drawn.pointers)

    codes = dict(index)

    def look(process: int, values: Mapping[str, Any], state: str, crashed: bool) -> tuple[list[int], list[set[int]]]:
        """What is drawn of one process: a number for each pointer, line and badge; a set for each mark."""
        numbers = []
        for pointer in drawn.pointers:
            shown = not pointer.while_states or state in pointer.while_states
            other = _number(codes, values.get(pointer.variable)) if shown else -1
            numbers.append(-1 if other == process else other)
        shown = watch is not None and not crashed and (not watch.while_states or state in watch.while_states)
        numbers.append(text(watch.line(values)) if watch is not None and shown else 0)
        numbers.append(text(_size(values.get(badge))) if badge is not None else 0)
        marks = []
        for mark in drawn.marks:
            members = values.get(mark.variable)
            found = {_number(codes, m) for m in members} if isinstance(members, list | tuple) else set()
            marks.append(found - {-1})
        return numbers, marks

    def tell(at: int, process: int, what: int, value: int) -> None:
        for name, entry in zip(out, (at, process, what, value), strict=True):
            out[name].append(entry)

    initial = run.trace.summary.get("initial")
    first = dict(initial) if isinstance(initial, Mapping) else {}
    values = [dict(first) for _ in range(run.n)]
    states = [run.start_state] * run.n
    crashed = [False] * run.n
    now = [([-1] * lines + [0, 0], [set[int]() for _ in drawn.marks]) for _ in range(run.n)]

    def update(at: int, p: int) -> None:
        state = run.states[states[p]] if 0 <= states[p] < len(run.states) else ""
        before, after = now[p], look(p, values[p], state, crashed[p])
        for what, (old, new) in enumerate(zip(before[0], after[0], strict=True)):
            if old != new:
                tell(at, p, what, new)
        for number, (gone, come) in enumerate(zip(before[1], after[1], strict=True)):
            for member in sorted(gone - come):
                tell(at, p, lines + 2 + number, -2 - member)
            for member in sorted(come - gone):
                tell(at, p, lines + 2 + number, member)
        now[p] = after

    for p in range(run.n):
        update(-1, p)
    details = detail_texts(run.trace)
    at, told = next(details, (-1, ""))
    for seq, (p, kind, code) in enumerate(
        zip(run.process.tolist(), run.kind.tolist(), run.state.tolist(), strict=True)
    ):
        changed: Any = None
        if seq == at:
            if '"changed"' in told:
                changed = _changed(told)
            at, told = next(details, (-1, ""))
        if p < 0:
            continue
        if changed:
            values[p].update(changed)
        moved = code not in (NO_STATE, states[p])
        if moved:
            states[p] = code
        if kind in (Kind.CRASH, Kind.RECOVER):
            crashed[p] = kind == Kind.CRASH
            moved = True
        if moved or changed:
            update(seq, p)
    return out


def _changed(text: str) -> dict[str, Any]:
    """The variables that an event changed."""
    try:
        detail = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    changed = detail.get("changed") if isinstance(detail, dict) else None
    return changed if isinstance(changed, dict) else {}
