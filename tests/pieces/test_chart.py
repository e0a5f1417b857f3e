"""Charts of an animation: they match a scan of all processes at every moment, whole or growing; wrong declarations."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.model.lang.expression import binary, expression, ring
from lydian.pieces.animation import Animation, Chart, Line
from lydian.pieces.chart import chart_at, curve_of
from lydian.pieces.grid import held_in
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.scene import scene_for
from lydian.views.words.expressions import missing_in, number
from tests.views.book import Book

NAMES = ("a", "b", "c")
VALUES = st.sampled_from([None, 0, 1, 2, 2.5, True, "x", [], [1, 2], list(range(20)), {"k": 1}])
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(NAMES), st.just("set"), st.fixed_dictionaries({}, optional={"x": VALUES, "y": VALUES})
        ),
        st.tuples(st.sampled_from(NAMES), st.just("state"), st.sampled_from(["waiting", "finished"])),
        st.tuples(st.sampled_from(NAMES), st.sampled_from(["crash", "recover"]), st.none()),
    ),
    max_size=30,
)
LINES = (
    Line("x"), Line("x", of="sum"), Line("x", of="mean"), Line("x", of="max"), Line("x > y"), Line("y", of="sum"),
    Line('state == "waiting"'), Line('len(x) if state == "finished" else 0', of="max"), Line('me == "b" and x'),
    Line("x", of="different"), Line("set(x)", of="different"), Line("x", of="alone"), Line("set(x)", of="alone"),
    Line('y if state == "waiting" else x', of="different"), Line("n * x - m", of="sum"),
)  # fmt: skip


def written(steps: list[tuple[str, str, Any]]) -> Trace:
    """Return a run with these events, two at each time."""
    book = Book(NAMES, links=[("a", "b"), ("b", "c")])
    down: set[str] = set()
    for i, (name, what, about) in enumerate(steps):
        time = 1.0 + i // 2
        if what in ("crash", "recover"):
            if (what == "crash") == (name in down):
                continue
            down ^= {name}
            book.write(time, what, name)
        elif what == "state":
            book.write(time, "init", name, state=about)
        else:
            book.write(time, "init", name, changed=about)
    return book.trace(initial={"x": 1, "y": None})


def asked(timeline: Timeline, line: Line, k: int) -> float:
    """Return the value of a line after ``k`` events from a scan of all processes."""
    wanted, found = expression(line.expression), []
    for p, name in enumerate(timeline.processes):
        values = {n: v for n, (v, _) in timeline.variables(p, k).items()}
        values |= {"state": timeline.states[int(timeline.states_at(k)[p])], "me": name, "n": 3, "m": 2}
        if not timeline.crashed_at(k)[p]:
            found.append(wanted.value(values))
    if line.of == "count":
        return float(sum(bool(value) for value in found))
    if line.of == "different":
        lists = [sorted(value) if isinstance(value, set) else value for value in found]
        return float(len({thing for value in lists for thing in held_in(value)}))
    if line.of == "alone":
        lists = [sorted(value) if isinstance(value, set) else value for value in found]
        many = Counter(thing for value in lists for thing in set(held_in(value)))
        return float(sum(count == 1 for count in many.values()))
    numbers = [number(value) for value in found]
    numbers = [value for value in numbers if math.isfinite(value)]
    if line.of == "sum":
        return sum(numbers)
    if not numbers:
        return math.nan
    return max(numbers) if line.of == "max" else sum(numbers) / len(numbers)


@settings(deadline=None)
@given(STEPS)
def test_a_line_combines_the_values_of_all_processes_at_every_moment(steps: list[tuple[str, str, Any]]) -> None:
    timeline = Timeline(written([("a", "set", {"y": 0}), *steps]))
    for line in LINES:
        curve = curve_of(timeline, line)
        assert curve.times[0] == 0 and (np.diff(curve.times) >= 0).all()
        for t in [0.0, *timeline.time.tolist()]:
            wanted = asked(timeline, line, timeline.count(t))
            assert curve.at(t) == pytest.approx(wanted, nan_ok=True), (line, t)


@settings(max_examples=25, deadline=None)
@given(STEPS, st.integers(0, 30))
def test_a_growing_line_equals_that_of_the_whole_run(steps: list[tuple[str, str, Any]], cut: int) -> None:
    whole = written([("a", "set", {"y": 0}), *steps])
    before, details = None, dict(whole.detail_of.__self__)  # type: ignore[union-attr]
    for stop in (min(cut, len(whole)), len(whole)):
        part = Trace(
            whole.rows[:stop], whole.processes, whole.labels, whole.states,
            {seq: text for seq, text in details.items() if seq < stop}.get, network=whole.network,
            summary=whole.summary, source=whole.source,
        )  # fmt: skip
        before = Timeline(part, before)
        for line in LINES:
            if "y" in before.variable_names or "y" not in line.expression:
                curve_of(before, line)
    assert before is not None
    fresh = Timeline(whole)
    for line in LINES:
        one, other = curve_of(before, line), curve_of(fresh, line)
        for t in [0.0, *fresh.time.tolist()]:
            assert one.at(t) == pytest.approx(other.at(t), nan_ok=True)


def test_the_frame_has_the_current_numbers_and_one_scale_for_the_run() -> None:
    timeline = Timeline(written([("a", "set", {"x": 5}), ("b", "set", {"x": 7}), ("c", "state", "waiting")]))
    drawn = Animation(chart=Chart((Line("x", of="max"), Line('state == "waiting"')), title="Largest"))
    (chart,) = basic.frame(timeline, 0.5, animation=drawn).chart
    assert chart.now == (1.0, 0.0) and (chart.low, chart.high) == (0.0, 7.0)
    (later,) = basic.frame(timeline, 2.0, animation=drawn).chart
    assert later.now == (7.0, 1.0)
    assert later.curves[0] is chart.curves[0]  # computed once
    fixed = Animation(chart=Chart(Line("x", of="max"), low=-1, high=3))
    (chart,) = basic.frame(timeline, 0.5, animation=fixed).chart
    assert (chart.low, chart.high) == (-1.0, 3.0)
    assert basic.frame(timeline, 0.5, animation=Animation()).chart == ()
    assert basic.frame(None, 0.0, network=scene_for(timeline, None, drawn).network, animation=drawn).chart == ()


def test_an_unknown_variable_is_reported_in_the_chart() -> None:
    timeline = Timeline(written([]))
    scene = scene_for(timeline, None, Animation(chart=Chart(Line("xx + 1", of="sum"))))
    (declared,) = scene.animation.chart
    chart = chart_at(scene, declared, 1.0)
    assert not chart.curves
    assert chart.problem == "No process has a variable 'xx' (did you mean 'x'?)."


def test_parameters_are_names_and_time_is_not() -> None:
    book = Book(NAMES, links=[("a", "b")])
    book.write(1.0, "init", "a", changed={"ident": 40})
    timeline = Timeline(book.trace(initial={"ident": 8}, parameters={"B": 5}))
    curve = curve_of(timeline, Line("ring(ident, B)", of="max"))
    assert curve.at(0.5) == 0.25 and curve.at(1.0) == 0.25  # 40 is 8 on a ring of 32
    assert missing_in(timeline, expression("ident + B")) == ""
    with pytest.raises(BadInput, match="uses the time"):
        Line("time > 3")


def test_initial_values_that_differ_between_processes_count() -> None:
    book = Book(NAMES, links=[("a", "b")])
    book.write(1.0, "init", "a", changed={"x": 4})
    timeline = Timeline(book.trace(initial={"x": 0}, first={"a": {"x": 1}, "b": {"x": 7}}))
    lines = [curve_of(timeline, Line("x", of=of)) for of in ("max", "sum", "mean", "different")]
    assert [line.at(0.5) for line in lines] == [7.0, 8.0, pytest.approx(8 / 3), 3.0]
    assert [line.at(1.0) for line in lines] == [7.0, 11.0, pytest.approx(11 / 3), 3.0]
    assert curve_of(timeline, Line("x > 5")).at(0.5) == 1.0


def test_faults_are_marked_and_a_bound_follows_the_last() -> None:
    book = Book(NAMES, links=[("a", "b")])
    for time, what, name in ((1.0, "crash", "a"), (2.0, "recover", "a"), (9.0, "corrupt", "b"), (20.0, "init", "c")):
        book.write(time, what, name, changed={"x": 1})
    timeline = Timeline(book.trace(initial={"x": 0}, parameters={"period": 2}))

    def see(**more: Any) -> Any:
        return basic.frame(timeline, 1.0, animation=Animation(chart=Chart(Line("x"), **more))).chart[0]

    assert see(bound="2 * period").faults.tolist() == [1.0, 2.0, 9.0] and see(bound="2 * period").bounds == (6.0, 13.0)
    assert see(faults=False, bound="2 * period").bounds == (6.0, 13.0) and not len(see(faults=False).faults)
    assert see().bounds == () and see(bound="nothing * 2").bounds == ()
    with pytest.raises(BadInput, match="cannot be read"):
        Chart(Line("x"), bound="2 *")


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("1", 0.5), ("01", 0.25), ("111", 0.875)])
def test_a_text_of_binary_digits_is_a_number_below_one(text: str, value: float) -> None:
    assert binary(text) == value
    assert expression("binary(label)").value({"label": text}) == value


def test_logarithms_are_natural_or_to_a_base() -> None:
    assert expression("n * log(n, 2)").value({"n": 8}) == pytest.approx(24.0)
    assert expression("log(1)").value({}) == 0.0 and expression("log(0)").value({}) is None


def test_values_that_are_not_numbers_on_a_ring_are_omitted() -> None:
    assert ring(5, 2) == 0.25 and ring(-1, 3) == 0.875
    for label in (None, "", "12", 7, ["0"]):
        assert expression("binary(label)").value({"label": label}) is None


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Chart(()), "lines must be a list of Line"),
    (lambda: Chart(tuple(Line("x") for _ in range(5))), "at most 4 lines"),
    (lambda: Chart(Line("x"), side="above"), "a chart has no side 'above'"),
    (lambda: Chart(Line("x"), share=0.9), "share must be a number from 0.1 to 0.6"),
    (lambda: Chart(Line("x"), low=3, high=3), "low must be less than high"),
    (lambda: Chart(Line("x"), low="0"), "low must be a number"),
    (lambda: Line("x", of="median"), "a line has no of 'median'"),
    (lambda: Line("x +"), "cannot be read"),
    (lambda: Line("open(x)"), "may call only abs"),
    (lambda: Line(3), "must be an expression in quotation marks"),
    (lambda: Animation(chart=Line("x")), r"chart must be Chart\(...\)"),
])  # fmt: skip
def test_wrong_declarations_are_reported(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()
