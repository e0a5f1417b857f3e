"""The tree beside the network: a table or a trie of one process, laid out with the root at the top."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.pieces.checks import one_of, share_is_right
from lydian.pieces.grid import held_in
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Bools, Floats, Scene
from lydian.views.selection import Selection
from lydian.views.time.axis import remember
from lydian.views.words.expressions import grown

__all__ = ["Laid", "Tree", "TreeFrame", "children_in", "laid_out", "tree_at", "trees_over_time", "trie_of"]

#: The largest number of trees that are kept.
KEPT = 1_024
#: The name of the empty prefix.
EMPTY = "ε"
Table = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Tree:
    """A rooted tree from a variable of one process, beside the network, with the root at the top.

    It is the tree of the selected process, or of the first process that has one. A node with several parents is below
    the lowest of them, with a line to each: a hierarchy need not be a tree. If no process ever has one, there is no
    panel.

    Args:
        variable: its name: a table from each inner node to the list of its children, as texts.
        form: ``"table"``; or ``"trie"``: the variable holds texts (a set, a list, the keys of a table), and the tree
            has them as leaves and the longest beginnings that some of them share as inner nodes.
        marked: a variable with nodes that are drawn in red.
        compare: whether nodes are red where the part of the tree below them is not the same at every other process
            that has a tree.
        title: the text above it; the name of the process follows.
        word: what red nodes are, in the legend.
        share: how much of the view's width it has.
    """

    variable: str
    form: str = "table"
    marked: str = ""
    compare: bool = False
    title: str = ""
    word: str = ""
    share: float = 0.36

    def __post_init__(self) -> None:
        if not isinstance(self.variable, str) or not self.variable:
            raise BadInput(f"variable must be the name of a variable, not {shown(self.variable)}")
        one_of("a tree", "form", self.form, ("table", "trie"))
        if self.marked and self.compare:
            raise BadInput("a tree must not have both marked nodes and compare=True, as both are drawn in red")
        share_is_right("share", self.share, 0.1, 0.8)


@dataclass(frozen=True, eq=False)
class Laid:
    """The layout of the nodes of a tree.

    Args:
        names: of the nodes, those above before those below.
        labels: what is written beside them; in a trie only what comes to the text of the parent.
        x: from 0 to ``wide`` - 1; leaves are 1 apart.
        depth: of each node, 0 for a root.
        links: from parents to children, (m, 2).
        wide, high: the number of leaves side by side, and the number of levels.
        problem: why there is no tree, as a sentence.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    x: Floats
    depth: NDArray[np.int64]
    links: NDArray[np.int64]
    wide: float
    high: int
    problem: str = ""


@dataclass(frozen=True, eq=False)
class TreeFrame:
    """A tree at a moment.

    Args:
        declared: what it shows.
        laid: its nodes.
        whose: the number of the process in the network, -1 for nobody.
        red: which nodes are drawn in red.
        problem: why there is nothing to be seen, as a sentence.
    """

    declared: Tree
    laid: Laid
    whose: int
    red: Bools
    problem: str = ""

    def words(self, node: int) -> str:
        """Return the text of a node without mark-up."""
        name = self.laid.names[node] or EMPTY
        below = int((self.laid.links[:, 0] == node).sum())
        marked = self.declared.word or trc("node of a tree", "red")
        parts = [name, tr("{count} below it", count=below) if below else "", marked if self.red[node] else ""]
        return ", ".join(part for part in parts if part)


def trie_of(keys: Sequence[str]) -> dict[str, list[str]]:
    """Return the tree whose nodes are these texts and the longest prefixes that some of them share.

    Its inner nodes have a child for each letter that follows; a node that is a key itself may have one child.
    """
    table: dict[str, list[str]] = {}
    todo = [sorted(set(keys))] if keys else []
    while todo:
        some = todo.pop()
        name = _shared(some[0], some[-1])
        parts: dict[str, list[str]] = {}
        for key in some:
            if key != name:
                parts.setdefault(key[len(name)], []).append(key)
        table[name] = [_shared(part[0], part[-1]) for part in parts.values()]
        todo += list(parts.values())
    return table


def _shared(one: str, other: str) -> str:
    """Return the longest common prefix of two texts; in a sorted list, that of first and last is shared by all."""
    long = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:long]


def children_in(value: Any, form: str = "table") -> dict[str, list[str]]:
    """Return the nodes in a value with their children, or nothing if it is not a tree."""
    if form == "trie":
        return trie_of(list(held_in(value)))
    if not isinstance(value, dict):
        return {}
    table: dict[str, list[str]] = {str(node): list(held_in(below)) for node, below in value.items()}
    for child in [child for below in table.values() for child in below]:
        table.setdefault(child, [])
    return table


