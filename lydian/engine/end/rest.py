"""The state in which a run comes to rest: the processes that still wait, and the bounds that were reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lydian.engine.checks import Judgement
from lydian.engine.run import Run
from lydian.engine.state.configuration import Configuration
from lydian.model.limits import OutOfTime
from lydian.model.protocol.message import Message
from lydian.model.protocol.process import LOOKING, Process
from lydian.model.protocol.properties import Property

__all__ = ["at_rest", "reached", "rest"]

#: The largest network for which waiting processes are determined, by evaluating each property for each process.
MOST = 1000


class _Some(Configuration):
    """A configuration that shows properties the whole network but only some of the processes."""

    def __init__(self, whole: Configuration, some: Sequence[Process]) -> None:
        vars(self).update(vars(whole))
        self.processes = some
        self._whole = whole

    @property
    def n(self) -> int:
        return self._whole.n

    def process(self, name: str) -> Process:
        return self._whole.process(name)


def at_rest(run: Run) -> bool:
    """Return True if an event has happened and no further event can happen by itself."""
    return (
        run.kernel.counts()[0] > 0
        and not run.kernel.queue
        and not any(run.kernel.queue.doors.values())
        and (run.rules is None or not run.rules.pairs)
    )


def rest(run: Run, judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Return the state in which a run rests, or an empty dict.

    The key ``waiting`` lists the live processes that keep a property from holding; ``reached`` maps the parameters that
    bound the run to the processes that have reached them.

    Args:
        judgements: the judgements of the properties at this end.
    """
    broken = {each.name for each in judgements if each.holds is False and each.kind in ("eventually", "at_end")}
    properties = [each for each in run.protocol.properties if each.name in broken]
    waiting = _waiting(run, properties) if properties and run.network.n <= MOST else []
    found = {"waiting": waiting, "reached": reached(run)}
    return {name: what for name, what in found.items() if what}


def reached(run: Run) -> dict[str, list[str]]:
    """Return the parameters that bound the run, each with the live processes that have reached it."""
    found: dict[str, list[str]] = {}
    for name, each in run.protocol.parameters.items():
        if each.reached is not None:
            try:
                stopped = [p._name for p in run.processes if not p._crashed and each.reached(p)]
            except Exception:  # noqa: BLE001 - it only looks, and a corrupted process may hold anything
                continue
            if stopped:
                found[name] = stopped
    return found


def _waiting(run: Run, properties: Sequence[Property]) -> list[str]:
    """Return the live processes that violate a property when judged alone and that could still act on a message.

    A property about each process (one that holds without processes) is false for a process that waits. A property
    about some process may be false for every single one; in this case, the processes that wait are those that have left
    their initial state and could enter another state with a message. A process that has decided does not wait.
    """
    whole = run.configuration
    LOOKING.now = True
    try:
        universal = [each for each in properties if not _false(each, _Some(whole, []))]
        found = []
        for p in run.processes:
            if not p._crashed and p._name not in run.execution.decided and _expects(p):
                asked = properties if p.state != p._declared.start and _would_move(run, p) else universal
                if any(_false(each, _Some(whole, [p])) for each in asked):
                    found.append(p._name)
        return found
    finally:
        LOOKING.now = False


def _false(prop: Property, c: Configuration) -> bool:
    try:
        return not prop.holds(c)
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException:  # noqa: BLE001 - it was written for all processes
        return False


def _expects(p: Process) -> bool:
    """Return True if the transition table has an action for a message in the current state of a process."""
    return any(isinstance(event, type) and issubclass(event, Message) for event in p._cells.get(p.state, {}))


def _would_move(run: Run, p: Process) -> bool:
    """Return True if a message may lead the process to another state."""
    cells = run.protocol.table.cells
    found = (cells.get((str(p.state), each.__name__)) for each in run.protocol.messages)
    return any(cell is not None and any(state != p.state for state in cell.next_states) for cell in found)
