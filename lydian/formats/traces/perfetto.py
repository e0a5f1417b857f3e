"""Chrome's JSON trace format for ui.perfetto.dev: a track for each process with its states and steps, and arrows for
messages.

A unit of simulated time is shown as a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from lydian.formats.traces import FORMATS, TraceFormat, Watch
from lydian.formats.traces.records import dumps, records
from lydian.language import later
from lydian.trace.details import as_object
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline

__all__ = ["UNIT", "write"]

#: The microseconds in Perfetto for a unit of simulated time.
UNIT = 1_000_000.0


def write(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Write a trace as events of Chrome."""
    file.write('{"displayTimeUnit":"ms","traceEvents":[')
    separator = "\n"
    for event in _slices(trace, watch):
        file.write(separator + dumps(event))
        separator = ",\n"
    file.write("\n]}\n")


def _slices(trace: Trace, watch: Watch = None) -> Iterator[dict[str, Any]]:
    """Yield names of tracks, slices of states, slices of steps inside them, instants, and both ends of each message's
    arrow."""
    timeline = Timeline(trace)
    yield {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": str(trace.experiment.get("name", "LYDIAN"))}}
    for p, name in enumerate(trace.processes):
        yield {"ph": "M", "pid": 1, "tid": p + 1, "name": "thread_name", "args": {"name": name}}
        yield {"ph": "M", "pid": 1, "tid": p + 1, "name": "thread_sort_index", "args": {"sort_index": p}}
        for start, end, state in zip(*(part.tolist() for part in timeline.periods(p)), strict=True):
            yield _slice(p, "state", trace.states[state], start, end, {})
    at, steps = timeline.process, timeline.step_lengths
    for record in records(trace, watch):
        seq, _, time, kind, _, peer, message, label, _, _, _, _, _, detail = record
        p = int(at[seq])
        if p < 0:
            continue
        told = {"seq": seq, "peer": peer, "message": message, "lamport": record[9], "chain": record[10]}
        args = {key: value for key, value in told.items() if value is not None}
        if detail is not None:
            args["detail"] = as_object(detail)
        words = kind if label is None else f"{kind} {label}"
        yield _slice(p, kind, words, time, min(time + float(steps[seq]), timeline.end), args)
        if message is not None and timeline.receives[message] >= 0 and not timeline.lost[message]:
            arrow = {"pid": 1, "tid": p + 1, "ts": time * UNIT, "cat": "message", "name": label or "message"}
            if seq == timeline.sends[message]:
                yield {"ph": "s", "id": message, **arrow}
            elif seq == timeline.receives[message]:
                yield {"ph": "f", "bp": "e", "id": message, **arrow}


def _slice(p: int, category: str, name: str, start: float, end: float, args: dict[str, Any]) -> dict[str, Any]:
    slice_ = {"ph": "X", "pid": 1, "tid": p + 1, "cat": category, "name": name}
    return slice_ | {"ts": start * UNIT, "dur": max(end - start, 0.0) * UNIT, "args": args}


FORMATS.register(
    TraceFormat(
        "perfetto", "Perfetto", later("Perfetto traces"), later("Save states and messages for ui.perfetto.dev"),
        later("a trace for Perfetto"), (".json",), ".perfetto.json", write, rb"\"traceEvents\"",
    )
)  # fmt: skip
