"""Places on a circle, and the hashes that put names there: what protocols such as Chord have in common.

A circle has ``size`` places, 0, 1, ... size - 1, and after the last one the first comes again; clockwise is upwards.
A protocol imports what it needs: ``from lydian.circle import between, distance, identifier``.  Every function is pure,
so the same names are at the same places in every run, on every machine.

Reference for the hashes: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a; A. Appleby, the finaliser of MurmurHash3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["apart", "between", "distance", "fnv1a", "identifier", "mixed", "up_to"]

#: Bits -> where FNV-1a begins, and its prime.
_FNV = {32: (0x811C9DC5, 0x01000193), 64: (0xCBF29CE484222325, 0x100000001B3)}
#: Bits -> by how much the finaliser shifts and multiplies, and its last shift.
_MIX = {
    32: (((16, 0x85EBCA6B), (13, 0xC2B2AE35)), 16),
    64: (((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53)), 33),
}


def between(x: Any, a: Any, b: Any) -> bool:
    """Return True if x lies strictly between a and b, going clockwise from a; (a, a) is the whole circle but a.

    The places may be anything that is ordered: numbers, or tuples.
    """
    return bool(a < x < b if a < b else x > a or x < b)


def up_to(x: Any, a: Any, b: Any) -> bool:
    """Return True if x lies in (a, b], going clockwise from a; (a, a] is the whole circle."""
    return bool(x == b) or between(x, a, b)


def distance(a: int, b: int, size: int) -> int:
    """Return how many places it is clockwise from a to b: 0 to size - 1."""
    return (b - a) % size


def apart(a: int, b: int, size: int) -> int:
    """Return how many places it is from a to b the shorter way round: 0 to size / 2."""
    d = abs(a - b)
    return min(d, size - d)


def identifier(name: str, bits: int = 24, salt: int = 0) -> int:
    """Return the place of a name on a circle of ``2**bits`` places: the first bits of a well mixed hash.

    Args:
        name: of a process, a topic or a key.
        bits: 1 to 64.
        salt: another number is another hash, under which all names have other places.
    """
    return mixed(fnv1a(name, start=_FNV[64][0] ^ salt)) >> 64 - bits


def fnv1a(text: str | Iterable[int], bits: int = 64, start: int | None = None) -> int:
    """Return the FNV-1a hash of a text (its bytes in UTF-8), or of some numbers.

    Args:
        text: what is hashed.
        bits: 32 or 64.
        start: the number to begin with, instead of the usual one.
    """
    usual, prime = _FNV[bits]
    x = usual if start is None else start % 2**bits
    for each in text.encode() if isinstance(text, str) else text:
        x = (x ^ each) * prime % 2**bits
    return x


def mixed(x: int, bits: int = 64, rounds: int = 2) -> int:
    """Return a number in which every bit depends on every bit of x: names that are alike come far apart.

    Args:
        x: a hash.
        bits: 32 or 64.
        rounds: 2, or 1 for a cheaper mixture.
    """
    steps, last = _MIX[bits]
    for shift, factor in steps[:rounds]:
        x = (x ^ x >> shift) * factor % 2**bits
    return x ^ x >> last
