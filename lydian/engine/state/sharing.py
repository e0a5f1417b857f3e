"""The detection of processes that share memory, which reports the process, the event and the line.

It checks the global names of the protocol file (:mod:`lydian.model.protocol.shared`), the variables of every process
against their values after its last event, and the attempts that were refused, even if the code caught the exception.
To save time, it checks after each of the first events, then only from time to time and when the run rests or ends. The
culprit is found by repeating the run up to that point event by event, and the culprit's event line by line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lydian.engine.end.failure import event_words, line_of
from lydian.engine.execution import Execution
from lydian.engine.kernel import NONE
from lydian.engine.state.snapshots import reader
from lydian.model.errors import ActionError, PropertyError
from lydian.model.protocol.guards import offences
from lydian.model.protocol.process import INIT
from lydian.model.protocol.rules import column
from lydian.model.protocol.shared import Common
from lydian.trace.events import Kind
from lydian.trace.parquet.recorder import Recorder, to_json

__all__ = ["MOST_AGAIN", "Sharing"]

#: The maximum number of events that are repeated.
MOST_AGAIN = 300_000

#: The number of events between two checks, per process and per shared name.
_RARELY = 10
#: The maximum number of events at the beginning after each of which there is a check, and the maximum number of parts
#: of collections checked.
_CLOSELY, _PARTS = 5_000, 100_000
_ACTS = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)


@dataclass(frozen=True)
class _Culprit:
    """The event whose action made the change: its number in the run, and the line if it is known."""

    seq: int
    line: int | None


class Sharing:
    """The detector of shared memory in one run.

    Args:
        execution: the execution, whose processes have already been created.
        recorder: the recorder that contains the rows of the run.
        again: a function that repeats the run up to a number of steps. Its second argument is a function, which is
            called with the ``Sharing`` of the new run, the number of each step and the number of events before it,
            initially with 0 and 0; a result other than ``None`` ends the new run.
    """

    def __init__(
        self, execution: Execution, recorder: Recorder, again: Callable[[int, Callable[[Sharing, int, int], Any]], Any]
    ) -> None:
        self._execution, self._recorder, self._again = execution, recorder, again
        protocol = execution.protocol
        own = (each.__globals__ for each in vars(protocol.cls).values() if hasattr(each, "__globals__"))
        scope: dict[str, Any] = next(own, {}) or vars(sys.modules[protocol.cls.__module__])
        self._common = Common(protocol.cls, scope)
        names = tuple(protocol.variables) if execution.processes and execution.processes[0]._snapshot else ()
        read = reader(names, mixed=bool(protocol.roles))
        self._values: Callable[[Any], tuple[Any, ...]] | None = read if names else None
        self._rarely = _RARELY * (len(execution.processes) + self._common.size)
        self._next, self._seen = self._rarely, 0
        self._closely = min(_CLOSELY, _PARTS // (self._common.weight + 1))
        offences.clear()

    def wrong(self, acting: int = NONE) -> str | None:
        """Return a sentence about a change to shared memory or to another process's variables, or ``None``.

        Args:
            acting: the index of the process whose action is in progress and may have changed its own variables.
        """
        if offences:
            return str(offences[0])
        name = self._common.changed()
        if name is not None:
            return (
                f"it changes {name}, which all processes share as if they had one memory; a process has only its own "
                "variables: declare it in the class"
            )
        if self._values is not None:
            for p in self._execution.processes:
                try:
                    if self._values(p) != p._snapshot and p._i != acting:
                        return f"it changes variables of process {p._name}; a process changes only its own"
                except Exception:  # noqa: BLE001 - what a variable holds may compare in any way
                    continue
        return None

    @property
    def close(self) -> bool:
        """Whether every event is still followed by a check, so that a change is detected at its event."""
        return self._closely > 0

    def look_closely(self) -> None:
        """Check after one of the first events.

        Raises:
            ActionError: processes share memory.
        """
        self._closely -= 1
        if offences or self._common.suspicious():
            self.judge()

    def look(self, lingers: bool) -> None:
        """Check from time to time during the run, and when it comes to rest.

        Args:
            lingers: whether the run stays open at rest.

        Raises:
            ActionError: processes share memory.
        """
        kernel = self._execution.kernel
        events = kernel.counts()[0]
        rests = lingers and not kernel.queue and events > self._seen
        if events >= self._next or rests:
            self._next, self._seen = events + self._rarely, events
            self.judge()

    def judge(self) -> None:
        """Check, and report the culprit.

        Raises:
            ActionError: a process made a change.
            PropertyError: a change was made, but not by a process.
        """
        what = self.wrong()
        if what is None:
            return
        found = self._found()
        if found is None:
            raise PropertyError(f"{self._execution.protocol.file}: a property must only read a configuration; {what}")
        self._tell(what, found)

    def _tell(self, what: str, found: _Culprit) -> None:
        execution = self._execution
        kernel, protocol = execution.kernel, execution.protocol
        row = kernel.row_of(found.seq)
        p = execution.processes[int(row["process"])]
        label = int(row["label"])
        named = execution.labels[label] if label >= 0 else ""
        before = kernel.state_before(p, protocol.states, found.seq)
        words = event_words(INIT) if row["kind"] == Kind.INIT else execution.words_of(found.seq)
        line = found.line
        if line is None:
            event = column(named) if row["kind"] == Kind.RULE else named or INIT.name
            cell = protocol.table.cells.get((before, event))
            line = None if cell is None else cell.line
        detail = "{" + f'"text":{to_json(what)},"line":{"null" if line is None else line}' + "}"
        kernel.row(Kind.ERROR, p, found.seq, detail, ticks=True)
        file, line = protocol.place(line)
        raise ActionError(what, process=p._name, state=before, event=words, file=file, line=line)

    # ------------------------------------------------------------------ repeating the run

    def _found(self) -> _Culprit | None:
        """Return the first event after which the change is present, or ``None`` if no action made it."""
        kept = list(offences)
        line = next((found for found in (line_of(each, self._execution.protocol.file) for each in kept) if found), None)
        stride = max(1, self._rarely // 1000)
        try:
            late = self._first(0, MOST_AGAIN, stride)
            if late is None:
                return None
            step, seq = late if stride == 1 else self._first(max(late[0] - stride, 0), late[0], 1) or late
            return _Culprit(seq, line or self._line(step, int(self._execution.kernel.row_of(seq)["process"])))
        finally:
            offences[:] = kept

    def _first(self, start: int, end: int, stride: int) -> tuple[int, int] | None:
        """Return the first step from ``start`` to ``end`` after which a change is present, and the number of its event.

        Only every ``stride``-th step is checked.
        """

        def look(again: Sharing, step: int, before: int) -> tuple[int, int] | None:
            waits = again._execution.kernel.queue
            if step <= start or (step % stride and waits) or again.wrong() is None:
                return None
            return step, again._action(before)

        found: tuple[int, int] | None = self._again(end, look)
        return found

    def _line(self, step: int, acting: int) -> int | None:
        """Return the line that made the change in a step of a process."""
        file = self._execution.protocol.file
        last: list[int] = []
        found: list[int] = []

        def look(again: Sharing, done: int, _: int) -> bool | None:
            def trace(frame: Any, kind: str, _: Any) -> Any:
                if frame.f_code.co_filename != file:
                    return None
                if last and not found and again.wrong(acting) is not None:
                    found.append(last[-1])
                last[:] = [frame.f_lineno]
                return trace

            if done == step - 1:
                sys.settrace(trace)
            return True if done >= step else None

        before = sys.gettrace()
        try:
            self._again(step, look)
        finally:
            sys.settrace(before)
        return (found or last or [None])[-1]  # type: ignore[list-item]

    def _action(self, since: int) -> int:
        """Return the first event with an action in the rows from ``since`` on."""
        rows = self._recorder.rows(self._execution.kernel.counts()[2], since)
        return since + next((at for at, row in enumerate(rows) if row["kind"] in _ACTS), 0)
