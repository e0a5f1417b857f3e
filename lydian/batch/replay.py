"""Batch replay: kept traces are judged again without executing anything.

A trace contains the state and the changed variables of every event and the messages in transit, so all its
configurations can be reconstructed. The properties of a protocol file are judged on each of them, on Spark. A new
property can thus be checked on thousands of executions that already exist.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lydian.batch.spark.session import Lost, Spark, reason
from lydian.engine.checks import Judges
from lydian.engine.observers import Feed
from lydian.engine.overlay import Overlay
from lydian.engine.setup import make_channels, make_processes
from lydian.engine.state.configuration import Configuration, Transit
from lydian.model.archive.shelves import shelves
from lydian.model.errors import BadInput, LydianError
from lydian.model.history.operations import History
from lydian.model.limits import OutOfTime, time_limit
from lydian.model.network import Network
from lydian.model.protocol.folder import read_source
from lydian.model.protocol.message import fitted
from lydian.model.protocol.observer import observers_of
from lydian.model.protocol.process import Process
from lydian.model.protocol.protocol import Protocol, protocol_from_source
from lydian.trace.details import as_object, detail_texts
from lydian.trace.events import ATTACHED, EFFECTS, KINDS, NO_STATE, Kind, Trace
from lydian.trace.parquet.file import load

__all__ = ["Replayed", "judge_trace", "replay", "traces_in"]

#: The maximum number of seconds for judging one trace.
SECONDS = 120.0
_EFFECTS = frozenset({*EFFECTS, *ATTACHED})


@dataclass(frozen=True)
class Replayed:
    """The verdicts of the properties on one trace.

    Args:
        file: the trace.
        run: the number of its run, or -1 if it does not belong to a batch.
        fingerprint: the fingerprint of the execution.
        checks: ``name, kind, holds, at`` of each property.
        measures: messages, time, chain and events, computed from the trace.
        error: the reason why it could not be judged.
    """

    file: str
    run: int
    fingerprint: str | None
    checks: tuple[Mapping[str, Any], ...]
    measures: Mapping[str, Any]
    error: str | None = None

    @property
    def violated(self) -> list[str]:
        """The names of the properties that are violated."""
        return [check["name"] for check in self.checks if check["holds"] is False]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


class _Past(Configuration):
    """A configuration reconstructed from a recorded execution."""

    def __init__(self, processes: Sequence[Process], network: Network) -> None:
        super().__init__(processes, network)
        self.now = 0.0
        self.messages: dict[int, Transit] = {}
        self.decisions: dict[str, Any] = {}
        self.deliveries: dict[str, list[Any]] = {}
        self.operations = History()
        self.heeds(self.decisions, self.deliveries, self.operations)

    @property
    def time(self) -> float:
        """The simulated time."""
        return self.now

    @property
    def in_transit(self) -> list[Transit]:
        """The messages in transit, in the order of sending."""
        return [self.messages[number] for number in sorted(self.messages)]


def judge_trace(trace: Trace, protocol: Protocol | None = None) -> list[dict[str, Any]]:
    """Judge the properties of a protocol on every configuration of a trace.

    Args:
        trace: the trace, with its variables recorded.
        protocol: the protocol whose properties are judged; by default the one in the trace.

    Raises:
        LydianError: the trace lacks something that is needed, or a property cannot be judged.
    """
    from lydian.model.network.netfile import from_dict

    protocol = protocol or protocol_from_source(trace.source, name=str(trace.summary.get("protocol", "protocol")))
    network = from_dict(dict(trace.network))
    unknown = [state for state in trace.states if state not in protocol.states]
    if unknown:
        raise BadInput(f"the trace has the state {unknown[0]}, which {protocol.title} does not have")
    parameters = {**protocol.configure({}), **trace.summary.get("parameters", {})}
    processes = make_processes(protocol, network, parameters, None)
    make_channels(network, processes, 0)
    if protocol.overlay:
        Overlay(processes, network, 0, lambda: past.now)
    past = _Past(processes, network)
    judges = Judges(protocol.properties, past, protocol.file, protocol.source)
    feed = Feed(observers_of(protocol.properties), protocol.file, protocol.source, protocol)
    if feed:
        past.observed_by(feed)
    details = dict(detail_texts(trace))
    arrivals = _arrivals(trace)
    last, effects = -1, {int(kind) for kind in _EFFECTS}
    # There is no configuration between the rows of the start, or of a step in which several processes move.
    left, starting = 0, False
    names = ("kind", "process", "peer", "message", "label", "state", "time")
    columns = [trace.rows[name].tolist() for name in names]
    for seq, values in enumerate(zip(*columns, strict=True)):
        row = {"seq": seq, **dict(zip(names, values, strict=True))}
        detail = (trace.detail(seq) or {}) if '"grown"' in details.get(seq, "") else as_object(details.get(seq, "{}"))
        if row["kind"] not in effects:
            inside = left > 0 or (starting and "start" in detail)
            if last >= 0 and judges.watching and not inside:
                judges.judge(last)
            left = left - 1 if left > 0 else int(detail.get("together", 1)) - 1
            starting = "start" in detail
            last = seq
        past.now = row["time"]
        _apply(past, protocol, trace, row, detail, arrivals)
        if feed:
            feed.event(trace.event(seq))
    if last >= 0 and judges.watching:
        judges.judge(last)
    judges.finish(str(trace.summary.get("stopped") or "cancelled"), max(0, len(trace.rows) - 1))
    return [judgement.to_dict() for judgement in judges.judgements]


def traces_in(folder: Path) -> list[Path]:
    """Return all trace files in a folder, or below its folder ``traces`` if it is that of a batch.

    Raises:
        BadInput: there is no such folder, or it contains no traces.
    """
    if not folder.is_dir():
        raise BadInput("this folder does not exist; name a folder with traces", file=folder)
    inner = folder / "traces"
    files = sorted((inner if inner.is_dir() else folder).rglob("*.parquet"), key=_number)
    files = [file for file in files if not re.fullmatch(r"part-\d+\.parquet", file.name)]
    if not files:
        what = "contains no traces; lydian batch SWEEP.toml -o DIR --traces keeps them"
        raise BadInput(what, file=folder)
    return files


def replay(spark: Spark, folder: Path, protocol: str | None = None) -> list[Replayed]:
    """Judge all traces in a folder on Spark.

    Args:
        folder: the folder of a batch with traces, or any other folder with trace files.
        protocol: the name or file of the protocol whose properties are judged; by default the one in each trace.

    Raises:
        BadInput: there is no trace, or no such protocol.
        Lost: Spark has stopped.
    """
    files = [str(file.absolute()) for file in traces_in(folder)]
    source: tuple[str, str] | None = None
    if protocol is not None:
        path = shelves().find("protocols", protocol)
        source = path.stem, read_source(path).replace("\r\n", "\n")
    slices = max(1, min(len(files), 4 * spark.cores))
    frame = spark.session.range(0, len(files), 1, slices)
    try:
        rows = frame.mapInArrow(_worker(files, source), "`index` bigint, `told` string").toArrow()
    except Exception as error:
        if isinstance(error, LydianError):
            raise
        raise Lost(f"Spark could not judge the traces: {reason(str(error))}") from None
    told = dict(zip(rows.column("index").to_pylist(), rows.column("told").to_pylist(), strict=True))
    return [_replayed(file, json.loads(told[i])) for i, file in enumerate(files)]


def _replayed(file: str, told: Mapping[str, Any]) -> Replayed:
    found = _number(Path(file))[0]
    return Replayed(
        file, found, told.get("fingerprint"), tuple(told.get("checks", ())), told.get("measures", {}), told.get("error")
    )


def _worker(files: Sequence[str], source: tuple[str, str] | None) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function that Spark maps from the numbers of files to the verdicts on them."""

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        protocol = None if source is None else protocol_from_source(source[1], name=source[0])
        for batch in batches:
            for index in batch.column(0).to_pylist():
                told = json.dumps(_told(Path(files[index]), protocol))
                yield pa.RecordBatch.from_pydict({"index": [index], "told": [told]})

    return rows


