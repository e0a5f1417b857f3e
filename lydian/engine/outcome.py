"""What can be read of a run: its record, what became of the properties, the sum of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.engine.checks import Judgement
from lydian.engine.rest import rest
from lydian.engine.result import Result, network_dict, plain, versions
from lydian.model.errors import BadInput
from lydian.model.experiment import Resolved
from lydian.model.network import RATES
from lydian.model.nothing import described
from lydian.trace.events import Kind, Trace, counted

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["acted", "checks", "nothing", "pinpoint", "result", "trace"]

#: Kinds of event that are a step of a process; the others are done to it from outside, or come of a step.
_STEPS = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE, Kind.ERROR)
#: Where processes wait for commands, the start alone is nothing yet; what is said at once is something.
_MORE = (*_STEPS[1:], Kind.DECIDE, Kind.DELIVER)


def acted(simulator: Simulator) -> bool:
    """Whether there is anything to judge by: a step or a message, or a configuration in which no rule is enabled."""
    events, messages, _ = simulator.kernel.counts()
    if simulator.protocol.rules and events:  # it was corrupted, and stands where it should
        return True
    if messages or not events:
        return messages > 0
    steps = _MORE if simulator.protocol.commands else _STEPS
    return bool(np.isin(_kinds(simulator), steps).any())


def _kinds(simulator: Simulator) -> NDArray[np.uint8]:
    """The kinds of all rows, from a copy of the record: to be asked only of a run in which hardly anything happened."""
    return np.asarray(simulator.recorder.rows(simulator.kernel.counts()[2])["kind"])


def nothing(simulator: Simulator) -> dict[str, Any] | None:
    """Why nothing happened in a run that has ended, and what would help; ``None`` if something did."""
    if simulator.stopped in (None, "error", "cancelled") or acted(simulator):
        return None
    parts = (simulator.experiment, simulator.protocol, simulator.network, simulator.parameters)
    return described(Resolved(*parts), str(simulator.stopped), bool((_kinds(simulator) == Kind.INIT).any()))


def trace(simulator: Simulator) -> Trace:
    """The record so far; may be asked for between rounds."""
    protocol, recorder = simulator.protocol, simulator.recorder
    _, _, offset = simulator.kernel.counts()
    variables = {v.name: v.initial for v in protocol.variables.values()}
    return Trace(
        rows=recorder.rows(offset),
        processes=simulator.network.processes,
        labels=tuple(simulator.execution.labels),
        states=protocol.states,
        detail_of=recorder.detail_of,
        experiment=simulator.recorded.to_dict(),
        network=network_dict(simulator.network),
        source=protocol.source,
        versions=versions(),
        summary={
            "stopped": simulator.stopped,
            "error": simulator.error,
            "checks": [check.to_dict() for check in checks(simulator)] if simulator.stopped else [],
            "decided": {name: plain(value) for name, value in simulator.execution.decided.items()},
            "protocol": protocol.name,
            "protocol_title": protocol.title,
            "start": protocol.start,
            "initial": {name: plain(value) for name, value in variables.items()},
            **({"first": simulator.first} if simulator.first else {}),
            "parameters": dict(simulator.parameters),
            "formula": None if protocol.formula is None else protocol.formula.text,
            "expected_messages": _expected(simulator),
            **({"rest": simulator.rest} if simulator.rest else {}),
            **({} if (why := nothing(simulator)) is None else {"nothing": why}),
            **({"own": dict(simulator.judges.own)} if simulator.judges.own else {}),
        },
    )


def judged(simulator: Simulator) -> None:
    """Judge the end of a run, and take the protocol's own measures of it.

    Raises:
        PropertyError: a property or a measure fails.
    """
    stopped = str(simulator.stopped)
    moved, disturbed = acted(simulator), False
    if not moved:
        kinds = _kinds(simulator)
        disturbed = counted(kinds[kinds != Kind.INIT]) > 0
    simulator.judges.finish(stopped, max(0, simulator.kernel.counts()[0] - 1), moved, disturbed)
    if stopped == "quiescent":
        simulator.rest = rest(simulator, simulator.judges.judgements)
    if stopped not in ("error", "cancelled"):
        simulator.judges.measure(simulator.protocol.measures)


def _expected(simulator: Simulator) -> float | None:
    formula = simulator.protocol.formula
    try:
        return None if formula is None else formula.value(simulator.numbers())
    except BadInput:
        return None


def checks(simulator: Simulator) -> list[Judgement]:
    """The properties and, for a run that came to rest undisturbed, the expected number of messages."""
    found = list(simulator.judges.judgements)
    formula, experiment = simulator.protocol.formula, simulator.experiment
    undisturbed = not (experiment.faults or experiment.interventions or experiment.start or simulator.faults.applied)
    rests = simulator.stopped == "quiescent" and acted(simulator)
    if formula is not None and simulator.judging and rests and undisturbed and _lossless(simulator):
        names = simulator.numbers()
        events, messages, _ = simulator.kernel.counts()
        relation = "= " if formula.relation == "=" else ""
        try:
            what, holds = formula.branch(names), formula.holds(messages, names)
        except BadInput:  # it has no value for these numbers
            what, holds = formula.text.lstrip("<>="), None
        found.append(Judgement(f"messages {relation}{what}", "messages", holds, max(0, events - 1)))
    return found


def _lossless(simulator: Simulator) -> bool:
    network = simulator.network
    if simulator.protocol.overlay and any(getattr(network, rate) > 0 for rate in RATES):
        return False
    wrong = any(getattr(network.channels(), rate).any() for rate in RATES)
    return not wrong and not any(link.outages for link in network.links)


def result(simulator: Simulator) -> Result:
    """The run, summed up; also of one that has not ended."""
    from lydian.trace.measures import measures

    record = simulator.trace
    _, messages, _ = simulator.kernel.counts()
    return Result(
        protocol=simulator.protocol.name,
        network=simulator.network.name,
        seed=simulator.seed,
        events=simulator.kernel.events(),
        messages=messages,
        time=float(record.rows["time"][-1]) if len(record) else 0.0,
        chain=int(record.rows["chain"].max(initial=0)),
        stopped=simulator.stopped or "cancelled",
        fingerprint=record.fingerprint(),
        checks=tuple(checks(simulator)),
        measures=measures(record),
        decided={name: plain(value) for name, value in simulator.execution.decided.items()},
        judged_every=simulator.judges.every,
        error=simulator.error,
        trace=record,
    )


def _events_to(simulator: Simulator, seq: int) -> int:
    """How many events there are up to a row, that included."""
    rows = simulator.recorder.rows(simulator.kernel.counts()[2])
    return counted(rows["kind"][: seq + 1])


def pinpoint(simulator: Simulator) -> None:
    """Name the events of violations that were noticed late, by running the same up to there once more."""
    judges = simulator.judges
    late = [found for found in judges.judgements if found.kind == "always" and found.holds is False]
    if judges.every == 1 or not late:
        return
    until = max(found.at or 0 for found in late)
    same = Resolved(simulator.recorded, simulator.protocol, simulator.network, simulator.parameters)
    limit, first = _events_to(simulator, until), min(found.good for found in late)
    again = type(simulator)(same, variables=False, check=True, limit=limit, judged_after=first)
    again._advance(None)
    exact = {found.name: found.at for found in again.judges.judgements if found.holds is False}
    for found in late:
        found.at = exact.get(found.name, found.at)
