"""Messages between the nodes of Maelstrom, one event a line, as JSON or EDN.

An event is ``{"time": 1200000, "type": "send", "message": {"id": 7, "src": "n1", "dest": "n2", "body": {...}}}``, as in
Maelstrom's journal; its type is ``send`` or ``recv``, and its time is in nanoseconds. A line that is a message itself
(``src``, ``dest`` and ``body``), as the nodes read and write them, is both at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lydian.formats.logs import FORMATS, LogFormat
from lydian.formats.logs.edn import NotEDN, values
from lydian.formats.logs.lines import Record
from lydian.language import later
from lydian.model.errors import shown
from lydian.model.reading import Problem

__all__ = ["read"]


def read(text: str) -> tuple[list[Record], list[Problem]]:
    """Return the sent and received messages of a journal as records."""
    records: list[Record] = []
    problems: list[Problem] = []
    for line, value in _json(text, problems) if _is_json(text) else _edn(text, problems):
        found = _records(line, value)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            records += found
    return records, sorted(problems, key=lambda each: each.line)


def _is_json(text: str) -> bool:
    return text.lstrip()[:200].replace(" ", "").startswith('{"')


def _json(text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                why = getattr(error, "msg", "it is nested too deeply")
                problems.append(Problem(number, f"this is not an object in JSON: {why[:1].lower()}{why[1:]}"))


def _edn(text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    try:
        yield from values(text)
    except NotEDN as error:
        problems.append(Problem(error.line, f"this is not EDN: {error}"))


def _records(line: int, event: Any) -> list[Record] | Problem:
    if not isinstance(event, Mapping):
        return Problem(line, f"an event with a message was expected, not {shown(event)}")
    message = event.get("message", event if "body" in event else None)
    if not isinstance(message, Mapping) or not isinstance(message.get("body"), Mapping):
        return Problem(line, 'an event must contain a message with "src", "dest" and "body"')
    src, dest, body = message.get("src"), message.get("dest"), message["body"]
    if not all(isinstance(end, str) and end.strip() for end in (src, dest)):
        return Problem(line, f'"src" and "dest" of a message must name nodes, not {shown(src)} and {shown(dest)}')
    kind = event.get("type") if message is not event else "both"
    if kind not in ("send", "recv", "both"):
        return Problem(line, f'"type" of an event must be send or recv, not {shown(kind)}')
    time = event.get("time")
    if isinstance(time, bool) or not isinstance(time, int | float | None):
        return Problem(line, f'"time" of an event must be a number of nanoseconds, not {shown(time)}')
    seconds = None if time is None else time / 1e9
    number = message.get("id", message.get("msg_id"))
    name = f"line {line}" if kind == "both" else None if number is None else str(number)
    label = str(body.get("type", "message"))
    fields = {str(key): value for key, value in body.items() if key != "type"}
    sender, receiver = "_".join(str(src).split()), "_".join(str(dest).split())
    sent = Record(line, sender, {}, "", seconds, receiver=receiver, message=name, label=label, fields=fields)
    heard = Record(line, receiver, {}, "", seconds, sender=sender, message=name, label=label)
    return [sent, heard] if kind == "both" else [sent] if kind == "send" else [heard]


FORMATS.register(
    LogFormat(
        "maelstrom", later("Messages of Maelstrom, one a line (JSON or EDN)"),
        '{"type": "send", "time": 1200000, "message": {"id": 7, "src": "n1", "dest": "n2", "body": {"type": "ping"}}}',
        reads=read,
        begins=r'\s*(\{(?=[^\n]*"src"\s*:)(?=[^\n]*"dest"\s*:)[^\n]*"body"\s*:'
        r"|[\[(]?\s*(#[\w.]+\s*)?\{(?=[^\n]*:src\s)(?=[^\n]*:dest\s)[^\n]*:body\s)",
    )
)  # fmt: skip
