"""Counts of events added up for the screen: fewer rows and intervals, and no event omitted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lydian.app.painters.time.densities import _together
from lydian.trace.keyframes import Sorts


@given(
    rows=st.integers(1, 40), pieces=st.integers(1, 60), start=st.integers(0, 50), merge=st.sampled_from([1, 2, 4, 8]),
    pitch=st.floats(0.05, 2.0), seed=st.integers(0, 99),
)  # fmt: skip
def test_rows_and_intervals_are_added_up_by_the_grid(
    rows: int, pieces: int, start: int, merge: int, pitch: float, seed: int
) -> None:
    counts = np.random.default_rng(seed).integers(0, 9, (rows, pieces)).astype(np.int32)
    geometry: Any = SimpleNamespace(pitch=pitch)
    found = _together(counts, start, merge, geometry)
    tall = min(rows, max(1, int(rows * pitch)))
    row = np.searchsorted(np.arange(tall) * rows // tall, np.arange(rows), side="right") - 1
    piece = (start + np.arange(pieces)) // merge - start // merge
    wanted = np.zeros((tall, piece[-1] + 1), dtype=np.int64)
    np.add.at(wanted, (row[:, None], piece[None, :]), counts)
    assert found.tolist() == wanted.tolist()


@given(cuts=st.lists(st.integers(0, 20_000), min_size=2, max_size=30), low=st.integers(0, 20_000))
def test_counts_between_positions_are_differences_of_cumulative_counts(cuts: list[int], low: int) -> None:
    chance = np.random.default_rng(1)
    kind, label = chance.integers(0, 5, 20_000).astype(np.uint8), chance.integers(-1, 3, 20_000).astype(np.int16)
    sorts = Sorts(kind, label, 3)
    for bounds in (np.array(sorted(cuts)), low + np.arange(0, min(40, 20_001 - low))):
        if len(bounds) > 1:
            wanted = np.diff([sorts.at(int(k)) for k in bounds], axis=0)
            assert sorts.between(bounds.astype(np.int64)).tolist() == wanted.tolist()