def laid_out(table: Table, *, trie: bool = False) -> Laid:
    """Return the positions of nodes: below their lowest parent, and parents above the middle of their children."""
    parents: dict[str, list[str]] = {name: [] for name in table}
    for name, below in table.items():
        for child in below:
            parents[child].append(name)
    left = {name: len(above) for name, above in parents.items()}
    depth = {name: 0 for name, above in parents.items() if not above}
    order = list(depth)
    for name in order:  # The list grows while it is read.
        for child in table[name]:
            depth[child] = max(depth.get(child, 0), depth[name] + 1)
            left[child] -= 1
            if not left[child]:
                order.append(child)
    if len(order) < len(table):
        nothing = laid_out({})
        return Laid((), (), nothing.x, nothing.depth, nothing.links, 1.0, 0, tr("Some nodes are below themselves."))
    own: dict[str, list[str]] = {name: [] for name in table}  # Each node counts once.
    for name, above in parents.items():
        if above:
            own[next(each for each in above if depth[each] == depth[name] - 1)].append(name)
    x: dict[str, float] = {}
    leaves, stack = 0, [name for name in reversed(order) if not parents[name]]
    while stack:
        name = stack.pop()
        if not own[name]:
            x[name], leaves = float(leaves), leaves + 1
        stack += sorted(own[name], key=table[name].index, reverse=True)
    for name in sorted(order, key=lambda each: -depth[each]):
        if own[name]:
            places = [x[child] for child in own[name]]
            x[name] = (min(places) + max(places)) / 2
    for name in order:  # A node with several parents is placed between them where there is room.
        if len(parents[name]) > 1:
            middle = sum(x[above] for above in parents[name]) / len(parents[name])
            others = [x[each] for each in order if depth[each] == depth[name] and each != name]
            if all(abs(middle - other) >= 0.9 for other in others):
                x[name] = middle
    order.sort(key=lambda each: depth[each])
    number = {name: i for i, name in enumerate(order)}
    links = [(number[name], number[child]) for name in order for child in table[name]]
    rest = {name: name[len(parents[name][0]) :] if trie and parents[name] else name for name in order}
    return Laid(
        tuple(order), tuple(rest[name] or EMPTY for name in order), np.array([x[name] for name in order], dtype=float),
        np.array([depth[name] for name in order], dtype=np.int64), np.array(links, dtype=np.int64).reshape(-1, 2),
        float(max(leaves, 1)), max(depth.values(), default=-1) + 1,
    )  # fmt: skip


def tree_at(scene: Scene, declared: Tree, k: int, selection: Selection) -> TreeFrame | None:
    """Return the tree after ``k`` events, or None if there is none in the whole run."""
    run = scene.run
    if not run.variable_names:
        return None
    for name in (declared.variable, declared.marked):
        if name and name not in run.variable_names:
            hint = did_you_mean(name, run.variable_names)
            what = tr("No process has a variable {variable}{hint}.", variable=shown(name), hint=hint)
            return TreeFrame(declared, laid_out({}), -1, np.zeros(0, dtype=bool), what)
    ever = grown(run, ("some tree", declared.variable), lambda: _Ever(run, declared.variable))
    if not ever.grow(run):
        return None
    kept: _Trees = remember(run, ("tree", id(scene)), lambda: (_Trees(scene, declared), scene))[0]
    return kept.at(k, selection)


class _Ever:
    """A record of whether any process of a run that may continue ever had a non-empty variable."""

    def __init__(self, run: Timeline, name: str) -> None:
        self.length, self._name = 0, name
        self._some = any(bool(value) for value in run.variable_at(name, 0))

    def grow(self, run: Timeline) -> bool:
        """Read the events since the last call, unless the answer is already known."""
        if not self._some and self.length < run.length:
            at, codes = run.details.history(self._name, self.length)
            _, first = np.unique(codes, return_index=True)
            places = {*first.tolist(), *np.flatnonzero(codes < 0).tolist()}
            self._some = any(run.details.value(self._name, int(codes[i]), int(at[i])) for i in places)
        self.length = run.length
        return self._some


