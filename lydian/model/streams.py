"""Named random streams that are the same on every machine.

A stream is a 64-bit key. Its j-th value is a hash of the key and j alone, so values can be drawn in any order, there is
no hidden state, and changing one stream does not affect the others. The hash is SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014), whose state after j steps is ``key + j * GOLDEN``; here
j is an argument.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["GOLDEN", "derived", "name_hashes", "stream_key", "stream_keys", "uniforms", "uniforms_at"]

#: The odd number nearest to 2**64 divided by the golden ratio: the step of SplitMix64.
GOLDEN = 0x9E3779B97F4A7C15

_GOLDEN = np.uint64(GOLDEN)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11, _1 = (np.uint64(k) for k in (30, 27, 31, 11, 1))


def stream_key(seed: int, *names: str) -> int:
    """Return the key of the stream with these names: 0 <= key < 2**64.

    Args:
        seed: any integer, including negative and very long ones.
        names: the purpose of the stream, for example ``"delay", "3", "7"``; ("ab", "c") and ("a", "bc") differ.
    """
    digest = hashlib.blake2b(str(int(seed)).encode(), digest_size=8, person=b"lydian")
    for name in names:
        data = name.encode("utf-8", "surrogatepass")
        digest.update(b"/%d:" % len(data))
        digest.update(data)
    return int.from_bytes(digest.digest(), "little")


def name_hashes(names: Iterable[str]) -> NDArray[np.uint64]:
    """Return one 64-bit hash for each name, for :func:`stream_keys`: uint64 (number of names,)."""
    return np.array([stream_key(0, name) for name in names], dtype=np.uint64)


def stream_keys(seed: int, purpose: str, sources: ArrayLike, targets: ArrayLike) -> NDArray[np.uint64]:
    """Return the keys of many streams at once, one for each pair of a source and a target.

    Args:
        seed: the seed of the experiment.
        purpose: what is drawn, for example ``"delay"``.
        sources: the :func:`name_hashes` of the sending processes, uint64 (k,).
        targets: those of the receiving processes, uint64 (k,).

    Returns:
        uint64 (k,). Swapping source and target gives another key.
    """
    key = np.atleast_1d(np.asarray(sources, dtype=np.uint64)) ^ np.uint64(stream_key(seed, purpose))
    return _mixed(_mixed(key) + _GOLDEN + np.atleast_1d(np.asarray(targets, dtype=np.uint64)))


def derived(keys: ArrayLike, number: int) -> NDArray[np.uint64]:
    """Return for each stream its independent derived stream ``number``: uint64, same shape."""
    salt = np.uint64(stream_key(number, "derived"))
    return _mixed(np.atleast_1d(np.asarray(keys, dtype=np.uint64)) ^ salt)


def uniforms(keys: ArrayLike, first: int, count: int) -> NDArray[np.float64]:
    """Return values ``first .. first + count - 1`` of each stream, uniform on the open interval (0, 1).

    Args:
        keys: uint64 (k,).
        first: the number of the first value, from 0.
        count: the number of values of each stream.

    Returns:
        float64 (k, count), never 0 and never 1.
    """
    key = np.atleast_1d(np.asarray(keys, dtype=np.uint64))
    counters = np.uint64(first % 2**64) + np.arange(count, dtype=np.uint64)
    return uniforms_at(key[:, None], counters[None, :])


def uniforms_at(keys: ArrayLike, counters: ArrayLike) -> NDArray[np.float64]:
    """Return value number ``counters`` of the streams ``keys``, element by element (both uint64, broadcast)."""
    key = np.atleast_1d(np.asarray(keys, dtype=np.uint64))
    bits = np.atleast_1d(np.asarray(counters, dtype=np.uint64)) + _1
    bits = key + bits * _GOLDEN
    bits = _mixed(bits)
    bits >>= _11
    bits |= _1  # an odd multiple of 2**-53 is neither 0 nor 1
    values = bits.astype(np.float64)
    values *= 2.0**-53
    return values


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Apply SplitMix64's finaliser modulo 2**64 to arrays of at least one dimension (scalars would warn)."""
    bits = bits ^ (bits >> _30)
    bits *= _MIX1
    bits ^= bits >> _27
    bits *= _MIX2
    bits ^= bits >> _31
    return bits
