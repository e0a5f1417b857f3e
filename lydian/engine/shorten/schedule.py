"""A run as a schedule: the list of its steps, of which some can be left out, as messages may take any time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lydian.engine.explorer.replay import Played, bare
from lydian.engine.kernel import StopRun
from lydian.engine.shorten.failing import Failing
from lydian.engine.simulator import Simulator
from lydian.model.errors import ActionError, LydianError
from lydian.model.experiment.experiment import Experiment, Resolved, Stop
from lydian.model.interventions import Intervention
from lydian.trace.causality import past
from lydian.trace.events import Kind, Trace
from lydian.trace.parquet.recorder import plain
from lydian.trace.timeline import Timeline

__all__ = ["Step", "in_past", "played", "steps_of"]

#: The kinds of event that a schedule chooses.
_CHOSEN = {Kind.INIT: "init", Kind.RECEIVE: "deliver", Kind.TIMER: "timer", Kind.COMMAND: "command", Kind.RULE: "rule"}


@dataclass(frozen=True)
class Step:
    """One step of a schedule.

    Attributes:
        kind: ``init``, ``deliver``, ``timer``, ``command``, ``rule``, or ``given`` for an intervention.
        process: the process at which it happens.
        label: the message, timer, command or rule.
        fields: the fields of the message, timer or command, as JSON.
        sender: the sender of a message.
        given: the intervention.
        seq: the event of the run, -1 for an intervention; it orders the steps.
    """

    kind: str
    process: str = ""
    label: str = ""
    fields: str = ""
    sender: str = ""
    given: Intervention | None = None
    seq: int = -1

    @property
    def message(self) -> tuple[str, str, str, str]:
        """The sender, receiver, type and fields of the message that is delivered."""
        return self.sender, self.process, self.label, self.fields

    def intervention(self, simulator: Simulator, time: float) -> Intervention | None:
        """Return the intervention that takes this step now, or ``None`` if it cannot be taken."""
        after, faults = simulator.steps, simulator.faults
        if self.given is not None:
            what = replace(self.given, time=time, after=after)
        elif self.kind == "deliver":
            found = [each.id for each in simulator.configuration.in_transit if _message(each) == self.message]
            if not found:
                return None
            link = self.sender, self.process
            what = Intervention(time, "deliver", message=min(found), link=link, label=self.label, after=after)
        elif self.kind == "rule":
            what = Intervention(time, "fire", process=self.process, label=self.label, after=after)
        elif self.kind == "init":
            what = Intervention(time, "hurry", process=self.process, label="INIT", after=after)
        else:
            fields = json.loads(self.fields)
            what = Intervention(time, "hurry", process=self.process, label=self.label, fields=fields, after=after)
        try:
            if what.process is not None and what.kind.living and faults.crashed(what.process):
                return None
            return None if what.kind.objection(what, faults) else what
        except (LydianError, KeyError, ValueError):
            return None


def steps_of(resolved: Resolved, trace: Trace) -> list[Step]:
    """Return the schedule of a run: the events of its processes, and the interventions between them."""
    names, labels = trace.processes, trace.labels
    kinds, messages = trace.column("kind"), trace.column("message")
    sent = {int(messages[i]): int(i) for i in np.nonzero(kinds == Kind.SEND)[0]}
    found: list[Step] = []
    faults = [each for each in (*resolved.experiment.faults, *resolved.experiment.interventions, *resolved.drawn)
              if not each.kind.of_user]  # fmt: skip
    faults.sort(key=lambda each: each.time)
    for i, (kind, time, process, peer, message, label) in enumerate(zip(
        kinds, trace.column("time"), trace.column("process"), trace.column("peer"), messages, trace.column("label"),
        strict=True,
    )):  # fmt: skip
        while faults and faults[0].time <= float(time):
            found.append(Step("given", given=faults.pop(0)))
        if kind not in _CHOSEN:
            continue
        detail = trace.detail(sent[int(message)]) if kind == Kind.RECEIVE else trace.detail(i)
        fields = json.dumps((detail or {}).get("fields") or {}, sort_keys=True)
        event, sender = (table[int(code)] if code >= 0 else "" for table, code in ((labels, label), (names, peer)))
        found.append(Step(_CHOSEN[int(kind)], names[int(process)], event, fields, sender, seq=i))
    found += [Step("given", given=each) for each in faults]
    return found


def played(
    resolved: Resolved, steps: Sequence[Step], failing: Failing, whole: Sequence[Step] = ()
) -> tuple[list[Step], Experiment] | None:
    """Take steps one after the other until the run fails; return those taken, and the experiment that takes them.

    A step that cannot be taken any more is left out. Return ``None`` if the run does not fail.

    Args:
        resolved: the experiment without what is given during its run.
        whole: all steps of the run. A timer does not expire while something can happen that had happened before it
            there: a protocol with timers may rely on bounds on the delays, which the shorter run must respect as well.
    """
    slow = bare(resolved, len(steps) + 1, failing.kind, failing.name, resolved.experiment.start, together=False)
    slow = replace(slow, experiment=slow.experiment.with_(stop=Stop(violation=True)))
    simulator = Simulator(slow)
    run = Played(simulator)
    taken: list[Step] = []
    failed = False
    waiting = iter(whole)
    due: Counter[tuple[str, str, str, str]] = Counter()  # messages that had arrived and have not arrived here
    overdue: list[Step] = []  # other steps that had been taken and have not been taken here
    with simulator.guard():
        run.begin()
        for step in steps:
            time = float(len(taken))
            try:
                run.until(time)
                if step.seq >= 0:
                    for each in waiting:
                        if each.kind == "deliver":
                            due[each.message] += 1
                        elif each.seq >= 0 and each.seq != step.seq:
                            overdue.append(each)
                        if each.seq == step.seq:
                            break
                if step.kind == "timer":
                    overdue = [each for each in overdue if each.intervention(simulator, time) is not None]
                    if overdue or any(due[_message(each)] > 0 for each in simulator.configuration.in_transit):
                        continue
                what = step.intervention(simulator, time)
                if what is None:
                    continue
                if step.kind == "deliver":
                    due[step.message] -= 1
                taken.append(step)
                run.do(what)
            except (StopRun, ActionError):
                failed = True
                break
    if not failed:
        return None
    return taken, slow.experiment.with_(interventions=tuple(run.done), stop=Stop(violation=True))


def in_past(trace: Trace, steps: Sequence[Step]) -> list[Step]:
    """Return the steps that precede the last event of a run in causal order, and all interventions."""
    if not steps:
        return []
    before = past(Timeline(trace), max(step.seq for step in steps))
    return [step for step in steps if step.seq < 0 or before[step.seq] or step is steps[-1]]


def _message(each: Any) -> tuple[str, str, str, str]:
    """Return the sender, receiver, type and fields of a message in transit, as in a trace."""
    fields = json.dumps(plain(each.message._told()), sort_keys=True)
    return each.sender._name, each.receiver._name, type(each.message).__name__, fields