class _Trees:
    """The trees of one drawing; each is read and laid out once while it is in use."""

    def __init__(self, scene: Scene, declared: Tree) -> None:
        self._run, self._declared = scene.run, declared
        run = scene.run
        self._places = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
        self._read: dict[int, tuple[Any, dict[str, list[str]]]] = {}
        self._laid: tuple[Any, Laid] | None = None
        self._last: tuple[tuple[int, int], TreeFrame] | None = None

    def _table(self, value: Any) -> dict[str, list[str]]:
        known = self._read.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        if len(self._read) >= KEPT:
            self._read.clear()
        table = children_in(value, self._declared.form)
        self._read[id(value)] = (value, table)
        return table

    def at(self, k: int, selection: Selection) -> TreeFrame:
        chosen = next((p for p in sorted(selection.processes) if p in self._places), -1)
        if self._last is not None and self._last[0] == (k, chosen):
            return self._last[1]
        declared, values = self._declared, self._run.variable_at(self._declared.variable, k)
        whose = self._places.index(chosen) if chosen >= 0 else next(
            (p for p, value in enumerate(values) if value and self._places[p] >= 0), -1
        )  # fmt: skip
        value = values[whose] if whose >= 0 else None
        if self._laid is None or self._laid[0] is not value:
            self._laid = value, laid_out(self._table(value), trie=declared.form == "trie")
        laid = self._laid[1]
        if declared.compare:
            others = {id(other): other for p, other in enumerate(values) if p != whose and other}
            red = _differing(laid, self._table(value), [self._table(other) for other in others.values()])
        else:
            marked = self._run.variable_at(declared.marked, k)[whose] if declared.marked and whose >= 0 else None
            red = np.isin(np.array(laid.names, dtype=object), list(held_in(marked)))
        frame = TreeFrame(declared, laid, self._places[whose] if whose >= 0 else -1, red, laid.problem)
        self._last = (k, chosen), frame
        return frame


def _differing(laid: Laid, mine: Table, others: Sequence[Table]) -> Bools:
    """Return the nodes whose subtree differs from that of the same node in another tree."""
    red = np.zeros(len(laid.names), dtype=bool)
    for other in others:
        same: dict[str, bool] = {}
        for name in reversed(laid.names):
            below = mine[name]
            same[name] = set(other.get(name, (None,))) == set(below) and all(same[child] for child in below)
        red |= np.array([not same[name] for name in laid.names], dtype=bool)
    return red


def trees_over_time(scene: Scene, declared: Tree) -> list[tuple[int, int, bool, Any]]:
    """Return the whole run at once, for players that only replay: event (-1), process, and the tree laid out.

    Where the third part is true, the fourth is the list of the nodes that are marked from there on. Empty if there is
    no tree to be shown.
    """
    run = scene.run
    if tree_at(scene, declared, 0, Selection()) is None:
        return []
    place = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
    rows: list[tuple[int, int, bool, Any]] = []
    for name in (declared.variable, declared.marked):
        if not name or name not in run.variable_names:
            continue
        at, codes = run.details.history(name)
        changes = [(-1, p, value) for p, value in enumerate(run.variable_at(name, 0))]
        changes += [(seq, int(run.process[seq]), run.details.value(name, code, seq))
                    for seq, code in zip(at.tolist(), codes.tolist(), strict=True)]  # fmt: skip
        for seq, p, value in changes:
            if p >= 0 and place[p] >= 0 and (value or seq >= 0):
                marks = name == declared.marked
                rows.append((seq, place[p], marks, list(held_in(value)) if marks else _packed(value, declared)))
    return sorted(rows, key=lambda row: row[:2])


def _packed(value: Any, declared: Tree) -> Any:
    laid = laid_out(children_in(value, declared.form), trie=declared.form == "trie")
    nodes = zip(laid.names, laid.labels, np.round(laid.x, 4).tolist(), laid.depth.tolist(), strict=True)
    return [[list(node) for node in nodes], laid.links.tolist(), laid.wide, laid.high]


def page(tell: Teller, declared: Tree) -> dict[str, Any] | None:
    """Trees as they are laid out, and nodes that are marked, from which event on."""
    rows, column = trees_over_time(tell.scene, declared), tell.column
    if not rows:
        return None
    table = [(at, int(tell.codes[p]), int(marks), tell.text(json.dumps(part))) for at, p, marks, part in rows]
    columns = np.array(table, dtype=np.int64).reshape(-1, 4)
    return {
        "title": declared.title or declared.variable, "word": declared.word, "share": declared.share,
        "compare": declared.compare, "marks": bool(declared.marked or declared.compare), "order": column(tell.codes),
        **{name: column(columns[:, i]) for i, name in enumerate(("at", "process", "which", "text"))},
    }  # fmt: skip


def _at(now: Moment, declared: Tree) -> TreeFrame | None:
    return tree_at(now.scene, declared, now.k, now.selection)


register(Piece("tree", Tree, at=_at, panel="tall", page=page, order=70,
               painter="lydian.app.painters.pieces.tree.TreePainter", script="player.tree.js"))  # fmt: skip
