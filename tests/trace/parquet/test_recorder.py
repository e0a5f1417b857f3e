"""The recorder of a run: round numbers of rows with very late times."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path

import pytest

from lydian.trace.events import ROW_FORMAT, Kind, Trace
from lydian.trace.parquet.file import load, save
from lydian.trace.parquet.recorder import ROW_BYTES, Recorder

LAST = 2**31 - 1


@pytest.mark.parametrize("length", [1.0, 1e-300])
@pytest.mark.parametrize("sealed", [False, True])
def test_round_numbers_beyond_the_range_become_the_last_round(tmp_path: Path, length: float, sealed: bool) -> None:
    times = [0.0, length, (LAST + 0.5) * length, (LAST + 2) * length, 1e12, 9.9e299]
    recorder = Recorder(length)
    for i, time in enumerate(times):
        struct.pack_into(ROW_FORMAT, recorder.buffer, i * ROW_BYTES, time, 0, -1, -1, i, 0, -1, -1, -1, Kind.NOTE, 255)
    used = len(times) * ROW_BYTES
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if sealed:
            recorder.roll(used)
            used = 0
        rows = recorder.rows(used)
        assert rows["round"].tolist() == [0, 1, LAST, LAST, LAST, LAST]
        save(Trace(rows=rows, processes=("a",), labels=(), states=()), tmp_path / "run.parquet")
        found = load(tmp_path / "run.parquet")
    assert found.damage is None
    assert found.rows.tolist() == rows.tolist()
    assert found.rows["time"].tolist() == times
