"""The same execution once more, step by step, to find out what the record does not tell."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lydian.engine.kernel import StopRun
from lydian.model.errors import LydianError
from lydian.model.experiment import Resolved
from lydian.model.limits import OutOfTime
from lydian.model.protocol import protocol_from_source

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["MOST_AGAIN", "fresh", "line_of_effect", "stepped"]

#: Most events that are run again.
MOST_AGAIN = 300_000


def fresh(simulator: Simulator) -> Simulator:
    """Return the same from the beginning, with everything that is shared as it was when the file was read."""
    old = simulator.protocol
    module = old.cls.__module__
    kept = sys.modules.get(module)
    try:
        protocol = protocol_from_source(old.source, name=old.name, path=old.path)
    finally:
        if kept is not None:
            sys.modules[module] = kept
    same = Resolved(simulator.recorded, protocol, simulator.network, simulator.parameters)
    again = type(simulator)(same, variables=True, check=False, action_seconds=simulator._action_seconds)
    again.execution.line_of_effect = lambda cause, number: None
    return again


def stepped(again: Simulator, most: int, look: Callable[[int, int], Any]) -> Any:
    """Execute up to ``most`` steps; ``look`` gets the number of each and of the events before it, and ends it."""
    queue = again.kernel.queue
    try:
        with again.guard():
            again.begin()
            again.apply_due(math.inf)
            while queue and again.steps < most:
                before = again.kernel.counts()[0]
                again.kernel.step()
                again.steps += 1
                again.apply_due(math.inf)
                found = look(again.steps, before)
                if found is not None:
                    return found
    except (LydianError, StopRun, OutOfTime):
        pass
    return None


def line_of_effect(simulator: Simulator, cause: int, number: int) -> int | None:
    """Return the line of the call of ``send`` by which an action asked for something; ``None`` if it is not found.

    Args:
        simulator: the run, which has come to the effects of that action.
        cause: the event that the action answered.
        number: which of its effects, from 0.
    """
    excused, simulator.excused = simulator.excused, True
    try:
        again = fresh(simulator)
        lines: dict[int, int] = {}
        for cls in (again.protocol.cls, *getattr(again.protocol.cls, "_layers", ())):
            cls.send = _telling(cls.send, again.protocol.file, lines)

        def look(_step: int, _before: int) -> dict[int, int] | None:
            return dict(lines) if again.kernel.counts()[0] > cause else None

        found = stepped(again, MOST_AGAIN, look)
        return (lines if found is None else found).get(number)
    finally:
        simulator.excused = excused


def _telling(send: Callable[..., None], file: str, lines: dict[int, int]) -> Callable[..., None]:
    """``send`` that notes the line of the protocol from which it is called, for each effect of an action."""

    def sending(self: Any, message: Any, to: Any) -> None:
        if not self._effects:
            lines.clear()
        send(self, message, to)
        frame = sys._getframe(1)
        while frame.f_code.co_filename != file and frame.f_back is not None:
            frame = frame.f_back
        lines[len(self._effects) - 1] = frame.f_lineno

    return sending
