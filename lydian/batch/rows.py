"""The row that describes one run in the result, as columns for Arrow and for Spark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lydian.batch.sweep.measure import USUAL, Measure
from lydian.trace.events import Kind

if TYPE_CHECKING:
    from lydian.batch.sweep.sweep import Sweep
    from lydian.engine.simulator import Simulator

__all__ = ["COLUMNS", "DISK", "ddl", "failed_row", "part_schema", "row_of", "schema"]

#: The failure of a run whose trace did not fit on the disk. It ends the job, and the run is repeated later.
DISK = "disk"
#: Column -> Spark type.
COLUMNS = {
    "run": "bigint",
    "protocol": "string",
    "network": "string",
    "processes": "int",
    "links": "int",
    "events": "bigint",
    "messages": "bigint",
    "bits": "bigint",
    "dropped": "bigint",
    "in_transit": "bigint",
    "time": "double",
    "chain": "int",
    "busiest": "bigint",
    "delay_mean": "double",
    "delay_longest": "double",
    "tree_depth": "int",
    "least_depth": "int",
    "decided": "int",
    "first_decision": "double",
    "last_decision": "double",
    "corrupted": "int",
    "stabilised": "double",
    "expected": "double",
    "as_expected": "boolean",
    "violated": "int",
    "checks": "array<struct<name:string,kind:string,holds:boolean,at:bigint>>",
    "order": "array<string>",
    "stopped": "string",
    "fingerprint": "string",
    "failure": "string",
    "error": "string",
    "seconds": "double",
}
#: The longest order of decisions that is kept, in processes.
_MOST_ORDER = 64


def schema(measures: Sequence[Measure], trace: bool) -> Any:
    """Return the Arrow schema of the rows that an executor returns."""
    import pyarrow as pa

    fields = [pa.field(name, _arrow(kind)) for name, kind in COLUMNS.items()]
    fields += [pa.field(each.name, pa.float64()) for each in measures if not each.usual]
    if trace:
        fields.append(pa.field("trace", pa.binary()))
    return pa.schema(fields)


def ddl(measures: Sequence[Measure], trace: bool) -> str:
    """Return the same schema in Spark's notation."""
    columns = {**COLUMNS, **{each.name: "double" for each in measures if not each.usual}}
    if trace:
        columns["trace"] = "binary"
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def part_schema(sweep: Sweep) -> Any:
    """Return the Arrow schema of the result: number, group, seed, varied settings and measures."""
    import pyarrow as pa

    kinds = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(), "str": pa.string()}
    inner = schema(sweep.measure, False)
    fields = [inner.field("run"), pa.field("group", pa.int64()), pa.field("seed", pa.int64())]
    fields += [pa.field(axis.name, kinds[axis.type]) for axis in sweep.vary]
    fields += [inner.field(name) for name in inner.names if name != "run"]
    return pa.schema(fields)


def row_of(index: int, simulator: Simulator, measures: Sequence[Measure]) -> dict[str, Any]:
    """Return the row of a run that has ended."""
    result = simulator.result()
    found, decided = result.measures, _decisions(result.trace)
    corrupted = {each.process for each in simulator.experiment.faults if each.kind.overwrites}
    depth, least = _depths(simulator)
    row: dict[str, Any] = {
        "run": index,
        "protocol": result.protocol,
        "network": result.network,
        "processes": simulator.network.n,
        "links": simulator.network.m,
        "events": result.events,
        "messages": result.messages,
        "bits": found["bits"],
        "dropped": found["dropped"],
        "in_transit": found["in_transit"],
        "time": result.time,
        "chain": result.chain,
        "busiest": max((each["sent"] + each["received"] for each in found["per_process"].values()), default=0),
        "delay_mean": found["delay"]["mean"],
        "delay_longest": found["delay"]["longest"],
        "tree_depth": depth,
        "least_depth": least,
        "decided": len(result.decided),
        "first_decision": decided[0] if decided else None,
        "last_decision": decided[1] if decided else None,
        "corrupted": len(corrupted),
        "stabilised": _stabilised(simulator),
        "expected": result.trace.summary.get("expected_messages"),
        "as_expected": next((check.holds for check in result.checks if check.kind == "messages"), None),
        "violated": len(result.violated),
        "checks": [check.to_dict() for check in result.checks],
        "order": decided[2] if decided else [],
        "stopped": result.stopped,
        "fingerprint": result.fingerprint,
        "failure": None if result.error is None else "protocol",
        "error": None if result.error is None else " ".join(result.error.split()),
    }
    row |= {each.name: each.of(found) for each in measures if not each.usual}
    return row


