"""The evidence for a failure: the shortest run that shows it, what happens in it, and the line of the hand-in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from lydian.assignment.contain import trusted
from lydian.assignment.kinds.kind import Failed
from lydian.assignment.kinds.runs import exhausts
from lydian.assignment.setting import Shelf
from lydian.authoring.ending import Ending, ending_of
from lydian.engine.end.result import Result
from lydian.engine.shorten.failing import Failing, failing_of, size_of
from lydian.engine.shorten.shorten import shorten
from lydian.engine.simulator import Simulator
from lydian.model.archive.handin import pack
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Resolved
from lydian.model.protocol.protocol import Protocol
from lydian.pieces.animation import animation_for
from lydian.trace.events import ATTACHED, Trace
from lydian.trace.parquet.file import save
from lydian.trace.timeline import Timeline

__all__ = ["evidence"]

#: The most runs that are tried to shorten a failing one, and the most seconds for it.
MOST_RUNS, SECONDS = 400, 12.0
#: The number of events from which a run is not shortened, as each trial would take too long.
MOST_EVENTS = 20_000


def evidence(
    failed: Failed,
    *,
    file: str,
    properties: str = "",
    run: Path | None = None,
    short: bool = True,
    least: int = 2,
    reference: Protocol | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Return what a page shows about a failure, as plain data.

    Args:
        failed: the failing run.
        file: the name of the student's file.
        properties: the text of the lecturer's properties, which the saved run contains as well.
        run: where the shortest run is saved, as a hand-in of a run; ``None`` to save nothing.
        short: whether to shorten the run.
        least: the fewest processes of the run that is shown.
        reference: a correct protocol; a run is not shortened to one in which it fails as well.
        stopped: returns True if the shortest run so far is enough.
    """
    resolved = failed.resolved
    shelf = Shelf(resolved.protocol)
    slow = failed.result is not None and exhausts(failed.result)
    result = failed.result if slow and failed.result is not None else Simulator(resolved, check=True).run()
    before = after = size_of(resolved, result)
    complete = False
    failing = failing_of(result, failed.property or None)
    own = not failed.sentence or bool(failed.property)
    made = failed.result is not None  # otherwise it is a counterexample of a search, which is as short as can be
    if short and made and own and not slow and failing is not None and before.events <= MOST_EVENTS:
        try:
            shortened = shorten(
                resolved, failed.property or None, seconds=SECONDS, stopped=stopped, most=MOST_RUNS,
                accept=lambda smaller: _fair(smaller, least, reference), faithful=reference is None, hurried=False,
            )  # fmt: skip
            there = shortened.experiment.resolve(shelf)
            again = Simulator(there, check=True).run()
            if failing.in_(again):
                resolved, result, after, complete = there, again, shortened.after, shortened.complete
        except LydianError:
            pass  # the run itself is shown
    with trusted():
        told = _told(failed, failing, result)
    found = {
        **told,
        "kind": "" if failing is None else failing.kind,
        "name": "" if failing is None else failing.name,
        "file": file,
        "before": asdict(before),
        "after": asdict(after),
        "complete": complete,
        "run": None,
        "alike": _alike(told["sentence"] if failing is None else f"{failing.kind} {_kept(failing.name)}", result.trace),
    }
    if run is not None:
        with trusted():
            _save(run, resolved, result, file, properties)
        found["run"] = run.name
    return found


def _fair(resolved: Resolved, least: int, reference: Protocol | None) -> bool:
    """Return True if an experiment has enough processes, and a correct protocol does not fail in it."""
    if resolved.network.n < least:
        return False
    if reference is None:
        return True
    try:
        result = Simulator(replace(resolved, protocol=reference), check=True).run()
    except (LydianError, ValueError):  # it does not fit the reference, so it cannot be compared
        return True
    return failing_of(result) is None


def _told(failed: Failed, failing: Failing | None, result: Result) -> dict[str, Any]:
    """Return the sentence, the moments and the line of a failing run."""
    timeline = Timeline(result.trace)
    ending: Ending | None = ending_of(timeline, [each.to_dict() for each in result.checks], animation_for(result.trace))
    if ending is None or ending.good:
        what = "The run fails." if failing is None else f"Does not hold: {failing.name}."
        ending = Ending("missed", failed.sentence or what)
    sentence, why = (failed.sentence, "") if failed.sentence else (ending.sentence, ending.why)
    why = "" if ending.kind == "missed" else why  # it repeats the property
    line = ending.line
    return {
        "sentence": sentence,
        "why": why,
        "guilty": [timeline.processes[p] for p in ending.guilty],
        "event": ending.event,
        "moments": [{"seq": m.seq, "time": round(m.time, 6), "text": m.text, "role": m.role} for m in ending.moments],
        "line": None if line is None else line.number,
        "function": "" if line is None else line.function,
        "lines": [] if line is None else [list(each) for each in line.lines],
        "note": "" if line is None else line.note,
    }


def _kept(name: str) -> str:
    """Return what failures of different hand-ins share: a property's name, but not the number of a line."""
    return "" if name.startswith("line ") else name


def _alike(what: str, trace: Trace) -> str:
    """Return a digest that equal failures share: what fails, and the events of the run, whatever the processes' names.

    Processes are numbered in the order in which they first act.
    """
    rows = trace.rows[~np.isin(trace.rows["kind"], ATTACHED)]
    order: dict[int, int] = {-1: -1}
    events = []
    for kind, process, peer, label in zip(
        rows["kind"].tolist(), rows["process"].tolist(), rows["peer"].tolist(), rows["label"].tolist(), strict=True
    ):
        at, other = (order.setdefault(each, len(order) - 1) for each in (process, peer))
        events.append([kind, at, other, trace.labels[label] if label >= 0 else ""])
        if len(events) >= 500:
            break
    return hashlib.sha256(json.dumps([what, events]).encode()).hexdigest()[:8]


def _save(path: Path, resolved: Resolved, result: Result, file: str, properties: str) -> None:
    """Write a run as a hand-in of a run, with the lecturer's properties below the student's protocol."""
    source = resolved.protocol.source
    whole = f"{source.rstrip()}\n\n\n# The properties of the assignment\n{properties}" if properties else source
    experiment = resolved.experiment.with_(protocol=f"./{file}", path=None, network=resolved.network)
    trace = replace(result.trace, source=whole, experiment=experiment.to_dict())
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.parquet")
    try:
        save(trace, part)
        pack(path, experiment.to_toml(), {file: whole.encode(), "run.parquet": part})
    finally:
        part.unlink(missing_ok=True)
