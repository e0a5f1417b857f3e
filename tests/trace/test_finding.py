"""Places in a trace: shapes of communication, waits and causal paths, and their ranking over a folder."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from lydian.batch.spark.finding import best, in_file
from lydian.formats.logs import FORMATS
from lydian.formats.logs.importer import import_log
from lydian.trace import causality
from lydian.trace.finding import SHAPES, find, path_between
from lydian.trace.parquet.file import save
from lydian.trace.timeline import Timeline
from lydian.views.words.found import found_words
from tests.formats.test_structured import written
from tests.trace.sample import echo, grid

NAMED = FORMATS["verbs"].regex
CALLS = """\
1 a sends ask to b
2 b receives ask from a
2.5 b sends write to c
3 a sends write to c
4 c receives write from b
5 c receives write from a
6 b sends answer to a
9 a receives answer from b
"""


def timeline_of(folder: Path, text: str) -> Timeline:
    (found,) = import_log(written(folder, text), regex=NAMED)
    return Timeline(found.trace)


def test_a_request_is_found_with_its_reply(tmp_path: Path) -> None:
    (found,) = find(timeline_of(tmp_path, CALLS), "request-reply")
    assert (found.events, found.length, found.processes, found.label) == ((0, 1, 6, 7), 8.0, ("a", "b"), "ask")
    assert found_words(found) == "a asks b (ask) and gets the reply after 8"


def test_two_writes_are_concurrent_unless_one_happened_before_the_other(tmp_path: Path) -> None:
    text = "1 a writes x\n2 b writes y\n3 a sends write to b\n4 b receives write from a\n5 b sends write to c\n"
    timeline = timeline_of(tmp_path, CALLS)
    for found in find(timeline, "concurrent-writes"):
        a, b = found.events
        assert not causality.happened_before(timeline, a, b) and timeline.process[a] != timeline.process[b]
    assert not find(timeline_of(tmp_path, text), "concurrent-writes")


def test_operations_of_a_history_are_concurrent_if_they_overlap(tmp_path: Path) -> None:
    lines = [
        "{:type :invoke, :f :write, :value 1, :process 0, :time 1000}",
        "{:type :invoke, :f :write, :value 2, :process 1, :time 2000}",
        "{:type :ok, :f :write, :value 1, :process 0, :time 3000}",
        "{:type :ok, :f :write, :value 2, :process 1, :time 4000}",
        "{:type :invoke, :f :write, :value 3, :process 2, :time 5000}",
        "{:type :ok, :f :write, :value 3, :process 2, :time 6000}",
    ]
    (history,) = import_log(written(tmp_path, "\n".join(lines)))
    (found,) = find(Timeline(history.trace), "concurrent-writes")
    assert (found.events, found.processes) == ((0, 1), ("0", "1"))


def test_broadcasts_gathers_and_waits_of_echo() -> None:
    timeline = Timeline(echo(9, grid(3, 3)))
    wide = find(timeline, "broadcast")
    assert len(wide[0].processes) == 4 and all(len(each.processes) >= 4 for each in wide)
    sends = [seq for seq in wide[0].events if timeline.kind[seq] == 1]
    assert len({int(timeline.process[seq]) for seq in sends}) == 1
    for gather in find(timeline, "gather"):
        assert len(set(gather.processes[:-1])) >= 3
    waits = find(timeline, "longest-waits")
    lengths = [each.length for each in waits]
    assert lengths == sorted(lengths, reverse=True) and lengths[0] > 0


@pytest.mark.parametrize("shape", SHAPES)
def test_an_empty_trace_has_no_places(shape: str) -> None:
    trace = echo(4, grid(2, 2))
    trace.rows = trace.rows[:0]
    assert find(Timeline(trace), shape) == []


def test_a_causal_path_has_the_ends_of_its_messages(tmp_path: Path) -> None:
    timeline = timeline_of(tmp_path, CALLS)
    assert path_between(timeline, 0, 7) == (0, 7)
    assert path_between(timeline, 0, 4) == (0, 1, 2, 4)
    assert path_between(timeline, 2, 3) == () and path_between(timeline, 3, 3) == (3,)
    whole = Timeline(echo(9, grid(3, 3)))
    last = int(whole.receives.max())
    way = path_between(whole, 0, last)
    assert all(causality.happened_before(whole, a, b) for a, b in pairwise(way))


def test_places_of_a_folder_are_ranked_and_bad_files_are_named(tmp_path: Path) -> None:
    for seed in range(3):
        save(echo(9, grid(3, 3), seed=seed), tmp_path / f"{seed}.parquet")
    written(tmp_path, "not a trace", "x.parquet")
    files = sorted(map(str, tmp_path.glob("*.parquet")))
    places = best([each for file in files for each in in_file(file, "request-reply", 5)], 4)
    lengths = [found.length for _, found, _ in places if found is not None]
    assert len(lengths) == 4 and lengths == sorted(lengths, reverse=True)
    assert places[-1][1] is None and "x.parquet" in places[-1][2]
