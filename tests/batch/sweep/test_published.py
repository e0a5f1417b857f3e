"""Published numbers in a sweep: read, kept, and applied to the right groups."""

from __future__ import annotations

import math
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.batch.packed import Packed, pack
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.model.errors import BadInput
from tests.batchfolder import SMALL


def sweep_of(*published, **changes):
    return sweep_from({**SMALL, "published": list(published), **changes}, "s.toml")


def test_one_number_where_it_applies():
    sweep = sweep_of({"measure": "time", "at": {"kind": "ring", "n": 8}, "value": 10, "source": "Table 2"})
    (mark,) = sweep.marks
    assert (mark.measure, mark.at, mark.low, mark.high, mark.source) == (
        "time", {"kind": "ring", "n": 8}, 10.0, 10.0, "Table 2",
    )  # fmt: skip
    assert not mark.curve and mark.ends == (10.0,)


def test_a_list_gives_a_number_for_each_value():
    sweep = sweep_of({"measure": "time", "at": {"n": [5, 6, 8], "kind": "ring"}, "value": [7, 8, "{2 * n}"]})
    assert [(mark.at["n"], mark.low) for mark in sweep.marks] == [(5, 7.0), (6, 8.0), (8, 16.0)]
    assert all(mark.at["kind"] == "ring" for mark in sweep.marks)


def test_a_formula_applies_to_every_group_it_distinguishes():
    sweep = sweep_of({"measure": "messages", "at": {"kind": "ring"}, "value": "{2 * n + 2}"})
    assert [(mark.at, mark.low, mark.curve) for mark in sweep.marks] == [
        ({"kind": "ring", "n": n}, 2.0 * n + 2, True) for n in (5, 8, 11)
    ]  # the two distributions of delays differ in nothing that the formula uses


def test_bounds_and_ranges():
    low, high, both = sweep_of(
        {"measure": "time", "low": 3}, {"measure": "time", "high": "{n}", "at": {"n": 8}},
        {"measure": "time", "low": 1, "high": 2},
    ).marks  # fmt: skip
    assert (low.low, low.high, low.ends, low.at) == (3.0, math.inf, (3.0,), {})
    assert (high.low, high.high, high.ends) == (-math.inf, 8.0, (8.0,))
    assert both.ends == (1.0, 2.0)


def test_values_are_identified_by_label_and_packed_with_a_job():
    sweep = sweep_of({"measure": "time", "at": {"delay": "constant(1)"}, "value": 9})
    assert sweep.marks[0].at == {"delay": "constant"}
    carried = Packed.from_json(pack(sweep).to_json()).sweep
    assert carried.marks == sweep.marks
    named = {"name": "protocol_", "field": "protocol", "values": ["echo", "flooding"]}
    sweep = sweep_of({"measure": "messages", "at": {"protocol_": "echo"}, "value": 9}, vary=[*SMALL["vary"], named])
    assert pack(sweep).sweep.marks == sweep.marks


@given(
    st.lists(
        st.fixed_dictionaries(
            {"measure": st.sampled_from(["messages", "time", "tree_depth"])},
            optional={
                "at": st.fixed_dictionaries(
                    {}, optional={"n": st.integers(1, 40), "kind": st.sampled_from(["ring", "random"])}
                ),
                "source": st.sampled_from(["Figure 1", "Theorem 4"]),
            },
        ).flatmap(
            lambda table: st.one_of(
                st.floats(-1e6, 1e6).map(lambda x: {**table, "value": x}),
                st.integers(0, 50).map(lambda x: {**table, "low": x, "high": x + 1}),
                st.just({**table, "high": "{n * 2}"}),
            )
        ),
        max_size=4,
    )
)
def test_numbers_survive_saving(tables):
    sweep = sweep_of(*tables)
    again = sweep_from(tomllib.loads(sweep.to_toml()))
    assert again.published == sweep.published
    assert again.marks == sweep.marks


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"measure": "tme", "value": 1}, "s.toml, published[0].measure: unknown measure 'tme' (did you mean 'time'?)"),
        ({"measure": "own.x", "value": 1}, "published[0].measure: own.x is not measured; add it to measure"),
        ({"measure": "time"}, "published[0].value: must be given, or low or high or both instead"),
        ({"measure": "time", "value": 1, "low": 1}, "s.toml, published[0].value: must be one number; a range is"),
        ({"measure": "time", "value": 1, "at": {"n": "8"}}, "n is never '8'; write it without quotation marks"),
        ({"measure": "time", "value": "4"}, "published[0].value: must be a number or a formula in braces"),
        ({"measure": "time", "value": "{m}"}, "published[0].value: {m} is not varied"),
        ({"measure": "time", "value": "{seed}"}, "published[0].value: {seed} is not varied"),
        ({"measure": "time", "value": "{n / 0}"}, "published[0].value"),
        ({"measure": "time", "value": 1, "at": {"nn": 3}}, "published[0].at: 'nn' is not varied (did you mean 'n'?)"),
        ({"measure": "time", "value": 1, "at": {"kind": "rng"}}, "kind is never 'rng' (did you mean 'ring'?)"),
        ({"measure": "time", "value": [1, 2], "at": {"n": [5]}}, "must be lists as long as the published values; n"),
        ({"measure": "time", "value": [1, 2]}, "published[0].at: must be lists as long as the published values"),
        ({"measure": "time", "value": [1], "at": {"n": [5], "kind": ["ring"]}}, "published[0].at: must have only one"),
        ({"measure": "time", "low": 2, "high": 1}, "published[0]: low = 2 must not be above high = 1"),
        ({"measure": "time", "value": 1, "sorce": "x"}, "unknown key 'sorce' (did you mean 'source'?)"),
    ],
)
def test_errors_are_one_sentence_with_their_place(table, sentence):
    with pytest.raises(BadInput) as caught:
        sweep_of(table)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("s.toml, ")


def test_values_drawn_by_each_run_can_be_named_and_apply_run_by_run():
    drawn = [{"name": "p", "sample": "uniform", "low": 0.1, "high": 0.4},
             {"name": "way", "sample": "choice", "values": ["left", "right"]}]  # fmt: skip
    sweep = sweep_of(
        {"measure": "messages", "value": "{100 * p}"},
        {"measure": "time", "at": {"way": "left"}, "value": 3},
        vary=drawn,
    )
    *curve, last = sweep.marks
    assert [mark.at["p"] for mark in curve] == [sweep.run(i).shown["p"] for i in range(sweep.count)]
    assert all(mark.low == pytest.approx(100 * mark.at["p"]) for mark in curve) and last.at == {"way": "left"}
    with pytest.raises(BadInput, match=r"way is never 'lift' \(did you mean 'left'"):
        sweep_of({"measure": "time", "at": {"way": "lift"}, "value": 3}, vary=drawn)


@pytest.mark.parametrize("table", [
    {"value": 10**400}, {"value": 1e301}, {"value": float("nan")}, {"at": {"n": 10**400}, "value": 1},
    {"at": {"n": float("nan")}, "value": 1}, {"value": "{n * 10**290 * 10**290}"},
])  # fmt: skip
def test_numbers_that_cannot_be_plotted_are_refused(table):
    with pytest.raises(BadInput):
        sweep_of({"measure": "messages", **table})


def test_a_single_table_instead_of_a_list():
    with pytest.raises(BadInput) as caught:
        sweep_from({**SMALL, "published": {"measure": "time", "value": 1}}, "s.toml")
    assert "s.toml, published: must be a list of tables; write [[published]] instead" in str(caught.value)
