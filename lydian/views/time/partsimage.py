"""The parts of very many processes as an image: the state of each in every piece of the axis."""

from __future__ import annotations

import math
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Rows, remember
from lydian.views.time.parts import EMPTY, parts, parts_in, places
from lydian.views.time.timescale import Scale

__all__ = ["codes_of", "image_of"]

#: Pieces in one kept part of the image, and how many bytes of them are kept.
PART, KEPT = 128, 16_000_000
#: Up to so many parts in view the image is made at once, without keeping pieces of it.
DIRECT = 20_000


def image_of(
    timeline: Timeline, scale: Scale, rows: Rows, span: tuple[float, float], bins: int
) -> tuple[NDArray[np.uint8], float, float]:
    """The state of every row in every piece of the axis, (rows, pieces), where the first begins, and their width.

    The pieces lie on a grid that does not move with the window; those that were seen are kept.
    """
    exponent = math.floor(math.log2(max(span[1] - span[0], 1e-300) / max(bins, 1)))
    width = 2.0**exponent
    first = math.floor(span[0] / width)
    last = max(first + 1, math.ceil(span[1] / width))
    span = first * width, last * width
    few = parts_in(timeline, scale, span, DIRECT)
    if few is not None:
        codes = codes_of(timeline, scale, few, first, last - first, width)
    else:
        codes = np.concatenate(_kept_codes(timeline, scale, first, last, exponent), axis=1)
    if len(rows) != timeline.n or bool((rows.processes[1:] < rows.processes[:-1]).any()):
        codes = codes[rows.processes]
    return codes, first * width, width


def _kept_codes(timeline: Timeline, scale: Scale, first: int, last: int, exponent: int) -> list[NDArray[np.uint8]]:
    """The pieces ``first`` to ``last`` - 1 of the grid, side by side, from kept parts."""
    empty: OrderedDict[tuple[int, int], NDArray[np.uint8]] = OrderedDict()
    kept = remember(timeline, ("images", scale.name), lambda: empty)
    columns, width = [], 2.0**exponent
    while first < last:
        part = first // PART
        key = (exponent, part)
        if key not in kept:
            numbers = parts_in(timeline, scale, (part * PART * width, (part + 1) * PART * width), timeline.length)
            assert numbers is not None
            kept[key] = codes_of(timeline, scale, numbers, part * PART, PART, width)
            while len(kept) > 1 and len(kept) * kept[key].nbytes > KEPT:
                kept.popitem(last=False)
        kept.move_to_end(key)
        stop = min(last, (part + 1) * PART)
        columns.append(kept[key][:, first - part * PART : stop - part * PART])
        first = stop
    return columns


def codes_of(
    timeline: Timeline, scale: Scale, numbers: NDArray[np.int64], first: int, pieces: int, width: float
) -> NDArray[np.uint8]:
    """The state of every process in pieces of the axis: the one that begins last in it, (n, pieces).

    ``numbers`` are the parts that touch the pieces.  A row is a run of nothing, then for each of its parts a run of
    its state and one of nothing, up to where the next begins.
    """
    table = parts(timeline)
    begin, end = (side[numbers] for side in places(timeline, scale))
    inside = begin < (first + pieces) * width
    if not inside.all():
        numbers, begin, end = numbers[inside], begin[inside], end[inside]
    process = table.process[numbers]
    start = np.floor(begin / width) - first
    stop = np.maximum(np.ceil(end / width) - first, start + 1)
    start = np.clip(start, 0, pieces).astype(np.int64)
    following = np.full(len(numbers), pieces, dtype=np.int64)
    same = process[1:] == process[:-1]
    following[:-1][same] = start[1:][same]
    stop = np.minimum(np.maximum(stop, start), following).astype(np.int64)
    runs = np.zeros(2 * len(numbers) + timeline.n, dtype=np.int64)
    codes = np.full(len(runs), EMPTY, dtype=np.uint8)
    at = 2 * np.arange(len(numbers)) + process + 1
    runs[at], runs[at + 1] = stop - start, following - stop
    codes[at] = table.state[numbers]
    counts = np.bincount(process, minlength=timeline.n)
    lead = 2 * (np.cumsum(counts) - counts) + np.arange(timeline.n)
    runs[lead] = pieces
    some = np.flatnonzero(counts)
    runs[lead[some]] = start[(np.cumsum(counts) - counts)[some]]
    return np.repeat(codes, runs).reshape(timeline.n, pieces)
