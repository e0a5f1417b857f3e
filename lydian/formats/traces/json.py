"""JSON: one object with ``experiment`` (an object), ``processes`` (their names) and ``events``.

Each event is on its own line: an object with the columns of the contract, whose ``detail`` is an object. Numbers that
JSON cannot express are written as text.
"""

from __future__ import annotations

from typing import IO

from lydian.formats.traces import FORMATS, TraceFormat, Watch
from lydian.formats.traces.records import dumps, records
from lydian.language import later
from lydian.trace.columns import COLUMNS
from lydian.trace.details import as_object
from lydian.trace.events import Trace

__all__ = ["write"]


def write(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Write a trace as one object."""
    names = tuple(COLUMNS)
    file.write(f'{{"experiment": {dumps(dict(trace.experiment))},\n')
    file.write(f'"processes": {dumps(list(trace.processes))},\n"events": [')
    separator = "\n"
    for record in records(trace, watch):
        event = dict(zip(names, record, strict=True))
        if event["detail"] is not None:
            event["detail"] = as_object(event["detail"])
        file.write(separator + dumps(event))
        separator = ",\n"
    file.write("\n]}\n")


FORMATS.register(
    TraceFormat(
        "json", "JSON", "JSON", later("Save the experiment and its events as JSON"), later("a trace as JSON"),
        (".json",), ".json", write, rb"\A\{\"experiment\"",
    )
)  # fmt: skip
