"""The bars as numbers: beginnings and ends, states, work, and the last state."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.selection import Selection
from lydian.views.time import occupation
from lydian.views.time.axis import rows_of
from lydian.views.time.occupation import CRASHED, EMPTY, codes_of, image_of
from lydian.views.time.parts import part_at, parts_in, places
from lydian.views.time.timescale import scale_of
from tests.views.book import STATES, Book, echo

LOOK = Animation(
    states={"sleeping": 0, "waiting": 2, "acked": 3, "initiating": 1, "finished": 1}, words={"acked": "done"}
)
SLEEPING, WAITING, ACKED, INITIATING, FINISHED = range(5)


def small(**summary: Any) -> Timeline:
    """a starts and waits to the end; b receives, works half a unit and ends; c crashes and recovers; d never acts."""
    book = Book(("a", "b", "c", "d"))
    start = book.write(1.0, "init", "a", state="initiating", busy=0.5)
    m0, s0 = book.send(1.5, "a", "b", "Broadcast", start)
    m1, s1 = book.send(1.5, "a", "c", "Broadcast", start)
    book.write(2.0, "receive", "c", "a", label="Broadcast", message=m1, state="waiting", cause=s1)
    book.write(3.0, "crash", "c")
    book.write(4.0, "receive", "b", "a", label="Broadcast", message=m0, state="waiting", cause=s0, busy=0.25)
    m2, s2 = book.send(4.25, "a", "b", "Ack")
    book.write(5.0, "receive", "b", "a", label="Ack", message=m2, state="acked", cause=s2, busy=0.5)
    book.write(6.0, "recover", "c")
    m3, s3 = book.send(6.5, "a", "d", "Ack")
    book.write(9.0, "drop", "d", "a", label="Ack", message=m3, cause=s3)
    return Timeline(book.trace(**summary))


@cache
def run() -> Timeline:
    return Timeline(echo())


def frame(timeline: Timeline, t: float, *args: Any, **options: Any) -> occupation.OccupationFrame:
    return occupation.frame(timeline, t, *args, animation=LOOK, **options)


def bars(timeline: Timeline, process: int) -> list[tuple[float, float, int]]:
    table = occupation.parts(timeline)
    mine = slice(int(table.first[process]), int(table.first[process + 1]))
    columns = (table.start[mine].tolist(), table.stop[mine].tolist(), table.state[mine].tolist())
    return list(zip(*columns, strict=True))


def test_a_bar_extends_from_the_first_event_to_the_last_step_or_the_end() -> None:
    timeline = small(stopped="quiescent")
    assert bars(timeline, 0) == [(1.0, 9.0, INITIATING)]  # in the middle of an interval: still visible at the end
    assert bars(timeline, 1) == [(4.0, 5.0, WAITING), (5.0, 5.5, ACKED)]
    assert bars(timeline, 2) == [(2.0, 3.0, WAITING), (3.0, 6.0, CRASHED), (6.0, 9.0, WAITING)]
    assert bars(timeline, 3) == []  # a lost message is not an event of its process


def test_the_last_state_is_never_left() -> None:
    table = occupation.parts(small(stopped="quiescent"))
    assert table.done_process.tolist() == [1]
    assert table.done_time.tolist() == [5.0]
    assert table.done_state.tolist() == [ACKED]


def test_a_growing_run_has_no_last_state() -> None:
    timeline = small(stopped=None)
    assert len(occupation.parts(timeline).done_time) == 0
    assert bars(timeline, 1)[-1] == (5.0, 9.0, ACKED)
    assert frame(timeline, 9.0).title == "3 of 4 have begun"


def test_the_scene_of_a_small_execution() -> None:
    scene = frame(small(stopped="quiescent"), 4.5, window=(0.0, 10.0)).scene
    assert scene.row.tolist() == [0, 1, 1, 2, 2, 2]
    assert scene.slot[scene.state != CRASHED].tolist() == [1, 2, 3, 2, 2]
    assert (scene.done_row.tolist(), scene.done_time.tolist(), scene.done_slot.tolist()) == ([1], [5.0], [3])
    steps = zip(scene.step_row.tolist(), scene.step_from.tolist(), scene.step_to.tolist(), strict=True)
    assert list(steps) == [(0, 1.0, 1.5), (1, 4.0, 4.25), (1, 5.0, 5.5), (2, 2.0, 2.0)]
    assert scene.image is None


def test_only_bars_that_overlap_the_window_are_kept() -> None:
    scene = frame(small(stopped="quiescent"), 4.5, window=(4.1, 4.9), rows=(2, 1)).scene
    assert scene.row.tolist() == [1, 0]
    assert scene.state.tolist() == [WAITING, CRASHED]
    assert scene.step_from.tolist() == [4.0]
    assert len(scene.done_row) == 0


def test_the_moment_and_its_summary() -> None:
    at = frame(small(stopped="quiescent"), 5.0, Selection(processes=frozenset({1})))
    assert at.title == "3 of 4 have begun · 1 in its last state · 1 crashed"
    assert at.slots.tolist() == [1, 3, 2, 0]
    assert at.crashed.tolist() == [False, False, True, False]
    assert at.selected == (1,)
    assert at.words[ACKED] == "done"
    assert frame(small(stopped="quiescent"), 0.0).title == "0 of 4 have begun · 0 in their last state"


def test_time_in_states_and_time_working() -> None:
    timeline = small(stopped="quiescent")
    totals = frame(timeline, 4.5).totals
    assert totals is not None
    assert totals[0, INITIATING] == 3.5
    assert totals[1, WAITING] == 0.5
    assert totals[2].tolist() == [0, 1.0, 0, 0, 0]  # down since 3
    assert occupation.busy_until(timeline, 5.25).tolist() == [0.5, 0.5, 0.0, 0.0]


def test_a_process_back_in_the_first_state_rests_after_its_last_event() -> None:
    book = Book(("a", "b"))
    book.write(1.0, "timer", "a", state="waiting")
    book.write(2.0, "timer", "a", state="sleeping")
    book.write(8.0, "timer", "b", state="waiting")
    timeline = Timeline(book.trace(stopped="quiescent"))
    assert bars(timeline, 0) == [(1.0, 2.0, WAITING), (2.0, 2.0, SLEEPING)]
    assert len(occupation.parts(timeline).done_time) == 0  # a left the waiting state, so it is not a last state


def test_the_same_window_is_the_same_scene_at_every_moment() -> None:
    assert frame(run(), 1.0, window=(0.0, 9.0)).scene is frame(run(), 7.0, window=(0.0, 9.0)).scene


def test_many_rows_become_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occupation, "MOST_ROWS", 3)
    scene = frame(small(stopped="quiescent"), 4.5, window=(0.0, 10.0), bins=20).scene
    assert scene.image is not None
    assert len(scene.row) == 0
    assert scene.image[0].tolist() == [EMPTY] * 2 + [INITIATING] * 16 + [EMPTY] * 2
    assert scene.image[1].tolist() == [EMPTY] * 8 + [WAITING] * 2 + [ACKED] + [EMPTY] * 9
    assert scene.image[2].tolist() == [EMPTY] * 4 + [WAITING] * 2 + [CRASHED] * 6 + [WAITING] * 6 + [EMPTY] * 2
    assert scene.image[3].tolist() == [EMPTY] * 20


@pytest.mark.parametrize("options", [{"window": (2.0, 1.0)}, {"rows": (0, 9)}])
def test_impossible_displays_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        frame(small(), 1.0, **options)


def test_an_execution_without_events_is_an_empty_picture() -> None:
    at = frame(Timeline(Book(("a",)).trace()), 0.0)
    assert len(at.scene.row) == 0
    assert at.title == "0 of 1 have begun"


# -- properties ------------------------------------------------------------------------------------------------


@st.composite
def histories(draw: st.DrawFn) -> Timeline:
    book = Book(("a", "b", "c"))
    time = 0.0
    for _ in range(draw(st.integers(0, 20))):
        time += draw(st.sampled_from([0.0, 0.5, 1.0]))
        kind = draw(st.sampled_from(["timer", "timer", "timer", "crash", "recover", "drop", "link_down"]))
        name = draw(st.sampled_from(["a", "b", "c"]))
        if kind == "timer":
            book.write(time, kind, name, state=draw(st.sampled_from(STATES)), busy=draw(st.sampled_from([0.0, 0.25])))
        else:
            book.write(time, kind, name)
    return Timeline(book.trace(stopped="quiescent"))


@given(histories(), st.floats(0.0, 20.0))
def test_the_bars_match_the_states_of_the_processes(timeline: Timeline, t: float) -> None:
    k = timeline.count(t)
    states, crashed = timeline.states_at(k), timeline.crashed_at(k)
    for process in range(timeline.n):
        parts = bars(timeline, process)
        assert all(a[1] == b[0] for a, b in itertools.pairwise(parts))
        assert all(start <= stop <= timeline.end for start, stop, _ in parts)
        here = [state for start, stop, state in parts if start <= t < stop]
        assert len(here) <= 1
        # While a process is down it has no events of its own, so the two agree unless a timer is recorded then.
        if here and here[0] != CRASHED and not crashed[process]:
            assert here[0] == states[process]


@given(histories(), st.floats(0.0, 20.0))
def test_totals_equal_the_lifetime(timeline: Timeline, t: float) -> None:
    totals = occupation.time_in_states(timeline, t)
    assert totals.shape == (timeline.n, len(STATES))
    for process in range(timeline.n):
        lived = sum(max(0.0, min(stop, t) - start) for start, stop, code in bars(timeline, process) if code != CRASHED)
        assert float(totals[process].sum()) == pytest.approx(lived)


@given(histories(), st.integers(1, 50))
def test_the_image_shows_the_interval_that_begins_last(timeline: Timeline, bins: int) -> None:
    scale = scale_of(timeline)
    span = (-0.5, timeline.end + 1.0)
    image, origin, width = image_of(timeline, scale, rows_of(timeline), span, bins)
    kept = np.concatenate(
        [
            codes_of(timeline, scale, parts_in(timeline, scale, (p * width, (p + 1) * width), 10**9), p, 1, width)
            for p in range(round(origin / width), round(origin / width) + image.shape[1])
        ],
        axis=1,
    )
    assert (image == kept).all()  # for every division
    for process in range(timeline.n):
        for place in range(image.shape[1]):
            expected = EMPTY
            for start, stop, state in bars(timeline, process):
                first = math.floor((start - origin) / width)
                last = max(first + 1, math.ceil((stop - origin) / width))
                if first <= place:
                    expected = state if place < last else EMPTY
            assert image[process, place] == expected


@given(histories(), st.floats(-1.0, 12.0), st.floats(0.05, 9.0), st.sampled_from(["time", "events", "squashed"]))
def test_intervals_in_a_window_are_those_that_overlap_it(
    timeline: Timeline, start: float, length: float, axis: str
) -> None:
    scale = scale_of(timeline, axis)
    begin, end = places(timeline, scale)
    span = (start, start + length)
    found = parts_in(timeline, scale, span, 10**9)
    assert found is not None
    assert found.tolist() == np.flatnonzero((begin <= span[1]) & (end >= span[0])).tolist()
    assert parts_in(timeline, scale, span, len(found) - 1) is None


def test_the_interval_at_a_point_is_the_one_drawn_there() -> None:
    timeline, table = small(stopped="quiescent"), occupation.parts(small(stopped="quiescent"))
    scale = scale_of(timeline)
    assert [part_at(timeline, scale, 1, x) for x in (3.9, 5.6)] == [-1, -1]
    assert table.state[part_at(timeline, scale, 1, 4.5)] == WAITING
    assert table.state[part_at(timeline, scale, 1, 5.0)] == ACKED
    assert table.state[part_at(timeline, scale, 2, 4.0)] == CRASHED
    assert part_at(timeline, scale, 3, 5.0) == -1


def test_activity_shows_waiting_for_other_processes() -> None:
    scene = frame(small(stopped="quiescent"), 4.5, show="activity").scene
    assert np.flatnonzero(scene.blocked).tolist() == [WAITING, INITIATING, FINISHED]  # neither the start nor the end
    with pytest.raises(BadInput, match="did you mean 'activity'"):
        frame(small(), 1.0, show="activty")


def test_the_shares_of_all_processes_add_up() -> None:
    at = frame(small(stopped="quiescent"), 9.0, column=True)
    assert [share.word for share in at.shares] == ["initiating", "waiting", "done"]
    assert sum(share.share for share in at.shares) == pytest.approx(1.0)
    assert at.shares[0].total == 8.0
    assert "initiating 59 %" in at.title
    assert frame(small(), 9.0).shares == ()


@pytest.mark.parametrize("axis", ["events", "squashed", "lamport"])
def test_bars_are_at_the_positions_of_their_events(axis: str) -> None:
    at = frame(run(), 5.0, axis=axis)
    scene, table = at.scene, occupation.parts(run())
    assert scene.begin.tolist() == scene.scale.events(table.event[scene.part]).tolist()
    assert (scene.end >= scene.begin).all()
    assert (at.front is None) == (axis != "lamport")
