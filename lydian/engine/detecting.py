"""The failure detector: who watches a process gets a timer when it crashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lydian.engine.failure import ImpossibleError
from lydian.model.effects import SET_TIMER
from lydian.model.errors import did_you_mean, shown
from lydian.model.message import Timer
from lydian.model.process import Process
from lydian.model.watching import detector

if TYPE_CHECKING:
    from lydian.engine.execution import Execution

__all__ = ["Detector"]


class Detector:
    """Who watches whom.

    A watch is a timer that begins to run when the watched process crashes; from then on it is a timer like any other,
    caused by the crash.
    """

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._named = {p._name: p for p in execution.processes}
        self._watched: dict[int, dict[tuple[int, Timer], float]] = {}  # who is watched -> by whom, with which timer
        self._watching: dict[int, dict[Timer, int]] = {}  # who watches -> with which timer -> whom

    def watch(self, p: Process, argument: Any, cause: int) -> None:
        """A process watches another from now on."""
        name, timer, after = argument
        if detector not in self._execution.protocol.needs:
            raise ImpossibleError("it watches a process, which wants a failure detector: write needs = detector")
        target = self._named.get(name)
        if target is None or target is p:
            what = "itself" if target is p else f"{shown(name)}, which is no process{did_you_mean(name, self._named)}"
            raise ImpossibleError(f"it watches {what}; watch another process by its name")
        if target._crashed:
            if timer not in self._execution.running(p):
                self._execution.special_effect(p, SET_TIMER, (timer, after), cause)
        else:
            self._watched.setdefault(target._i, {})[p._i, timer] = after
            self._watching.setdefault(p._i, {})[timer] = target._i

    def cancel(self, p: Process, which: Timer | type[Timer]) -> None:
        """A process does not want to know it any more."""
        own = self._watching.get(p._i)
        for timer in [timer for timer in own if timer == which or type(timer) is which] if own else ():
            self._watched.get(own.pop(timer), {}).pop((p._i, timer), None)  # type: ignore[union-attr]

    def crashed(self, p: Process) -> None:
        """A process has crashed, as the last row says."""
        seq = self._execution.kernel.counts()[0] - 1
        processes = self._execution.processes
        for (i, timer), after in self._watched.pop(p._i, {}).items():
            self._watching[i].pop(timer, None)
            if not processes[i]._crashed:
                self._execution.special_effect(processes[i], SET_TIMER, (timer, after), seq)
