"""Expressions over the variables of a process, in Python's notation: ``missing == 0 and state == "waiting"``.

The names are the process's variables, ``state``, ``me`` and ``time``. Only comparisons, arithmetic and a few functions
are accepted, so an expression can neither change anything nor call other code. An expression that cannot be evaluated
at some moment, such as ``None < 3``, is false there.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.lang.expression import OWN, SPACE, parse
from lydian.trace.details import changes_in, detail_texts
from lydian.trace.events import NO_STATE
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.words.source import read

__all__ = ["becomes_true", "names_in"]


def names_in(text: str, timeline: Timeline | None = None) -> frozenset[str]:
    """Return the names in an expression; they must exist in the run if one is given.

    Raises:
        BadInput: the text is not an expression, or the run has no variable of this name.
    """
    names = parse(text)[1]
    if timeline is not None:
        known = (*timeline.variable_names, *OWN)
        for name in sorted(names):
            if name not in known:
                hint = did_you_mean(name, known) or tr("; choose from {names}", names=", ".join(known))
                raise BadInput(tr("no process has a variable {variable}{hint}", variable=shown(name), hint=hint))
    return names


def becomes_true(timeline: Timeline, text: str) -> NDArray[np.int64]:
    """Return the events, ascending, after which an expression is true at their process and before which it was false.

    An expression that is true from the start becomes true at no event. The answer is computed once for a run, in one
    pass over its events.

    Raises:
        BadInput: the text is not an expression, or names a variable that does not exist.
    """
    names_in(text, timeline)
    return remember(timeline, ("becomes true", text), lambda: _becomes_true(timeline, text), of_kind=16)


def _becomes_true(timeline: Timeline, text: str) -> NDArray[np.int64]:
    code, names = parse(text)
    sets = read(timeline.trace.source).sets & names
    values: list[dict[str, Any]] = []
    for index, process in enumerate(timeline.processes):
        known = {name: value for name, (value, _) in timeline.variables(index, 0).items() if name in names}
        state = int(timeline.start_states[index])
        own = {"me": process, "time": 0.0, "state": timeline.states[state] if state < len(timeline.states) else ""}
        values.append({name: _value(value, name in sets) for name, value in known.items()} | own)
    true = [_holds(code, each) for each in values]
    found = []
    changes = detail_texts(timeline.trace)
    upcoming = next(changes, None)
    timed = "time" in names
    for seq, (process_, state_, when) in enumerate(
        zip(timeline.process.tolist(), timeline.state.tolist(), timeline.time.tolist(), strict=True)
    ):
        changed: Any = None
        if upcoming is not None and upcoming[0] == seq:
            changed = changes_in(timeline.trace, seq, upcoming[1]) or None
            upcoming = next(changes, None)
        if process_ < 0:
            continue
        here, again = values[process_], timed
        here["time"] = when
        if state_ != NO_STATE and here["state"] != timeline.states[state_]:
            here["state"], again = timeline.states[state_], True
        if isinstance(changed, dict):
            for name in changed.keys() & names:
                here[name], again = _value(changed[name], name in sets), True
        if again:
            now = _holds(code, here)
            if now and not true[process_]:
                found.append(seq)
            true[process_] = now
    return np.array(found, dtype=np.int64)


def _value(value: Any, is_set: bool) -> Any:
    """Return a value of a trace as the protocol has it: a set is written as a list."""
    try:
        return frozenset(value) if is_set and isinstance(value, list) else value
    except TypeError:
        return value


def _holds(code: CodeType, values: dict[str, Any]) -> bool:
    try:
        return bool(eval(code, SPACE, values))  # noqa: S307 - only what parse() let through
    except Exception:  # noqa: BLE001 - a value may be of any type; then nothing holds
        return False
