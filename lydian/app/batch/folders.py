"""What the window needs to know beside itself: a folder of results as numbers, and whether Spark can be had."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydian.app.batch.check import Shape, shape_of
from lydian.app.batch.running import Failed
from lydian.app.work.background import Report
from lydian.model.errors import BadInput

__all__ = ["Found", "free_folder", "look", "missing"]

#: So many failed runs are listed.
MOST_FAILED = 200


@dataclass(frozen=True)
class Found:
    """What lies in a folder of results; the arguments of :meth:`~lydian.app.batch.running.SweepRun.show`."""

    name: str
    folder: Path
    shape: Shape
    total: int
    groups: NDArray[np.int32]
    failures: list[Failed]
    more: int
    violated: int


def look(path: Path, report: Report) -> Found:
    """Read a folder of results.

    Raises:
        BadInput: there is none, or it cannot be used.
    """
    from lydian.batch.folder import read_folder

    folder = read_folder(path)
    report(0.1)
    table = folder.table(["run", "group", "seed", "failure", "error", "violated"])
    report(0.8)
    groups = np.bincount(np.asarray(table.column("group"), np.int64), minlength=folder.sweep.groups).astype(np.int32)
    bad = table.filter(table.column("failure").is_valid())
    rows = bad.slice(0, MOST_FAILED).to_pylist()
    failures = [Failed(row["run"], row["group"], row["failure"], row["error"] or "", row["seed"]) for row in rows]
    violated = sum(1 for each in table.column("violated").to_pylist() if each)
    return Found(
        folder.sweep.name, path.absolute(), shape_of(folder.sweep), folder.sweep.count, groups, failures,
        bad.num_rows - len(failures), violated,
    )  # fmt: skip


def missing(_report: Report) -> tuple[str, bool]:
    """What Spark lacks here, in a sentence that says what to install; and whether it is only Java."""
    from lydian.batch.java import find_java

    for name in ("pyspark", "pandas"):
        if find_spec(name) is None:
            pip = f"{Path(sys.executable).name} -m pip install"
            return f'Sweeps need Spark, and {name} is missing; get it with {pip} "lydian[spark]".', False
    try:
        find_java()
    except BadInput as error:
        return f"{error.what[:1].upper()}{error.what[1:]}.", True
    return "", False


def free_folder(base: Path, name: str) -> Path:
    """A folder for results that is not there yet."""
    stem = "".join(mark if mark.isalnum() or mark in "-_." else "-" for mark in name).strip(".-")[:60] or "sweep"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 10_000)))
    return next((base / each for each in names if not (base / each).exists()), base / stem)
