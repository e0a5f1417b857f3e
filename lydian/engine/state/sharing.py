"""Processes that share memory, found out: whoever changes what is not its own is named, with the event and the line.

It looks at the names that all processes see (:mod:`lydian.model.protocol.shared`), the variables of every
process against what its last event left, and what was refused to code that catches whatever is raised.  That is done
after each of the first events, then now and then and when the run rests or ends, so that it takes little time.  Who
did it is found by running the same once more up to there, event by event and in the guilty event line by line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from lydian.engine.end.failure import event_words, line_of
from lydian.engine.execution import Execution
from lydian.engine.kernel import NONE
from lydian.model.errors import ActionError, PropertyError
from lydian.model.protocol.guards import offences
from lydian.model.protocol.process import INIT
from lydian.model.protocol.rules import column
from lydian.model.protocol.shared import Common
from lydian.trace.events import Kind
from lydian.trace.parquet.recorder import Recorder, to_json

__all__ = ["MOST_AGAIN", "Sharing"]

#: Most events that are run again.
MOST_AGAIN = 300_000

#: Events between two looks, for each process and each shared name.
_RARELY = 10
#: So many events at first are looked at one by one, and with large collections in the file so many parts of them.
_CLOSELY, _PARTS = 5_000, 100_000
_ACTS = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)


@dataclass(frozen=True)
class _Culprit:
    """The event whose action did it: its number in the run and the line, as far as they are known."""

    seq: int
    line: int | None


class Sharing:
    """Watches over one run.

    Args:
        execution: whose protocol is watched; its processes are made already.
        recorder: holds its rows.
        again: runs the same once more, up to so many steps; what it is given gets the ``Sharing`` of that run, the
            number of each step and of the events before it, and ends it with what it returns.  It is called with 0
            and 0 first.
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
        self._values: Callable[[Any], Any] | None = attrgetter(*names) if names else None
        self._single = len(names) == 1
        self._rarely = _RARELY * (len(execution.processes) + self._common.size)
        self._next, self._seen = self._rarely, 0
        self._closely = min(_CLOSELY, _PARTS // (self._common.weight + 1))
        offences.clear()

    def wrong(self, acting: int = NONE) -> str | None:
        """What has been changed that belongs to nobody, or to somebody else, in a sentence; ``None`` if all is well.

        Args:
            acting: index of the process whose action is under way and may have changed its own variables.
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
                    now = self._values(p)
                    if ((now,) if self._single else now) != p._snapshot and p._i != acting:
                        return f"it changes variables of process {p._name}; a process changes only its own"
                except Exception:  # noqa: BLE001 - what a variable holds may compare in any way
                    continue
        return None

    @property
    def close(self) -> bool:
        """Whether every event is still looked at, so that whoever shares memory is found at the event that did it."""
        return self._closely > 0

    def look_closely(self) -> None:
        """Look after one of the first events.

        Raises:
            ActionError: somebody shares memory.
        """
        self._closely -= 1
        if offences or self._common.suspicious():
            self.judge()

    def look(self, lingers: bool) -> None:
        """Look now and then, while the run goes on, and when it comes to rest.

        Args:
            lingers: whether the run stays open at rest.

        Raises:
            ActionError: somebody shares memory.
        """
        kernel = self._execution.kernel
        events = kernel.counts()[0]
        rests = lingers and not kernel.queue and events > self._seen
        if events >= self._next or rests:
            self._next, self._seen = events + self._rarely, events
            self.judge()

    def judge(self) -> None:
        """Look, and name the one who did it.

        Raises:
            ActionError: a process did it.
            PropertyError: no process did.
        """
        what = self.wrong()
        if what is None:
            return
        found = self._found()
        if found is None:
            raise PropertyError(f"{self._execution.protocol.file}: a property only looks at a configuration; {what}")
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

    # ------------------------------------------------------------------ running the same again

    def _found(self) -> _Culprit | None:
        """The event after which it was so for the first time; ``None`` if no action did it."""
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
        """The first of the steps from ``start`` to ``end`` (every ``stride``-th is looked at) after which something is
        wrong, and the number of its event."""

        def look(again: Sharing, step: int, before: int) -> tuple[int, int] | None:
            waits = again._execution.kernel.queue
            if step <= start or (step % stride and waits) or again.wrong() is None:
                return None
            return step, again._action(before)

        found: tuple[int, int] | None = self._again(end, look)
        return found

    def _line(self, step: int, acting: int) -> int | None:
        """The line that did it in a step of a process."""
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
        """The event of an action in the rows since a number."""
        rows = self._recorder.rows(self._execution.kernel.counts()[2], since)
        return since + next((at for at, row in enumerate(rows) if row["kind"] in _ACTS), 0)
