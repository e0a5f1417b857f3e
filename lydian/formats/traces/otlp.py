"""Spans of OpenTelemetry as JSON (OTLP), for Jaeger, Tempo and other programs that show traces of services.

A process is a service, and a step a span: what a process does when it starts, receives a message, or its timer expires.
The parent of a span is the step that sent the message or set the timer; the effects of a step are events of its span.
A unit of simulated time is a second, counted from 1 January 2000.

:mod:`lydian.formats.logs.otlp` reads such files.
"""

from __future__ import annotations

from typing import IO, Any

import numpy as np

from lydian.formats.traces import FORMATS, TraceFormat, Watch
from lydian.formats.traces.records import dumps, records
from lydian.language import later
from lydian.trace.details import as_object
from lydian.trace.events import Kind, Trace
from lydian.trace.timeline import STEPS, Timeline

__all__ = ["MESSAGE", "SENT", "write"]

#: The attribute that identifies a message, and the name of the event of a span that sends one.
MESSAGE, SENT = "messaging.message.id", "send"
#: The kinds of span.
INTERNAL, PRODUCER, CONSUMER = 1, 4, 5
#: The beginning of simulated time, in seconds since 1970.
BASE = 946_684_800


def write(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Write a trace as spans, process by process."""
    import lydian

    timeline = Timeline(trace)
    owner = _owners(timeline)
    spans: dict[int, dict[str, Any]] = {}
    lengths = timeline.step_lengths
    for record in records(trace, watch):
        seq, _, time, kind, process, peer, message, label, state, lamport, _, _, _, detail = record
        if process is None or timeline.kind[seq] == Kind.DROP:
            continue
        told: dict[str, Any] = {MESSAGE: None if message is None else str(message), "peer": peer, "state": state}
        if detail is not None:
            told |= {key: item if isinstance(item, bool | int | float | str) else dumps(item)
                     for key, item in as_object(detail).items()}  # fmt: skip
        if owner[seq] != seq:
            name = kind if kind == SENT or label is None else f"{kind} {label}"
            spans[int(owner[seq])]["events"].append(
                {"timeUnixNano": _nano(time), "name": name, "attributes": _attributes(told | {"label": label})}
            )
            continue
        parent = _parent(timeline, owner, seq)
        sends = timeline.kind[seq] in (Kind.SEND, Kind.INJECT)
        span: dict[str, Any] = {
            "traceId": spans[parent]["traceId"] if parent in spans else f"{seq + 1:032x}",
            "spanId": f"{seq + 1:016x}",
            "name": kind if label is None else f"{kind} {label}",
            "kind": CONSUMER if timeline.kind[seq] == Kind.RECEIVE else PRODUCER if sends else INTERNAL,
            "startTimeUnixNano": _nano(time),
            "endTimeUnixNano": _nano(time + float(lengths[seq])),
            "attributes": _attributes(told | {"lamport": lamport, "seq": seq}),
            "events": [],
        }
        if sends:
            span["events"].append({"timeUnixNano": _nano(time), "name": SENT, "attributes": _attributes(told)})
        spans[seq] = span | ({"parentSpanId": f"{parent + 1:016x}"} if parent in spans else {})
    at = timeline.process
    file.write('{"resourceSpans":[')
    scope = {"name": "lydian", "version": lydian.__version__}
    mine: dict[int, list[dict[str, Any]]] = {}
    for seq, span in spans.items():
        mine.setdefault(int(at[seq]), []).append(span)
    separator = "\n"
    for p, own in sorted(mine.items()):
        resource = {"attributes": _attributes({"service.name": trace.processes[p]})}
        file.write(f'{separator}{{"resource":{dumps(resource)},"scopeSpans":[{{"scope":{dumps(scope)},"spans":[\n')
        file.write(",\n".join(map(dumps, own)))
        file.write("\n]}]}")
        separator = ",\n"
    file.write("\n]}\n")


def _owners(timeline: Timeline) -> Any:
    """Return, for each row, the row of the step to which it belongs: itself, or the event that caused it."""
    rows = np.arange(timeline.length)
    cause = timeline.cause.astype(np.int64)
    step = np.isin(timeline.kind, STEPS) | np.isin(timeline.kind, (Kind.CRASH, Kind.RECOVER, Kind.ERROR, Kind.CORRUPT))
    inside = ~step & (cause >= 0) & (cause < rows)
    inside[inside] = timeline.process[cause[inside]] == timeline.process[inside]
    owner = np.where(inside, cause, rows)
    for seq in np.flatnonzero(inside).tolist():  # an effect of an effect belongs to the same step
        owner[seq] = owner[owner[seq]]
    return owner


def _parent(timeline: Timeline, owner: Any, seq: int) -> int:
    """Return the step that sent the message or set the timer of a step, or -1."""
    cause = int(timeline.cause[seq])
    if timeline.kind[seq] == Kind.RECEIVE:
        m = int(timeline.message[seq])
        sent = int(timeline.sends[m]) if m >= 0 else -1
        return int(owner[sent]) if sent >= 0 else -1
    return int(owner[cause]) if 0 <= cause < seq else -1


def _nano(time: float) -> str:
    return str(BASE * 1_000_000_000 + round(time * 1e9))


def _attributes(given: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(item)} for key, item in given.items() if item is not None]


def _value(item: Any) -> dict[str, Any]:
    if isinstance(item, bool):
        return {"boolValue": item}
    if isinstance(item, int) and abs(item) < 2**63:
        return {"intValue": str(item)}
    return {"doubleValue": item} if isinstance(item, float) else {"stringValue": str(item)}


FORMATS.register(
    TraceFormat(
        "otlp", "OpenTelemetry (OTLP)", later("OpenTelemetry spans"), later("Save the steps as spans of OpenTelemetry"),
        later("spans of OpenTelemetry"), (".json",), ".otlp.json", write, rb"\A\{\"resourceSpans\"",
    )
)  # fmt: skip
