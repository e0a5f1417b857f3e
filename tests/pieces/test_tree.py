"""Trees from variables: positions of nodes, the displayed process, and the red parts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Tree
from lydian.pieces.tree import TreeFrame, children_in, laid_out, tree_at, trie_of
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.scene import scene_for
from lydian.views.selection import Selection
from tests.views.book import Book

NAMES = tuple("abc")
START: dict[str, Any] = {"T": {}, "table": {}, "odd": []}


def written() -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    book.write(1.0, "init", "b", changed={"T": {"0011": "x", "0010": "y", "1100": "z"}})
    book.write(2.0, "init", "c", changed={"T": {"0011": "x", "1100": "z"}, "table": {"r": ["s", "t"]}, "odd": ["t"]})
    book.write(3.0, "init", "c", changed={"T": {"0011": "x", "0010": "y", "1100": "z"}})
    return Timeline(book.trace(initial=START))


RUN = written()


def see(t: float, declared: Tree, *selected: int) -> TreeFrame | None:
    chosen = Selection(processes=frozenset(selected))
    return basic.frame(RUN, t, chosen, animation=Animation(tree=declared)).tree


def test_a_trie_has_the_longest_common_prefixes_as_inner_nodes() -> None:
    assert trie_of(["000", "010", "100", "101"]) == {
        "": ["0", "10"], "0": ["000", "010"], "000": [], "010": [], "10": ["100", "101"], "100": [], "101": [],
    }  # fmt: skip
    assert trie_of([]) == {} and trie_of(["01"]) == {"01": []}
    assert trie_of(["0", "01", "011"]) == {"0": ["01"], "01": ["011"], "011": []}


@given(st.sets(st.text("01", min_size=6, max_size=6), min_size=1))
def test_every_key_is_a_leaf_and_every_inner_node_has_two_children(keys: set[str]) -> None:
    table = trie_of(list(keys))
    assert {name for name, below in table.items() if not below} == keys and len(table) == 2 * len(keys) - 1
    assert all(len(below) == 2 and all(child.startswith(name) for child in below)
               for name, below in table.items() if below)  # fmt: skip


@given(st.sets(st.text("01", min_size=5, max_size=5), min_size=1))
def test_no_two_nodes_share_a_position(keys: set[str]) -> None:
    laid = laid_out(trie_of(list(keys)), trie=True)
    places = list(zip(laid.x.tolist(), laid.depth.tolist(), strict=True))
    assert len(set(places)) == len(places) and laid.wide == len(keys) and laid.depth.max() + 1 == laid.high
    assert all(laid.depth[a] + 1 == laid.depth[b] for a, b in laid.links.tolist())
    for level in range(laid.high):
        across = np.sort(laid.x[laid.depth == level])
        assert (np.diff(across) >= 1 - 1e-9).all() or len(across) < 2


def test_a_parent_is_above_the_middle_of_its_children() -> None:
    laid = laid_out({"1": ["2", "3"], "2": ["4"], "3": ["4", "5"], "4": [], "5": []})
    x = dict(zip(laid.names, laid.x.tolist(), strict=True))
    depth = dict(zip(laid.names, laid.depth.tolist(), strict=True))
    assert depth == {"1": 0, "2": 1, "3": 1, "4": 2, "5": 2} and x["1"] == (x["2"] + x["3"]) / 2
    assert len(laid.links) == 5
    diamond = laid_out({"1": ["2", "3"], "2": ["4"], "3": ["4"], "4": []})
    assert dict(zip(diamond.names, diamond.x.tolist(), strict=True))["4"] == 0.5
    assert laid_out({"a": ["b"], "b": ["a"]}).problem == "Some nodes are below themselves."


def test_a_long_chain_is_drawn() -> None:
    laid = laid_out({str(i): [str(i + 1)] for i in range(3000)} | {"3000": []})
    assert laid.high == 3001 and laid.wide == 1


def test_values_that_are_not_trees_are_empty() -> None:
    assert children_in(None) == children_in(3) == children_in([1, 2]) == {}
    assert children_in({"1": [2, 3], 2: None}) == {"1": ["2", "3"], "2": [], "3": []}
    assert children_in(None, "trie") == {} and children_in(["0", "1"], "trie") == {"": ["0", "1"], "0": [], "1": []}


def test_the_tree_is_that_of_the_selected_process_or_the_first_with_one() -> None:
    trie = Tree("T", form="trie")
    frames = [see(t, trie) for t in (0.0, 1.0, 2.0)]
    assert [frame.whose for frame in frames if frame] == [-1, 1, 1] and frames[0] is not None
    assert frames[0].laid.names == ()
    chosen = see(2.0, trie, 2)
    assert chosen is not None and chosen.whose == 2 and sorted(chosen.laid.names) == ["", "0011", "1100"]
    empty = see(2.0, trie, 0)
    assert empty is not None and empty.whose == 0 and empty.laid.names == ()
    assert frames[1] is not None and dict(zip(frames[1].laid.names, frames[1].laid.labels, strict=True)) == {
        "": "ε", "001": "001", "1100": "1100", "0010": "0", "0011": "1",
    }  # fmt: skip


def test_differences_between_processes_are_red() -> None:
    trie = Tree("T", form="trie", compare=True, word="differs")

    def red(t: float, *selected: int) -> set[str]:
        frame = see(t, trie, *selected)
        assert frame is not None
        return {name for name, odd in zip(frame.laid.names, frame.red.tolist(), strict=True) if odd}

    assert red(1.0) == set()  # no other process has one
    assert red(2.0) == {"", "001", "0010"} and red(2.0, 2) == {""}
    assert red(3.0) == red(3.0, 2) == set()
    frame = see(2.0, trie)
    assert frame is not None and frame.words(0) == "ε, 2 below it, differs"


def test_marked_nodes_are_red() -> None:
    frame = see(3.0, Tree("table", marked="odd"))
    assert frame is not None and frame.whose == 2
    assert dict(zip(frame.laid.names, frame.red.tolist(), strict=True)) == {"r": False, "s": False, "t": True}


def test_there_is_no_panel_without_a_tree() -> None:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    book.write(1.0, "init", "b", changed={"T": {}})
    run = Timeline(book.trace(initial=START))
    frame = basic.frame(run, 1.0, animation=Animation(tree=Tree("T")))
    assert frame.tree is None and not frame.beside
    book.write(2.0, "init", "a", changed={"T": {"r": []}})
    later = Timeline(book.trace(initial=START), run)
    assert basic.frame(later, 0.0, animation=Animation(tree=Tree("T"))).tree is not None
    wrong = tree_at(scene_for(RUN, None, Animation()), Tree("tabel"), 1, Selection())
    assert wrong is not None and wrong.problem.startswith("No process has a variable 'tabel' (did you mean 'table'?)")


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Tree(""), "variable must be the name of a variable"),
    (lambda: Tree("T", form="heap"), "a tree has no form 'heap'"),
    (lambda: Tree("T", marked="odd", compare=True), "must not have both marked nodes"),
    (lambda: Tree("T", share=2), "share must be a number"),
    (lambda: Animation(tree="T"), r"tree must be Tree\(...\)"),
])  # fmt: skip
def test_wrong_declarations_are_reported(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()
