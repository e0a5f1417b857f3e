"""A trace in the formats of other programs.

* ``csv``: the contract's columns, one line an event, empty where null; ``detail`` is JSON text.  A text
  that a spreadsheet would take for a formula has an apostrophe before it.
* ``json``: one JSON object: ``experiment`` (an object), ``processes`` (their names), ``events``; there stands one event
  a line, an object with the contract's columns, whose ``detail`` is an object.  Numbers that JSON does not know are
  texts.
* ``shiviz``: a log with vector clocks for ShiViz.  Its first line is the regular expression to paste there; the
  expression does not match that line itself.
* ``perfetto``: Chrome's JSON trace format for ui.perfetto.dev: a track per process with its states and steps, an
  arrow per message.  A unit of simulated time is shown as a second.

Every file is written beside its place and put there when it is whole.
"""

from __future__ import annotations

import csv
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from lydian.model.cell import as_text
from lydian.model.errors import BadInput, did_you_mean
from lydian.trace.columns import COLUMNS
from lydian.trace.details import as_object, detail_texts
from lydian.trace.events import ATTACHED, KINDS, Kind, Trace
from lydian.trace.timeline import Timeline

__all__ = ["FORMATS", "SHIVIZ", "export"]

#: The regular expression for ShiViz: two lines an event.
SHIVIZ = r"^(?<host>\S+) (?<clock>\{.*\})\n(?<time>[-+.\deE]+) (?<event>.*)$"
#: Microseconds in Perfetto for a unit of simulated time.
UNIT = 1_000_000.0
BLOCK = 8_192
#: Told how far it is.
Watch = Callable[[float], None] | None


def export(trace: Trace, path: Path | str, to: str, watch: Callable[[float], None] | None = None) -> None:
    """Write a trace in another format.

    Args:
        to: one of :data:`FORMATS`.
        watch: told now and then which share is written; what it raises ends the work, and nothing is left.

    Raises:
        BadInput: there is no such format, or the file cannot be written; what was there before is still there.
    """
    if to not in FORMATS:
        raise BadInput(f"there is no format '{to}'{did_you_mean(to, FORMATS)}; there are {', '.join(FORMATS)}")
    path = Path(path)
    if path.is_dir():
        raise BadInput("is a folder; the export needs the name of a file", file=path)
    part: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        part = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            FORMATS[to](trace, file, watch)
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"cannot be written: {reason[:1].lower()}{reason[1:]}", file=path) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _records(trace: Trace, watch: Watch = None) -> Iterator[tuple[Any, ...]]:
    """The rows with names written out, in the order of :data:`COLUMNS`; ``detail`` as JSON text."""
    processes, labels = [*trace.processes, None], [*trace.labels, None]  # code -1 picks the last
    states: list[str | None] = [*trace.states] + [None] * (256 - len(trace.states))
    details = detail_texts(trace)
    at, text = next(details, (-1, ""))
    for start in range(0, len(trace), BLOCK):
        if watch is not None:
            watch(start / len(trace))
        for seq, row in enumerate(trace.rows[start : start + BLOCK].tolist(), start):
            time, process, peer, message, lamport, chain, cause, bits, round_, label, kind, state = row
            detail = None
            if seq == at:
                detail = text
                at, text = next(details, (-1, ""))
            yield (
                seq, round_, time, KINDS[kind], processes[process], processes[peer], _some(message), labels[label],
                states[state], lamport, chain, _some(cause), _some(bits), detail,
            )  # fmt: skip


def _some(value: int) -> int | None:
    return None if value < 0 else value


def _csv(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(as_text, record) for record in _records(trace, watch))


def _json(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    names = tuple(COLUMNS)
    file.write(f'{{"experiment": {_dumps(dict(trace.experiment))},\n')
    file.write(f'"processes": {_dumps(list(trace.processes))},\n"events": [')
    separator = "\n"
    for record in _records(trace, watch):
        event = dict(zip(names, record, strict=True))
        if event["detail"] is not None:
            event["detail"] = as_object(event["detail"])
        file.write(separator + _dumps(event))
        separator = ",\n"
    file.write("\n]}\n")


def _dumps(value: Any) -> str:
    """A value as JSON on one line; numbers that JSON does not know (NaN, infinity) become texts."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value


def _shiviz(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Vector clocks are those of the process lines; a drop shows at the sender, as an event of its own.

    Rows that belong to an event have no clock of their own and are left out.
    """
    file.write(f"# {SHIVIZ}\n")
    hosts = ["_".join(name.split()) or "_" for name in trace.processes]
    if len(set(hosts)) < len(hosts):
        hosts = [f"{i}:{host}" for i, host in enumerate(hosts)]
    codes = trace.rows["kind"].tolist()
    ends = {False: trace.rows["process"].tolist(), True: trace.rows["peer"].tolist()}
    clocks: list[dict[str, int]] = [{} for _ in hosts]
    under_way: dict[int, dict[str, int]] = {}
    for seq, _, time, kind, process, peer, message, label, state, *_, detail in _records(trace, watch):
        code = codes[seq]
        if process is None or code in (Kind.LINK_DOWN, Kind.LINK_UP, *ATTACHED):
            continue
        at = ends[code == Kind.DROP][seq]
        if at < 0:
            continue
        clock = clocks[at]
        if code == Kind.RECEIVE and message is not None:
            for host, count in under_way.pop(message, {}).items():
                if clock.get(host, 0) < count:
                    clock[host] = count
        clock[hosts[at]] = clock.get(hosts[at], 0) + 1
        if code in (Kind.SEND, Kind.INJECT) and message is not None:
            under_way[message] = dict(clock)
        other, way = (process, "to") if code == Kind.DROP else (peer, "from" if code == Kind.RECEIVE else "to")
        words = [kind, label, other and f"{way} {other}", state and f"[{state}]", detail]
        text = " ".join(" ".join(str(word).split()) for word in words if word)
        file.write(f"{hosts[at]} {json.dumps(clock, ensure_ascii=False)}\n{time!r} {text}\n")


def _perfetto(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    file.write('{"displayTimeUnit":"ms","traceEvents":[')
    separator = "\n"
    for event in _slices(trace, watch):
        file.write(separator + _dumps(event))
        separator = ",\n"
    file.write("\n]}\n")


def _slices(trace: Trace, watch: Watch = None) -> Iterator[dict[str, Any]]:
    """Track names, state slices, step slices inside them, instants, and two ends of an arrow per message."""
    timeline = Timeline(trace)
    yield {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": str(trace.experiment.get("name", "LYDIAN"))}}
    for p, name in enumerate(trace.processes):
        yield {"ph": "M", "pid": 1, "tid": p + 1, "name": "thread_name", "args": {"name": name}}
        yield {"ph": "M", "pid": 1, "tid": p + 1, "name": "thread_sort_index", "args": {"sort_index": p}}
        for start, end, state in zip(*(part.tolist() for part in timeline.periods(p)), strict=True):
            yield _slice(p, "state", trace.states[state], start, end, {})
    at, steps = timeline.process, timeline.step_lengths
    for record in _records(trace, watch):
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


#: Name of a format -> what writes it.
FORMATS: dict[str, Callable[[Trace, IO[str], Watch], None]] = {
    "csv": _csv,
    "json": _json,
    "shiviz": _shiviz,
    "perfetto": _perfetto,
}
