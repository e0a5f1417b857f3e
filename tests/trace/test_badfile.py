"""Files that are not traces: each gives one error, and no later surprises."""

from __future__ import annotations

import os
import random
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lydian.model.errors import BadInput
from lydian.trace.causality import longest_chain
from lydian.trace.events import Kind
from lydian.trace.measures import measures
from lydian.trace.parquet.file import load, save
from lydian.trace.parquet.thrift import decode, encode
from lydian.trace.timeline import Timeline
from tests.trace.sample import Rows, echo, grid


def sentence(path: Path) -> str:
    with pytest.raises(BadInput) as caught:
        load(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def test_a_missing_file(tmp_path: Path) -> None:
    assert sentence(tmp_path / "run.parquet") == "there is no such file"


def test_a_folder(tmp_path: Path) -> None:
    assert sentence(tmp_path) == "is a folder, not a trace"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
@pytest.mark.parametrize("what", ["pipe", "socket", "device"])
def test_special_files_are_refused_at_once(tmp_path: Path, what: str) -> None:
    path = tmp_path / "run.parquet"
    with socket.socket(socket.AF_UNIX) as server:
        if what == "pipe":
            os.mkfifo(path)
        elif what == "socket":
            server.bind(str(path))
        else:
            path.symlink_to("/dev/zero")
        found: list[str] = []
        thread = threading.Thread(target=lambda: found.append(sentence(path)), daemon=True)
        thread.start()
        thread.join(30)  # a pipe without a writer would block for ever
    assert found == ["is not a regular file; a trace cannot be read from a pipe, a socket or a device"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty; a trace is a Parquet file written by LYDIAN"),
        (b"seq,round,time\n0,0,0.0\n", "is not a trace: it is not a Parquet file"),
        (bytes(range(256)) * 40, "is not a trace: it is not a Parquet file"),
        (b"PAR1", "is cut short before its first chunk of events was complete, or is not a trace"),
        (b"PAR1PAR1", "is cut short before its first chunk of events was complete, or is not a trace"),
        (b"PAR1" + b"\xff\xff\xff\xff" + b"PAR1", "is cut short before its first chunk"),
        (b"PAR1" + b"junk" * 50 + (100).to_bytes(4, "little") + b"PAR1", "is cut short before its first chunk"),
        (b"PAR1" * 2_000_000, "is cut short before its first chunk"),
        (b"PAR1" + (4).to_bytes(4, "little") * 200_000 + b"PAR1", "is cut short before its first chunk"),
        (b"PAR1" + random.Random(1).randbytes(10_000_000) + b"PAR1", "is cut short before its first chunk"),
        (random.Random(2).randbytes(10_000_000), "is not a trace: it is not a Parquet file"),
    ],
    ids=["empty", "text", "binary", "magic", "twice", "length", "junk", "8 MB of magic", "lengths", "10 MB", "random"],
)
def test_a_file_of_another_kind(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "run.parquet"
    path.write_bytes(data)
    assert sentence(path).startswith(words)


def test_parquet_with_other_content(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table({"seqs": [1, 2], "name": ["a", "b"]}), path)
    assert sentence(path) == "is not a trace: it has no column 'seq' (did you mean 'seqs'?)"


@pytest.fixture
def good(tmp_path: Path) -> pa.Table:
    save(echo(12, grid(4, 3)), tmp_path / "good.parquet")
    metadata = pq.read_metadata(tmp_path / "good.parquet").metadata
    ours = {key: value for key, value in metadata.items() if key.startswith(b"lydian.") and key != b"lydian.checksums"}
    return pq.read_table(tmp_path / "good.parquet").replace_schema_metadata(ours)


def written(path: Path, table: pa.Table, **metadata: str) -> Path:
    if metadata:
        table = table.replace_schema_metadata(
            table.schema.metadata | {f"lydian.{k}".encode(): v.encode() for k, v in metadata.items()}
        )
    pq.write_table(table, path)
    return path


def test_a_trace_rewritten_by_another_program_is_still_valid(tmp_path: Path, good: pa.Table) -> None:
    trace = echo(12, grid(4, 3))
    found = load(written(tmp_path / "again.parquet", good))
    assert (found.fingerprint(), found.damage) == (trace.fingerprint(), None)
    plain = good.replace_schema_metadata(None)
    for name in ("kind", "process", "peer", "label", "state"):
        column = plain.column(name).cast(pa.string())
        plain = plain.set_column(plain.schema.get_field_index(name), name, column)
    found = load(written(tmp_path / "plain.parquet", plain))
    assert (found.fingerprint(), found.damage) == (trace.fingerprint(), None)
    assert found.experiment == {}


@pytest.mark.parametrize("column", ["seq", "time", "kind", "process", "message", "bits", "detail"])
def test_a_column_of_the_wrong_type(tmp_path: Path, good: pa.Table, column: str) -> None:
    number = good.schema.get_field_index(column)
    wrong = pa.array([True] * len(good))
    path = written(tmp_path / "run.parquet", good.set_column(number, column, wrong))
    assert sentence(path).startswith(f"is not a trace: its column '{column}' is bool instead of ")


@pytest.mark.parametrize("column", ["seq", "round", "time", "kind", "lamport", "chain"])
def test_an_empty_place(tmp_path: Path, good: pa.Table, column: str) -> None:
    number = good.schema.get_field_index(column)
    values = good.column(column).to_pylist()
    values[5] = None
    table = good.set_column(number, column, pa.array(values).cast(good.schema.field(number).type))
    assert sentence(written(tmp_path / "run.parquet", table)) == (
        f"is not a trace: its column '{column}' has a missing value"
    )


SEND, RECEIVE = 1, 20


@pytest.mark.parametrize(
    ("column", "row", "value", "words"),
    [
        ("seq", 3, 4, "its column 'seq' must be 0, 1, 2 ..."),
        ("time", 3, -1.0, "event 3 has a time that is negative, infinite or earlier than the previous one"),
        ("time", 3, float("nan"), "event 3 has a time that is negative, infinite or earlier than the previous one"),
        ("time", 3, float("inf"), "event 3 has a time that is negative, infinite or earlier than the previous one"),
        ("time", 60, 0.0, "event 60 has a time that is negative, infinite or earlier than the previous one"),
        ("lamport", 3, -7, "event 3 has a 'lamport' of -7"),
        ("lamport", 3, 2**40, f"event 3 has a 'lamport' of {2**40}"),
        ("chain", 3, -1, "event 3 has a 'chain' of -1"),
        ("cause", 3, 3, "event 3 has a cause that does not precede it"),
        ("cause", 3, 2**31 - 1, "event 3 has a cause that does not precede it"),
        ("cause", 3, -5, "event 3 has a 'cause' of -5"),
        ("bits", 3, 2**33, f"event 3 has a 'bits' of {2**33}"),
        ("message", RECEIVE, 10**6, f"event {RECEIVE} has a message that was never sent"),
        ("message", SEND, 17, f"event {SEND} has a message number out of sequence"),
        ("message", SEND, None, f"event {SEND} has a message number out of sequence"),
        ("message", RECEIVE, 45, f"event {RECEIVE} ends a message that has not been sent yet"),
        ("process", SEND, None, f"event {SEND} carries a message but has no process"),
        ("peer", SEND, None, f"event {SEND} carries a message but has no peer"),
        ("label", RECEIVE, None, f"event {RECEIVE} carries a message but has no label"),
    ],
)
def test_an_impossible_value(tmp_path: Path, good: pa.Table, column: str, row: int, value: Any, words: str) -> None:
    assert good.column("kind").to_pylist()[SEND] == "send"
    assert good.column("kind").to_pylist()[RECEIVE] == "receive"
    number = good.schema.get_field_index(column)
    values = good.column(column).to_pylist()
    values[row] = value
    kind = good.schema.field(number).type if column != "bits" else pa.int64()
    table = good.set_column(number, column, pa.array(values, pa.int64() if column == "bits" else None).cast(kind))
    text = sentence(written(tmp_path / "run.parquet", table))
    assert text in (f"is not a trace: {words}", "is not a trace: its column 'bits' is int64 instead of int32")


def test_an_unknown_kind(tmp_path: Path, good: pa.Table) -> None:
    kinds = ["sent" if kind == "send" else kind for kind in good.column("kind").to_pylist()]
    number = good.schema.get_field_index("kind")
    table = good.set_column(number, "kind", pa.array(kinds).dictionary_encode())
    assert sentence(written(tmp_path / "run.parquet", table)) == (
        "has an event of unknown kind 'sent' (did you mean 'send'?)"
    )


def test_more_states_than_codes(tmp_path: Path) -> None:
    out = Rows(1)
    for _ in range(270):
        out.add(0.0, Kind.TIMER, 0, 0)
    save(out.trace(1), tmp_path / "run.parquet")
    table = pq.read_table(tmp_path / "run.parquet")
    number = table.schema.get_field_index("state")
    table = table.set_column(number, "state", pa.array([f"s{i}" for i in range(270)]).dictionary_encode())
    assert sentence(written(tmp_path / "run.parquet", table)) == (
        "is not a trace: it has 270 state names; there must be at most 255"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("experiment", "{"),
        ("network", "[]"),
        ("summary", "3"),
        ("versions", "[" * 100_000),
        ("processes", "{}"),
        ("processes", '["0", "0"]'),
        ("labels", "[1]"),
        ("states", "[[]]"),
    ],
)
def test_contradictory_metadata_are_ignored(tmp_path: Path, good: pa.Table, name: str, text: str) -> None:
    found = load(written(tmp_path / "run.parquet", good, **{name: text}))
    assert found.damage == f"the file is damaged: its {name} could not be read"
    assert found.fingerprint() == echo(12, grid(4, 3)).fingerprint()
    assert not getattr(found, name) or name in ("processes", "labels", "states")


