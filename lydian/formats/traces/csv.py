"""CSV: the columns of the contract, one line for each event, empty where null; ``detail`` is JSON text.

Text that a spreadsheet would read as a formula is preceded by an apostrophe.
"""

from __future__ import annotations

import csv
from typing import IO

from lydian.formats.traces import FORMATS, TraceFormat, Watch
from lydian.formats.traces.records import records
from lydian.language import later
from lydian.model.cell import as_text
from lydian.trace.columns import COLUMNS
from lydian.trace.events import Trace

__all__ = ["write"]


def write(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Write a trace as a table."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(as_text, record) for record in records(trace, watch))


FORMATS.register(
    TraceFormat(
        "csv", "CSV", later("Tables"), later("Save the events as a table of text"), later("a trace as CSV"),
        (".csv",), ".csv", write, rb"\Aseq,",
    )
)  # fmt: skip
