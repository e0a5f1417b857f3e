"""Published numbers in plots and tables: their positions, and the results of the runs there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.batch.sweep.published import Mark
from lydian.views.plots.layout import laid_out
from lydian.views.plots.options import KINDS, Wish, sensible
from lydian.views.plots.plots import plot_of
from lydian.views.plots.published import HEAD, compared, table_of_published
from lydian.views.plots.read import Reader
from lydian.views.plots.tips import nearest
from tests.batchfolder import folder_of
from tests.views.plots.test_plots import made, measure

INF = float("inf")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    published = [
        {"measure": "messages", "at": {"kind": "ring"}, "value": "{2 * n + 2}", "source": "chapter 1"},
        {"measure": "time", "at": {"kind": "ring", "delay": "constant", "n": [8, 9]}, "value": [8, 9]},
        {"measure": "time", "high": 1},
    ]
    return Reader(folder_of(tmp_path_factory.mktemp("published") / "out", published=published).path).read().results


def said(results, *wish, panel=0, **more):
    plot = plot_of(results, Wish(*wish, **more))
    return plot, plot.panels[panel].said


def test_a_formula_is_drawn_at_every_x_of_its_series(small):
    plot, found = said(small, "messages", "n", "kind")
    ring = next(look for name, look in plot.series if name == "ring")
    assert [(each.x, each.mark.low, each.look) for each in found] == [(n, 2 * n + 2, ring) for n in (5, 8, 11)]
    # this is the number of messages that Echo sends on a ring
    assert all(each.here.mean == each.mark.low for each in found)


def test_in_panels_and_along_names(small):
    _, ring = said(small, "messages", "n", "delay", "kind", panel=0)
    _, random = said(small, "messages", "n", "delay", "kind", panel=1)
    assert [(each.x, each.look) for each in ring] == [(5, -1), (8, -1), (11, -1)] and random == ()
    _, found = said(small, "messages", "kind", "n")
    assert [(each.x, each.look) for each in found] == [(0.0, 0), (0.0, 1), (0.0, 2)]


def test_numbers_for_part_of_a_mixed_series_are_not_drawn(small):
    assert said(small, "messages", "n")[1] == ()  # rings and random networks together
    assert said(small, "time", "n", "kind")[1][0].mark.high == 1.0  # both laws of delay together: but for all holds
    assert len(said(small, "time", "n", "kind")[1]) == 1


def test_a_published_number_extends_the_axes(small):
    plot, found = said(small, "time", "n", "delay", "kind")
    assert {each.x for each in found} == {8.0, 9.0, None}
    assert plot.y.low <= 1 <= plot.y.high and plot.x.low <= 9 <= plot.x.high
    at_nine = next(each for each in found if each.x == 9.0)
    assert at_nine.here is None


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_plot_shows_them(small, kind):
    _, found = said(small, "time", "n", "delay", "kind", kind)
    assert any(each.mark.high == 1.0 for each in found)


def test_the_pointer_shows_the_published_number(small):
    layout = laid_out(plot_of(small, Wish("time", "n", "delay", "kind", "mean")), 900, 500, measure)
    sign = next(sign for sign in layout.frames[0].signs if sign.said.x == 9.0)
    found = nearest(layout, sign.x, sign.low)
    assert found.lines == ("published: 9", "delay constant, kind ring, n 9")
    assert ("published", -3) in [(label.text, label.look) for label in layout.labels]


def test_a_table_of_published_numbers_and_results(small):
    rows = table_of_published(small)
    assert all(len(row) == len(HEAD) for row in rows)
    assert rows[0] == ["messages", "kind ring, n 5", "12", "12", "", "equal", "chapter 1"]
    assert rows[4][2:6] == ["9", "", "", ""]
    assert rows[5][2] == "at most 1" and rows[5][5].startswith("+")
    every = compared(small)
    mean = small.numbers["time"].mean()
    assert every[5].apart == pytest.approx(mean - 1)


@settings(deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30),
    st.lists(
        st.tuples(
            st.sampled_from([{}, {"x": 2.0}, {"x": 3.5}, {"by": "a"}, {"by": "z"}, {"over": "q", "x": 1.0}]),
            st.sampled_from([(1.0, 1.0), (-INF, 5.0), (0.0, INF), (-3.0, 4.5), (1e5, 1e5)]),
        ),
        max_size=6,
    ),
    st.sampled_from(sorted(KINDS)), st.sampled_from(["x", "over"]), st.sampled_from(["", "by"]),
    st.sampled_from([None, True]), st.sampled_from([(300, 220), (1400, 800)]),
)  # fmt: skip
def test_they_stay_inside_their_frames(values, marks, kind, x, by, log, size):
    count = len(values)
    results = made(values, [float(i % 3 + 1) for i in range(count)], ["ab"[i % 2] for i in range(count)],
                   ["pq"[i % 2] for i in range(count)])  # fmt: skip
    results = replace(results, published=tuple(Mark("y", at, low, high) for at, (low, high) in marks))
    plot = plot_of(results, Wish("y", x, by, "", kind, log_y=log))
    layout = laid_out(plot, *size, measure)
    for frame in layout.frames:
        box = frame.box
        for sign in frame.signs:
            assert sign.ends
            across = kind in ("histogram", "density", "ecdf")
            low, high = (box.x, box.right) if across else (box.y, box.bottom)
            assert all(low - 1e-6 <= end <= high + 1e-6 for end in sign.ends)
            assert sign.x is None or (not across and box.x - 1e-6 <= sign.x <= box.right + 1e-6)
            assert np.isfinite(sign.ends).all()


def test_repeated_texts_along_an_axis_keep_their_numbers(tmp_path):
    zipped = [{"name": "kind", "values": ["a", "a", "b"]}, {"name": "n", "values": [5, 8, 11]}]
    vary = [*zipped, {"field": "network", "values": ["ring:{n}"], "labels": ["ring"]}]
    told = [{"measure": "messages", "at": {"kind": "a"}, "value": "{2 * n + 2}"}]
    folder = folder_of(tmp_path / "out", vary=vary, zip=[["kind", "n"]], published=told)
    results = Reader(folder.path).read().results
    assert results.levels("kind")[0] == ("a", "b")
    assert [row[2:4] for row in table_of_published(results)] == [["12", "12"], ["18", "18"]]
    assert len(plot_of(results, Wish("messages", "n", "kind")).panels[0].said) == 2


def test_a_share_is_shown_by_its_mean():
    results = made([0, 1, 1, 0, 1, 1], [1, 1, 1, 2, 2, 2])
    assert sensible(results).kind == "mean"
    assert sensible(made([0, 1, 2, 0, 1, 1], [1, 1, 1, 2, 2, 2])).kind == "spread"


def test_zero_is_not_drawn_on_a_logarithmic_axis():
    results = replace(made([3.0, 5.0, 9.0], x=[1, 10, 100]), published=(
        Mark("y", {"x": 0}, 4.0, 4.0), Mark("y", {"x": 10}, 5.0, 5.0),
    ))  # fmt: skip
    for log, places in ((True, [10.0]), (False, [0.0, 10.0])):
        plot = plot_of(results, Wish("y", "x", "", "", "mean", log_x=log))
        signs = [sign for frame in laid_out(plot, 500, 300, measure).frames for sign in frame.signs]
        assert [sign.said.x for sign in signs] == places
