"""The configurations of a search in little memory: the same as a list and a dictionary, whatever is asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.explorer.kept import Hashes, Keys, collision
from lydian.engine.explorer.search import Explorer
from lydian.model.experiment.experiment import Experiment
from tests.engine.test_explorer import network


def tuples(count: int) -> list[tuple[int, ...]]:
    return [(i % 7, i // 7, 2**31 - 1 - i, 0) for i in range(count)]


@pytest.mark.parametrize("count", [0, 1, 1023, 1024, 1025, 5000])
def test_a_list_in_blocks_is_a_list(count: int) -> None:
    keys, wanted = Keys(), tuples(count)
    for each in wanted:
        keys.append(each)
    assert len(keys) == count and list(keys) == wanted
    assert [keys[at] for at in range(0, count, 611)] == wanted[::611]
    assert keys[: count // 2 : 97] == wanted[: count // 2 : 97]
    if count:
        assert keys[-1] == wanted[-1] and keys[count - 1] == wanted[-1]
    for wrong in (count, -count - 1):
        with pytest.raises(IndexError):
            keys[wrong]


def test_a_list_may_grow_while_it_is_read() -> None:
    keys = Keys()
    for each in tuples(1020):
        keys.append(each)
    read = 0
    while read < len(keys):
        assert keys[read] == tuples(read + 1)[-1]
        if len(keys) < 1030:
            keys.append(tuples(len(keys) + 1)[-1])
        read += 1
    assert read == 1030


@given(parts=st.lists(st.lists(st.tuples(*[st.integers(0, 3)] * 4), max_size=30), max_size=8))
def test_the_table_numbers_like_a_dictionary(parts: list[list[tuple[int, ...]]]) -> None:
    table, known = Hashes(), dict[tuple[int, ...], int]()
    for part in parts:
        found = table.find(Hashes.of(part)).tolist()
        assert found == [known.get(each, -1) for each in part]
        new = list(dict.fromkeys(each for each in part if each not in known))
        table.add(Hashes.of(new))
        known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        assert len(table) == len(known)
    assert table.find(Hashes.of(list(known))).tolist() == list(known.values())


def test_hashes_differ_for_neighbouring_configurations_and_for_permutations() -> None:
    some = [(a, b, c) for a in range(40) for b in range(40) for c in range(40)]
    hashes = Hashes.of(some)
    for half in (0, 1):  # each half by itself: 64,000 values would collide with a probability of 1e-10
        assert len(np.unique(hashes[:, half])) == len(some)
    assert np.corrcoef(hashes[:, 0] / 2.0**64, hashes[:, 1] / 2.0**64)[0, 1] == pytest.approx(0, abs=0.02)


def test_slots_that_many_want_are_given_to_all() -> None:
    table = Hashes()
    same = np.array([[5, i] for i in range(100)], np.uint64)
    table.add(same[:60])
    table.add(same[60:])
    assert table.find(same).tolist() == list(range(100))
    assert table.find(np.array([[5, 100], [6, 0]], np.uint64)).tolist() == [-1, -1]


def test_the_probability_of_a_collision() -> None:
    assert collision(1) < collision(10**6) < 1e-26 < collision(10**8)


@pytest.mark.parametrize("bound", [1, 7, 40, 63, 64])
def test_a_bounded_search_stops_at_the_bound(bound: int) -> None:
    """Every configuration whose moves are known leads to numbered ones, except the last, which met the bound."""
    explorer = Explorer(Experiment("t", protocol="echo", network=network("0-1", "1-2", "2-3", "3-0")), states=bound)
    result = explorer.run()
    assert result.stopped == "states" and len(explorer.keys) == len(set(explorer.keys)) == bound
    graph = explorer.graph
    known = [all(graph.targets[e] < bound for e in graph.edges(number)) for number in range(graph.expanded)]
    assert all(known[:-1]) and not known[-1]
    whole = Explorer(explorer.resolved)
    whole.run()
    assert list(whole.keys)[:bound] == list(explorer.keys)
    assert all(end < graph.expanded for end in graph.ends)
