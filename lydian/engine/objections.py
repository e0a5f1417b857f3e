"""Why an interaction can no longer be accepted, as a sentence for the one who offered it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput
from lydian.model.interventions import Intervention
from lydian.model.process import INIT, Process
from lydian.model.table import event_name

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["no_cell", "objection", "undeliverable", "waiting_for"]


def objection(simulator: Simulator, what: Intervention, seen: int, sent: int, touched: dict[Any, str]) -> str | None:
    """Why an interaction cannot be accepted now, or ``None``.

    Args:
        seen: how many rounds its sender had seen.
        sent: how many messages had been sent then.
        touched: subject -> what was done to it by interactions of the same round; grows.
    """
    round_ = simulator.faults.round
    if simulator.stopped is not None:
        return "the run has ended"
    if seen < 0:
        return f"rounds are numbered 0, 1, 2 ..., not {seen}"
    if seen > round_:
        return f"round {seen} is still to come; the run is at round {round_}"
    try:
        what.check(simulator.network, simulator.protocol)
    except BadInput as error:
        return str(error)
    subject = what.kind.subject(what)
    if not what.kind.often and subject in touched:
        return f"another interaction of this round came first: {touched[subject]}"
    reason = _late(simulator, what, seen, sent)
    if reason is None and not what.kind.often:
        touched[subject] = what.do
    return reason


def _late(simulator: Simulator, what: Intervention, seen: int, sent: int) -> str | None:
    """What has changed since its sender looked, or was never so."""
    if simulator.rounds is not None:
        reason: str | None = what.kind.against_rounds(what)
        if reason:
            return reason
    if what.message is not None:
        if what.message >= sent:
            return f"message {what.message} had not been sent in round {seen}"
        reason = _message_gone(simulator, what)
        if reason is not None:
            return reason
    if what.process is not None and what.kind.living and simulator.faults.crashed(what.process):
        return f"process {what.process} has crashed"
    return what.kind.objection(what, simulator.faults)


def _message_gone(simulator: Simulator, what: Intervention) -> str | None:
    if simulator.faults.find(what) is not None:
        return None
    losing = simulator.execution.losing
    queue: list[Any] = simulator.kernel._queue
    if any(entry[3] is losing and entry[4][0][6] == what.message for entry in queue):
        return f"message {what.message} gets lost on its way"
    bare = Intervention(time=0.0, do="drop", message=what.message)
    if simulator.faults.find(bare) is not None:
        return f"message {what.message} is not the {what.label or 'one'} that was meant"
    return f"message {what.message} has arrived or was lost before round {simulator.faults.round}"


def undeliverable(simulator: Simulator, what: Intervention) -> str | None:
    """Why a message cannot arrive now: its link keeps the order, its receiver is busy, or its table has no cell."""
    entry = simulator.faults.find(what)
    if entry is None:
        return None  # the next one that is sent
    channel, m, mid = entry[4], entry[5], entry[6]
    p = channel.target
    if p._crashed:
        return f"process {p._name} has crashed"
    if simulator.execution.busy(p):
        return f"process {p._name} is in the middle of a step"
    if channel.fifo:
        queue: list[Any] = simulator.kernel._queue
        older = [e[6] for e in queue if len(e) == 12 and e[4] is channel and e[6] < mid]
        if older:
            ends = f"{channel.source._name}-{p._name}"
            return f"link {ends} keeps the order of sending; message {min(older)} goes first"
    return no_cell(simulator, p, type(m))


def no_cell(simulator: Simulator, p: Process, event: Any) -> str | None:
    """Who plays a process keeps to its table; anywhere else an illegal event is the protocol's failure."""
    if p._i not in simulator.execution.taken or event in p._cells.get(p.state, {}):
        return None
    protocol = simulator.protocol
    word = protocol.state_words.get(str(p.state), f'"{p.state}"')
    return f"process {p._name} is {p.state}, and {protocol.title} has no @on({word}, {event_name(event)})"


def waiting_for(
    simulator: Simulator, p: Process, label: str, fields: Mapping[str, Any]
) -> tuple[Any, Any, int | None] | None:
    """The pending timer, command or wake of a process with this label and these fields, the earliest if several are.

    Gives its class (or ``INIT``), its entry of the queue, and its number at the process's door (``None`` for one in
    the queue); ``None`` if there is none.
    """
    execution = simulator.execution
    for number, (entry, _, _, arguments) in enumerate(execution.doors.get(p._i, ())):
        if len(entry) != 12:
            event = arguments[0] if arguments else INIT
            if _meant(label, fields, event):
                return (INIT if event is INIT else type(event)), entry, number
    best: Any = None
    kept: Any = None
    queue: list[Any] = simulator.kernel._queue
    for entry in queue:
        if len(entry) == 5 and (best is None or entry[:3] < best[:3]):
            event = pending_event(simulator, p, entry)
            if event is not None and _meant(label, fields, event):
                best, kept = entry, event
    return None if best is None else ((INIT if kept is INIT else type(kept)), best, None)


def pending_event(simulator: Simulator, p: Process, entry: Any) -> Any:
    """The timer, command or ``INIT`` that an entry of the queue holds for a process, or ``None``."""
    function, argument = entry[3], entry[4]
    if function == simulator.execution._ring:
        return argument[1] if argument[3] is True and argument[0] is p else None
    if function == simulator.execution.wake:
        return INIT if argument is p else None
    if function == simulator.faults.apply and argument.process == p._name:
        return argument.kind.event(argument, simulator.protocol)
    return None


def _meant(label: str, fields: Mapping[str, Any], event: Any) -> bool:
    if event is INIT:
        return bool(label == INIT.name)
    told = dict(event._items())
    same = all(name in told and _listed(told[name]) == _listed(value) for name, value in fields.items())
    return same and label == type(event).__name__


def _listed(value: Any) -> Any:
    """A value as a file holds it, to compare."""
    from lydian.engine.result import plain

    return plain(value)
