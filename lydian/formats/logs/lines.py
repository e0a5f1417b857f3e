"""The lines of a log as records: host, vector clock, and a description of the event.

The documented format has two lines for each event, as ShiViz and GoVector write them, or one::

    HOST {"HOST": 3, "OTHER": 2}
    what happened

    HOST {"HOST": 4, "OTHER": 2} what happened

Empty lines and lines that begin with ``#`` are skipped. A log exported by LYDIAN is recognised by its first line; the
second line of each event then contains the time, the kind, the message, the other process and the state.

Any other format is read with a regular expression with named groups: ``host`` is required, and ``clock``, ``event``,
``time``, ``message``, ``from``, ``to``, ``label`` and ``state`` are optional; other groups are kept as fields.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from datetime import time as daytime
from typing import Any

from lydian.formats.traces.shiviz import SHIVIZ
from lydian.model.errors import did_you_mean, shown
from lydian.model.reading import Problem
from lydian.trace.events import KINDS

__all__ = ["GROUPS", "LONGEST", "Record", "is_ours", "matched", "read_lines"]

GROUPS = ("host", "clock", "event", "time", "message", "from", "to", "label", "state")
#: The largest length of a line.
LONGEST = 100_000
_LARGEST = 2**31 - 2
_DECODE = json.JSONDecoder().raw_decode
#: Larger numbers are times in nanoseconds since 1970.
NANOSECONDS = 1e16


@dataclass(frozen=True)
class Record:
    """One event of a log.

    ``clock`` is empty and ``time`` is ``None`` if the log does not have them; ``dated`` is set for a time that is not
    just a number. ``kind`` is known only for logs exported by LYDIAN and for histories; ``sender`` is set for received
    messages and ``receiver`` for sent ones, if the log names them.
    """

    line: int
    host: str
    clock: Mapping[str, int]
    text: str
    time: float | None = None
    dated: bool = False
    kind: str | None = None
    sender: str | None = None
    receiver: str | None = None
    message: str | None = None
    label: str | None = None
    state: str | None = None
    detail: Mapping[str, Any] | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


class _Bad(Exception):
    """The reason why a line cannot be used."""


def is_ours(text: str) -> bool:
    """Return True if LYDIAN exported this log."""
    return text.startswith(f"# {SHIVIZ}\n")


def read_lines(
    text: str, *, ours: bool, first: int = 1, watch: Callable[[float], None] | None = None
) -> tuple[list[Record], list[Problem]]:
    """Return the records of a text in the documented format, and the lines that are not records.

    Args:
        ours: whether the second lines are those of an export by LYDIAN.
        first: the number of the text's first line.
        watch: a function that is called regularly with the progress.
    """
    records: list[Record] = []
    problems: list[Problem] = []
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        line, number = lines[i], first + i
        if watch is not None and not len(records) % 1000:
            watch(i / len(lines))
        i += 1
        if not line.strip() or line.startswith("#"):
            continue
        try:
            host, clock, event = _head(line)
            if not event:
                if i >= len(lines) or not lines[i].strip():
                    raise _Bad("the line after it, which describes the event, is missing")
                event = lines[i].strip()
                i += 1
                if len(event) > LONGEST:
                    number += 1
                    raise _Bad(_too_long(event))
            records.append(_ours(number, host, clock, event) if ours else Record(number, host, clock, event))
        except _Bad as why:
            problems.append(Problem(number, str(why)))
    return records, problems


def _too_long(line: str) -> str:
    return f"the line has {len(line):,} characters; at most {LONGEST:,} are read"


def _head(line: str) -> tuple[str, dict[str, int], str]:
    """Return the host, the clock and the text after them."""
    if len(line) > LONGEST:
        raise _Bad(_too_long(line))
    host, _, rest = line.strip().partition(" ")
    rest = rest.lstrip()
    if not rest.startswith("{"):
        raise _Bad(f'a host and its clock were expected, such as {host[:20] or "a"} {{"{host[:20] or "a"}": 1}}')
    try:
        clock, end = _DECODE(rest)
    except (ValueError, RecursionError):
        raise _Bad('the clock is not valid JSON, such as {"a": 1, "b": 2}') from None
    return host, _clock(host, clock), rest[end:].strip()


def _clock(host: str, clock: Any) -> dict[str, int]:
    if not isinstance(clock, dict):
        raise _Bad(f'the clock must be a JSON object such as {{"{host}": 1}}, not {shown(clock)}')
    for name, count in clock.items():
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _LARGEST:
            raise _Bad(f"the clock counts events, so {shown(name)} must be a whole number, not {shown(count)}")
    if clock.get(host, 0) < 1:
        raise _Bad(f"the clock must count this event at its own host {shown(host)}{did_you_mean(host, clock)}")
    return clock


def _ours(line: int, host: str, clock: dict[str, int], event: str) -> Record:
    """Parse a line of an export by LYDIAN: ``1.5 receive Ack from 3 [waiting] {"changed": ...}``."""
    start, _, text = event.partition(" ")
    time, _ = _time(start)
    head, detail = text, None
    place = text.find(" {")
    if place >= 0:
        try:
            detail = json.loads(text[place:])
            head = text[:place]
        except (ValueError, RecursionError):
            pass  # it is a part of the text in this case
    state = None
    if head.endswith("]") and " [" in head:
        head, _, state = head[:-1].rpartition(" [")
    kind, _, rest = head.partition(" ")
    if kind not in KINDS:
        raise _Bad(f"unknown kind of event {shown(kind)}{did_you_mean(kind, KINDS)}")
    if detail is not None and any(not isinstance(detail.get(name, {}), dict) for name in ("changed", "fields")):
        raise _Bad('"changed" and "fields" in the detail of an event must be JSON objects')
    label, _, peer = f" {rest}".partition(" from " if kind == "receive" else " to ")
    if kind in ("send", "receive", "drop") and not (peer and label.strip()):
        raise _Bad(f"{kind} must have a message and the other process, such as {kind} Ack "
                   f"{'from' if kind == 'receive' else 'to'} b")  # fmt: skip
    other = "_".join(peer.split()) or None
    return Record(
        line, host, clock, text, time, kind=kind,
        sender=other if kind == "receive" else None, receiver=None if kind == "receive" else other,
        label=label.strip() or None, state=state, detail=detail,
    )  # fmt: skip


def matched(answers: list[dict[str, Any]], first: int = 1) -> tuple[list[Record], list[Problem]]:
    """Return the records found by the user's expression (:func:`~lydian.formats.logs.matching.matches`), and the other
    lines."""
    records: list[Record] = []
    problems: list[Problem] = []
    for answer in answers:
        number = first + answer["line"] - 1
        try:
            if "bad" in answer:
                raise _Bad(answer["bad"])
            records.append(_grouped(number, answer["groups"]))
        except _Bad as why:
            problems.append(Problem(number, str(why)))
    return records, problems


def _grouped(line: int, groups: dict[str, str | None]) -> Record:
    said = {name: text.strip() for name, text in groups.items() if text is not None and text.strip()}
    for name, text in said.items():
        if len(text) > LONGEST:
            raise _Bad(f"the group {name} has {len(text):,} characters; at most {LONGEST:,} are read")
    host = said.get("host")
    if host is None:
        raise _Bad("the group host is empty")
    clock: dict[str, int] = {}
    if "clock" in groups:
        try:
            clock = _clock(host, json.loads(said.get("clock", "")))
        except (ValueError, RecursionError):
            example = f'{{"{host[:20]}": 1}}'
            given = shown(said.get("clock", ""))
            raise _Bad(f"the group clock must be a JSON object such as {example}, not {given}") from None
    time, dated = _time(said.get("time", "")) if "time" in groups else (None, False)
    return Record(
        line, host, clock, said.get("event", ""), time, dated,
        sender=said.get("from"), receiver=said.get("to"), message=said.get("message"),
        label=said.get("label"), state=said.get("state"),
        fields={name: text for name, text in said.items() if name not in GROUPS},
    )  # fmt: skip


def _time(text: str) -> tuple[float, bool]:
    """Return a time in seconds, and whether it is a date with a time of day, or a time of day, and not just a
    number."""
    dated = False
    try:
        value = float(text)
    except ValueError:
        value, dated = _date(text), True
    if NANOSECONDS <= value < 1e20:
        value, dated = value / 1e9, True
    if not math.isfinite(value) or abs(value) > 1e15:
        raise _Bad(f"the time must be a number such as 1.5 or a date such as 2024-05-01T12:30:00, not {shown(text)}")
    return value, dated


def _date(text: str) -> float:
    text = text.replace(",", ".")
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        pass
    try:
        day = daytime.fromisoformat(text)
        return day.hour * 3600 + day.minute * 60 + day.second + day.microsecond / 1e6
    except ValueError:
        return math.nan
