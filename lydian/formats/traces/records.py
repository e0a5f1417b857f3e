"""The events of a trace as records of plain values, and values as JSON, for text formats."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from lydian.formats.traces import Watch
from lydian.trace.details import detail_texts
from lydian.trace.events import KINDS, Trace

__all__ = ["dumps", "records"]

#: The number of events between two calls of the watch.
BLOCK = 8_192


def records(trace: Trace, watch: Watch = None) -> Iterator[tuple[Any, ...]]:
    """Yield the rows with names instead of codes, in the order of :data:`COLUMNS`; ``detail`` is JSON text."""
    processes, labels = [*trace.processes, None], [*trace.labels, None]  # code -1 selects the last
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


def dumps(value: Any) -> str:
    """Return a value as JSON on one line; numbers that JSON cannot express (NaN, infinity) become text."""
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