def failed_row(index: int, failure: str, error: str, seconds: float) -> dict[str, Any]:
    """Return the row of a run without a result.

    Args:
        failure: ``input`` (the values do not fit), ``time``, ``memory``, ``crash`` (its process ended) or ``lydian``.
        error: the reason, in a sentence.
    """
    return {"run": index, "failure": failure, "error": " ".join(error.split()), "seconds": seconds}


def _arrow(kind: str) -> Any:
    import pyarrow as pa

    known = {"bigint": pa.int64(), "int": pa.int32(), "double": pa.float64(), "string": pa.string()}
    known |= {"boolean": pa.bool_(), "array<string>": pa.list_(pa.string())}
    if kind in known:
        return known[kind]
    check = [("name", pa.string()), ("kind", pa.string()), ("holds", pa.bool_()), ("at", pa.int64())]
    return pa.list_(pa.struct(check))


def _decisions(trace: Any) -> tuple[float, float, list[str]] | None:
    """Return the times of the first and last decisions and the order of processes; without decisions, those of
    deliveries.
    """
    import numpy as np

    for kind in (Kind.DECIDE, Kind.DELIVER):
        rows = np.flatnonzero(trace.rows["kind"] == kind)
        if len(rows):
            order = dict.fromkeys(trace.rows["process"][rows].tolist())
            names = [trace.processes[p] for p in list(order)[:_MOST_ORDER]]
            if kind == Kind.DECIDE:
                return float(trace.rows["time"][rows[0]]), float(trace.rows["time"][rows[-1]]), names
            firsts = np.unique(trace.rows["process"][rows], return_index=True)[1]
            return float(trace.rows["time"][rows[0]]), float(trace.rows["time"][rows[firsts.max()]]), names
    return None


def _stabilised(simulator: Simulator) -> float | None:
    """Return the time since which all liveness properties hold; ``None`` if one does not hold or there are none."""
    found = [each for each in simulator.judges.judgements if each.kind == "eventually"]
    if not found or any(each.holds is not True or each.at is None for each in found):
        return None
    rows = simulator.recorder.rows(simulator.kernel.counts()[2])
    return max(float(rows["time"][each.at]) for each in found) if len(rows) else 0.0


def _depths(simulator: Simulator) -> tuple[int | None, int | None]:
    """Return the depth of the tree formed by the variable ``parent``, and the least depth possible from its roots.

    Both are ``None`` if the protocol has no such variable, if names are unknown, or if the parents form a cycle.
    """
    if "parent" not in simulator.protocol.variables or simulator.network.anonymous:
        return None, None
    index = simulator.network.index
    named = [getattr(p, "parent", None) for p in simulator.processes]
    above = [index.get(str(parent)) if parent is not None else None for parent in named]
    depths: dict[int, int] = {}
    for start in range(len(above)):
        way: list[int] = []
        at: int | None = start
        while at is not None and at not in depths:
            if at in way:
                return None, None
            way.append(at)
            at = above[at]
        base = -1 if at is None else depths[at]
        for steps, each in enumerate(reversed(way), 1):
            depths[each] = base + steps
    parents = {p for p in above if p is not None}
    roots = [p for p in range(len(above)) if above[p] is None and p in parents]
    if not roots:
        return 0, 0
    return max(depths.values()), _reach(simulator, roots, {p for p, d in depths.items() if d})


def _reach(simulator: Simulator, roots: Sequence[int], members: set[int]) -> int:
    """Return the distance in links from the farthest member of the trees to its nearest root."""
    network = simulator.network
    seen, front, far, steps = set(roots), list(roots), 0, 0
    while front:
        following = {network.index[q] for p in front for q in network.neighbours(network.processes[p])} - seen
        steps += 1
        if following & members:
            far = steps
        seen |= following
        front = sorted(following)
    return far


def clean(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row without the numbers that JSON cannot represent."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}


assert set(USUAL) <= set(COLUMNS), "every usual measure is a column"
