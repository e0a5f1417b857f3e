"""Logs side by side: what is known of each entry, the order and the sides of columns, and the whole run for pages."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Logs
from lydian.pieces.logs import COMMITTED, LOST, OPEN, LogsFrame, logs_over_time
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.scene import scene_for
from tests.views.book import Book

NAMES = ("a", "b", "c")
DRAWN = Animation(logs=Logs("log", commit="commit", item=1, tint=0, now="term", word="term"))


def told(*rows: tuple[float, str, dict[str, Any]], cuts: tuple[tuple[float, str, str, str], ...] = ()) -> Timeline:
    book = Book(NAMES, links=[("a", "b"), ("b", "c"), ("a", "c")])
    events: list[tuple[float, Any]] = [(time, (name, changed)) for time, name, changed in rows]
    events += [(time, (kind, p, q)) for time, kind, p, q in cuts]
    for time, what in sorted(events, key=lambda each: each[0]):
        if len(what) == 2:
            book.write(time, "init", what[0], changed=what[1])
        else:
            book.write(time, *what)
    return Timeline(book.trace(initial={"log": [], "commit": 0, "term": 0}))


def see(run: Timeline, t: float, drawn: Animation = DRAWN) -> LogsFrame:
    found = basic.frame(run, t, animation=drawn).logs
    assert isinstance(found, LogsFrame)
    return found


RUN = told(
    (1.0, "a", {"log": [[1, "x"]], "term": 1}),
    (2.0, "b", {"log": [[1, "x"]], "term": 1}),
    (3.0, "a", {"commit": 1}),
    (5.0, "a", {"log": [[1, "x"], [1, "u"], [1, "v"]]}),
    (6.0, "c", {"log": [[1, "x"], [3, "y"]], "term": 3}),
    (7.0, "b", {"log": [[1, "x"], [3, "y"]], "term": 3}),
    (8.0, "c", {"commit": 2}),
    cuts=((4.0, "link_down", "a", "b"), (4.0, "link_down", "a", "c"), (9.0, "link_up", "a", "b")),
)


def standing(logs: LogsFrame) -> list[list[tuple[str, int]]]:
    return [[(entry.text, entry.standing) for entry in column] for column in logs.columns]


def test_an_entry_is_committed_where_its_process_says_so() -> None:
    assert standing(see(RUN, 0.5)) == [[], [], []] and see(RUN, 0.5).now == (0, 0, 0)
    before, after = see(RUN, 2.5), see(RUN, 3.5)
    assert standing(before) == [[("x", OPEN)], [("x", OPEN)], []]
    assert standing(after) == [[("x", COMMITTED)], [("x", OPEN)], []]
    assert after.commits == (1, 0, 0) and after.now == (1, 1, 0) and after.rows == 3
    assert [entry.holders for column in after.columns for entry in column] == [2, 2]
    assert after.words(1, 0) == "entry 1 of b: x, term 1, on 2 of 3"


def test_entries_in_the_place_of_a_committed_one_and_all_behind_them_are_lost() -> None:
    assert standing(see(RUN, 7.5))[0] == [("x", COMMITTED), ("u", OPEN), ("v", OPEN)]
    logs = see(RUN, 8.5)
    assert standing(logs)[0] == [("x", COMMITTED), ("u", LOST), ("v", LOST)]
    assert standing(logs)[1:] == [[("x", OPEN), ("y", OPEN)], [("x", COMMITTED), ("y", COMMITTED)]]
    assert [entry.tint for entry in logs.columns[2]] == [1, 3]


def test_the_sides_of_a_partition_stand_together_all_the_time() -> None:
    run = told((1.0, "a", {"log": [[1, "x"]]}), cuts=((2.0, "link_down", "b", "a"), (2.0, "link_down", "b", "c"),
                                                       (3.0, "link_up", "b", "c")))  # fmt: skip
    assert [see(run, t).names for t in (0.0, 2.5, 3.5)] == [("a", "c", "b")] * 3
    assert [see(run, t).sides for t in (0.0, 2.5, 3.5)] == [(0, 0, 0), (0, 0, 1), (0, 0, 0)]


def test_without_a_commit_everything_is_final() -> None:
    logs = see(RUN, 7.5, Animation(logs=Logs("log", item=1)))
    assert standing(logs) == [
        [("x", COMMITTED), ("u", LOST), ("v", LOST)], [("x", COMMITTED), ("y", LOST)], [("x", COMMITTED), ("y", LOST)],
    ]  # fmt: skip


def test_between_two_events_nothing_is_recomputed() -> None:
    assert see(RUN, 8.1) is see(RUN, 8.9) and see(RUN, 1.5).columns[0][0].text == "x"


def test_replaying_the_changes_gives_the_logs_of_every_moment() -> None:
    rows = logs_over_time(scene_for(RUN, None, DRAWN), DRAWN.logs)
    for t in (0.5, 3.5, 5.0, 7.5, 9.5):
        logs = see(RUN, t)
        now = {process: log for seq, process, log in rows if seq < RUN.count(t)}
        assert [[entry[0] for entry in now[p][0]] for p in logs.processes] == [
            [entry.text for entry in column] for column in logs.columns
        ]
        assert tuple(now[p][1] for p in logs.processes) == logs.commits
        assert tuple(now[p][2] for p in logs.processes) == logs.now


def test_wrong_declarations_and_missing_variables_are_reported() -> None:
    with pytest.raises(BadInput, match="entries must be the name of a variable"):
        Logs("")
    with pytest.raises(BadInput, match="item must be the number of a part"):
        Logs("log", item="x")
    assert "did you mean 'log'" in see(RUN, 1.0, Animation(logs=Logs("logs"))).problem
