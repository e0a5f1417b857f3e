"""Logarithm, exponential function and normal quantile, with results that are identical on every machine.

The functions of numpy and of the C library differ in the last bit between processors and versions, which would be
enough to swap two events. The functions here use only ``+ - * /``, ``sqrt``, ``frexp``, ``ldexp`` and ``rint``, which
IEEE 754 defines to the last bit; their relative error is below 4e-16 (1e-15 for the quantile).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["exp", "log", "normal_quantile", "power"]

Floats = NDArray[np.float64]

_LN2_HIGH = 0.6931471803691238  # the first 32 bits of ln 2, so that a small integer times it is exact
_LN2_LOW = 1.9082149292705877e-10
_LOG2_E = 1.4426950408889634
_SQRT_HALF = 0.7071067811865476
_ATANH = tuple(2.0 / (2 * j + 1) for j in range(11))  # ln((1+s)/(1-s)) = s * (2 + 2/3 s^2 + 2/5 s^4 + ...)
_TAYLOR = tuple(1.0 / f for f in (1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600))


def log(x: Floats) -> Floats:
    """Return the natural logarithm of positive, finite, normal numbers; any shape of at least one dimension."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < _SQRT_HALF
    mantissa = np.where(small, mantissa * 2.0, mantissa)
    k = exponent - small.astype(np.float64)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    value = _horner(_ATANH, s * s)
    value *= s
    value += k * _LN2_LOW
    value += k * _LN2_HIGH
    return value


def exp(x: Floats) -> Floats:
    """Return e to the power of x; x is first clipped to -700..700, so that the result is positive and finite."""
    x = np.clip(x, -700.0, 700.0)
    k = np.rint(x * _LOG2_E)
    r = x - k * _LN2_HIGH
    r -= k * _LN2_LOW
    return np.ldexp(_horner(_TAYLOR, r), k.astype(np.int32))


def power(x: Floats, exponent: float) -> Floats:
    """Raise positive numbers to a power."""
    return exp(log(x) * exponent)


def normal_quantile(p: Floats) -> Floats:
    """Return the p-quantile of the standard normal distribution; 0 < p < 1.

    Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988).
    """
    q = p - 0.5
    r = 0.180625 - q * q
    x = q * (_horner(_CENTRE_ABOVE, r) / _horner(_CENTRE_BELOW, r))
    tail = np.abs(q) > 0.425
    if tail.any():
        x[tail] = _tail(p[tail])
    return x


def _tail(p: Floats) -> Floats:
    r = np.sqrt(-log(np.minimum(p, 1.0 - p)))
    near, far = r - 1.6, r - 5.0
    x = np.where(
        r <= 5.0,
        _horner(_NEAR_ABOVE, near) / _horner(_NEAR_BELOW, near),
        _horner(_FAR_ABOVE, far) / _horner(_FAR_BELOW, far),
    )
    return np.where(p < 0.5, -x, x)


def _horner(coefficients: tuple[float, ...], x: Floats) -> Floats:
    """Return c0 + c1 x + c2 x^2 + ... as a new array, evaluated from the last coefficient by Horner's method."""
    value = np.full_like(x, coefficients[-1])
    for c in coefficients[-2::-1]:
        value *= x
        value += c
    return value


# The coefficients of AS 241, the constant term first.
_CENTRE_ABOVE = (
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946,
    45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227,
)  # fmt: skip
_CENTRE_BELOW = (
    1.0, 42.31333070160091, 687.1870074920579, 5394.196021424751,
    21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854,
)  # fmt: skip
_NEAR_ABOVE = (
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045,
    1.2704582524523684, 0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
)  # fmt: skip
_NEAR_BELOW = (
    1.0, 2.053191626637759, 1.6763848301838038, 0.6897673349851,
    0.14810397642748008, 0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-09,
)  # fmt: skip
_FAR_ABOVE = (
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487,
    0.026532189526576124, 0.0012426609473880784, 2.7115555687434876e-05, 2.0103343992922881e-07,
)  # fmt: skip
_FAR_BELOW = (
    1.0, 0.599832206555888, 0.1369298809227358, 0.014875361290850615,
    0.0007868691311456133, 1.8463183175100548e-05, 1.421511758316446e-07, 2.0442631033899397e-15,
)  # fmt: skip
