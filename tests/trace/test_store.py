"""Columns and packed rows, indexed columns and arrays, packed texts and lists: they agree and share their data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.trace.events import KINDS, ROW, Trace
from lydian.trace.parquet import texts
from lydian.trace.parquet.file import load, save
from lydian.trace.parquet.texts import Texts
from lydian.trace.store import Columns, Picked
from lydian.trace.timeline import Timeline
from tests.trace.sample import echo, grid, traces


@given(traces(), st.data())
def test_columns_equal_packed_rows(trace: Trace, data: st.DataObject) -> None:
    rows, columns = trace.rows, Columns.of(np.asarray(trace.rows))
    assert len(columns) == len(rows)
    assert columns.nbytes == rows.nbytes
    assert np.asarray(columns).tolist() == columns.tolist() == rows.tolist()
    start, stop = data.draw(st.integers(0, len(rows))), data.draw(st.integers(0, len(rows)))
    assert columns[start:stop].tolist() == rows[start:stop].tolist()
    assert columns[start:stop].dtype == ROW
    for name in ROW.names or ():
        assert columns[name].tolist() == rows[name].tolist()
        assert columns[name].flags.c_contiguous
    if len(rows):
        seq = data.draw(st.integers(-len(rows), len(rows) - 1))
        assert columns[seq].item() == rows[seq].item()
        assert columns[rows["kind"] == 1].tolist() == rows[rows["kind"] == 1].tolist()
    packed, unpacked = Timeline(trace), Timeline(Trace(columns, trace.processes, trace.labels, trace.states))
    for name in ("sends", "receives", "lost", "message_sent", "message_arrived", "message_source", "message_bits"):
        assert np.asarray(getattr(packed, name)).tolist() == np.asarray(getattr(unpacked, name)).tolist()
    assert packed.trace.fingerprint() == unpacked.trace.fingerprint()


def test_columns_of_different_lengths_are_refused() -> None:
    columns = {name: np.zeros(3 if name == "bits" else 2) for name in ROW.names or ()}
    with pytest.raises(ValueError, match="different lengths"):
        Columns(columns, ROW)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20), st.data())
def test_an_indexed_column_equals_the_array_it_represents(values: list[int], data: st.DataObject) -> None:
    column = np.array(values, dtype=np.int32)
    row = st.integers(-1, len(values) - 1)
    rows = np.array(data.draw(st.lists(row, max_size=20)), dtype=np.int32)
    nulls = np.array(data.draw(st.lists(st.integers(50, 60), min_size=len(rows), max_size=len(rows))), dtype=np.int32)
    for null in (-1, nulls):
        plain = np.where(rows < 0, null, column[rows]).astype(np.int32)
        picked: Any = Picked(column, rows, null)
        assert (len(picked), picked.shape, picked.size, picked.nbytes) == (len(rows), rows.shape, rows.size, 0)
        assert np.asarray(picked).dtype == plain.dtype
        assert np.asarray(picked).tolist() == picked.tolist() == plain.tolist()
        assert (picked + 1).tolist() == (plain + 1).tolist()
        assert (picked >= 3).tolist() == (plain >= 3).tolist()
        assert np.where(picked > 2, picked, 0).tolist() == np.where(plain > 2, plain, 0).tolist()
        assert picked.astype(np.int64).sum() == plain.sum()
        mask = plain % 2 == 0
        assert picked[mask].tolist() == plain[mask].tolist()
        assert picked[::2].tolist() == plain[::2].tolist()
        for i in range(len(rows)):
            assert picked[i] == plain[i]


def test_the_timeline_does_not_copy_data_from_a_file(tmp_path: Path) -> None:
    save(echo(9, grid(3, 3)), tmp_path / "t.parquet")
    timeline = Timeline(load(tmp_path / "t.parquet"))
    for name in ROW.names or ():
        assert np.shares_memory(getattr(timeline, name), timeline.trace.rows[name])
    assert timeline.sends.itemsize == timeline.receives.itemsize == timeline.events_of(0).itemsize == 4
    assert timeline.message_reached is timeline.message_arrived  # no message had to wait
    assert not timeline.steps_take_time
    assert timeline.step_lengths.strides == (0,)


@given(st.lists(st.lists(st.none() | st.sampled_from(["{}", '{"x":1}', "ä\n", "", "{"]), max_size=12), max_size=6))
def test_packed_texts_equal_the_texts(parts: list[list[str | None]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "BLOCK", 5)
        found = Texts()
        for part in parts:
            found.add(pa.chunked_array([pa.array(part, pa.string())]))
        found.close()
        flat = [text for part in parts for text in part]
        assert len(found) == len(flat)
        assert list(found.texts()) == [(seq, text) for seq, text in enumerate(flat) if text is not None]
        for seq, text in enumerate(flat):
            assert (found(seq) is None) == (text is None)
            if text in ("{}", '{"x":1}'):
                assert found(seq) == text.replace(":", ": ")
        assert found(len(flat)) is None
        assert found(-1) is None


@given(traces(), st.lists(st.floats(0, 70), max_size=6))
def test_kinds_and_labels_are_counted_between_positions_and_per_pair(trace: Trace, cuts: list[float]) -> None:
    timeline = Timeline(trace)
    bounds = np.array(sorted(timeline.count(t) for t in cuts), dtype=np.int64)
    counts = timeline.sorts_between(bounds) if len(bounds) else np.zeros((0, len(KINDS), 3))
    assert len(counts) == max(len(bounds) - 1, 0)
    for found, start, stop in zip(counts, bounds[:-1], bounds[1:], strict=True):
        by_hand = np.zeros_like(found)
        for seq in range(start, stop):
            by_hand[timeline.kind[seq], timeline.label[seq]] += 1
        assert (found == by_hand).all()
    ends = zip(timeline.message_source.tolist(), timeline.message_target.tolist(), strict=True)
    assert {tuple(pair) for pair in timeline.pairs.tolist()} == {(min(a, b), max(a, b)) for a, b in ends}


def test_reading_reports_progress_and_can_be_cancelled(tmp_path: Path) -> None:
    trace = echo(16, grid(4, 4))
    save(trace, tmp_path / "t.parquet")
    shares: list[float] = []
    assert len(load(tmp_path / "t.parquet", shares.append)) == len(trace)
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    def enough(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(tmp_path / "t.parquet", enough)


def test_a_file_that_claims_too_many_events_is_an_error(tmp_path: Path, monkeypatch: Any) -> None:
    save(echo(9, grid(3, 3)), tmp_path / "t.parquet")
    full = np.empty

    def none_left(shape: Any, *args: Any, **more: Any) -> Any:
        if isinstance(shape, int) and shape > 50:
            raise MemoryError
        return full(shape, *args, **more)

    monkeypatch.setattr("lydian.trace.parquet.checked.np.empty", none_left)
    with pytest.raises(BadInput, match="they do not fit into memory"):
        load(tmp_path / "t.parquet")
