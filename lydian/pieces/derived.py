"""Variables that an animation derives from recorded ones, so that no protocol stores values only for drawing.

A function in the file of an animation gives the value at a process, from its recorded variables, its parameters,
``state``, ``me`` and ``neighbours``; with a second argument also from those of all processes, by name::

    @derived
    def towards(p):
        return p.hop.get(p.shown)

Values are as the trace has them: keys of tables are texts, and tuples are lists; but sets are sets, of tuples if need
be. ``p.ring.succ`` is the variable ``succ`` of the layer ``ring``. Pieces use what is derived like any variable. It
is worked out anew after each event at the process that changes something it may follow from; where it fails it is None.
A variable that is recorded under the name comes first.

The functions of an animation that came with this program run in this process. Those of anybody else run in a process
of their own, once, when a run is over.
"""

from __future__ import annotations

import copy
import json
import subprocess
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lydian.model.childprocess import start
from lydian.model.errors import BadInput, shown
from lydian.model.network.netfile import from_dict
from lydian.trace.details import Added
from lydian.trace.events import NO_STATE
from lydian.trace.parquet.recorder import to_json
from lydian.trace.timeline import Timeline
from lydian.views.words.expressions import grown, parameters_of
from lydian.views.words.source import read

__all__ = ["Derived", "Worker", "asked", "derived", "with_derived"]

#: An event as functions need it: its number, its process, the state after it, and the variables that it changes.
Row = tuple[int, int, str, Mapping[str, Any]]


#: The maximum number of seconds for the file of an animation, and for its process in total.
SECONDS, PATIENCE = 2.0, 15.0


@dataclass(frozen=True)
class Derived:
    """A variable that an animation derives.

    Args:
        name: of the variable.
        several: whether it follows from the variables of all processes.
        path: the file that has the function, if another process works it out.
        function: what gives the value; None where another process works it out.
    """

    name: str
    several: bool = False
    path: str = ""
    function: Callable[..., Any] | None = field(default=None, repr=False, compare=False)


def derived(function: Callable[..., Any]) -> Derived:
    """Derive a variable with the name of a function, from a process and, with two arguments, from all processes."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_argcount not in (1, 2):
        raise BadInput(
            f"@derived must be applied to a function of a process, or of it and all processes, not to {shown(function)}"
        )
    return Derived(function.__name__, code.co_argcount == 2, function=function)


class Worker:
    """An evaluator of derived variables, event by event.

    Args:
        wanted: the variables, each of which may follow from earlier ones.
        about: ``names`` and ``first`` values of the processes, the ``states`` in which they begin, the ``neighbours``
            of each, the ``parameters``, and which variables are ``sets``.
    """

    def __init__(self, wanted: Iterable[Derived], about: Mapping[str, Any]) -> None:
        self._wanted, self._sets = list(wanted), set(about["sets"])
        self._names = list(about["names"])
        begin, near, states = dict(about["parameters"]), about["neighbours"], about["states"]
        self._all = {
            name: SimpleNamespace(**{**begin, "state": state}, me=name, neighbours=near.get(name, ()))
            for name, state in zip(self._names, states, strict=True)
        }
        self._last: list[dict[str, Any]] = [{} for _ in self._names]
        for name, values in zip(self._names, about["first"], strict=True):
            self._take(name, values)
        self.first = [self._changed(p) for p in range(len(self._names))]

    def _take(self, name: str, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            it, (*layers, variable) = self._all[name], key.split(".")
            for layer in layers:
                it = it.__dict__.setdefault(layer, SimpleNamespace())
            setattr(it, variable, _set(value) if variable in self._sets and isinstance(value, list) else value)

    def step(self, row: Row) -> dict[str, Any]:
        """Return the derived variables of a process that an event changes."""
        _, p, state, changed = row
        name = self._names[p]
        self._take(name, changed)
        if state:
            self._all[name].state = state
        return self._changed(p)

    def _changed(self, p: int) -> dict[str, Any]:
        it, last, found = self._all[self._names[p]], self._last[p], {}
        for each in self._wanted:
            try:
                assert each.function is not None
                value = _plain(each.function(it, self._all) if each.several else each.function(it))
            except Exception:  # noqa: BLE001 - the function may do anything, and a variable may be missing
                value = None
            setattr(it, each.name, value)
            if each.name not in last or last[each.name] != value or type(last[each.name]) is not type(value):
                last[each.name] = found[each.name] = value
        return found


def _set(value: list[Any]) -> Any:
    """Return the set that is recorded as a list, or the list itself if its items are unhashable."""

    def fixed(item: Any) -> Any:
        return tuple(map(fixed, item)) if isinstance(item, list) else item

    try:
        return {fixed(item) for item in value}
    except TypeError:  # A fault may have written any value here.
        return value


def _plain(value: Any) -> Any:
    """Return a value in the form in which a trace stores it.

    Raises:
        TypeError: it is not plain data.
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=lambda item: (len(text := to_json(item)), text))
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise TypeError(f"{value!r:.60} is not plain data")


