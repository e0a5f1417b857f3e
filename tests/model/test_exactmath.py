"""Our own logarithm and related functions: exact to the last bits, and the same for one number and for many."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.delays import exactmath

positive = st.floats(1e-300, 1e300)


@given(positive)
def test_log(x: float) -> None:
    assert math.isclose(exactmath.log(np.array([x]))[0], math.log(x), rel_tol=1e-15, abs_tol=0)


@given(st.floats(-690, 690))
def test_exp(x: float) -> None:
    assert math.isclose(exactmath.exp(np.array([x]))[0], math.exp(x), rel_tol=1e-15)


def test_exp_underflows_and_never_overflows() -> None:
    low, high = exactmath.exp(np.array([-1e9, 1e9]))
    assert 0 < low < 1e-303
    assert 1e303 < high < math.inf


@given(st.floats(1e-300, 1 - 2**-53))
def test_normal_quantile(p: float) -> None:
    assert math.isclose(
        exactmath.normal_quantile(np.array([p]))[0], NormalDist().inv_cdf(p), rel_tol=2e-15, abs_tol=1e-16
    )


def test_power() -> None:
    x = np.array([0.25, 2.0, 10.0])
    assert np.allclose(exactmath.power(x, 1.5), x**1.5, rtol=4e-15, atol=0)


@given(st.lists(st.floats(1e-9, 1 - 1e-9), min_size=1, max_size=70))
def test_scalars_and_arrays_agree(p: list[float]) -> None:
    for function in (exactmath.log, exactmath.exp, exactmath.normal_quantile):
        assert function(np.array(p)).tolist() == [function(np.array([one]))[0] for one in p]


def test_bits_are_fixed_for_ever() -> None:
    # Only operations that IEEE 754 defines to the last bit are used, so these values hold on every machine.
    x = np.linspace(0.001, 0.999, 997)
    functions = (exactmath.log, exactmath.exp, exactmath.normal_quantile)
    assert [np.bitwise_xor.reduce(f(x).view(np.uint64)).item() for f in functions] == [
        13888280633409106218,
        4610191237793785255,
        65307,
    ]