@pytest.mark.parametrize("place", ["", "x", "7", "-1", "9" * 19, "9" * 5_000, "²"])
def test_a_missing_first_footer(tmp_path: Path, good: pa.Table, place: str) -> None:
    found = load(written(tmp_path / "run.parquet", good.replace_schema_metadata({"lydian.head": place})))
    assert found.fingerprint() == echo(12, grid(4, 3)).fingerprint()
    assert (found.damage or "").startswith("the file is damaged: its experiment, network, source,")


def test_names_that_the_tables_lack_are_added(tmp_path: Path, good: pa.Table) -> None:
    found = load(written(tmp_path / "run.parquet", good, processes='["5"]', labels="[]", states="[]"))
    assert found.processes[0] == "5" and len(found.processes) == 12
    assert found.fingerprint() == echo(12, grid(4, 3)).fingerprint()


def test_a_detail_that_is_not_a_json_object_becomes_a_text(tmp_path: Path, good: pa.Table) -> None:
    number = good.schema.get_field_index("detail")
    details = ["{", "[]", '{"text": "fine"}', "3", *[None] * (len(good) - 4)]
    path = written(tmp_path / "run.parquet", good.set_column(number, "detail", pa.array(details)))
    found = load(path)
    assert [found.detail(i) for i in range(5)] == [{"text": "{"}, {"text": "[]"}, {"text": "fine"}, {"text": "3"}, None]