def _told(file: Path, protocol: Protocol | None) -> dict[str, Any]:
    from lydian.trace.measures import measures

    try:
        trace = load(file)
        with time_limit(SECONDS, str(file)):
            checks = judge_trace(trace, protocol)
        found = measures(trace)
    except (LydianError, OutOfTime) as error:
        return {"error": " ".join(str(error).split()) or f"judging took more than {SECONDS:g} s"}
    except Exception as error:  # noqa: BLE001 - one trace must not end the others
        return {"error": f"{type(error).__name__}: {error}"}
    told = {name: found[name] for name in ("messages", "time", "chain", "events")}
    return {"fingerprint": trace.fingerprint(), "checks": checks, "measures": told}


def _apply(
    past: _Past, protocol: Protocol, trace: Trace, row: Mapping[str, Any], detail: Mapping[str, Any],
    arrivals: Mapping[int, float],
) -> None:  # fmt: skip
    """Apply the changes made by an event."""
    kind, number = row["kind"], row["message"]
    if row["process"] >= 0:
        p = past.processes[row["process"]]
        if kind in (Kind.CRASH, Kind.RECOVER):
            p._crashed = kind == Kind.CRASH
            p._faulty = True
        elif detail.get("byzantine"):
            p._faulty = p._lied = True
        elif kind == Kind.DECIDE:
            past.decisions[p._name] = detail.get("value")
        elif kind == Kind.DELIVER:
            past.deliveries.setdefault(p._name, []).append(detail.get("value"))
        elif kind == Kind.COMMAND:
            label = trace.labels[row["label"]]
            cls = protocol.event_class(label)
            fields = detail.get("fields", {})
            if cls is not None:
                fields = dict(cls._from_file(fields)._items())  # with the default values
            past.operations.invoke(p._name, label, fields, past.now, row["seq"])
        elif kind == Kind.NOTE and "outcome" in detail:
            past.operations.respond(p._name, detail.get("value"), past.now, row["seq"])
        if row["state"] != NO_STATE:
            p.state = type(p.state)(trace.states[row["state"]])
        for name, value in detail.get("changed", {}).items():
            variable = p._declared.variables.get(name)
            try:
                setattr(p, name, value if variable is None else fitted(value, variable.type, variable.initial))
            except TypeError:
                setattr(p, name, value)
    if number < 0:
        return
    if kind in (Kind.RECEIVE, Kind.DROP):
        past.messages.pop(number, None)
    elif KINDS[kind] in ("send", "inject") and row["process"] >= 0 and row["peer"] >= 0:
        ends = past.processes[row["process"]], past.processes[row["peer"]]
        cls = protocol.event_class(trace.labels[row["label"]])
        if cls is not None:
            message: Any = cls(**cls._fitted(detail.get("fields", {})))
            name = next((key for key, c in ends[1]._links.items() if c.target is ends[0]), ends[0]._name)
            arrives = arrivals.get(number, math.inf)
            past.messages[number] = Transit(message, ends[0], ends[1], name, number, arrives)


def _arrivals(trace: Trace) -> dict[int, float]:
    rows = np.flatnonzero((trace.rows["kind"] == Kind.RECEIVE) | (trace.rows["kind"] == Kind.DROP))
    return dict(zip(trace.rows["message"][rows].tolist(), trace.rows["time"][rows].tolist(), strict=True))


def _number(file: Path) -> tuple[int, str]:
    match = re.search(r"run=(\d+)", str(file))
    return (int(match[1]) if match else -1), str(file)
