"""Folders of small sweeps, written by the production code without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lydian.batch.child import Executor
from lydian.batch.folder import Folder
from lydian.batch.packed import pack
from lydian.batch.rows import failed_row, schema
from lydian.batch.sweep.file import from_dict as sweep_from

__all__ = ["SMALL", "folder_of", "write_parts"]

SMALL: dict[str, Any] = {
    "name": "small",
    "experiment": "echo-random",
    "seeds": 6,
    "measure": ["messages", "time", "tree_depth"],
    "vary": [
        {"name": "n", "values": [5, 8, 11]},
        {
            "name": "kind", "field": "network", "values": ["ring:{n}", "gnm:{n},{2*n},seed={seed}"],
            "labels": ["ring", "random"],
        },
        {"name": "delay", "field": "timing.delay", "values": ["constant(1)", "exponential(mean=1)"],
         "labels": ["constant", "exponential"]},
    ],
}  # fmt: skip


def write_parts(folder: Folder, parts: range | list[int], *, failing: tuple[int, ...] = ()) -> None:
    """Execute the runs of some parts and write them; ``failing`` runs become rows that report a timeout."""
    import pyarrow as pa

    executor = Executor(folder.luggage)
    columns = schema(folder.sweep.measure, False)
    for part in parts:
        rows = [
            failed_row(run, "time", "the run took longer than 60 s", 60.0) if run in failing else executor.run(run)
            for run in folder.members(part)
        ]
        folder.write(part, pa.Table.from_pylist(rows, schema=columns))


def folder_of(path: Path, *, failing: tuple[int, ...] = (), part: int = 40, **changes: Any) -> Folder:
    """Return the finished folder of the small sweep with some keys changed."""
    folder = Folder.create(path, pack(sweep_from({**SMALL, **changes})), part, False)
    write_parts(folder, range(folder.parts), failing=failing)
    return folder
