"""Why an interaction can no longer be accepted, as a sentence for the one who offered it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.engine.queue import Alarm, Call
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
    if any(call.argument.delivery.id == what.message for call in simulator.kernel.queue.losses()):
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
    channel, m, mid = entry.channel, entry.message, entry.id
    p = channel.target
    if p._crashed:
        return f"process {p._name} has crashed"
    if simulator.execution.busy(p):
        return f"process {p._name} is in the middle of a step"
    if channel.fifo:
        older = [each.id for each in simulator.kernel.queue.coming() if each.channel is channel and each.id < mid]
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
) -> tuple[Any, Call | None, int | None] | None:
    """The pending timer, command or wake of a process with this label and these fields, the earliest if several are.

    Gives its class (or ``INIT``), its call in the queue (``None`` at a door), and its number at the process's door
    (``None`` for one in the queue); ``None`` if there is none.
    """
    for number, each in enumerate(simulator.execution.doors.get(p._i, ())):
        if each.delivery is None and _meant(label, fields, each.event):
            return (INIT if each.event is INIT else type(each.event)), None, number
    for call in sorted(simulator.kernel.queue.calls()):
        event = pending_event(simulator, p, call)
        if event is not None and _meant(label, fields, event):
            return (INIT if event is INIT else type(event)), call, None
    return None


def pending_event(simulator: Simulator, p: Process, call: Call) -> Any:
    """The timer, command or ``INIT`` that a call holds for a process, or ``None``."""
    function, argument = call.call, call.argument
    if isinstance(argument, Alarm):
        return argument.timer if argument.pending and argument.process is p else None
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
