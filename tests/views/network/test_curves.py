"""The curve of a distribution: its area, its quantiles, its mean; and the editing of distributions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lydian.model.delays import (
    FAMILIES,
    Constant,
    Distribution,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    Mixture,
    Normal,
    Pareto,
    Uniform,
    Weibull,
    parse,
)
from lydian.model.errors import BadInput
from lydian.views.network.curves import MANY, curve, numbers, reach, sample, ticks
from lydian.views.network.delays import built, in_family, number_in, shown_number, with_mean

means = st.floats(0.01, 1000)
shares = st.floats(0.05, 2.0)
simple = st.one_of(
    st.builds(Constant, means),
    st.tuples(means, means).map(lambda pair: Uniform(min(pair), max(pair) + 0.01)),
    st.builds(Exponential, means),
    st.builds(lambda mean, cv: Normal(mean, mean * cv), means, shares),
    st.builds(lambda mean, cv: LogNormal(mean, mean * cv), means, shares),
    st.builds(Gamma, means, st.floats(0.7, 40)),
    st.builds(Pareto, means, st.floats(1.3, 20)),
    st.builds(Weibull, means, st.floats(0.7, 10)),
    st.lists(means, min_size=1, max_size=60).map(lambda found: Empirical(tuple(found))),
)
laws = st.one_of(
    simple,
    st.lists(st.tuples(st.floats(0.1, 5), simple), min_size=1, max_size=3).map(lambda parts: Mixture(tuple(parts))),
)


@given(laws)
@example(Mixture(((1.0, Constant(126.0)), (5.0, Exponential(0.015625)))))
def test_the_area_below_the_curve_is_the_probability_up_to_the_end_of_the_axis(law: Distribution) -> None:
    shape = curve(law)
    shown = float(law.cdf(shape.upto))
    if isinstance(law, Empirical) and len(set(law.values)) >= MANY:
        assert shape.area == pytest.approx(shown, abs=0.06)  # a histogram omits the longest
    else:
        assert shape.area == pytest.approx(shown, abs=0.03)
    assert np.all(np.diff(shape.x) > 0)
    assert np.all(np.isfinite(shape.y)) and np.all(shape.y >= 0)


@given(simple)
def test_the_axis_covers_the_mean_and_nearly_all_of_a_distribution(law: Distribution) -> None:
    shape = curve(law)
    assert float(law.cdf(shape.upto)) >= 0.9
    assert 0 <= shape.mean < shape.upto
    assert 0 <= shape.height(shape.mean) <= 1


@given(laws, st.integers(0, 5))
def test_quantiles_increase_and_draws_repeat(law: Distribution, number: int) -> None:
    draws = sample(law, number)
    told = numbers(law, draws)
    assert told.half <= told.most <= told.nearly
    assert told.longest == draws.max()
    assert len(draws) == 200
    assert np.array_equal(draws, sample(law, number))


def test_different_seeds_give_different_draws() -> None:
    assert not np.array_equal(sample(Exponential(1), 0), sample(Exponential(1), 1))


@given(laws, st.floats(0.1, 10))
def test_another_mean_scales_the_distribution(law: Distribution, by: float) -> None:
    moved = with_mean(law, law.mean * by)
    assert moved.kind == law.kind
    assert moved.mean == pytest.approx(law.mean * by, rel=1e-4)
    if math.isfinite(law.sd):
        assert moved.sd == pytest.approx(law.sd * by, rel=1e-2, abs=1e-4 * law.mean * by)


@given(simple, st.sampled_from(sorted(FAMILIES)))
def test_another_family_keeps_the_mean_if_possible(law: Distribution, kind: str) -> None:
    other = in_family(law, kind)
    assert other.kind == kind
    if kind in ("constant", "exponential", "lognormal", "gamma", "pareto", "weibull"):
        assert other.mean == pytest.approx(law.mean, rel=1e-4)
    assert parse(str(other)) == other


@given(simple)
def test_the_fields_of_a_family_reconstruct_it(law: Distribution) -> None:
    if law.asked:
        again = built(law.kind, law.answers)
        assert again.mean == pytest.approx(law.mean, rel=1e-6)
        assert again.sd == pytest.approx(law.sd, rel=1e-5)


@pytest.mark.parametrize(
    ("text", "spikes"),
    [
        ("constant(2)", [(2.0, 1.0)]),
        ("uniform(3, 3)", [(3.0, 1.0)]),
        ("normal(2, 0)", [(2.0, 1.0)]),
        ("empirical(1, 2, 2, 4)", [(1.0, 0.25), (2.0, 0.5), (4.0, 0.25)]),
        ("mix(1: constant(1), 3: constant(1))", [(1.0, 1.0)]),
        ("mix(1: constant(1), 1: exponential(mean=2))", [(1.0, 0.5)]),
        ("constant(0)", [(0.0, 1.0)]),
        ("exponential(mean=1)", []),
    ],
)
def test_numbers_of_positive_probability_are_spikes(text: str, spikes: list[tuple[float, float]]) -> None:
    assert list(curve(parse(text)).spikes) == spikes


def test_an_unbounded_density_is_cut() -> None:
    shape = curve(Gamma(1, 0.3))
    assert shape.y.max() > 3 * shape.top > 0


def test_an_inherited_curve_shares_the_axis() -> None:
    assert reach(Constant(1), Constant(4)) == reach(Constant(4))
    assert curve(Exponential(1), 3.0).x[-1] == 3.0


@given(st.floats(1e-9, 1e9), st.integers(3, 12))
def test_ticks_are_few_and_round(upto: float, most: int) -> None:
    found = ticks(upto, most)
    assert found[0] == 0 and 2 <= len(found) <= most + 1
    assert found[-1] <= upto * (1 + 1e-6)
    assert f"{found[1]:.0e}"[0] in "125"


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        ("lognormal", {"mean": -1.0, "spread": 0.5}, "Mean must be a number greater than 0, not -1"),
        ("pareto", {"mean": 1.0, "a": 1.0}, "must be a number greater than 1, not 1"),
        ("gamma", {"mean": 1.0, "k": 0.01}, "must be a number from 0.05, not 0.01"),
        ("uniform", {"low": 2.0, "high": 1.0}, "the shortest delay must be at most the longest"),
    ],
)
def test_a_value_out_of_range_is_reported_with_the_range(kind: str, given: dict[str, float], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        built(kind, given)


@pytest.mark.parametrize(("text", "value"), [("1.5", 1.5), ("1,5", 1.5), (" 2 ", 2.0), ("1e-3", 0.001), ("−2", -2.0)])
def test_numbers_as_people_type_them(text: str, value: float) -> None:
    assert number_in(text) == value


@pytest.mark.parametrize("text", ["", "abc", "nan", "inf", "1.5.2"])
def test_invalid_numbers_are_reported(text: str) -> None:
    with pytest.raises(BadInput, match=r"must be a (finite )?number"):
        number_in(text)


def test_formatted_numbers() -> None:
    assert [shown_number(v) for v in (0, 3, 6.108, 123.456, 0.01234, 1e-5, 2e7)] == [
        "0", "3.00", "6.11", "123.5", "0.0123", "1e-05", "2e+07",
    ]  # fmt: skip