def _flip(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.randint(1, 20)):
        data[draw.randrange(len(data))] = draw.randrange(256)


def _blank(data: bytearray, draw: random.Random) -> None:
    start = draw.randrange(len(data))
    data[start : start + 500] = bytes(len(data[start : start + 500]))


def _remove(data: bytearray, draw: random.Random) -> None:
    start = draw.randrange(len(data))
    del data[start : start + draw.randint(1, 300)]


@pytest.mark.parametrize("damage", [_flip, _blank, _remove])
@pytest.mark.parametrize("seed", range(20))
def test_any_damage_gives_a_sound_trace_or_an_error(
    tmp_path: Path, damage: Callable[[bytearray, random.Random], None], seed: int
) -> None:
    path = tmp_path / "run.parquet"
    save(echo(49, grid(7, 7), seed=3), path)
    data = bytearray(path.read_bytes())
    damage(data, random.Random(seed))
    path.write_bytes(data)
    try:
        trace = load(path)
    except BadInput:
        return
    timeline = Timeline(trace)
    for k in range(0, len(trace), 37):
        timeline.states_at(k), timeline.in_flight(k), timeline.variables(0, k)
    measures(timeline)
    longest_chain(timeline)
    for event in trace.events():
        assert event.kind
    assert (timeline.sends >= 0).all()
    assert not np.any((timeline.kind == Kind.SEND) & (timeline.message < 0))


def test_claimed_sizes_are_checked_before_memory_is_allocated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.parquet"
    trace = echo(12, grid(4, 3))
    save(trace, path)
    monkeypatch.setattr("lydian.trace.parquet.reader.GROWTH", 0)
    monkeypatch.setattr("lydian.trace.parquet.reader.SPARE", 1000)
    given: list[int] = []
    monkeypatch.setattr("lydian.trace.parquet.reader.Checked", lambda length, *_names: given.append(length))
    said = sentence(path)
    assert said.startswith(f"claims {len(trace)} events, which would take 0.0 GB of memory from a file of")
    assert given == []


def test_a_file_that_claims_too_many_events_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    save(echo(12, grid(4, 3)), path)
    data = path.read_bytes()
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    footer = decode(data[start:-8])
    footer[3][1] = 2_000_000_000
    new = encode(footer)
    path.write_bytes(data[:start] + new + len(new).to_bytes(4, "little") + b"PAR1")
    assert sentence(path) == "is damaged: it has fewer events than it declares"
