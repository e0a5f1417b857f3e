"""Why an interaction can no longer be accepted, as a sentence for the one who offered it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput
from lydian.model.interventions import Intervention
from lydian.model.process import INIT, Process
from lydian.model.rounds import ROUND
from lydian.model.table import event_name

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["objection", "waiting_for"]

_ALIVE = ("crash", "corrupt", "scramble", "wake", "command", "hurry", "take_over", "fire", "byzantine")
#: What may be done several times to one subject in one round.
_OFTEN = ("inject", "command", "wake")


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
    subject: Any = what.message
    if subject is None:
        subject = (what.process, what.link, what.variable, what.label if what.do in ("hurry", "fire") else None)
    if what.do not in _OFTEN and subject in touched:
        return f"another interaction of this round came first: {touched[subject]}"
    reason = _late(simulator, what, seen, sent)
    if reason is None and what.do not in _OFTEN:
        touched[subject] = what.do
    return reason


def _late(simulator: Simulator, what: Intervention, seen: int, sent: int) -> str | None:
    """What has changed since its sender looked, or was never so."""
    if simulator.rounds is not None:
        reason = _against_rounds(what)
        if reason is not None:
            return reason
    if what.message is not None:
        if what.message >= sent:
            return f"message {what.message} had not been sent in round {seen}"
        reason = _message_gone(simulator, what)
        if reason is not None:
            return reason
    if what.do == "deliver":
        reason = _undeliverable(simulator, what)
        if reason is not None:
            return reason
    if what.process is not None:
        p = simulator.faults.process(what)
        if what.do == "recover" and not p._crashed:
            return f"process {what.process} has not crashed"
        if what.do in _ALIVE and p._crashed:
            return f"process {what.process} has crashed"
        taken = p._i in simulator.execution.taken
        if what.do == "take_over" and taken:
            return f"process {what.process} is taken over already"
        if what.do == "release" and not taken:
            return f"process {what.process} is not taken over"
        if what.do in ("byzantine", "honest"):
            return _known_to_lie(simulator, what, p)
        if what.do == "hurry":
            return _unhurried(simulator, what, p)
        if what.do == "fire":
            return _not_enabled(simulator, what, p)
    if what.do == "partition" and not simulator.faults.separates(what):
        return "these groups are cut off from each other already"
    if what.do == "heal" and not simulator.faults.parted:
        return "there is no partition to heal"
    if what.do in ("link_down", "link_up") and what.link is not None:
        down = all(channel.down for channel in simulator.faults.channels(what))
        if down is (what.do == "link_down"):
            return f"link {'-'.join(what.link)} is {'down' if down else 'up'} already"
    return None


def _against_rounds(what: Intervention) -> str | None:
    """Why something makes no sense where all act in rounds."""
    if what.do in ("deliver", "take_over", "release"):
        return "in rounds all that was sent arrives together; nobody can choose the next event"
    if what.do == "retime":
        return "in rounds every message takes until the next round, and steps take no time"
    if what.do == "hurry" and what.label == ROUND.__name__:
        return "a round begins at its time"
    return None


def _known_to_lie(simulator: Simulator, what: Intervention, p: Process) -> str | None:
    """Why a process cannot begin to lie, or come back to the truth."""
    now = simulator.faults.liars.how(p)
    if what.do == "honest":
        return f"process {p._name} is honest" if now is None else None
    return f"process {p._name} does so already" if now == (what.how or "lie") else None


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


def _undeliverable(simulator: Simulator, what: Intervention) -> str | None:
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
    return _no_cell(simulator, p, type(m))


def _unhurried(simulator: Simulator, what: Intervention, p: Process) -> str | None:
    if simulator.execution.busy(p):
        return f"process {p._name} is in the middle of a step"
    found = waiting_for(simulator, what)
    if found is None:
        return f"nothing called {what.label} is pending for process {what.process}"
    return _no_cell(simulator, p, found[0])


def _not_enabled(simulator: Simulator, what: Intervention, p: Process) -> str | None:
    """Why a process cannot execute a rule now."""
    if simulator.execution.busy(p):
        return f"process {p._name} is in the middle of a step"
    rules = simulator.execution.rules
    if rules is None or rules.is_enabled(p, str(what.label)) is None:
        return f"the rule {what.label} of process {p._name} is not enabled"
    return None


def _no_cell(simulator: Simulator, p: Process, event: Any) -> str | None:
    """Who plays a process keeps to its table; anywhere else an illegal event is the protocol's failure."""
    if p._i not in simulator.execution.taken or event in p._cells.get(p.state, {}):
        return None
    protocol = simulator.protocol
    word = protocol.state_words.get(str(p.state), f'"{p.state}"')
    return f"process {p._name} is {p.state}, and {protocol.title} has no @on({word}, {event_name(event)})"


def waiting_for(simulator: Simulator, what: Intervention) -> tuple[Any, Any, int | None] | None:
    """The pending timer, command or wake that ``hurry`` means, the earliest if several are.

    Gives its class (or ``INIT``), its entry of the queue, and its number at the process's door (``None`` for one in
    the queue); ``None`` if there is none.
    """
    execution, p = simulator.execution, simulator.faults.process(what)
    for number, (entry, _, _, arguments) in enumerate(execution.doors.get(p._i, ())):
        if len(entry) != 12:
            event = arguments[0] if arguments else INIT
            if _meant(what, event):
                return (INIT if event is INIT else type(event)), entry, number
    best: Any = None
    kept: Any = None
    queue: list[Any] = simulator.kernel._queue
    for entry in queue:
        if len(entry) == 5 and (best is None or entry[:3] < best[:3]):
            event = pending_event(simulator, p, entry)
            if event is not None and _meant(what, event):
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
        if argument.do == "wake":
            return INIT
        cls = simulator.protocol.event_class(str(argument.label)) if argument.do == "command" else None
        return None if cls is None else cls._from_file(argument.fields)
    return None


def _meant(what: Intervention, event: Any) -> bool:
    if event is INIT:
        return bool(what.label == INIT.name)
    told = dict(event._items())
    same = all(name in told and _listed(told[name]) == _listed(value) for name, value in what.fields.items())
    label: str = type(event).__name__
    return same and label == what.label


def _listed(value: Any) -> Any:
    """A value as a file holds it, to compare."""
    from lydian.engine.result import plain

    return plain(value)
