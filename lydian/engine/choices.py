"""What somebody decides about an execution: what happens next, what a message says, how long a link takes.

Each function takes the :class:`~lydian.engine.faults.Faults` of a simulator and the intervention.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from heapq import heapify, heappush
from typing import TYPE_CHECKING, Any

from lydian.engine.beginning import anything
from lydian.engine.objections import waiting_for
from lydian.engine.setup import stream
from lydian.model.delays import parse
from lydian.model.interventions import Intervention
from lydian.model.process import Process
from lydian.model.streams import stream_key
from lydian.trace.events import Kind
from lydian.trace.recorder import to_json

if TYPE_CHECKING:
    from lydian.engine.faults import Faults

__all__ = ["CHOICES", "rewritten"]

#: Before everything else of its moment.
_AT_ONCE = -1


def _deliver(faults: Faults, what: Intervention) -> None:
    """A message arrives now."""
    faults.aim(what, lambda entry: _arrive(faults, entry))


def _arrive(faults: Faults, entry: Any) -> None:
    kernel, execution = faults.simulator.kernel, faults.simulator.execution
    number = entry[4].target._i
    held = number in execution.taken
    heappush(kernel._queue, (kernel.now, _AT_ONCE, *entry[2:]))
    execution.taken.discard(number)
    try:
        kernel.step()
    finally:
        if held:
            execution.taken.add(number)


def _hurry(faults: Faults, what: Intervention) -> None:
    """A timer, command or wake that is pending happens now."""
    found = waiting_for(faults.simulator, what)
    if found is None:
        return
    p = faults.process(what)
    execution = faults.simulator.execution
    _, entry, number = found
    if number is not None:
        execution.let_in(p, number)
        return
    queue: list[Any] = faults.simulator.kernel._queue
    queue[:] = [each for each in queue if each is not entry]
    heapify(queue)
    held = p._i in execution.taken
    execution.taken.discard(p._i)
    try:
        entry[3](entry[4])
    finally:
        if held:
            execution.taken.add(p._i)


def _edit(faults: Faults, what: Intervention) -> None:
    """A message on its way says something else."""

    def change(entry: Any) -> None:
        m = entry[5]
        cls: Any = type(m)
        rewritten(faults, entry, cls(**{**dict(m._items()), **cls._fitted(what.fields)}))

    faults.aim(what, change)


def rewritten(faults: Faults, entry: Any, changed: Any) -> None:
    """Put a message that was taken off its way back with other fields, and record that."""
    simulator = faults.simulator
    channel, m, mid = entry[4], entry[5], entry[6]
    cls: Any = type(m)
    label, bits = simulator.execution.kinds[cls]
    if bits is None:
        bits = changed.bits
    told = to_json({name: getattr(changed, name) for name in cls._fields})
    was = to_json({name: old for name, old in m._items() if old != getattr(changed, name)})
    detail = f'{{"message":{mid},"fields":{told},"was":{was}}}'
    faults.row(Kind.CORRUPT, channel.source, detail, peer=channel.target._i, label=label)
    arrival = max(entry[0], simulator.kernel.now)  # it may have waited at a door
    heappush(simulator.kernel._queue, (arrival, *entry[1:5], changed, *entry[6:10], label, bits))


def _scramble(faults: Faults, what: Intervention) -> None:
    """A process is in any state, with any values in its variables."""
    simulator = faults.simulator
    p = faults.process(what)
    chance = random.Random(stream_key(simulator.seed, "scramble", p._name, str(what.seed)))
    anything(chance, p, simulator)
    changed = simulator.kernel.changed(p)
    faults.row(Kind.CORRUPT, p, "{" + changed + "}" if changed else None)


def _retime(faults: Faults, what: Intervention) -> None:
    """From now on a link, or the steps of a process, take another time."""
    simulator = faults.simulator
    distribution = parse(str(what.distribution))
    seed = simulator.seed
    if what.link is not None:
        for channel in faults.channels(what):
            names = channel.source._name, channel.target._name
            channel.draw = stream(distribution, stream_key(seed, "delay", *names, "retime"))
        first = faults.channels(what)[0]
        faults.record(what, first.source, first.target._i)
        return
    p = faults.process(what)
    execution = simulator.execution
    if distribution.mean > 0:
        execution.step_times[p._i] = stream(distribution, stream_key(seed, "step", p._name, "retime"))
        _give_door(faults, p)
    else:
        execution.step_times.pop(p._i, None)
    faults.record(what, p)


def _take_over(faults: Faults, what: Intervention) -> None:
    """From now on a process handles nothing but what somebody chooses for it."""
    p = faults.process(what)
    _give_door(faults, p)
    faults.simulator.execution.taken.add(p._i)
    faults.record(what, p)


def _release(faults: Faults, what: Intervention) -> None:
    """A process that was taken over goes on by itself, with what waits for it first."""
    p = faults.process(what)
    execution = faults.simulator.execution
    if p._i in execution.taken:
        execution.taken.discard(p._i)
        faults.record(what, p)
        execution.admit(p)
        if execution.rules is not None:
            execution.rules.arm()


def _fire(faults: Faults, what: Intervention) -> None:
    """A process executes a rule that is enabled."""
    p = faults.process(what)
    execution = faults.simulator.execution
    rules = execution.rules
    r = None if rules is None or execution.busy(p) else rules.is_enabled(p, str(what.label))
    if rules is not None and r is not None:
        rules.fire(p._i, r)


def _byzantine(faults: Faults, what: Intervention) -> None:
    """From now on what a process sends is changed."""
    p = faults.process(what)
    if faults.liars.how(p) != (what.how or "lie"):
        _give_door(faults, p)
        faults.liars.begin(p, what.how or "lie")


def _honest(faults: Faults, what: Intervention) -> None:
    """A Byzantine process is honest again."""
    faults.liars.end(faults.process(what))


def _give_door(faults: Faults, p: Process) -> None:
    """Let the execution look at everything that reaches a process."""
    faults.simulator.execution.doors.setdefault(p._i, deque())
    p._slow = True


#: ``do`` of an intervention -> what it does.
CHOICES: Mapping[str, Callable[[Faults, Intervention], None]] = {
    "deliver": _deliver, "hurry": _hurry, "edit": _edit, "scramble": _scramble, "retime": _retime,
    "take_over": _take_over, "release": _release, "fire": _fire,
    "byzantine": _byzantine, "honest": _honest,
}  # fmt: skip
