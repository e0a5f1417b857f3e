"""Bars that count values at every moment, whether the run grew or not."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Cell, Grid, Histogram
from lydian.pieces.bars import BarsFrame, bars_at, classes_of
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.scene import scene_for
from lydian.views.words.expressions import number
from tests.views.book import Book

NAMES = tuple("abcd")
START: dict[str, Any] = {"x": 0, "y": 0.0, "hops": {}, "last": {}, "mine": {}}


def book(steps: int = 40) -> Book:
    written = Book(NAMES, links=list(pairwise(NAMES)))
    hops: dict[str, dict[str, int]] = {name: {} for name in NAMES}
    last: dict[str, dict[str, int]] = {name: {} for name in NAMES}
    for i in range(steps):
        name = NAMES[i * 7 % 4]
        hops[name] = {**hops[name], str(i % 5): hops[name].get(str(i % 5), 0) + 1}
        last[name] = {**last[name], f"e{i // 6}": i}
        changed: dict[str, Any] = {"x": i % 6, "y": i / 7, "hops": hops[name], "last": last[name]}
        if i % 6 == 0:
            changed["mine"] = {f"e{i // 6}": i}
        written.write(1.0 + i, "init", name, changed=changed)
    return written


RUN = Timeline(book().trace(initial=START))


def now(run: Timeline, declared: Histogram, t: float) -> dict[float, float]:
    """Return the bars that are not empty, by the lower ends of their classes."""
    (bars,) = basic.frame(run, t, animation=Animation(chart=declared)).chart
    assert isinstance(bars, BarsFrame)
    return {bars.classes.low + i * bars.classes.step: n for i, n in enumerate(bars.now) if n}


@pytest.mark.parametrize("t", [0.0, 1.0, 7.5, 23.0, 40.0])
def test_each_process_is_in_the_bar_of_its_number(t: float) -> None:
    values = RUN.variable_at("x", RUN.count(t))
    assert now(RUN, Histogram("x"), t) == Counter(values)
    assert now(RUN, Histogram("x if x > 2 else None"), t) == Counter(x for x in values if x > 2)


@pytest.mark.parametrize("t", [0.0, 2.0, 11.0, 40.0])
def test_the_tables_of_all_processes_are_added_up(t: float) -> None:
    wanted: Counter[float] = Counter()
    for table in RUN.variable_at("hops", RUN.count(t)):
        wanted.update({float(key): often for key, often in table.items()})
    assert now(RUN, Histogram("hops", of="counts"), t) == wanted


@pytest.mark.parametrize("t", [0.0, 2.0, 11.0, 40.0])
def test_a_key_counts_once_with_its_largest_number(t: float) -> None:
    k = RUN.count(t)
    largest: dict[str, int] = {}
    for table in RUN.variable_at("last", k):
        for key, value in table.items():
            largest[key] = max(value, largest.get(key, value))
    wanted = Counter(value - 6 * int(key[1:]) for key, value in largest.items())  # e2 began with 12
    assert now(RUN, Histogram("last", of="largest", less="mine"), t) == wanted


def test_the_scales_cover_the_whole_run() -> None:
    scene = scene_for(RUN, None, Animation(chart=Histogram("x")))
    (declared,) = scene.animation.chart
    assert isinstance(declared, Histogram)
    frames = [bars_at(scene, declared, k) for k in (0, 20, 40)]
    assert len({id(frame.classes) for frame in frames}) == 1
    assert frames[0].classes.most == max(max(frame.now) for frame in (bars_at(scene, declared, k) for k in range(41)))
    assert frames[0].total == 4 and frames[0].mean == 0.0


def test_fractions_and_many_numbers_are_grouped_into_classes() -> None:
    classes = classes_of(RUN, Histogram("y"))
    assert not classes.single and classes.low == 0.0 and 5 <= len(classes.seqs) <= 21
    assert sum(classes.at(40)) == 4 and classes.words(0) == f"0 to {classes.step:g}"
    many = classes_of(RUN, Histogram("x * 17"))
    assert not many.single and many.step == 5.0 and sum(many.at(17)) == 4
    assert classes_of(RUN, Histogram("x")).words(3) == "3"


def test_a_growing_run_has_the_same_bars_as_a_finished_one() -> None:
    trace = book().trace(initial=START)
    kinds = (Histogram("x"), Histogram("y"), Histogram("hops", of="counts"),
             Histogram("last", of="largest", less="mine"))  # fmt: skip
    before, details = None, dict(trace.detail_of.__self__)  # type: ignore[union-attr]
    for stop in (0, 1, 9, 10, 40):
        part = Trace(
            trace.rows[:stop], trace.processes, trace.labels, trace.states,
            {seq: text for seq, text in details.items() if seq < stop}.get, network=trace.network,
            summary=trace.summary, source=trace.source,
        )  # fmt: skip
        before = Timeline(part, before)
        for declared in kinds:
            assert classes_of(before, declared).at(stop) == classes_of(Timeline(part), declared).at(stop)
    assert before is not None
    for declared in kinds:
        one, other = classes_of(before, declared), classes_of(Timeline(trace), declared)
        assert (one.low, one.step) == (other.low, other.step)
        assert all(one.at(k) == other.at(k) for k in range(41))


def test_crashed_processes_do_not_count() -> None:
    written = Book(NAMES, links=list(pairwise(NAMES)))
    written.write(1.0, "init", "a", changed={"x": 3})
    written.write(2.0, "crash", "a")
    written.write(3.0, "recover", "a")
    run = Timeline(written.trace(initial={"x": 0}))
    assert [now(run, Histogram("x"), t) for t in (1.0, 2.0, 3.0)] == [{0: 3, 3: 1}, {0: 3}, {0: 3, 3: 1}]


def test_uncountable_values_are_reported_and_missing_ones_are_empty() -> None:
    scene = scene_for(RUN, None, Animation(chart=Histogram("xx")))
    (declared,) = scene.animation.chart
    bars = bars_at(scene, declared, 3)  # type: ignore[arg-type]
    assert bars is not None and bars.problem == "No process has a variable 'xx' (did you mean 'x'?)." and bars.now == ()
    nothing = bars_at(scene, Histogram("None"), 3)  # of a run that may continue
    assert nothing is not None and nothing.problem == "" and nothing.now == () and math.isnan(nothing.mean)
    over = Timeline(book().trace(initial=START, stopped="quiescent"))
    assert bars_at(scene_for(over, None, Animation()), Histogram("None"), 3) is None
    assert basic.frame(over, 3.0, animation=Animation(chart=(Histogram("None"), Histogram("x")))).chart[0].now


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Histogram("x", of="sum"), "a histogram has no of 'sum'"),
    (lambda: Histogram("x", side="left"), "a histogram has no side 'left'"),
    (lambda: Histogram("x +"), "cannot be read"),
    (lambda: Histogram("x", less="y"), 'less requires of="largest"'),
    (lambda: Histogram("len(x)", of="counts"), "of='counts' requires the name of a variable, not 'len\\(x\\)'"),
    (lambda: Histogram("x", of="largest", less="y + 1"), "of='largest' requires the name of a variable, not 'y \\+ 1'"),
    (lambda: Histogram("x", share=2), "share must be a number from 0.1 to 0.6"),
    (lambda: Histogram("x", slot=99), "slot"),
    (lambda: Animation(chart=(Histogram("x"),) * 4), "at most 3 charts, not 4"),
    (lambda: Animation(chart=("x",)), r"chart must be Chart\(...\), Histogram\(...\) or a list"),
])  # fmt: skip
def test_wrong_declarations_are_reported(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()


ODD = st.one_of(
    st.integers(-40, 40), st.floats(-3, 3), st.booleans(), st.none(), st.text(max_size=2),
    st.sampled_from([10**400, -(10**17), 1e15 + 0.5, 1e12 + 0.5, 1e299, -1e299, 1e-300, 0.1, [1, 2], {"ä": 1}]),
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), ODD), max_size=14), ODD)
def test_numbers_of_any_size_have_few_classes_and_all_are_counted(steps: list[tuple[str, Any]], first: Any) -> None:
    written = Book(NAMES, links=list(pairwise(NAMES)))
    for i, (name, value) in enumerate(steps):
        written.write(1.0 + i, "init", name, changed={"x": value, "hops": {str(value): 1}, "all": [value, value]})
    run = Timeline(written.trace(initial={"x": first, "hops": {}, "all": []}))
    classes = classes_of(run, Histogram("x"))
    assert len(classes.seqs) <= 25
    for k in range(len(steps) + 1):
        assert sum(classes.at(k)) == sum(math.isfinite(number(value)) for value in run.variable_at("x", k))
        assert min(classes.at(k), default=0) >= 0
    lists = classes_of(run, Histogram("all", of="counts"))
    assert len(lists.seqs) <= 25 and min(lists.at(len(steps)), default=0) >= 0
    assert len(classes_of(run, Histogram("hops", of="counts")).seqs) <= 25


#: The seconds at which a table is recorded whole in :func:`grown_book`; otherwise only what was added to it.
WHOLE = 9


def grown_book(as_differences: bool) -> Timeline:
    """Return a run in which two tables of each process grow, recorded as whole values or as differences."""
    written = Book(NAMES, links=list(pairwise(NAMES)))
    tables: dict[str, dict[str, dict[str, int]]] = {name: {"last": {}, "mine": {}} for name in NAMES}
    since: dict[tuple[str, str], int] = {}
    for i in range(80):
        name = NAMES[i * 7 % 4]
        fresh = {"last": {f"event {i // 6}": i, f"event {i // 9}": i}}
        if i % 6 == 0:
            fresh["mine"] = {f"event {i // 6}": i}
        detail: dict[str, Any] = {"changed": {}, "grown": {}}
        for table, entries in fresh.items():
            tables[name][table] = {**tables[name][table], **entries}
            before = since.get((name, table))
            if before is None or i % WHOLE == 0 or not as_differences:
                detail["changed"][table] = tables[name][table]
            else:
                detail["grown"][table] = {"since": before, "set": entries}
        seq = written.write(1.0 + i, "init", name, **{key: value for key, value in detail.items() if value})
        since |= {(name, table): seq for table in fresh}
    return Timeline(written.trace(initial={"last": {}, "mine": {}}))


@pytest.mark.parametrize("room", [0, 1 << 24])
def test_differences_are_counted_like_whole_values(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars and grids read only what an event added to a table, whether it was kept or is read from the trace."""
    monkeypatch.setattr("lydian.trace.details.MOST_TEXT", room)
    bars = Histogram("last", of="largest", less="mine")
    drawn = Animation(chart=bars, grid=Grid((Cell("last"),)))
    whole, grown = grown_book(False), grown_book(True)
    assert grown.variable_at("last", 55) == whole.variable_at("last", 55)
    for t in (0.0, 3.0, 20.5, 61.0, 99.0):
        one, other = (basic.frame(run, t, animation=drawn) for run in (whole, grown))
        assert one.grid.keys == other.grid.keys and (one.grid.cells == other.grid.cells).all()
        assert now(whole, bars, t) == now(grown, bars, t)
    assert sum(now(grown, bars, 99.0).values()) == 14
