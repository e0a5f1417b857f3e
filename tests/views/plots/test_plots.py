"""Plots of results: defaults, statistics, layout without overlap, exact numbers under the pointer."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.batch.stats import density, ecdf, edges_for, fit_power, summary
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.model.errors import BadInput
from lydian.views.plots.boxes import spread_apart
from lydian.views.plots.data import Results, Variable, results_of
from lydian.views.plots.layout import laid_out
from lydian.views.plots.options import DISTRIBUTIONS, KINDS, Wish, sensible
from lydian.views.plots.plots import plot_of
from lydian.views.plots.read import Reader, formula_in
from lydian.views.plots.scale import axis_of, number_text, places_axis
from lydian.views.plots.tips import badges, nearest, places, table_of, told_of
from tests.batchfolder import SMALL, folder_of

numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: float(f"{x:.6g}"))


def measure(text, role):
    """Measure text in a font whose letters all have the same width."""
    return 7.0 * len(text), 15.0


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return Reader(folder_of(tmp_path_factory.mktemp("plots") / "out", failing=(3, 40)).path).read().results


def made(y, x=None, by=None, over=None):
    """Return results with a measure ``y``, a varied number ``x`` and texts ``by`` and ``over``."""
    y = np.asarray(y, dtype=np.float64)
    count = len(y)
    x = np.zeros(count) if x is None else np.asarray(x, dtype=np.float64)
    texts = {"by": by or ["a"] * count, "over": over or ["p"] * count}
    values = {name: tuple(sorted(set(column))) for name, column in texts.items()}
    codes = {name: np.array([values[name].index(each) for each in column], dtype=np.int64)
             for name, column in texts.items()}  # fmt: skip
    variables = {"x": Variable("x", "size", True, True), "y": Variable("y", "the measure", True)}
    variables |= {name: Variable(name, name, False, True, values[name]) for name in texts}
    return Results(
        "made", "", count, np.arange(count), np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_),
        {"x": x, "y": y}, codes, variables, ("y",),
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------- data


def test_an_axis_shows_its_label_and_its_unit(tmp_path):
    vary = [
        {"name": "ms", "field": "timing.delay", "values": ["constant(1)"], "label": "delay of a message"},
        {"name": "n", "values": [5, 8], "label": "size of the ring", "unit": "processes"},
        {"field": "network", "values": ["ring:{n}"]},
    ]
    results = Reader(folder_of(tmp_path / "out", vary=vary, seeds=2).path).read().results
    plot = plot_of(results, Wish("time", x="n", kind="mean"))
    assert plot.x.words == "size of the ring (processes)"
    assert results.variables["n"].head == "Size of the ring (processes)"
    assert plot_of(results, Wish("time", x="ms", by="n", kind="mean")).x.words == "delay of a message"
    assert [name for name, _look in plot_of(results, Wish("time", x="ms", by="n", kind="mean")).series] == [
        "size of the ring 5 processes", "size of the ring 8 processes",
    ]  # fmt: skip
    assert "size of the ring 5 processes" in told_of(plot, 0)


def test_results_are_read_with_their_values_in_the_order_of_the_sweep(small):
    assert len(small) == small.total == 72
    assert [each.name for each in small.varied] == ["n", "kind", "delay"]
    assert small.levels("kind")[0] == ("ring", "random")
    assert small.levels("n")[0] == (5, 8, 11)
    assert small.measures[:3] == ("messages", "time", "tree_depth")
    assert small.failed.sum() == 2 and small.failures[0].run == 3 and small.failures[0].count == 2
    assert small.told("messages", small.row(3)) is None
    row = small.row(71)
    assert (small.told("n", row), small.told("kind", row), small.told("delay", row)) == (11, "random", "exponential")
    assert small.row(72) == -1
    assert small.judged == small.kept == 70 and small.violated == 0
    assert "4*m - 2*n + 2" in small.formula
    with pytest.raises(BadInput, match="was not measured"):
        small.measure("mesages")


def test_no_results_yet(small):
    sweep = sweep_from(SMALL)
    from lydian.batch.rows import part_schema

    empty = results_of(part_schema(sweep).empty_table(), sweep)
    plot = plot_of(empty, sensible(empty))
    assert plot.empty == "No run has finished yet."
    assert laid_out(plot, 400, 300, measure).frames


def test_a_formula_is_read_without_running_the_protocol():
    assert formula_in("raise SystemExit\nclass P:\n    messages = '2*n'\n") == "2*n"
    assert formula_in("class P:\n    messages = 2 * 3\n") == ""
    assert formula_in("class P(") == ""


# ---------------------------------------------------------------------------------------------------- statistics


def test_statistics_of_a_group_match_the_textbook_formulas():
    s = summary(np.array([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]))
    assert (s.count, s.mean, s.median, s.least, s.most, s.q25, s.q75) == (8, 5.0, 4.5, 2.0, 9.0, 4.0, 5.5)
    assert (s.high - s.mean) == pytest.approx(2.364624 * 2.1380899 / 8**0.5, rel=1e-5)
    one = summary(np.array([3.0]))
    assert one.low == one.high == one.mean == 3.0
    assert summary(np.zeros(0)) is None


@given(st.floats(-2, 3), st.floats(0.1, 100))
def test_a_power_law_is_fitted(exponent, factor):
    x = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    fit = fit_power(x, factor * x**exponent)
    assert fit.exponent == pytest.approx(exponent, abs=1e-6)
    assert fit.factor == pytest.approx(factor, rel=1e-6)
    assert fit.error < 1e-6


@pytest.mark.parametrize("tiny", [5e-324, 3e-226])
@pytest.mark.parametrize("x", [[1.0, 8.0, 4.0, 2.0], [3000.0, 1000.0, 1500.0, 2000.0]])
def test_a_power_law_as_steep_as_numbers_allow_is_drawn(x, tiny):
    plot = plot_of(made([tiny, 1.0, 1.0, 1.0], x), Wish("y", "x", fit=True))
    (series,) = plot.panels[0].series
    assert series.fit is not None and 0.0 < series.fit.factor < np.inf
    assert np.isfinite(np.concatenate(laid_out(plot, 300, 220, measure).frames[0].trails[0].law)).all()


def test_two_points_give_no_power_law():
    assert fit_power(np.array([1.0, 2.0, 2.0]), np.array([1.0, 2.0, 3.0])) is None
    assert fit_power(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])) is None


@given(st.lists(numbers, min_size=1, max_size=60))
def test_shares_and_bins_cover_all_numbers(values):
    values = np.array(values)
    x, share = ecdf(values)
    assert share[0] == 0.0 and share[-1] == pytest.approx(1.0)
    assert np.all(np.diff(x) >= 0) and np.all(np.diff(share) >= -1e-12)
    low, high = float(values.min()), float(values.max())
    counts, _ = np.histogram(values, edges_for(values, low, high if high > low else low))
    assert counts.sum() == len(values)
    if high - low > 1e-6:
        at, height = density(values, low, high)
        assert np.sum((height[1:] + height[:-1]) / 2 * np.diff(at)) == pytest.approx(1.0, abs=0.06)


# ---------------------------------------------------------------------------------------------------- axes


@given(st.lists(numbers, min_size=1, max_size=20), st.booleans(), st.integers(1, 20))
def test_ticks_are_round_few_and_on_the_axis(values, log, count):
    axis = axis_of("w", np.array(values), log=log)
    ticks = axis.ticks(count)
    places = [value for value, _ in ticks]
    assert places == sorted(set(places))
    assert all(axis.low <= value <= axis.high for value in places)
    assert len(ticks) <= max(count, 2) + 2
    assert len({text for _, text in ticks}) == len(ticks) or axis.high - axis.low < 1e-3 * abs(axis.high)
    shares = np.asarray(axis.share(np.array(values)))
    assert np.all(shares > -1e-9) and np.all(shares < 1 + 1e-9)
    middle = axis.value(0.5)
    assert float(axis.share(middle)) == pytest.approx(0.5, abs=1e-6)


def test_axes_of_special_numbers():
    assert axis_of("w", np.array([16.0, 36.0, 64.0]), marks=[16, 36, 64]).ticks(3) == [
        (16, "16"), (36, "36"), (64, "64")
    ]  # fmt: skip
    assert axis_of("w", np.array([1.0, 1000.0]), log=True).ticks(4) == [
        (1.0, "1"), (10.0, "10"), (100.0, "100"), (1000.0, "1,000")
    ]  # fmt: skip
    assert [text for _, text in places_axis("w", ["ring", "grid"]).ticks(1)] == ["ring", "grid"]
    assert not axis_of("w", np.array([0.0, 5.0]), log=True).log
    assert all(value == round(value) for value, _ in axis_of("w", np.array([1.0, 2.0, 3.0])).ticks(20))
    told = [number_text(x) for x in (0, 1234567, 2.5e9, 0.25, 1e-7, 12000, 1234.5)]
    assert told == ["0", "1.235 M", "2.5 G", "0.25", "1e-07", "12,000", "1,234.5"]


@given(st.lists(st.floats(0, 300), min_size=1, max_size=9))
def test_names_at_the_ends_of_curves_do_not_overlap(wanted):
    found = spread_apart(wanted, 18, 10, 290)
    placed = sorted(found)
    assert all(b - a >= 18 - 1e-6 for a, b in itertools.pairwise(placed))
    assert placed[0] >= 10 - 1e-6 and placed[-1] <= 290 + 1e-6
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    assert [found[i] for i in order] == placed


# ---------------------------------------------------------------------------------------------------- displayed data


def test_default_settings(small):
    assert sensible(small) == Wish("messages", "n", "delay", "kind")
    assert sensible(made([1, 2], by=["a", "b"])) == Wish("y", "by")
    assert sensible(made([1, 2])).kind == "histogram"

    corrupted = replace(
        made([1.0, 2.0, 3.0], x=[1, 2, 3]), measures=("y", "stabilised"),
        numbers={name: np.array([1.0, 2.0, 3.0]) for name in ("x", "y", "corrupted", "stabilised")},
    )  # fmt: skip
    more = {name: Variable(name, name, True) for name in ("corrupted", "stabilised")}
    corrupted = replace(corrupted, variables={**corrupted.variables, **more})
    assert (sensible(corrupted).y, sensible(corrupted).x) == ("stabilised", "corrupted")


def test_the_numbers_in_a_plot_match_the_runs(small):
    plot = plot_of(small, Wish("time", "n", "delay", "kind", "mean"))
    assert [panel.name for panel in plot.panels] == ["ring", "random"]
    assert plot.series == (("constant", 0), ("exponential", 1))
    series = plot.panels[1].series[1]
    assert [point.x for point in series.points] == [5, 8, 11]
    mine = [
        small.numbers["time"][row] for row in range(72)
        if small.told("n", row) == 8 and small.told("kind", row) == "random" and small.told("delay", row) != "constant"
        and not small.failed[row]
    ]  # fmt: skip
    assert series.points[1].summary == summary(np.array(mine))
    assert plot.failed == 2 and plot.missing == 0


def test_the_formula_is_drawn_for_message_counts(small):
    plot = plot_of(small, Wish("messages", "n", "delay", "kind"))
    ((look, x, expected),) = plot.panels[0].bounds
    assert look == -1 and x.tolist() == [5, 8, 11]
    assert expected.tolist() == [4 * n - 2 * n + 2 for n in (5, 8, 11)]
    assert not plot_of(small, Wish("messages", "n", formula=False)).panels[0].bounds
    assert not plot_of(small, Wish("time", "n")).panels[0].bounds


def test_power_laws_are_described(small):
    plot = plot_of(small, Wish("messages", "processes", "kind", fit=True))
    ring = plot.panels[0].series[0]
    x, y = small.numbers["processes"][ring.rows], small.numbers["messages"][ring.rows]
    assert ring.fit == fit_power(x, y)
    words = [label.text for label in laid_out(plot, 900, 500, measure).labels]
    assert any(text.startswith("ring") and f"n^{ring.fit.exponent:.2f}" in text for text in words)


def test_impossible_requests(small):
    for wish, words in (
        (Wish("mesages", "n"), "was not measured"),
        (Wish("messages", "nn"), "is not a column"),
        (Wish("messages", "n", kind="pie"), "unknown kind of plot 'pie'"),
        (Wish("messages"), "must have an x axis"),
    ):
        with pytest.raises(BadInput, match=words):
            plot_of(small, wish)


def test_a_batch_with_only_failures_is_described():
    results = replace(made([1.0, 2.0]), failed=np.ones(2, dtype=np.bool_))
    assert plot_of(results, Wish("y", "x")).empty == "All 2 runs failed; see why below."
    assert plot_of(made([np.nan]), Wish("y", "x")).empty == "No run has a number for the measure."


# ---------------------------------------------------------------------------------------------------- layout


@st.composite
def plots(draw):
    count = draw(st.integers(1, 40))
    y = draw(st.lists(st.one_of(numbers, st.just(float("nan"))), min_size=count, max_size=count))
    x = draw(st.lists(st.sampled_from([1.0, 2.0, 4.0, 8.0, -3.0, 1e5]), min_size=count, max_size=count))
    words = st.sampled_from(["a", "exponential(mean=1)", "gnm:{n},{2*n},seed={seed}", "ring", "Δ"])
    by = draw(st.lists(words, min_size=count, max_size=count))
    over = draw(st.lists(words, min_size=count, max_size=count))
    kind = draw(st.sampled_from(sorted(KINDS)))
    wish = Wish(
        "y", draw(st.sampled_from(["x", "over"])), draw(st.sampled_from(["", "by"])),
        draw(st.sampled_from(["", "over"])), kind, draw(st.sampled_from([None, True, False])),
        draw(st.sampled_from([None, True, False])), fit=draw(st.booleans()),
    )  # fmt: skip
    return plot_of(made(y, x, by, over), wish)


@settings(deadline=None)
@given(plots(), st.sampled_from([(300, 220), (640, 400), (1400, 800)]))
def test_nothing_overlaps_and_all_marks_are_inside(plot, size):
    layout = laid_out(plot, *size, measure)
    roomy = all(frame.box.h > 20 for frame in layout.frames)  # below this size there is no room for numbers
    for a, b in itertools.combinations(layout.labels if roomy else (), 2):
        if a.box.meets(b.box, -0.5):
            raise AssertionError(f"{a} covers {b}")
    for frame in layout.frames:
        box = frame.box
        assert box.w > 0 and box.h > 0
        for trail in frame.trails:
            for xs, ys in ((trail.x, trail.value), (trail.x, trail.low), (trail.dots_x, trail.dots_y)):
                assert np.all(xs >= box.x - 1e-6) and np.all(xs <= box.right + 1e-6)
                assert np.all(np.isfinite(ys))
                assert np.all(ys >= box.y - 1e-6) and np.all(ys <= box.bottom + 1e-6)
    if not plot.empty:
        for found in places(layout):
            assert nearest(layout, found.x, found.y) is not None
    head, rows = table_of(plot)
    assert all(len(row) == len(head) for row in rows)


def test_panels_share_their_axes_and_are_placed_side_by_side(small):
    layout = laid_out(plot_of(small, Wish("time", "n", "delay", "kind")), 900, 400, measure)
    first, second = (frame.box for frame in layout.frames)
    assert first.y == second.y and first.w == second.w and second.x > first.right
    assert layout.frames[0].across == layout.frames[1].across


# ---------------------------------------------------------------------------------------------------- hover, numbers


def test_the_pointer_shows_exact_numbers(small):
    layout = laid_out(plot_of(small, Wish("time", "n", "delay", "kind", "runs")), 900, 500, measure)
    trail = layout.frames[1].trails[1]
    at = len(trail.dots_x) - 1
    found = nearest(layout, float(trail.dots_x[at]), float(trail.dots_y[at]))
    assert found.run == 71
    assert found.lines[0] == "Run 71, seed 5"
    assert found.lines[1] == f"time {number_text(float(small.numbers['time'][71]))}"
    assert nearest(layout, 2, 2) is None
    point = places(laid_out(plot_of(small, Wish("time", "n", "delay", "kind")), 900, 500, measure))[0]
    assert point.lines[0] == "ring, constant, processes 5" and point.lines[1] == "5 runs"  # one of six failed


@pytest.mark.parametrize("kind", [*DISTRIBUTIONS, "spread"])
def test_labels_of_runs_do_not_overlap(small, kind):
    layout = laid_out(plot_of(small, Wish("messages", "n", "delay", "kind", kind)), 900, 500, measure)
    numbered = {run: rank for rank, run in enumerate((12, 13, 14, 15, 16, 17), 1)}
    found = badges(layout, numbered)
    assert sorted(badge.number for badge in found) == [1, 2, 3, 4, 5, 6]
    for a, b in itertools.combinations(found, 2):
        assert np.hypot(a.at_x - b.at_x, a.at_y - b.at_y) > 12


def test_a_plot_as_a_table(small):
    head, rows = table_of(plot_of(small, Wish("messages", "n", "", "kind")))
    assert head[:4] == ["kind", "n", "count", "mean"]
    assert rows[0][:4] == ["ring", 5, 11, 12]
    head, rows = table_of(plot_of(small, Wish("messages", kind="histogram")))
    assert head == ["from", "to", "runs"] and sum(row[2] for row in rows) == 70


def test_a_setting_determined_by_x_is_not_a_series(tmp_path):
    vary = [{"name": "n", "values": [5, 8, 11]}, {"field": "network", "values": ["ring:{n}"]},
            {"name": "long", "field": "stop.until", "values": ["{100 * n}"]},
            {"name": "delay", "field": "timing.delay", "values": ["constant(1)", "exponential(mean=1)"]}]  # fmt: skip
    results = Reader(folder_of(tmp_path / "out", vary=vary).path).read().results
    wish = sensible(results)
    assert (wish.x, wish.by, wish.over) == ("n", "delay", "")
