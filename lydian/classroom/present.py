"""The configuration that a simulator has reached, without the events that have led to it.

A lesson may last for hours, so that neither the memory for the present nor the time to bring it up to date may depend
on how many events there have been.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lydian.engine.wire import Begun, Round
from lydian.trace.differences import applied
from lydian.trace.events import NO_STATE, Kind

__all__ = ["Present", "Variables"]


class Present:
    """What is known of a run now.

    Attributes:
        begun: the frame that announced the run.
        count: the number of events.
        time: the simulated time reached.
        steps: the number of steps taken.
        processes, states: the tables to which the codes in events refer.
        last: process -> its last event.
        crashed: the processes that are down.
        been_down: the processes that have ever been down.
    """

    def __init__(self) -> None:
        self.begun: Begun | None = None
        self.count = self.steps = 0
        self.time = 0.0
        self.processes: tuple[str, ...] = ()
        self.states: tuple[str, ...] = ()
        self.last: dict[str, int] = {}
        self.crashed: frozenset[str] = frozenset()
        self.been_down: frozenset[str] = frozenset()
        self._codes: dict[str, int] = {}
        self._names: dict[str, None] = {}  # of variables, in order
        self._values: dict[str, dict[str, Any]] = {}  # an entry is replaced, never changed: moments share them

    def start(self, frame: Begun) -> None:
        """Take in the frame that announces the run."""
        self.begun = frame
        self._names = dict.fromkeys(_object(frame.summary.get("initial")))

    def take(self, frame: Round) -> None:
        """Add a round."""
        self.time, self.steps = frame.time, frame.steps
        self.states = self.states if frame.states is None else tuple(frame.states)
        if frame.processes is not None:
            self._arrive(tuple(frame.processes))
        if not frame.count:
            return
        rows = frame.events()
        columns = (rows["process"].tolist(), rows["kind"].tolist(), rows["state"].tolist())
        places = columns[0]
        for seq, (place, kind, state) in enumerate(zip(*columns, strict=True), frame.first):
            if place < 0:
                continue
            process = self.processes[place]
            self.last[process] = seq
            if state != NO_STATE:
                self._codes[process] = state
            if kind == Kind.CRASH:
                self.crashed |= {process}
                self.been_down |= {process}
            elif kind == Kind.RECOVER:
                self.crashed -= {process}
        for seq, text in frame.details:
            if ('"changed"' in text or '"grown"' in text) and (place := places[seq - frame.first]) >= 0:
                self._change(self.processes[place], json.loads(text))
        self.count = frame.first + frame.count

    def _arrive(self, processes: tuple[str, ...]) -> None:
        summary: Mapping[str, Any] = {} if self.begun is None else self.begun.summary
        common, own = _object(summary.get("initial")), _object(summary.get("first"))
        common = {} if "roles" in summary else common
        for each in processes[len(self.processes) :]:
            self._values[each] = {**common, **_object(own.get(each))}
        self.processes = processes

    def _change(self, process: str, detail: Mapping[str, Any]) -> None:
        """Set the variables that an event has changed."""
        before = self._values[process]
        values = {**before, **_object(detail.get("changed"))}
        for name, step in _object(detail.get("grown")).items():
            earlier = before.get(name)
            values[name] = applied(earlier.copy() if isinstance(earlier, list | dict) else earlier, step)
        self._values[process] = values
        if values.keys() != before.keys():
            self._names.update(dict.fromkeys(values))

    def start_of(self, process: str) -> str:
        """Return the state of a process before its first event."""
        summary: Mapping[str, Any] = {} if self.begun is None else self.begun.summary
        role = str(_object(summary.get("roles")).get(process))
        start = _object(summary.get("starts")).get(role, summary.get("start"))
        return start if start in self.states else next(iter(self.states), "")

    def states_now(self) -> dict[str, str]:
        """Return process -> its state."""
        return {each: self.state_of(each) for each in self.processes}

    def state_of(self, process: str) -> str:
        """Return the state of a process."""
        code = self._codes.get(process, -1)
        return self.states[code] if code >= 0 else self.start_of(process)

    def variables_now(self) -> Variables:
        """Return the variables of all processes; they do not change when the run goes on."""
        return Variables(dict(self._values), tuple(self._names))


class Variables(Mapping[str, Mapping[str, Any]]):
    """Process -> variable -> value at a moment; a variable that a process does not have is ``None``."""

    def __init__(self, values: Mapping[str, Mapping[str, Any]], names: tuple[str, ...]) -> None:
        self._values, self._names = values, names

    def __getitem__(self, process: str) -> Mapping[str, Any]:
        values = self._values[process]
        return {name: values.get(name) for name in self._names}

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
