"""Every export is parsed again and agrees with the trace."""

from __future__ import annotations

import csv
import json
import re
import stat
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from lydian.formats.traces import FORMATS, export
from lydian.formats.traces.perfetto import UNIT
from lydian.formats.traces.shiviz import SHIVIZ
from lydian.model.cell import plain
from lydian.model.errors import BadInput
from lydian.trace import causality
from lydian.trace.columns import COLUMNS
from lydian.trace.events import Kind, Trace
from lydian.trace.timeline import STEPS, Timeline
from tests.trace.sample import echo, grid, traces


def exported(trace: Trace, to: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        export(trace, Path(folder) / "out", to)
        assert [path.name for path in Path(folder).iterdir()] == ["out"]
        return (Path(folder) / "out").read_bytes().decode()


@given(traces())
def test_csv_has_the_specified_columns_with_empty_cells_for_null(trace: Trace) -> None:
    lines = list(csv.DictReader(exported(trace, "csv").splitlines(keepends=True)))
    assert len(lines) == len(trace)
    for line, event in zip(lines, trace.events(), strict=True):
        assert list(line) == list(COLUMNS)
        detail = line.pop("detail")
        assert (json.loads(detail) if detail else None) == event.detail
        for name, text in line.items():
            value = getattr(event, name)
            assert plain(text) == ("" if value is None else repr(value) if name == "time" else str(value))
            assert not re.match(r"[=+@-](?![\d.]|inf|nan)", text)


@given(traces())
def test_json_is_one_object_with_one_event_per_line(trace: Trace) -> None:
    text = exported(trace, "json")
    document = json.loads(text, parse_constant=pytest.fail)
    assert list(document) == ["experiment", "processes", "events"]
    assert (document["experiment"], document["processes"]) == (trace.experiment, list(trace.processes))
    assert document["events"] == [{name: getattr(event, name) for name in COLUMNS} for event in trace.events()]
    lines = text.split("\n")
    assert [json.loads(line.rstrip(",")) for line in lines[3:-2]] == document["events"]
    assert lines[-2:] == ["]}", ""]


def test_json_is_valid_for_any_details() -> None:
    trace = echo(4, grid(2, 2))
    texts = {0: '{"a": [NaN, {"b": -Infinity}]}', 1: '{"text": "\\ud800 \u2028"}'}
    trace.detail_of = texts.get
    trace.experiment = {"stop": {"until": float("inf")}, "name": "Größe"}
    document = json.loads(exported(trace, "json"), parse_constant=pytest.fail)
    assert document["experiment"] == {"stop": {"until": "inf"}, "name": "Größe"}
    assert document["events"][0]["detail"] == {"a": ["nan", {"b": "-inf"}]}
    assert document["events"][1]["detail"] == {"text": "\ud800 \u2028"}
    empty = Trace(rows=trace.rows[:0], processes=("a",), labels=(), states=())
    assert json.loads(exported(empty, "json")) == {"experiment": {}, "processes": ["a"], "events": []}


@given(traces(most=40))
def test_vector_clocks_for_shiviz_match_happened_before(trace: Trace) -> None:
    text = exported(trace, "shiviz")
    header, _, log = text.partition("\n")
    assert header == f"# {SHIVIZ}"
    pattern = re.compile(header.removeprefix("# ").replace("(?<", "(?P<"), re.MULTILINE)
    assert pattern.search(header + "\n0.0 x\n") is None
    found = list(pattern.finditer(log))
    shown = [i for i, row in enumerate(trace.rows) if row["kind"] not in (Kind.LINK_DOWN, Kind.LINK_UP)]
    assert "".join(match.group(0) + "\n" for match in found) == log
    assert [float(match["time"]) for match in found] == [trace.rows["time"][i] for i in shown]
    clocks = [json.loads(match["clock"]) for match in found]
    for i, match, clock in zip(shown, found, clocks, strict=True):
        row = trace.event(i)
        assert match["host"] == (row.peer if row.kind == "drop" else row.process)
        assert match["event"].startswith(row.kind)
        assert clock[match["host"]] >= 1
    timeline = Timeline(trace)
    real = [j for j, i in enumerate(shown) if trace.rows["kind"][i] != Kind.DROP]
    for b in real[::3]:
        past = causality.past(timeline, shown[b])
        for a in real:
            host = found[a]["host"]
            knows = a != b and clocks[b].get(host, 0) >= clocks[a][host]
            assert knows == bool(past[shown[a]])


@given(traces())
def test_perfetto_has_a_track_per_process_and_an_arrow_per_message(trace: Trace) -> None:
    timeline = Timeline(trace)
    events = json.loads(exported(trace, "perfetto"))["traceEvents"]
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert tracks == {i + 1: name for i, name in enumerate(trace.processes)}
    slices = [e for e in events if e["ph"] == "X" and e["cat"] != "state"]
    assert [e["args"]["seq"] for e in slices] == list(range(len(trace)))
    for e, event in zip(slices, trace.events(), strict=True):
        assert (e["ts"], tracks[e["tid"]], e["cat"]) == (event.time * UNIT, event.process, event.kind)
        busy = (event.detail or {}).get("busy", 0.0) if trace.rows["kind"][event.seq] in STEPS else 0.0
        assert e["dur"] == pytest.approx(min(busy, timeline.end - event.time) * UNIT)
    for p in range(timeline.n):
        states = [(e["ts"], e["name"]) for e in events if e.get("cat") == "state" and e["tid"] == p + 1]
        start, _, codes = timeline.periods(p)
        assert states == [(t * UNIT, trace.states[c]) for t, c in zip(start.tolist(), codes.tolist(), strict=True)]
    arrived = [m for m in range(timeline.m_messages) if timeline.receives[m] >= 0 and not timeline.lost[m]]
    for phase, times, ends in (
        ("s", timeline.message_sent, timeline.message_source),
        ("f", timeline.message_arrived, timeline.message_target),
    ):
        arrows = {e["id"]: (e["ts"], e["tid"]) for e in events if e["ph"] == phase}
        assert arrows == {m: (times[m] * UNIT, ends[m] + 1) for m in arrived}


def test_names_with_spaces_stay_distinct_in_shiviz() -> None:
    trace = echo(4, grid(2, 2))
    trace.processes = ("a b", "a_b", "", "ä")
    hosts = {line.split(" {")[0] for line in exported(trace, "shiviz").splitlines()[1::2]}
    assert hosts == {"0:a_b", "1:a_b", "2:_", "3:ä"}


@pytest.mark.parametrize("to", FORMATS)
def test_an_export_replaces_a_file_only_when_complete(tmp_path: Path, to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out"
    path.write_text("what was there")
    trace = echo(4, grid(2, 2))

    def failing(trace: Trace, file: object, watch: object) -> None:
        real.writes(trace, file, watch)  # type: ignore[arg-type]
        assert path.read_text() == "what was there"
        raise OSError(28, "No space left on device")

    real = FORMATS[to]
    with monkeypatch.context() as patch:
        patch.setitem(FORMATS._things, to, replace(real, writes=failing))
        with pytest.raises(BadInput, match="out: cannot be written: no space left on device"):
            export(trace, path, to)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]
    export(trace, path, to)
    assert path.read_text() != "what was there"
    assert stat.S_IMODE(path.stat().st_mode) & 0o400


def test_bad_requests(tmp_path: Path) -> None:
    trace = echo(4, grid(2, 2))
    with pytest.raises(BadInput, match=r"unknown format 'cvs' \(did you mean 'csv'\?\); choose from csv, json"):
        export(trace, tmp_path / "out", "cvs")
    with pytest.raises(BadInput, match="is a folder"):
        export(trace, tmp_path, "csv")
    with pytest.raises(BadInput, match="cannot be written: no such file or directory"):
        export(trace, tmp_path / "nowhere" / "out", "csv")
    assert not list(tmp_path.iterdir())
