"""The tree that processes form by their parents, beside the network, with the root at the top."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.pieces.checks import share_is_right
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.pieces.tree import Laid, laid_out
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Scene
from lydian.views.time.axis import remember
from lydian.views.words.expressions import grown

__all__ = ["Parents", "ParentsFrame", "parents_at", "tree_of"]


@dataclass(frozen=True)
class Parents:
    """The tree of all processes that have a parent or are one, with the messages between them.

    Args:
        variable: its name: the parent, or a table from topics to parents, where None is the root of a topic. Of
            several topics, the one whose tree has the most members in the run is shown.
        title: the text above it; the topic follows.
        slot: the state in whose colour the links are.
        share: how much of the view's width it has.
    """

    variable: str
    title: str = ""
    slot: int = 2
    share: float = 0.3

    def __post_init__(self) -> None:
        if not isinstance(self.variable, str) or not self.variable:
            raise BadInput(f"variable must be the name of a variable, not {shown(self.variable)}")
        share_is_right("share", self.share, 0.1, 0.8)


@dataclass(frozen=True, eq=False)
class ParentsFrame:
    """The tree at a moment.

    Args:
        declared: what it shows.
        laid: its nodes, which are processes.
        processes: the number of each node in the network.
        topic: the topic shown, "" if there are no topics.
        problem: why there is nothing to be seen, as a sentence.
    """

    declared: Parents
    laid: Laid
    processes: NDArray[np.int64]
    topic: str = ""
    problem: str = ""

    def words(self, node: int) -> str:
        """Return the text of a node without mark-up."""
        below = int((self.laid.links[:, 0] == node).sum())
        name = self.laid.names[node]
        return tr("{process}, {count} below it", process=name, count=below) if below else name


def tree_of(parents: Mapping[str, Any], topic: str) -> dict[str, list[str]]:
    """Return the children of each process of the tree of a topic, from the value of each process by name."""
    table: dict[str, list[str]] = {}
    for name, value in parents.items():
        inside, above = _parent(value, topic)
        if inside:
            table.setdefault(name, [])
        if above is not None and above in parents:
            table.setdefault(name, [])
            table.setdefault(above, []).append(name)
    return {name: below for name, below in table.items() if below or len(table) > 1}


def _parent(value: Any, topic: str) -> tuple[bool, str | None]:
    """Return whether a value says that its process is in the tree of a topic, and its parent there."""
    if topic or isinstance(value, dict):
        told = value if isinstance(value, dict) else {}
        above = told.get(topic)
        return topic in told, None if above is None else str(above)
    return False, None if value is None or value == "" else str(value)


class _Topics:
    """The topics of a run that may continue, with the processes that ever are in their trees."""

    def __init__(self, run: Timeline, name: str) -> None:
        self.length, self._name = 0, name
        self.members: dict[str, set[int]] = {}
        for p, value in enumerate(run.variable_at(name, 0)):
            self._take(p, value)

    def _take(self, p: int, value: Any) -> None:
        for topic in value if isinstance(value, dict) else () if value is None or value == "" else ("",):
            self.members.setdefault(topic, set()).add(p)

    def grow(self, run: Timeline) -> str | None:
        """Read the events since the last call; return the topic with the most members, None if there is no tree."""
        if self.length < run.length:
            at, codes = run.details.history(self._name, self.length)
            for seq, code in zip(at.tolist(), codes.tolist(), strict=True):
                self._take(int(run.process[seq]), run.details.value(self._name, code, seq))
            self.length = run.length
        return min(self.members, key=lambda topic: (-len(self.members[topic]), topic), default=None)


def parents_at(now: Moment, declared: Parents) -> ParentsFrame | None:
    """Return the tree at a moment, computed once until another moment is requested; None if there never is one."""
    scene, k = now.scene, now.k
    run = scene.run
    if declared.variable not in run.variable_names:
        if not run.variable_names:
            return None
        hint = did_you_mean(declared.variable, run.variable_names)
        what = tr("No process has a variable {variable}{hint}.", variable=shown(declared.variable), hint=hint)
        return ParentsFrame(declared, laid_out({}), np.zeros(0, dtype=np.int64), problem=what)
    topic = grown(run, ("topics", declared.variable), lambda: _Topics(run, declared.variable)).grow(run)
    if topic is None:
        return None
    last: list[tuple[int, Any, ParentsFrame]] = remember(run, ("parents", declared, id(scene)), lambda: ([], scene))[0]
    if last and last[0][0] == k:
        return last[0][2]
    values = _by_name(scene, run.variable_at(declared.variable, k))
    table = tree_of(values, topic)
    if not last or last[0][1] != (topic, table):
        laid = laid_out(table)
        places = np.array([scene.network.index[name] for name in laid.names], dtype=np.int64)
        last[:] = [(k, (topic, table), ParentsFrame(declared, laid, places, topic, laid.problem))]
    last[:] = [(k, *last[0][1:])]
    return last[0][2]


def _by_name(scene: Scene, values: Sequence[Any]) -> dict[str, Any]:
    """Return the values of the processes that are in the network, by name; a port stands for the neighbour behind."""
    found = {}
    for p, value in enumerate(values):
        place = p if scene.renumber is None else int(scene.renumber[p])
        if place >= 0:
            ports = scene.ports.get(place)
            if ports and isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(ports):
                value = scene.names[ports[value]]
            found[scene.names[place]] = value
    return found


def page(tell: Teller, declared: Parents) -> dict[str, Any] | None:
    """Return the trees as they are laid out, from which event on."""
    scene, run = tell.scene, tell.scene.run
    if declared.variable not in run.variable_names:
        return None
    topic = grown(run, ("topics", declared.variable), lambda: _Topics(run, declared.variable)).grow(run)
    if topic is None:
        return None
    at, codes = run.details.history(declared.variable)
    values, rows, before = list(run.variable_at(declared.variable, 0)), [], None
    changes = [(-1, -1, None)] + [(seq, int(run.process[seq]), run.details.value(declared.variable, code, seq))
                                  for seq, code in zip(at.tolist(), codes.tolist(), strict=True)]  # fmt: skip
    for seq, p, value in changes:
        if p >= 0:
            values[p] = value
        table = tree_of(_by_name(scene, values), topic)
        if table != before:
            before, laid = table, laid_out(table)
            nodes = [[int(tell.codes[scene.network.index[name]]), round(float(x), 4), int(depth)]
                     for name, x, depth in zip(laid.names, laid.x, laid.depth, strict=True)]  # fmt: skip
            rows.append((seq, tell.text(json.dumps([nodes, laid.links.tolist(), laid.wide, laid.high]))))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return {
        "title": declared.title, "slot": declared.slot, "share": declared.share, "topic": topic,
        "at": tell.column(columns[:, 0]), "text": tell.column(columns[:, 1]),
    }  # fmt: skip


register(Piece("parents", Parents, at=parents_at, panel="tall", page=page, order=58,
               painter="lydian.app.painters.pieces.parents.ParentsPainter", script="player.parents.js"))  # fmt: skip