def asked(path: Path, run: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the answer of a process that reads an animation and, if it is given a run, derives variables in it.

    An animation is a Python file. If it contains an endless loop or ends its program, this affects only the child
    process, which returns the declarations as plain data.

    Raises:
        BadInput: the file cannot be read, fails, hangs, ends its process, or declares something that cannot be drawn.
    """
    child = start("-m", "lydian.pieces.animationchild")
    try:
        out, _ = child.communicate(json.dumps([str(path.absolute()), SECONDS, run]).encode() + b"\n", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise BadInput("the animation does not end; is there an endless loop?", file=path) from None
    try:
        told = json.loads(out)
    except ValueError:
        code = child.returncode
        what = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise BadInput(
            f"the animation exits its program ({what}); it must contain only declarations", file=path
        ) from None
    if "what" in told:
        raise BadInput(told["what"], file=path, place=told["place"])
    return dict(told)


def with_derived(timeline: Timeline, wanted: tuple[Derived, ...]) -> Timeline:
    """Return a run with the derived variables of an animation, or the run itself if there are none."""
    left = tuple(each for each in wanted if each.name not in timeline.variable_names)
    if not left or not timeline.variable_names:
        return timeline

    def make() -> Timeline | None:
        growing = grown(timeline, key, lambda: _Growing(timeline, left))
        growing.grow(timeline)
        if growing.added is None:
            return None
        found = copy.copy(timeline)
        found.__dict__["_details"] = timeline.details.with_added(timeline.trace, growing.added)
        return found

    key = ("derived", left, tuple(each.function for each in left))
    kept = _kept.setdefault(timeline, {})
    if key not in kept:
        kept[key] = make()
    return kept[key] or timeline


#: Runs with derived variables, or None where there are none yet.
_kept: weakref.WeakKeyDictionary[Timeline, dict[Any, Timeline | None]] = weakref.WeakKeyDictionary()


class _Growing:
    """The derived variables of a run that may continue."""

    def __init__(self, run: Timeline, wanted: tuple[Derived, ...]) -> None:
        self.length = 0
        self._wanted = wanted
        self.added: Added | None = None
        self._about = {
            "names": list(run.processes), "first": run.details.first, "parameters": dict(parameters_of(run)),
            "states": [run.states[code] if run.states else "" for code in run.start_states.tolist()],
            "sets": sorted(read(run.trace.source).sets),
            "neighbours": _neighbours(run.trace.network),
        }  # fmt: skip
        self._worker: Worker | None = None
        if all(each.function is not None for each in wanted):
            self._worker = Worker(wanted, self._about)
            self.added = Added([each.name for each in wanted], self._worker.first)

    def grow(self, run: Timeline) -> None:
        """Read the events since the last call; a separate process reads them only when the run is over."""
        if self.length == run.length:
            return
        if self._worker is None:
            self._elsewhere(run)
            return
        assert self.added is not None
        several = any(each.several for each in self._wanted)
        for row in _rows(run, self.length, several):
            self.added.put(row[0], self._worker.step(row))
        self.length = run.length

    def _elsewhere(self, run: Timeline) -> None:
        if self.added is not None or run.trace.summary.get("stopped") is None:
            return
        self.length = run.length
        try:
            rows = list(_rows(run, 0, any(each.several for each in self._wanted)))
            names = [each.name for each in self._wanted]
            told = asked(Path(self._wanted[0].path), {"names": names, "about": self._about, "rows": rows})
        except BadInput:
            return  # Pieces that need these variables report that no process has them.
        self.added = Added(names, told["first"])
        for seq, changed in told["changes"]:
            self.added.put(seq, changed)


def _neighbours(network: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the processes to which each process can send, as far as the trace contains the network."""
    try:
        known = from_dict(dict(network))
    except BadInput:  # This is an old or an imported trace.
        return {}
    return {name: known.neighbours(name) for name in known.processes}


def _rows(run: Timeline, start: int, every: bool) -> Iterator[Row]:
    """Yield the events that may change derived variables; with ``every``, events of all processes."""
    changes = iter(run.details.walk(start))
    at, changed = next(changes, (-1, {}))
    columns = run.process[start:].tolist(), run.state[start:].tolist()
    for seq, (p, code) in enumerate(zip(*columns, strict=True), start):
        mine: Mapping[str, Any] = {}
        if seq == at:
            mine, (at, changed) = changed, next(changes, (-1, {}))
        state = run.states[code] if code != NO_STATE and code < len(run.states) else ""
        if p >= 0 and (mine or state or every):
            yield seq, p, state, mine
