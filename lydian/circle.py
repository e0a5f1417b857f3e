"""Places on a circle, and the hash functions that assign names to places, for protocols such as Chord.

A circle has ``size`` places, 0, 1, ... size - 1; the last is followed by the first, and clockwise means upwards.
A protocol imports what it needs: ``from lydian.circle import between, distance, identifier``. Every function is pure,
so the same names have the same places in every run, on every machine.

Reference for the hash functions: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a; A. Appleby, the finaliser of MurmurHash3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["apart", "between", "distance", "fnv1a", "identifier", "mixed", "up_to"]

#: Number of bits -> the initial value and the prime of FNV-1a.
_FNV = {32: (0x811C9DC5, 0x01000193), 64: (0xCBF29CE484222325, 0x100000001B3)}
#: Number of bits -> the shifts and multipliers of the finaliser, and its last shift.
_MIX = {
    32: (((16, 0x85EBCA6B), (13, 0xC2B2AE35)), 16),
    64: (((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53)), 33),
}


def between(x: Any, a: Any, b: Any) -> bool:
    """Return True if x is strictly between a and b, clockwise from a; (a, a) is the whole circle except a.

    The places may be any values that can be ordered, such as numbers or tuples.
    """
    return bool(a < x < b if a < b else x > a or x < b)


def up_to(x: Any, a: Any, b: Any) -> bool:
    """Return True if x is in (a, b], clockwise from a; (a, a] is the whole circle."""
    return bool(x == b) or between(x, a, b)


def distance(a: int, b: int, size: int) -> int:
    """Return the number of places clockwise from a to b: 0 to size - 1."""
    return (b - a) % size


def apart(a: int, b: int, size: int) -> int:
    """Return the number of places between a and b in the shorter direction: 0 to size / 2."""
    d = abs(a - b)
    return min(d, size - d)


def identifier(name: str, bits: int = 24, salt: int = 0) -> int:
    """Return the place of a name on a circle of ``2**bits`` places: the first bits of a well-mixed hash.

    Args:
        name: the name of a process, a topic or a key.
        bits: 1 to 64.
        salt: selects the hash function; with another salt, all names have other places.
    """
    return mixed(fnv1a(name, start=_FNV[64][0] ^ salt)) >> 64 - bits


def fnv1a(text: str | Iterable[int], bits: int = 64, start: int | None = None) -> int:
    """Return the FNV-1a hash of a text (its bytes in UTF-8) or of a sequence of numbers.

    Args:
        text: the text or the numbers.
        bits: 32 or 64.
        start: the initial value; the default is that of FNV-1a.
    """
    usual, prime = _FNV[bits]
    x = usual if start is None else start % 2**bits
    for each in text.encode() if isinstance(text, str) else text:
        x = (x ^ each) * prime % 2**bits
    return x


def mixed(x: int, bits: int = 64, rounds: int = 2) -> int:
    """Return a number in which every bit depends on every bit of x, so that similar names have distant places.

    Args:
        x: a hash.
        bits: 32 or 64.
        rounds: 2, or 1 for faster but weaker mixing.
    """
    steps, last = _MIX[bits]
    for shift, factor in steps[:rounds]:
        x = (x ^ x >> shift) * factor % 2**bits
    return x ^ x >> last
