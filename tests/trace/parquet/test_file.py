"""Trace files: readable at every moment of writing, by LYDIAN and by other programs."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

from lydian.model.errors import BadInput
from lydian.trace.columns import COLUMNS
from lydian.trace.details import detail_texts
from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.parquet import file as file_module
from lydian.trace.parquet.file import TraceWriter, load, save
from lydian.trace.timeline import Timeline
from tests.trace.sample import LABELS, STATES, echo, grid, same, traces


@given(traces())
def test_a_saved_trace_is_loaded_unchanged(trace: Trace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.parquet"
        save(trace, path)
        found = load(path)
        assert [p.name for p in Path(folder).iterdir()] == ["run.parquet"]
    same(found, trace)
    assert found.damage is None
    assert found.fingerprint() == trace.fingerprint()
    assert dict(detail_texts(found)) == dict(detail_texts(trace))


def test_a_trace_of_many_chunks(tmp_path: Path) -> None:
    trace = echo(400, grid(20, 20), seed=1)
    assert len(trace) > 64 + 256 + 1024
    save(trace, tmp_path / "run.parquet")
    found = load(tmp_path / "run.parquet")
    same(found, trace)
    sizes = [group.num_rows for group in groups(tmp_path / "run.parquet")]
    assert sizes[:3] == [64, 256, 1024]
    assert Timeline(found).variable_at("parent", 999) == Timeline(trace).variable_at("parent", 999)


def test_the_beginning_of_a_trace(tmp_path: Path) -> None:
    trace = echo(400, grid(20, 20), seed=1)
    save(trace, tmp_path / "run.parquet")
    for most, length in ((1, 64), (64, 64), (65, 320), (10**9, len(trace))):
        found = load(tmp_path / "run.parquet", most=most)
        assert len(found) == length and found.damage is None
        assert found.rows.tolist() == trace.rows[:length].tolist()
        assert ("stopped" in found.summary) == (length == len(trace))
        keys = ("changed",)
        wanted = [(seq, text) for seq, text in detail_texts(trace) if '"changed"' in text]
        assert list(detail_texts(found, 5, keys)) == [(seq, text) for seq, text in wanted if 5 <= seq < length]


def groups(path: Path) -> list[pq.RowGroupMetaData]:
    footer = pq.read_metadata(path)
    return [footer.row_group(i) for i in range(footer.num_row_groups)]


def test_the_columns_are_those_of_the_specification(tmp_path: Path) -> None:
    save(echo(12, grid(4, 3)), tmp_path / "run.parquet")
    names = pa.dictionary(pa.int32(), pa.string())
    types = {"dictionary": names, "string": pa.string(), "int64": pa.int64(), "int32": pa.int32()}
    expected = {name: types.get(kind, pa.float64()) for name, kind in COLUMNS.items()}
    assert {field.name: field.type for field in pq.read_schema(tmp_path / "run.parquet")} == expected
    assert list(COLUMNS) == [
        "seq", "round", "time", "kind", "process", "peer", "message", "label", "state", "lamport", "chain", "cause",
        "bits", "detail",
    ]  # fmt: skip
    for column in range(len(COLUMNS)):
        chunk = groups(tmp_path / "run.parquet")[0].column(column)
        kind = COLUMNS[chunk.path_in_schema]
        assert chunk.compression == "ZSTD"
        assert ("DELTA_BINARY_PACKED" in chunk.encodings) == (kind in ("int64", "int32"))
        assert ("BYTE_STREAM_SPLIT" in chunk.encodings) == (kind == "float64")


def test_other_programs_read_names_and_nulls(tmp_path: Path) -> None:
    trace = echo(12, grid(4, 3))
    save(trace, tmp_path / "run.parquet")
    events = pq.read_table(tmp_path / "run.parquet").to_pylist()
    for seq, (found, event) in enumerate(zip(events, trace.events(), strict=True)):
        detail = found.pop("detail")
        expected = {name: getattr(event, name) for name in COLUMNS if name != "detail"}
        assert found == expected
        assert (None if detail is None else json.loads(detail)) == trace.detail(seq)
    metadata = {k.decode(): v.decode() for k, v in pq.read_metadata(tmp_path / "run.parquet").metadata.items()}
    assert json.loads(metadata["lydian.experiment"]) == trace.experiment
    assert json.loads(metadata["lydian.network"]) == trace.network
    assert json.loads(metadata["lydian.versions"]) == trace.versions
    assert json.loads(metadata["lydian.summary"]) == trace.summary
    assert json.loads(metadata["lydian.processes"]) == list(trace.processes)
    assert json.loads(metadata["lydian.labels"]) == list(LABELS)
    assert json.loads(metadata["lydian.states"]) == list(STATES)
    assert (metadata["lydian.source"], metadata["lydian.complete"]) == (trace.source, "yes")


def test_pandas_reads_it(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    trace = echo(12, grid(4, 3))
    save(trace, tmp_path / "run.parquet")
    frame = pandas.read_parquet(tmp_path / "run.parquet")
    assert list(frame.columns) == list(COLUMNS)
    assert frame["time"].tolist() == trace.rows["time"].tolist()
    assert (frame["kind"] == "send").sum() == (trace.rows["kind"] == Kind.SEND).sum()


def test_the_file_is_complete_at_every_chunk_boundary(tmp_path: Path) -> None:
    trace = echo(100, grid(10, 10), seed=6)
    path = tmp_path / "run.parquet"
    writer = TraceWriter(path, trace.processes, experiment=trace.experiment, summary={"start": "sleeping"})
    assert writer.live_path == tmp_path / "run.parquet.part"
    details = dict(detail_texts(trace))
    seen = set()
    for start in range(0, len(trace), 50):
        part = {seq: text for seq, text in details.items() if start <= seq < start + 50}
        writer.append(trace.rows[start : start + 50], trace.labels, trace.states, part)
        if not writer.written:
            continue
        live = load(writer.live_path)
        assert pq.read_table(writer.live_path).num_rows == len(live) == writer.written
        assert live.rows.tolist() == trace.rows[: writer.written].tolist()
        assert live.damage == f"the file ends before its run did: its first {writer.written:,} events could be read"
        assert live.summary == {"start": "sleeping"}
        assert live.detail(3) == trace.detail(3)
        seen.add(writer.written)
    assert {64, 320} <= seen
    assert not path.exists()
    writer.flush()
    assert len(load(writer.live_path)) == len(trace)
    writer.close({"stopped": "quiescent"})
    writer.close()
    assert not writer.live_path.exists()
    found = load(path)
    assert (found.damage, found.summary, len(found)) == (None, {"stopped": "quiescent"}, len(trace))


@pytest.mark.parametrize("part", range(1, 20))
def test_complete_chunks_of_a_truncated_file_are_read(tmp_path: Path, part: int) -> None:
    trace = echo(100, grid(10, 10), seed=6)
    save(trace, tmp_path / "run.parquet")
    data = (tmp_path / "run.parquet").read_bytes()
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(data[: len(data) * part // 20])
    ends = [end for end in range(8, len(data)) if data[end - 4 : end] == b"PAR1"]
    shown = dict(zip(ends, (64, 320, len(trace)), strict=True))
    if cut.stat().st_size < ends[0]:
        with pytest.raises(BadInput, match="is cut short before its first chunk of events was complete"):
            load(cut)
        return
    found = load(cut)
    assert len(found) == shown[max(end for end in ends if end <= cut.stat().st_size)]
    assert found.damage == f"the file is cut short: its first {len(found):,} events could be read"
    assert found.summary == {name: value for name, value in trace.summary.items() if name != "stopped"} != {}
    assert found.rows.tolist() == trace.rows[: len(found)].tolist()
    assert [found.detail(i) for i in range(len(found))] == [trace.detail(i) for i in range(len(found))]
    assert (found.processes, found.network, found.source) == (trace.processes, trace.network, trace.source)


def test_cut_by_a_single_byte(tmp_path: Path) -> None:
    trace = echo(12, grid(4, 3))
    save(trace, tmp_path / "run.parquet")
    data = (tmp_path / "run.parquet").read_bytes()
    (tmp_path / "run.parquet").write_bytes(data[:-1])
    found = load(tmp_path / "run.parquet")
    assert len(found) == len(trace) > 64
    assert found.damage == f"the file is cut short: its first {len(trace)} events could be read"


def large_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Trace, bytes]:
    """Return a trace with larger metadata than events, in many chunks, and the bytes of its file."""
    monkeypatch.setattr(file_module, "CHUNK", 256)
    trace = echo(400, grid(20, 20), seed=1)
    trace.network = {"graph": {"name": "large"}, "links": [f"{i}-{i + 1}" for i in range(50_000)]}
    save(trace, tmp_path / "run.parquet")
    return trace, (tmp_path / "run.parquet").read_bytes()


@pytest.mark.slow
def test_a_trace_of_a_large_network_is_truncated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace, data = large_network(tmp_path, monkeypatch)
    heavy = len(json.dumps(trace.network, separators=(",", ":")))
    assert heavy > file_module.SPARE
    assert 2 * heavy < len(data) < 2.5 * heavy  # the file contains the network twice
    starts = [group.column(0).data_page_offset for group in groups(tmp_path / "run.parquet")]
    assert len(starts) > 10
    cut = tmp_path / "cut.parquet"
    for part in (0.6, 0.9, 0.99, 1.0):
        cut.write_bytes(data[: int(len(data) * part) - 1])
        found = load(cut)
        assert found.rows.tolist() == trace.rows.tolist()
        assert (found.network, found.processes, found.source) == (trace.network, trace.processes, trace.source)
    for number, start in enumerate(starts[2:], 2):
        cut.write_bytes(data[:start])
        assert pq.read_table(cut).num_rows == len(load(cut)) == 64 + 256 * (number - 1)
        assert load(cut).network == trace.network


def test_a_cut_trace_whose_first_footer_is_damaged_shows_its_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace, data = large_network(tmp_path, monkeypatch)
    cut = tmp_path / "cut.parquet"
    first = data.index(b"PAR1", 4)
    cut.write_bytes(data[:first] + b"QAR1" + data[first + 4 : -1])
    found = load(cut)
    assert found.fingerprint() == trace.fingerprint()
    assert (found.network, found.experiment, set(found.processes)) == ({}, {}, set(trace.processes))
    assert found.damage == (
        f"the file is cut short: its first {len(trace):,} events could be read, "
        "but not its experiment, network, source, versions, processes and summary"
    )


@pytest.mark.parametrize("name", ["network", "experiment", "source", "versions", "processes", "summary", "states"])
@pytest.mark.parametrize("change", [b"\xff", b"0", b"["])
def test_a_damaged_byte_in_the_metadata_costs_only_them(tmp_path: Path, name: str, change: bytes) -> None:
    trace = echo(12, grid(4, 3))
    for field in ("network", "experiment", "versions", "summary"):
        setattr(trace, field, {"title": f"the {field}"})
    trace.source = "the source"
    path = tmp_path / "run.parquet"
    save(trace, path)
    data = path.read_bytes()
    at = data.rindex(b"lydian." + name.encode()) + len(name) + 15
    path.write_bytes(data[:at] + change + data[at + 1 :])
    found = load(path)
    assert found.fingerprint() == trace.fingerprint()
    assert found.damage == f"the file is damaged: its {name} could not be read"
    for field in ("network", "experiment", "versions", "summary", "source"):
        assert bool(getattr(found, field)) == (field != name)
        assert name == field or getattr(found, field) == getattr(trace, field)


def test_chunks_before_a_damaged_one_are_read(tmp_path: Path) -> None:
    trace = echo(100, grid(10, 10), seed=6)
    path = tmp_path / "run.parquet"
    save(trace, path)
    data = bytearray(path.read_bytes())
    data[groups(path)[1].column(2).data_page_offset + 400] ^= 0xFF
    path.write_bytes(data)
    found = load(path)
    assert len(found) == 64
    assert found.damage == f"the file is damaged: 64 of {len(trace):,} events could be read"
    data[groups(path)[0].column(2).data_page_offset + 400] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(BadInput, match="is damaged: none of its events can be read"):
        load(path)


def test_interim_footers_add_little_to_a_long_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_module, "SPARE", 0)
    monkeypatch.setattr(file_module, "CHUNK", 1024)
    trace = echo(1600, grid(40, 40), seed=2)
    with TraceWriter(tmp_path / "run.parquet", trace.processes) as writer:
        writer.append(trace.rows, trace.labels, trace.states, dict(detail_texts(trace)))
        footers, size = writer._footers, writer.live_path.stat().st_size
    assert len(groups(tmp_path / "run.parquet")) > 10
    assert (tmp_path / "run.parquet").read_bytes().count(b"PAR1") < 10
    assert size / 40 < footers <= size / 10
    assert load(tmp_path / "run.parquet").rows.tolist() == trace.rows.tolist()


def test_an_abandoned_trace_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    path.write_text("PAR1 lydian. was there")
    trace = echo(12, grid(4, 3))

    def fail() -> None:
        with TraceWriter(path, trace.processes) as writer:
            writer.append(trace.rows, trace.labels, trace.states)
            assert path.read_text() == "PAR1 lydian. was there"
            raise RuntimeError("the run failed")

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "PAR1 lydian. was there"
    assert list(tmp_path.iterdir()) == [path]
    save(trace, path)
    assert len(load(path)) == len(trace)


def test_a_writer_that_fails_on_closing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    path.write_text("PAR1 lydian. was there")
    writer = TraceWriter(path, ["0"])
    rows = np.zeros(1, dtype=ROW)
    rows["label"] = 7  # a code without a label
    writer.append(rows, LABELS, STATES)
    with pytest.raises(IndexError):
        writer.close()
    assert path.read_text() == "PAR1 lydian. was there"
    assert list(tmp_path.iterdir()) == [path]


def test_details_may_be_a_sequence(tmp_path: Path) -> None:
    trace = echo(12, grid(4, 3))
    texts = [trace.detail_of(seq) for seq in range(len(trace))]
    with TraceWriter(tmp_path / "run.parquet", trace.processes) as writer:
        for start in (0, 40):
            stop = start + 40 if start == 0 else len(trace)
            writer.append(trace.rows[start:stop], trace.labels, trace.states, texts[start:stop])
    found = load(tmp_path / "run.parquet")
    assert [found.detail_of(seq) for seq in range(-1, len(trace) + 1)] == [None, *texts, None]


def test_rows_of_another_type_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="not rows of a trace"), TraceWriter(tmp_path / "t", ["0"]) as writer:
        writer.append(np.zeros(3), LABELS, STATES)
    assert not list(tmp_path.iterdir())


def test_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    trace = echo(4, grid(2, 2))
    with pytest.raises(BadInput, match=r"nowhere/run\.parquet: the trace cannot be written: no such file or directory"):
        save(trace, tmp_path / "nowhere" / "run.parquet")
    with pytest.raises(BadInput, match="is a folder; the path of a trace must be that of a file"):
        save(trace, tmp_path)


def test_a_full_disk_is_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.parquet"
    path.write_text("PAR1 lydian. was there")
    writer = TraceWriter(path, ["0"])

    class Full:
        closed = False

        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            self.closed = True

    writer._file.close()
    writer._file = Full()  # type: ignore[assignment]
    with pytest.raises(BadInput, match="the trace cannot be written: no space left on device"):
        writer.close()
    assert path.read_text() == "PAR1 lydian. was there"
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_is_full_from_the_start_leaves_no_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(writer: TraceWriter, data: bytes) -> None:
        raise BadInput("the trace cannot be written: no space left on device")

    monkeypatch.setattr(TraceWriter, "_put", full)
    with pytest.raises(BadInput, match="no space left"):
        TraceWriter(tmp_path / "run.parquet", ["0"])
    assert list(tmp_path.iterdir()) == []
