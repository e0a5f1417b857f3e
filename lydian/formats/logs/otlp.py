"""Spans of OpenTelemetry as JSON (OTLP), one export request a line as its collectors write them, or one for the file.

A host is a service (``service.name`` of the resource). A span has a beginning and an end at its host. If its parent is
a span of another host, a message from there begins it, and unless it is a consumer its end sends a reply. A client's
span that calls another host sends at its beginning and receives the reply at its end; any other parent sends when the
child begins. Events of spans are noted.

The format is that of https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lydian.formats.logs import FORMATS, LogFormat
from lydian.formats.logs.lines import Record
from lydian.formats.traces.otlp import MESSAGE, SENT
from lydian.language import later
from lydian.model.errors import shown
from lydian.model.reading import Problem

__all__ = ["read"]

CLIENT, PRODUCER, CONSUMER = 3, 4, 5
_KINDS = ("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER")
_ID = re.compile(r'"spanId"\s*:\s*"([^"]*)"')


class _Bad(Exception):
    """The reason why a span cannot be used."""


@dataclass
class _Span:
    line: int
    host: str
    id: str
    parent: str
    name: str
    kind: int
    start: float
    end: float | None
    fields: dict[str, Any]
    failed: bool = False
    events: list[tuple[float, str, dict[str, Any]]] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The message that begins the span, without the verb with which a consumer's name begins."""
        return self.name.removeprefix("receive ").removeprefix("process ") if self.kind == CONSUMER else self.name


def read(text: str) -> tuple[list[Record], list[Problem]]:
    """Return the beginnings and ends of spans as records, in order of time."""
    problems: list[Problem] = []
    spans: dict[str, _Span] = {}
    for line, lines, request in _requests(text, problems):
        for host, given in _given(request, line, problems):
            at = lines.get(given.get("spanId", "") if isinstance(given, Mapping) else "", line)
            try:
                span = _span(at, host, given)
            except _Bad as why:
                problems.append(Problem(at, str(why)))
                continue
            if span.id in spans:
                problems.append(Problem(at, f"the span {span.id} is already in line {spans[span.id].line}"))
            else:
                spans[span.id] = span
    records = sorted(_records(spans), key=lambda record: record.time or 0.0)
    return records, problems


