"""The operations on shared registers that last from one event to another, as bars on the lines of their processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.accesses import lasting
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Rows, remember
from lydian.views.time.timescale import Scale
from lydian.views.words.accesses import bar_words

__all__ = ["NO_BARS", "Bars", "bars"]


@dataclass(frozen=True, eq=False)
class Bars:
    """Operations in a window: row, begin and end (places), whether each writes, and its words."""

    row: NDArray[np.int32]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    writes: NDArray[np.bool_]
    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.row)


NO_BARS = Bars(np.zeros(0, np.int32), np.zeros(0), np.zeros(0), np.zeros(0, np.bool_), ())


def bars(timeline: Timeline, rows: Rows, scale: Scale, span: tuple[float, float]) -> Bars:
    """Return the operations that touch a window; one without an end lasts as long as the run is known."""
    known = remember(timeline, "operations that last", lambda: lasting(timeline))
    if not known:
        return NO_BARS
    last = timeline.length - 1
    begin = scale.events(np.array([each.first for each in known], dtype=np.int64))
    end = scale.events(np.array([last if each.last is None else each.last for each in known], dtype=np.int64))
    row = rows.row[np.array([each.process for each in known], dtype=np.int64)]
    seen = np.flatnonzero((row >= 0) & (begin <= span[1]) & (end >= span[0]))
    some = [known[i] for i in seen.tolist()]
    writes = np.array([each.access.get("do") != "read" for each in some], dtype=np.bool_)
    return Bars(
        row[seen].astype(np.int32), begin[seen], end[seen], writes, tuple(bar_words(each.access) for each in some)
    )
