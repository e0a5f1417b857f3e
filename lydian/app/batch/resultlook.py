"""What a look into a batch's folder gives the panel of its results; the look is taken in a thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lydian.app.work.background import Report
from lydian.batch.oddest import oddest
from lydian.batch.surprise import Strange, remember
from lydian.model.errors import LydianError
from lydian.views.plots.batchreport import verdict
from lydian.views.plots.data import Results
from lydian.views.plots.read import Reader
from lydian.views.plots.stats import summary

__all__ = ["Answers", "look", "verdict"]

#: So many of the strangest runs are found.
MOST = 20


@dataclass(frozen=True, eq=False)
class Answers:
    """What a look at the folder found."""

    reader: Reader
    results: Results
    strange: tuple[Strange, ...]


def look(folder: Path, reader: Reader | None) -> Callable[[Report], Any]:
    """Read a folder and rank its runs; in a thread."""

    def work(report: Report) -> Answers:
        mine = Reader(folder) if reader is None else reader
        report(0.1)
        read = mine.read()
        report(0.6)
        summary(np.zeros(2))  # the first one takes SciPy, which takes a while: here, and not in the window's thread
        report(0.7)
        strange = tuple(oddest(mine.folder, read.table, MOST))
        try:
            if strange:
                remember(mine.folder, strange)  # so that DIR#3 is number 3 here
        except LydianError:
            pass  # a folder that cannot be written can be looked at all the same
        return Answers(mine, read.results, strange)

    return work
