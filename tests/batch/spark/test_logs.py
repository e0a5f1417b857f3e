"""Logs with vector clocks on Spark: the same trace as without it, and impossible clocks are named with their lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lydian.batch.spark.logs as logs
from lydian.batch.spark.logs import import_logs
from lydian.formats.logs.importer import import_log
from lydian.model.errors import BadInput
from lydian.model.reading import BadLines
from lydian.trace.events import Trace
from lydian.trace.parquet.file import load
from tests.benchmarks.biglog import REGEX, write
from tests.formats.test_structured import written

#: Each test starts a real Spark.
pytestmark = pytest.mark.slow
MASTER = "local[2]"


def same(one: Trace, other: Trace) -> None:
    assert (other.processes, other.labels, other.states) == (one.processes, one.labels, one.states)
    assert other.network["links"] == one.network["links"]
    assert list(other.events()) == list(one.events())
    assert other.fingerprint() == one.fingerprint()


@pytest.mark.parametrize("times", [False, True])
def test_pieces_give_the_same_trace_as_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: bool) -> None:
    monkeypatch.setattr(logs, "PIECE", 40_000)
    monkeypatch.setattr(logs, "BLOCK", 700)
    path = tmp_path / "big.log"
    write(path, 2_000, 5, times=times)
    regex = REGEX if times else None
    (whole,) = import_log(path, regex=regex)
    found = import_logs([path], tmp_path / "out.parquet", MASTER, regex=regex)
    same(whole.trace, load(tmp_path / "out.parquet"))
    assert (found.events, found.hosts, found.notes, found.problems) == (2_000, 5, whole.notes, ())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["big.log", "out.parquet"]


def test_several_receipts_at_once_and_one_file_for_each_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a = 'a {"a": 1}\none\na {"a": 2}\ntwo\n'
    b = 'b {"b": 1}\nthree\n'
    c = 'c {"a": 2, "b": 1, "c": 1}\nboth\nc {"a": 2, "b": 1, "c": 2}\nfour\n'
    paths = [written(tmp_path, text, f"{name}.log") for name, text in (("a", a), ("b", b), ("c", c))]
    monkeypatch.chdir(tmp_path)
    found = import_logs([Path(path.name) for path in paths], Path("out.parquet"), MASTER)
    (whole,) = import_log(written(tmp_path, a + b + c, "whole.log"))
    assert found.messages == 2
    same(whole.trace, load(tmp_path / "out.parquet"))


def test_impossible_clocks_are_named_with_their_lines(tmp_path: Path) -> None:
    good = 'a {"a": 1}\none\na {"a": 2}\ntwo\n'
    bad = [
        'b {"a": 7, "b": 1}\nfuture\n', 'a {"a": 2}\nagain\n', 'a {"a": 5}\ngap\n', "nonsense\n",
        'c {"a": 2, "c": 1}\nok\nc {"a": 1, "c": 2}\nback\n',
    ]  # fmt: skip
    path = written(tmp_path, good + "".join(bad), "bad.log")
    with pytest.raises(BadLines) as caught:
        import_logs([path], tmp_path / "out.parquet", MASTER)
    assert not (tmp_path / "out.parquet").exists()
    told = {each.line: each.why for each in caught.value.problems}
    with pytest.raises(BadLines) as alone:
        import_log(path)
    for problem in alone.value.problems:
        assert told[problem.line] == problem.why, problem
    found = import_logs([path], tmp_path / "out.parquet", MASTER, skip=True)
    assert found.problems and len(load(tmp_path / "out.parquet")) >= 6


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no such file"):
        import_logs([tmp_path / "none.log"], tmp_path / "out.parquet", MASTER)
    path = written(tmp_path, "nonsense\n", "bad.log")
    with pytest.raises(BadInput, match=re.escape("contains no event that can be used: line 1: a host and its clock")):
        import_logs([path], tmp_path / "out.parquet", MASTER)
    with pytest.raises(BadInput, match="is not a master of Spark"):
        import_logs([path], tmp_path / "out.parquet", "here")
    assert [each.name for each in tmp_path.iterdir()] == ["bad.log"]