def _requests(text: str, problems: list[Problem]) -> Iterator[tuple[int, dict[str, int], Any]]:
    """Yield each request with its line, and the lines of its spans."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        line, last = 1, 0
        lines: dict[str, int] = {}
        for found in _ID.finditer(text):
            line, last = line + text.count("\n", last, found.start()), found.start()
            lines.setdefault(found[1], line)
        yield 1, lines, whole
        return
    for number, line_text in enumerate(text.split("\n"), 1):
        if not line_text.strip():
            continue
        try:
            yield number, {}, json.loads(line_text)
        except (ValueError, RecursionError) as error:
            why = getattr(error, "msg", "it is nested too deeply")
            problems.append(Problem(number, f"this is not JSON: {why[:1].lower()}{why[1:]}"))


def _given(request: Any, line: int, problems: list[Problem]) -> Iterator[tuple[str, Any]]:
    """Yield the host and the contents of each span of a request."""
    resources = request.get("resourceSpans") if isinstance(request, Mapping) else None
    if not isinstance(resources, list):
        problems.append(Problem(line, 'an object with "resourceSpans" was expected, as OpenTelemetry exports spans'))
        return
    for resource in resources:
        known = _attributes(_of(_of(resource, "resource", {}), "attributes", []))
        host = "_".join(str(known.get("service.name", "unknown_service")).split())
        scopes = _of(resource, "scopeSpans", _of(resource, "instrumentationLibrarySpans", []))
        for scope in scopes if isinstance(scopes, list) else []:
            spans = _of(scope, "spans", [])
            for span in spans if isinstance(spans, list) else []:
                yield host, span


def _of(table: Any, key: str, default: Any) -> Any:
    return table.get(key, default) if isinstance(table, Mapping) else default


def _span(line: int, host: str, given: Any) -> _Span:
    if not isinstance(given, Mapping):
        raise _Bad(f"a span must be an object, not {shown(given)}")
    name, own, parent = given.get("name"), given.get("spanId"), given.get("parentSpanId") or ""
    if not isinstance(own, str) or not own:
        raise _Bad(f'"spanId" of a span must be a text such as "00f067aa0ba902b7", not {shown(own)}')
    if not isinstance(parent, str):
        raise _Bad(f'"parentSpanId" of a span must be a text, not {shown(parent)}')
    kind = given.get("kind", 0)
    if isinstance(kind, str):
        kind = _KINDS.index(kind.removeprefix("SPAN_KIND_")) if kind.removeprefix("SPAN_KIND_") in _KINDS else -1
    if not isinstance(kind, int) or not 0 <= kind < len(_KINDS):
        raise _Bad(f'"kind" of a span must be a number from 0 to 5, not {shown(given.get("kind"))}')
    start = _seconds(given.get("startTimeUnixNano"), "startTimeUnixNano")
    end = given.get("endTimeUnixNano")
    ended = None if end in (None, 0, "0") else _seconds(end, "endTimeUnixNano")
    if ended is not None and ended < start:
        raise _Bad("the span ends before it starts")
    events = []
    for each in _of(given, "events", []) or []:
        at = _seconds(_of(each, "timeUnixNano", None), "timeUnixNano")
        events.append((at, str(_of(each, "name", "event")), _attributes(_of(each, "attributes", []))))
    code = _of(given.get("status"), "code", 0)
    return _Span(
        line, host, own, parent, str(name or "span"), kind, start, ended, _attributes(given.get("attributes", [])),
        code in (2, "STATUS_CODE_ERROR"), events,
    )  # fmt: skip


def _seconds(value: Any, key: str) -> float:
    """Return a time in seconds; it is a text of digits in JSON, because the number is too large for many programs."""
    digits = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not digits.isdecimal() or len(digits) > 20:
        example = '"1700000000000000000"'
        raise _Bad(f'"{key}" must be a number of nanoseconds since 1970 such as {example}, not {shown(value)}')
    return int(digits) / 1e9


def _attributes(given: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in given if isinstance(given, list) else []:
        if isinstance(each, Mapping) and isinstance(each.get("key"), str):
            found[each["key"]] = _value(each.get("value"))
    return found


def _value(value: Any) -> Any:
    if not isinstance(value, Mapping) or not value:
        return None
    kind, inner = next(iter(value.items()))
    if kind == "intValue":
        return int(inner) if str(inner).lstrip("-").isdecimal() else inner
    if kind == "arrayValue":
        return [_value(each) for each in _of(inner, "values", []) or []]
    if kind == "kvlistValue":
        return _attributes(_of(inner, "values", []))
    return inner


def _records(spans: Mapping[str, _Span]) -> Iterator[Record]:
    """Yield the events of all spans."""
    away: dict[str, list[_Span]] = {}
    for span in spans.values():
        parent = spans.get(span.parent)
        if parent is not None and parent.host != span.host:
            away.setdefault(parent.id, []).append(span)
    for span in spans.values():
        parent, called = spans.get(span.parent), away.get(span.id, [])
        above = parent.host if parent is not None and parent.host != span.host else None
        below = called[0] if span.kind in (CLIENT, PRODUCER) and len(called) == 1 else None
        yield from _beginning(span, above, below)
        for time, name, fields in span.events:
            if name != SENT or MESSAGE not in fields:
                yield Record(span.line, span.host, {}, name, time, True, fields=fields)
        if below is None:
            for child in called:
                yield from _call(span, child)
        if span.end is not None:
            yield from _end(span, above, below)


def _beginning(span: _Span, above: str | None, below: _Span | None) -> Iterator[Record]:
    ends: list[dict[str, Any]] = []
    if above is not None:
        ends.append({"sender": above, "message": span.id, "label": span.label})
    if below is not None:
        ends.append({"receiver": below.host, "message": below.id, "label": below.label})
    for each in ends or [{}]:
        yield Record(span.line, span.host, {}, span.name, span.start, True, fields=span.fields, **each)


def _call(span: _Span, child: _Span) -> Iterator[Record]:
    """Yield the events of a span that calls another host in between: a message and, if there is one, its reply."""
    key = child.fields.get(MESSAGE)
    sent = (time for time, name, fields in span.events if name == SENT and fields.get(MESSAGE) == key)
    time = max(span.start, child.start) if key is None else next(sent, max(span.start, child.start))
    yield Record(
        span.line, span.host, {}, child.label, time, True, receiver=child.host, message=child.id, label=child.label
    )  # fmt: skip
    if child.end is not None and child.kind != CONSUMER:
        yield Record(
            span.line, span.host, {}, "", max(time, child.end), True, sender=child.host, message=f"{child.id} reply",
            label="reply",
        )  # fmt: skip


def _end(span: _Span, above: str | None, below: _Span | None) -> Iterator[Record]:
    words = f"{span.name} {'failed' if span.failed else 'ends'}"
    ends: list[dict[str, Any]] = []
    if below is not None and below.kind != CONSUMER and below.end is not None:
        ends.append({"sender": below.host, "message": f"{below.id} reply", "label": "reply"})
    if above is not None and span.kind != CONSUMER:
        ends.append({"receiver": above, "message": f"{span.id} reply", "label": "reply"})
    for each in ends or ([{}] if span.kind != CONSUMER or span.end != span.start else []):
        yield Record(span.line, span.host, {}, words, span.end, True, **each)


FORMATS.register(
    LogFormat(
        "otlp", later("Spans of OpenTelemetry (OTLP as JSON)"),
        '{"resourceSpans": [{"resource": ..., "scopeSpans": [{"spans": [...]}]}]}', reads=read,
        begins=r'\s*\{\s*"resourceSpans"\s*:',
    )
)  # fmt: skip
