"""The enabled events of an execution, which are those that may happen next; a client may choose one of them.

An enabled event is an object with these keys::

    kind       receive, timer, command, init (an event of the table), loss (a message that will be lost),
               step (a busy process finishes), fault (a planned intervention), rule (an enabled guarded
               action; its time is that of the daemon's next step)
    time       when it happens without an intervention; for an event that waits, when it began to wait
    process    the process at which it happens; null for a fault that concerns no process
    from       the sender, or null
    label      the class of the message, timer or command, INIT, or the kind of a fault
    message    the number of the message, or null
    fields     the fields of the message, timer or command that differ from their defaults
    action     the action in the transition table for it and the process's present state, or null
    waits      whether it waits because its process is busy or has been taken over
    choose     the intervention that makes it happen now, or null if it cannot be chosen
"""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.engine.queue import END, Alarm, Call, Delivery, Loss, Waiting
from lydian.engine.wire import FLYING
from lydian.model.protocol.process import INIT, Process
from lydian.trace.parquet.recorder import plain

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["flying", "pending"]


def pending(simulator: Simulator, most: int) -> tuple[list[dict[str, Any]], int]:
    """Return the ``most`` earliest enabled events, and the number of all enabled events."""
    queue = simulator.kernel.queue
    doors = [_waiting(simulator, i, each) for i, door in queue.doors.items() for each in door]
    doors += [_waiting(simulator, i, each.waiting) for i, some in queue.deferred.items() for each in some]
    coming = [entry for entry in queue.entries() if entry.priority < END and _alive(simulator, entry)]
    rules = _rules(simulator)
    total = len(coming) + len(doors) + len(rules)
    found = [*doors, *(_coming(simulator, entry) for entry in nsmallest(most, coming)), *rules[:most]]
    found.sort(key=lambda each: (each["time"], not each["waits"]))
    return found[:most], total


def flying(simulator: Simulator) -> NDArray[np.void]:
    """Return the messages in transit and their arrival times without interventions, as an array of dtype FLYING.

    A message that will be lost is included with the time of its loss. A message that waits for a busy process is
    included with the time at which it arrived there.
    """
    queue = simulator.kernel.queue
    found = [(each.id, each.time) for each in queue.deliveries()]
    found += [(call.argument.delivery.id, call.time) for call in queue.losses()]
    return np.array(found, dtype=FLYING)


def _rules(simulator: Simulator) -> list[dict[str, Any]]:
    """Return the enabled rules of guarded actions, with the choice that executes each, unless its process is busy."""
    execution, rules = simulator.execution, simulator.rules
    if rules is None:
        return []
    now = float(simulator.kernel.now)
    steps = (float(call.time) for call in simulator.kernel.queue.calls() if call.call == rules.tick)
    time = max(now, min(steps, default=now))
    found = []
    for p, rule in rules.enabled():
        choice = None if execution.busy(p) else {"do": "fire", "process": p._name, "label": rule}
        found.append({**_told("rule", time, p._name, rule), "action": rule, "choose": choice})
    return found


def _alive(simulator: Simulator, entry: Delivery | Call) -> bool:
    if isinstance(entry, Call) and isinstance(entry.argument, Alarm):
        return entry.argument.pending
    rounds, rules = simulator.rounds, simulator.rules
    if rounds is not None and entry.call == rounds.tick:
        return False  # the messages of the round are listed instead
    return rules is None or entry.call != rules.tick  # for the daemon's step, the enabled rules are listed


def _waiting(simulator: Simulator, place: int, each: Waiting) -> dict[str, Any]:
    if each.delivery is not None:
        return _receive(simulator, each.delivery, True)
    return _event(simulator, simulator.processes[place], float(each.since), each.event, True)


def _coming(simulator: Simulator, entry: Delivery | Call) -> dict[str, Any]:
    if isinstance(entry, Delivery):
        return _receive(simulator, entry, False)
    time, argument = float(entry.time), entry.argument
    if isinstance(argument, Loss):
        return {**_receive(simulator, argument.delivery, False), "kind": "loss", "time": time, "choose": None}
    if entry.call == simulator.execution._step_ends:
        return _told("step", time, argument[0]._name, "")
    p = _process(simulator, entry)
    event = None if p is None else simulator.faults.pending_event(p, entry)
    if p is not None and event is not None:
        return _event(simulator, p, time, event, False)
    return _told("fault", time, getattr(argument, "process", None), getattr(argument, "do", ""))


def _process(simulator: Simulator, entry: Call) -> Process | None:
    if isinstance(entry.argument, Alarm):
        return entry.argument.process
    if entry.call == simulator.execution.wake:
        return entry.argument  # type: ignore[no-any-return]
    name = getattr(entry.argument, "process", None)
    return None if name is None else simulator.processes[simulator.network.index[name]]


def _told(kind: str, time: float, process: str | None, label: str) -> dict[str, Any]:
    return {
        "kind": kind, "time": time, "process": process, "from": None, "label": label, "message": None, "fields": {},
        "action": None, "waits": False, "choose": None,
    }  # fmt: skip


def _receive(simulator: Simulator, delivery: Delivery, waits: bool) -> dict[str, Any]:
    channel, m, mid = delivery.channel, delivery.message, delivery.id
    p = channel.target
    can = not p._crashed and not simulator.execution.busy(p) and simulator.rounds is None
    return {
        **_told("receive", float(delivery.time), p._name, type(m).__name__),
        "from": channel.source._name,
        "message": mid,
        "fields": plain(m._told()),
        "action": _action(simulator, p, type(m).__name__),
        "waits": waits,
        "choose": {"do": "deliver", "message": mid} if can else None,
    }


def _event(simulator: Simulator, p: Process, time: float, event: Any, waits: bool) -> dict[str, Any]:
    timers = simulator.protocol.timers
    kind = "init" if event is INIT else "timer" if isinstance(event, tuple(timers)) else "command"
    label = INIT.name if event is INIT else type(event).__name__
    told = {} if event is INIT else plain(event._told())
    can = not p._crashed and not simulator.execution.busy(p)
    choice = {"do": "hurry", "process": p._name, "label": label, **({"fields": told} if told else {})}
    return {
        **_told(kind, time, p._name, label),
        "fields": told,
        "action": _action(simulator, p, label),
        "waits": waits,
        "choose": choice if can else None,
    }


def _action(simulator: Simulator, p: Process, label: str) -> str | None:
    cell = simulator.protocol.table.get(str(p.state), label)
    return None if cell is None else cell.action
