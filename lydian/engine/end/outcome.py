"""The outcome of a run: its trace, the judgements of the properties, and the result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.engine.checks import Judgement
from lydian.engine.end.rest import rest
from lydian.engine.end.result import Result, network_dict, versions
from lydian.engine.run import Run
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Resolved
from lydian.model.experiment.idleruns import described
from lydian.model.network import RATES
from lydian.trace.events import Kind, Trace, counted
from lydian.trace.parquet.recorder import plain

__all__ = ["checks", "judged", "result", "trace"]

#: The kinds of event that are steps of a process; all others are interventions or effects of a step.
_STEPS = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE, Kind.ERROR)
#: In a protocol with commands the start of a process does not count as a step, but an immediate decision does.
_MORE = (*_STEPS[1:], Kind.DECIDE, Kind.DELIVER)


def acted(run: Run) -> bool:
    """Return True if there is something to judge: a step, a message, or a configuration in which no rule is enabled."""
    events, messages, _ = run.kernel.counts()
    if run.protocol.rules and events:  # a corruption has led directly to a legitimate configuration
        return True
    if messages or not events:
        return messages > 0
    steps = _MORE if run.protocol.commands else _STEPS
    return bool(np.isin(_kinds(run), steps).any())


def _kinds(run: Run) -> NDArray[np.uint8]:
    """Return the kinds of all rows, from a copy of the trace; only for runs with very few events."""
    return np.asarray(run.recorder.rows(run.kernel.counts()[2])["kind"])


def nothing(run: Run) -> dict[str, Any] | None:
    """Return the reason why no process acted in a run that has ended, and a remedy; ``None`` if a process acted."""
    if run.stopped in (None, "error", "cancelled") or acted(run):
        return None
    parts = (run.experiment, run.protocol, run.network, run.parameters)
    return described(Resolved(*parts), str(run.stopped), bool((_kinds(run) == Kind.INIT).any()))


def trace(run: Run) -> Trace:
    """Return the trace so far; may be called between rounds."""
    protocol, recorder = run.protocol, run.recorder
    _, _, offset = run.kernel.counts()
    variables = {v.name: v.initial for v in protocol.variables.values()}
    starts = {role: part.start for role, part in protocol.roles.items()}
    return Trace(
        rows=recorder.rows(offset),
        processes=run.network.processes,
        labels=tuple(run.execution.labels),
        states=protocol.states,
        detail_of=recorder.detail_of,
        experiment=run.recorded.to_dict(),
        network=network_dict(run.network),
        source=protocol.source,
        versions=versions(),
        summary={
            "stopped": run.stopped,
            "error": run.error,
            "checks": [check.to_dict() for check in checks(run)] if run.stopped else [],
            "decided": {name: plain(value) for name, value in run.execution.decided.items()},
            "protocol": protocol.name,
            "protocol_title": protocol.title,
            "start": protocol.start,
            "initial": {name: plain(value) for name, value in variables.items()},
            **({"first": run.first} if run.first else {}),
            **({"roles": roles, "starts": starts} if (roles := dict(run.network.roles)) and protocol.roles else {}),
            **({"shared": run.shared} if run.shared else {}),
            "parameters": dict(run.parameters),
            "formula": None if protocol.formula is None else protocol.formula.text,
            "expected_messages": _expected(run),
            **({"rest": run.rest} if run.rest else {}),
            **({} if (why := nothing(run)) is None else {"nothing": why}),
            **({"own": dict(run.judges.own)} if run.judges.own else {}),
        },
    )


def judged(run: Run) -> None:
    """Judge the properties at the end of a run, and take the protocol's own measures.

    Raises:
        PropertyError: a property or a measure fails.
    """
    stopped = str(run.stopped)
    moved, disturbed = acted(run), False
    if not moved:
        kinds = _kinds(run)
        disturbed = counted(kinds[kinds != Kind.INIT]) > 0
    run.judges.finish(stopped, max(0, run.kernel.counts()[0] - 1), moved, disturbed)
    if stopped == "quiescent":
        run.rest = rest(run, run.judges.judgements)
    if stopped not in ("error", "cancelled"):
        run.judges.measure(run.protocol.measures)


def _expected(run: Run) -> float | None:
    formula = run.protocol.formula
    try:
        return None if formula is None else formula.value(run.numbers())
    except BadInput:
        return None


def checks(run: Run) -> list[Judgement]:
    """Return the judgements of the properties and, after an undisturbed run, of the number of messages."""
    found = list(run.judges.judgements)
    formula, experiment = run.protocol.formula, run.experiment
    undisturbed = not (experiment.faults or experiment.interventions or experiment.start or run.disturbed)
    undisturbed = undisturbed and run.network.gst is None  # before it, timeouts may be too short
    rests = run.stopped == "quiescent" and acted(run)
    if formula is not None and run.judging and rests and undisturbed and _lossless(run):
        names = run.numbers()
        events, messages, _ = run.kernel.counts()
        relation = "= " if formula.relation == "=" else ""
        try:
            what, holds = formula.branch(names), formula.holds(messages, names)
        except BadInput:  # the formula has no value for these numbers
            what, holds = formula.text.lstrip("<>="), None
        found.append(Judgement(f"messages {relation}{what}", "messages", holds, max(0, events - 1)))
    return found


def _lossless(run: Run) -> bool:
    network = run.network
    if run.protocol.overlay and any(getattr(network, rate) > 0 for rate in RATES):
        return False
    wrong = any(getattr(network.channels(), rate).any() for rate in RATES)
    return not wrong and not any(link.outages for link in network.links)


def result(run: Run) -> Result:
    """Return the result of the run so far."""
    from lydian.trace.measures import measures

    record = trace(run)
    _, messages, _ = run.kernel.counts()
    return Result(
        protocol=run.protocol.name,
        network=run.network.name,
        seed=run.seed,
        events=run.kernel.events(),
        messages=messages,
        time=float(record.rows["time"][-1]) if len(record) else 0.0,
        chain=int(record.rows["chain"].max(initial=0)),
        stopped=run.stopped or "cancelled",
        fingerprint=record.fingerprint(),
        checks=tuple(checks(run)),
        measures=measures(record),
        decided={name: plain(value) for name, value in run.execution.decided.items()},
        judged_every=run.judges.every,
        error=run.error,
        trace=record,
    )
