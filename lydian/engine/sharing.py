"""Processes that share memory, found out: whoever changes what is not its own is named, with the event and the line.

Looked at, between events, are the names that all processes see (:mod:`lydian.model.shared`), the variables of every
process against what its last event left, and what was refused to code that catches whatever is raised.  That is done
after each of the first events, then now and then and when the run rests or ends, so that it takes little time.  Who
did it is found by running the same once more up to there, event by event and in the guilty event line by line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from lydian.engine.again import MOST_AGAIN, fresh, stepped
from lydian.engine.failure import event_words, line_of
from lydian.engine.kernel import NONE
from lydian.model.errors import ActionError, PropertyError
from lydian.model.guards import offences
from lydian.model.process import INIT
from lydian.model.rules import column
from lydian.model.shared import Common
from lydian.trace.events import Kind
from lydian.trace.recorder import to_json

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["Sharing"]

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
    """Watches over one simulator.

    Args:
        simulator: whose protocol is watched; its processes are made already.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        protocol = simulator.protocol
        own = (each.__globals__ for each in vars(protocol.cls).values() if hasattr(each, "__globals__"))
        scope: dict[str, Any] = next(own, {}) or vars(sys.modules[protocol.cls.__module__])
        self._common = Common(protocol.cls, scope)
        names = tuple(protocol.variables) if simulator.processes and simulator.processes[0]._snapshot else ()
        self._values: Callable[[Any], Any] | None = attrgetter(*names) if names else None
        self._single = len(names) == 1
        self._rarely = _RARELY * (len(simulator.processes) + self._common.size)
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
            for p in self._simulator.processes:
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

    def look(self) -> None:
        """Look now and then, while the run goes on, and when it comes to rest.

        Raises:
            ActionError: somebody shares memory.
        """
        events = self._simulator.kernel.counts()[0]
        rests = self._simulator.lingers and not self._simulator.kernel.queue and events > self._seen
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
        excused, self._simulator.excused = self._simulator.excused, True
        try:
            found = self._found()
        finally:
            self._simulator.excused = excused
        if found is None:
            raise PropertyError(f"{self._simulator.protocol.file}: a property only looks at a configuration; {what}")
        self._tell(what, found)

    def _tell(self, what: str, found: _Culprit) -> None:
        simulator = self._simulator
        kernel, protocol = simulator.kernel, simulator.protocol
        row = kernel.row_of(found.seq)
        p = simulator.processes[int(row["process"])]
        label = int(row["label"])
        named = simulator.execution.labels[label] if label >= 0 else ""
        before = kernel.state_before(p, protocol.states, found.seq)
        words = event_words(INIT) if row["kind"] == Kind.INIT else simulator.execution.words_of(found.seq)
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
        line = next((found for found in (line_of(each, self._simulator.protocol.file) for each in kept) if found), None)
        stride = max(1, self._rarely // 1000)
        try:
            late = self._first(0, MOST_AGAIN, stride)
            if late is None:
                return None
            step, seq = late if stride == 1 else self._first(late[0] - stride, late[0], 1) or late
            return _Culprit(seq, line or self._line(step, int(self._simulator.kernel.row_of(seq)["process"])))
        finally:
            offences[:] = kept

    def _first(self, start: int, end: int, stride: int) -> tuple[int, int] | None:
        """The first of the steps from ``start`` to ``end`` (every ``stride``-th is looked at) after which something is
        wrong, and the number of its event."""
        again = fresh(self._simulator)

        def look(step: int, before: int) -> tuple[int, int] | None:
            if step <= start or (step % stride and again.kernel.queue) or again.sharing.wrong() is None:
                return None
            return step, _action(again, before)

        found: tuple[int, int] | None = stepped(again, end, look)
        return found

    def _line(self, step: int, acting: int) -> int | None:
        """The line that did it in a step of a process."""
        again = fresh(self._simulator)
        file = self._simulator.protocol.file
        last: list[int] = []
        found: list[int] = []

        def trace(frame: Any, kind: str, _: Any) -> Any:
            if frame.f_code.co_filename != file:
                return None
            if last and not found and again.sharing.wrong(acting) is not None:
                found.append(last[-1])
            last[:] = [frame.f_lineno]
            return trace

        def look(done: int, _: int) -> bool | None:
            if done == step - 1:
                sys.settrace(trace)
            return True if done >= step else None

        before = sys.gettrace()
        try:
            if step == 1:
                sys.settrace(trace)
            stepped(again, step, look)
        finally:
            sys.settrace(before)
        return (found or last or [None])[-1]  # type: ignore[list-item]


def _action(simulator: Simulator, since: int) -> int:
    """The event of an action in the rows since a number."""
    _, _, offset = simulator.kernel.counts()
    rows = simulator.recorder.rows(offset, since)
    return since + next((at for at, row in enumerate(rows) if row["kind"] in _ACTS), 0)
