"""What a run comes to rest with: the processes that still wait, and the bounds that were reached."""

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

#: In larger networks it is not told which processes wait: each is looked at alone, once for each property.
MOST = 1000


class _Some(Configuration):
    """A configuration in which properties find some of the processes only; the network is the whole one."""

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
    """Return True if something has happened, and nothing more can happen by itself."""
    return (
        run.kernel.counts()[0] > 0
        and not run.kernel.queue
        and not any(run.kernel.queue.doors.values())
        and (run.rules is None or not run.rules.pairs)
    )


def rest(run: Run, judgements: Sequence[Judgement]) -> dict[str, Any]:
    """What a run rests with: ``waiting``, the processes alive that keep a property from holding, and ``reached``, the
    parameters that bound the run -> the processes that have reached them.  Empty if there is neither.

    Args:
        judgements: what became of the properties at this end.
    """
    broken = {each.name for each in judgements if each.holds is False and each.kind in ("eventually", "at_end")}
    properties = [each for each in run.protocol.properties if each.name in broken]
    waiting = _waiting(run, properties) if properties and run.network.n <= MOST else []
    found = {"waiting": waiting, "reached": reached(run)}
    return {name: what for name, what in found.items() if what}


def reached(run: Run) -> dict[str, list[str]]:
    """The parameters that bound the run -> the processes alive that have reached them."""
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
    """The processes alive for which a property alone does not hold, and to which a message would still mean something.

    A property that speaks of each process (it is true where there is none) is false of the one that waits.  One that
    asks for some process is false of every single one, and then those wait that have left their first state and would
    enter another one with a message.  A process that has decided does not wait.
    """
    whole, start = run.configuration, run.protocol.start
    LOOKING.now = True
    try:
        universal = [each for each in properties if not _false(each, _Some(whole, []))]
        found = []
        for p in run.processes:
            if not p._crashed and p._name not in run.execution.decided and _expects(p):
                asked = properties if p.state != start and _would_move(run, p) else universal
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
    """Whether the table has an action for a message in the state in which a process is."""
    return any(isinstance(event, type) and issubclass(event, Message) for event in p._cells.get(p.state, {}))


def _would_move(run: Run, p: Process) -> bool:
    """Whether a message may lead the process to another state."""
    cells = run.protocol.table.cells
    found = (cells.get((str(p.state), each.__name__)) for each in run.protocol.messages)
    return any(cell is not None and any(state != p.state for state in cell.next_states) for cell in found)
