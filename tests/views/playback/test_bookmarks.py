"""Bookmarks and the other marks on the time line."""

from __future__ import annotations

from gettext import NullTranslations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian import language
from lydian.desk.playhead import Playhead
from lydian.model.errors import BadInput
from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import Bookmark, Bookmarks, marks_of, nearest


def faulty() -> Timeline:
    rows = np.zeros(5, dtype=ROW)
    for name in ("peer", "message", "cause", "bits", "label"):
        rows[name] = -1
    rows["time"] = (0.0, 1.0, 2.0, 3.0, 4.0)
    rows["kind"] = (Kind.INIT, Kind.CRASH, Kind.NOTE, Kind.LINK_DOWN, Kind.ERROR)
    rows["peer"][3] = 1
    checks = [
        {"name": "one leader", "kind": "always", "holds": False, "at": 2},
        {"name": "terminates", "kind": "at_end", "holds": False, "at": None},
        {"name": "fine", "kind": "always", "holds": True, "at": None},
    ]
    return Timeline(Trace(rows, ("a", "b"), (), ("s",), summary={"stopped": "error", "checks": checks}))


def test_marks_are_faults_violations_and_the_error() -> None:
    marks = marks_of(faulty())
    assert [(mark.time, mark.kind) for mark in marks] == [
        (1.0, "fault"), (2.0, "violation"), (3.0, "fault"), (4.0, "error"), (4.0, "violation"),
    ]  # fmt: skip
    assert [mark.name for mark in marks][:3] == ["process a crashes", "violated: one leader", "link a to b goes down"]
    assert [mark.broken for mark in marks][:3] == ["", "one leader", ""]


def test_automatic_names_are_counted_in_the_language_of_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Bookmarks().add(1.0).add(2.0).add(3.0, "Bookmark x").marks[1].name == "Bookmark 2"

    class Other(NullTranslations):
        def gettext(self, message: str) -> str:
            return {"Bookmark {number}": "{number}. Lesezeichen (neu)"}.get(message, message)

    monkeypatch.setattr(language, "_catalogue", Other())
    marks = Bookmarks().add(1.0).add(2.0, "Bookmark 7").add(3.0)
    assert [mark.name for mark in marks.marks] == ["1. Lesezeichen (neu)", "Bookmark 7", "2. Lesezeichen (neu)"]


def test_the_playhead_steps_through_all_marks() -> None:
    head = Playhead(faulty())
    head.set_bookmarks(Bookmarks().add(2.5, "look"))
    seen = []
    while (mark := head.step_mark(1)) is not None:
        seen.append((mark.name, head.t))
    assert [t for _, t in seen] == [1.0, 2.0, 2.5, 3.0, 4.0]
    assert seen[2][0] == "look"
    back = []
    while head.step_mark(-1) is not None:
        back.append(head.t)
    assert back == [3.0, 2.5, 2.0, 1.0]


def test_bookmarks_are_added_moved_renamed_and_deleted() -> None:
    marks = Bookmarks().add(3.0).add(1.0).add(2.0, " here ")
    assert [(m.time, m.name) for m in marks.marks] == [(1.0, "Bookmark 2"), (2.0, "here"), (3.0, "Bookmark 1")]
    marks = marks.move("here", 9.0).rename("Bookmark 2", "there").delete("Bookmark 1")
    assert [(m.time, m.name) for m in marks.marks] == [(1.0, "there"), (9.0, "here")]
    assert "here" in marks and "Bookmark 1" not in marks
    assert Bookmarks.from_list(marks.to_list()) == marks


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.add(2.0, "a"), "two bookmarks have the name 'a'"),
        (lambda m: m.rename("a", "b"), "two bookmarks have the name 'b'"),
        (lambda m: m.rename("a", " "), "a bookmark must have a name"),
        (lambda m: m.move("c", 1.0), "there is no bookmark 'c'"),
        (lambda m: m.delete("c"), "there is no bookmark 'c'"),
        (lambda m: m.add(float("nan")), "must be at a finite time"),
        (lambda m: Bookmarks.from_list([{"time": "1", "name": "x"}]), "a bookmark must have a time and a name"),
        (lambda m: Bookmarks.from_list([7]), "a bookmark must have a time and a name"),
    ],
)
def test_impossible_bookmarks_are_refused(change: object, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        change(Bookmarks().add(1.0, "a").add(2.0, "b"))  # type: ignore[operator]


@given(times=st.lists(st.floats(0, 10), max_size=12), t=st.floats(-1, 11))
def test_the_nearest_mark_is_found(times: list[float], t: float) -> None:
    marks = tuple(sorted(Bookmark(time, str(i)) for i, time in enumerate(times)))
    after, before = nearest(marks, t, 1), nearest(marks, t, -1)
    assert (after.time if after else None) == min((x for x in times if x > t), default=None)
    assert (before.time if before else None) == max((x for x in times if x < t), default=None)


@given(st.lists(st.tuples(st.floats(0, 1e6), st.none() | st.text("ab ", min_size=1)), max_size=10))
def test_every_change_leaves_increasing_times_and_distinct_names(entries: list[tuple[float, str | None]]) -> None:
    marks = Bookmarks()
    for time, name in entries:
        try:
            marks = marks.add(time, name)
        except BadInput:
            continue
    assert [m.time for m in marks.marks] == sorted(m.time for m in marks.marks)
    assert len({m.name for m in marks.marks}) == len(marks)
