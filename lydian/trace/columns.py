"""The columns of a trace file, and the conversion of rows into them.

The names and types are fixed by the contract. Every reader of Parquet (pyarrow, pandas, Spark) finds the names of
processes, kinds, labels and states as texts, and nulls where a value is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import KINDS, NO_STATE

__all__ = ["COLUMNS", "DICTIONARIES", "HEAVY", "NULLABLE", "batch", "schema", "writer_options"]

#: Column -> type, in the order in which they appear in the file.
COLUMNS = {
    "seq": "int64",
    "round": "int32",
    "time": "float64",
    "kind": "dictionary",
    "process": "dictionary",
    "peer": "dictionary",
    "message": "int64",
    "label": "dictionary",
    "state": "dictionary",
    "lamport": "int64",
    "chain": "int32",
    "cause": "int64",
    "bits": "int32",
    "detail": "string",
}
DICTIONARIES = tuple(name for name, kind in COLUMNS.items() if kind == "dictionary")
NULLABLE = frozenset({"process", "peer", "message", "label", "state", "cause", "bits", "detail"})

#: The metadata that only the first and the last footer of a file contain.
HEAVY = ("experiment", "network", "source", "versions", "processes", "summary")


def schema() -> Any:
    """Return the Arrow schema of a trace."""
    from lydian.trace.parquet.arrow import pa

    types = {
        "int64": pa.int64(),
        "int32": pa.int32(),
        "float64": pa.float64(),
        "string": pa.string(),
        "dictionary": pa.dictionary(pa.int32(), pa.string()),
    }
    return pa.schema([pa.field(name, types[kind], nullable=name in NULLABLE) for name, kind in COLUMNS.items()])


def writer_options() -> dict[str, Any]:
    """Return the options for writing the columns: the smallest and fastest of those measured."""
    encodings = {name: "DELTA_BINARY_PACKED" for name, kind in COLUMNS.items() if kind in ("int64", "int32")}
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": list(DICTIONARIES),
        "column_encoding": encodings | {"time": "BYTE_STREAM_SPLIT"},
        "write_statistics": ["seq", "time"],
        "write_page_checksum": True,
    }


def batch(
    rows: NDArray[np.void],
    first: int,
    processes: Sequence[str],
    labels: Sequence[str],
    states: Sequence[str],
    details: Sequence[str | None],
) -> Any:
    """Convert rows of dtype :data:`~lydian.trace.events.ROW` to an Arrow table; the first has ``seq`` ``first``.

    ``details`` contains the JSON text of each row, or ``None``.
    """
    from lydian.trace.parquet.arrow import pa

    tables = {"kind": KINDS, "process": processes, "peer": processes, "label": labels, "state": states}
    arrays = []
    for field in schema():
        name = field.name
        if name == "seq":
            array = pa.array(np.arange(first, first + len(rows), dtype=np.int64))
        elif name == "detail":
            array = pa.array(details, pa.string())
        elif name in tables:
            array = _named(rows[name], tables[name], NO_STATE if name == "state" else -1)
        else:
            values = np.ascontiguousarray(rows[name])
            array = pa.array(values, field.type, mask=values < 0 if name in NULLABLE else None)
        arrays.append(array)
    return pa.Table.from_arrays(arrays, schema=schema())


def _named(codes: NDArray[Any], table: Sequence[str], null: int) -> Any:
    """Convert codes to a dictionary array that contains only the names that occur."""
    from lydian.trace.parquet.arrow import pa

    missing = codes == null
    used = np.unique(codes[~missing])
    place = np.searchsorted(used, codes).astype(np.int32)
    names = pa.array([table[int(code)] for code in used], pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(place, mask=missing), names)
