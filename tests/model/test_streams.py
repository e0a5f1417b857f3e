"""Random streams: the same value for the same key and number, whatever other values are requested."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.streams import GOLDEN, derived, name_hashes, stream_key, stream_keys, uniforms, uniforms_at

keys = st.integers(0, 2**64 - 1)


def splitmix(state: int) -> int:
    """Compute SplitMix64's finaliser in plain integers, as published."""
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB % 2**64
    return state ^ (state >> 31)


def test_published_sequence() -> None:
    # The first outputs of SplitMix64 seeded with 1234567, commonly used to check implementations.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [splitmix((1234567 + (j + 1) * GOLDEN) % 2**64) for j in range(4)] == published
    expected = [((value >> 11) | 1) * 2.0**-53 for value in published]
    assert uniforms([1234567], 0, 4)[0].tolist() == expected


@given(keys, st.integers(0, 2**40), st.integers(1, 20))
def test_against_plain_integers(key: int, first: int, count: int) -> None:
    expected = [((splitmix((key + (first + j + 1) * GOLDEN) % 2**64) >> 11) | 1) * 2.0**-53 for j in range(count)]
    assert uniforms([key], first, count)[0].tolist() == expected


@given(st.lists(keys, min_size=1, max_size=5), st.integers(0, 1000), st.integers(0, 8), st.integers(0, 8))
def test_block_size_does_not_matter(some: list[int], first: int, left: int, right: int) -> None:
    whole = uniforms(some, first, left + right)
    halves = np.hstack((uniforms(some, first, left), uniforms(some, first + left, right)))
    assert whole.tolist() == halves.tolist()
    rows = [uniforms([key], first, left + right)[0].tolist() for key in some]
    assert whole.tolist() == rows


def test_shape_and_open_interval() -> None:
    values = uniforms(name_hashes(str(i) for i in range(200)), 0, 500)
    assert values.shape == (200, 500)
    assert values.dtype == np.float64
    assert 0 < values.min() < 1e-4
    assert 1 - 1e-4 < values.max() < 1
    assert uniforms([1, 2], 5, 0).shape == (2, 0)


def test_evenly_distributed_and_uncorrelated() -> None:
    values = uniforms(name_hashes(str(i) for i in range(100)), 0, 1000)
    counts = np.histogram(values, bins=20, range=(0, 1))[0]
    assert ((counts - 5000) ** 2 / 5000).sum() < 43.8  # chi-square with 19 degrees, 0.1 %
    assert abs(np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1]) < 0.01
    assert abs(np.corrcoef(values[:-1].ravel(), values[1:].ravel())[0, 1]) < 0.01


def test_keys_are_fixed_for_ever() -> None:
    # Recorded once: any change alters every recorded execution.
    assert stream_key(291, "delay", "3", "7") == 7552434854956716766
    assert stream_key(0) == 337305681029361522
    hashes = name_hashes(["3", "7"])
    assert hashes.tolist() == [5701275697480112060, 2712187363754183387]
    assert stream_keys(291, "delay", hashes, hashes[::-1]).tolist() == [15796815894196849289, 2168111605622707958]


def test_names_give_distinct_keys() -> None:
    found = {stream_key(1, *names) for names in [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ()]}
    assert len(found) == 6
    assert stream_key(1, "a") != stream_key(-1, "a") != stream_key(10**30, "a")


def test_keys_of_links() -> None:
    hashes = name_hashes(str(i) for i in range(60))
    i, j = (a.ravel() for a in np.meshgrid(np.arange(60), np.arange(60)))
    made = [stream_keys(seed, what, hashes[i], hashes[j]) for seed in (1, 2) for what in ("delay", "loss")]
    assert len(np.unique(np.concatenate(made))) == 4 * 3600  # (i, j) and (j, i) differ too
    assert stream_keys(1, "delay", hashes[3:4], hashes[7:8])[0] == made[0][(i == 3) & (j == 7)][0]


def test_derived_streams_differ() -> None:
    hashes = name_hashes(["a", "b"])
    found = {int(key) for number in range(50) for key in derived(hashes, number)} | set(hashes.tolist())
    assert len(found) == 102


def test_arrays_and_scalars_agree() -> None:
    hashes = name_hashes(["a", "b", "c"])
    some = uniforms_at(hashes, np.array([4, 0, 2], dtype=np.uint64))
    assert some.tolist() == [uniforms(hashes, 0, 5)[i, j] for i, j in enumerate((4, 0, 2))]


@pytest.mark.filterwarnings("error")
def test_no_warnings_for_single_keys() -> None:
    uniforms(2**64 - 1, 2**64 - 1, 3)
    stream_keys(0, "x", 2**64 - 1, 2**64 - 1)
    derived(2**64 - 1, 5)
