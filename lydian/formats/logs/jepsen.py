"""Histories of Jepsen and Maelstrom: ``history.edn``, one operation a line, or all of them in one vector.

Each process of a history is a process of the trace. An invocation is a command, and its completion the delivery of the
result; an operation that failed, or whose outcome is unknown, ends in a note. What the nemesis does is noted as well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from lydian.formats.logs import FORMATS, LogFormat
from lydian.formats.logs.edn import NotEDN, values
from lydian.formats.logs.lines import Record
from lydian.language import later
from lydian.model.errors import shown
from lydian.model.reading import Problem

__all__ = ["read"]

TYPES = ("invoke", "ok", "fail", "info")


def read(text: str) -> tuple[list[Record], list[Problem]]:
    """Return the operations of a history as records."""
    records: list[Record] = []
    problems: list[Problem] = []
    try:
        for line, value in values(text):
            found = _record(line, value)
            (records if isinstance(found, Record) else problems).append(found)  # type: ignore[arg-type]
    except NotEDN as error:
        problems.append(Problem(error.line, f"this is not EDN: {error}"))
    return records, problems


def _record(line: int, op: Any) -> Record | Problem:
    if not isinstance(op, Mapping):
        example = "{:type :invoke, :process 0, :f :read}"
        return Problem(line, f"an operation such as {example} was expected, not {shown(op)}")
    kind, process, name = op.get("type"), op.get("process"), op.get("f")
    if kind not in TYPES:
        return Problem(line, f":type must be :invoke, :ok, :fail or :info, not {shown(kind)}")
    if process is None or isinstance(process, Mapping | list) or not str(process).strip():
        return Problem(line, f":process must be a number or a keyword, not {shown(process)}")
    if not isinstance(name, str) or not name:
        return Problem(line, f":f must name the operation, such as :read, not {shown(name)}")
    time = op.get("time", op.get("index"))
    if isinstance(time, bool) or not isinstance(time, int | float | None) or not math.isfinite(time or 0):
        return Problem(line, f":time must be a number of nanoseconds, not {shown(time)}")
    if time is not None and "time" in op:
        time /= 1e9
    host = "_".join(str(process).split())
    value = op.get("value")
    given = {"fields": {"value": value}}
    said = name if value is None else f"{name} {json.dumps(value, ensure_ascii=False, default=str)}"
    if kind == "invoke":
        return Record(line, host, {}, said, time, kind="command", label=name, detail=given)
    if kind == "ok":
        detail = {"value": value, "operation": name, "outcome": kind}
        return Record(line, host, {}, said, time, kind="deliver", detail=detail)
    outcome = {"fail": "failed", "info": "has an unknown outcome"}[str(kind)]
    text = said if host == "nemesis" else f"{said} {outcome}"
    why = op.get("error")
    text = text if why is None else f"{text}: {_short(why)}"
    detail = {"text": text, "operation": name, "outcome": kind, "value": value}
    return Record(line, host, {}, text, time, kind="note", detail=detail)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


FORMATS.register(
    LogFormat(
        "jepsen", later("History of Jepsen or Maelstrom (EDN)"), "{:type :invoke, :process 0, :f :read, :time 1200000}",
        reads=read, begins=r"(\s|;.*\n)*[\[(]?\s*(#[\w.]+\s*)?\{(?=[^}]*:f\s)(?=[^}]*:process\s)[^}]*:type\s+:",
    )
)  # fmt: skip
