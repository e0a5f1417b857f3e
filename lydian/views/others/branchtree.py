"""A drawing of the runs of an experiment: a line for each run, time to the right, a corner where one branches off
another.

A run is below the one from which it branches, and runs that branch off later are nearer to it. Therefore no line
crosses a corner: whatever is between a run and its branch begins later.
"""

from __future__ import annotations

import itertools
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lydian.language import tr, trn
from lydian.model.experiment.branch import ROOT, automatic_name
from lydian.model.experiment.branches import Branches
from lydian.model.interventions import Intervention
from lydian.views.words.words import number

__all__ = [
    "Fork",
    "Interference",
    "Line",
    "Tree",
    "about",
    "clusters",
    "command_line",
    "drawn",
    "fork_words",
    "forks_of",
    "walked",
]  # fmt: skip


@dataclass(frozen=True)
class Interference:
    """An intervention in a run: its time, its kind (``sort``), and its words."""

    time: float
    sort: str
    words: str


@dataclass(frozen=True)
class Line:
    """A run in the drawing.

    Args:
        branch: its id.
        name: what it is called.
        notes: the user's notes about it.
        row: its row, from 0.
        parent: the id of the run that it leaves, ``None`` for the first.
        parent_row: that run's row, -1 for none.
        begins: when it leaves that run; 0 for the first.
        ends: when it is over or how far it has come; infinite if that is not known.
        growing: whether it is under way.
        past: until when it is the past of the run that is shown; its beginning if it is not.
        deeds: what was done to it itself.
    """

    branch: int
    name: str
    notes: str
    row: int
    parent: int | None
    parent_row: int
    begins: float
    ends: float
    growing: bool
    past: float
    deeds: tuple[Interference, ...]

    @property
    def known(self) -> bool:
        """True if its end is known."""
        return math.isfinite(self.ends)


@dataclass(frozen=True)
class Tree:
    """All runs from top to bottom, the id of the one that is shown, and the last time in the drawing."""

    lines: tuple[Line, ...]
    shown: int
    until: float

    def line(self, branch: int) -> Line | None:
        """Return the line of a run; ``None`` if there is no such run."""
        return next((line for line in self.lines if line.branch == branch), None)

    def children(self, branch: int) -> tuple[Line, ...]:
        """Return the runs that branch off a run, from top to bottom."""
        return tuple(line for line in self.lines if line.parent == branch)


@dataclass(frozen=True)
class Fork:
    """A place on the line of the shown run where another run branches off: its time, run and name."""

    time: float
    branch: int
    name: str


def drawn(
    tree: Branches, shown: int = ROOT, ends: Mapping[int, float] | None = None, growing: int | None = None
) -> Tree:
    """Return the drawing of a tree of runs.

    Args:
        tree: the runs.
        shown: the id of the one on the screen.
        ends: when runs end, or how far they have come, as far as that is known.
        growing: the id of the one that is under way, if one is.
    """
    ends = {} if ends is None else ends
    below: dict[int, list[int]] = {}
    of = {each.id: each for each in tree.branches}
    for each in tree.branches:
        below.setdefault(each.parent, []).append(each.id)
    lineage = tree.lineage(shown) if shown in tree else (ROOT,)
    past = {id: of[after].at for id, after in itertools.pairwise(lineage)} | {lineage[-1]: math.inf}
    rows: dict[int, int] = {}
    waiting = [ROOT]
    while waiting:
        id = waiting.pop()
        rows[id] = len(rows)
        waiting += sorted(below.get(id, ()), key=lambda child: (of[child].at, -child))
    lines = []
    for id, row in rows.items():
        branch = of.get(id)
        begins = 0.0 if branch is None else branch.at
        done = tree.root.interventions if branch is None else branch.interventions
        end = max(ends.get(id, math.inf), begins)
        lines.append(
            Line(
                branch=id,
                name=tree.name(id),
                notes="" if branch is None else branch.notes,
                row=row,
                parent=None if branch is None else branch.parent,
                parent_row=-1 if branch is None else rows[branch.parent],
                begins=begins,
                ends=end,
                growing=id == growing,
                past=max(begins, min(past.get(id, begins), end)),
                deeds=tuple(_deed(each) for each in done),
            )
        )
    times = [line.ends for line in lines if line.known]
    times += [line.begins for line in lines] + [deed.time for line in lines for deed in line.deeds]
    return Tree(tuple(lines), shown, max(times, default=0.0))


def _deed(what: Intervention) -> Interference:
    return Interference(what.time, what.kind.sort, automatic_name([what], what.time))


def walked(tree: Tree, branch: int, direction: str) -> int:
    """Return the run to which an arrow key leads: the ``parent``, the nearest ``child``, or ``up`` or ``down``.

    Up and down lead to the next branch of the same run; if there is none, to the run in the next row. If there is
    nothing in a direction, the result is the run itself.
    """
    here = tree.line(branch)
    if here is None:
        return tree.shown if tree.line(tree.shown) is not None else ROOT
    if direction == "parent":
        return branch if here.parent is None else here.parent
    if direction == "child":
        children = tree.children(branch)
        return children[0].branch if children else branch
    step = 1 if direction == "down" else -1
    beside = [line for line in tree.lines[::step] if line.parent == here.parent and (line.row - here.row) * step > 0]
    if here.parent is not None and beside:
        return beside[0].branch
    row = here.row + step
    return tree.lines[row].branch if 0 <= row < len(tree.lines) else branch


def forks_of(tree: Branches, shown: int = ROOT) -> tuple[Fork, ...]:
    """Return where other runs diverge from the one that is shown, by time.

    Its parent diverges from it where it branched off; a run that had left the parent before diverges from it, too.
    Later branches of these are left out.
    """
    if shown not in tree:
        return ()
    lineage = tree.lineage(shown)
    found = []
    for place, id in enumerate(lineage):
        after = lineage[place + 1] if place + 1 < len(lineage) else None
        until = math.inf if after is None else tree[after].at
        found += [
            Fork(each.at, each.id, each.name) for each in tree.branches
            if each.parent == id and each.id != after and each.at <= until
        ]  # fmt: skip
        if after is not None:
            earliest = min(tree[each].at for each in lineage[place + 1 :])
            found.append(Fork(earliest, id, tree.name(id)))
    return tuple(sorted(found, key=lambda each: (each.time, each.branch)))


def fork_words(fork: Fork, lineage: Sequence[int] = ()) -> str:
    """Return the words at a fork: ``9 crashed at 6.0 branches off here``, or ``echo continues separately here`` for a
    run from which the one that is shown has branched off.
    """
    if fork.branch in lineage:
        return tr("{run} continues separately here", run=fork.name)
    return tr("{run} branches off here", run=fork.name)


def about(tree: Tree, line: Line) -> str:
    """Return a description of a run in a few sentences: its parent, its interventions, its length."""
    parts = []
    parent = None if line.parent is None else tree.line(line.parent)
    if parent is None:
        parts.append(tr("{run}: the experiment unchanged.", run=line.name))
    else:
        parts.append(
            tr("{run}: branches off {parent} at {time}.", run=line.name, parent=parent.name, time=number(line.begins))
        )
    said = [deed.words for deed in line.deeds]
    if said and said != [line.name]:
        told = ", ".join(said[:4])
        if len(said) > 4:
            told += trn(" and {count} more", " and {count} more", len(said) - 4)
        parts.append(tr("Done: {interventions}.", interventions=told))
    if line.growing and line.known:
        parts.append(tr("It has not ended; its time is {time} so far.", time=number(line.ends)))
    elif line.growing:
        parts.append(tr("It has not ended."))
    elif line.known:
        parts.append(tr("It ends at {time}.", time=number(line.ends)))
    else:
        parts.append(tr("It has not run since the file was opened."))
    children = len(tree.children(line.branch))
    if children:
        parts.append(trn("{count:,} run branches off it.", "{count:,} runs branch off it.", children))
    if line.branch == tree.shown:
        parts.append(tr("It is shown in the window."))
    return " ".join(parts)


def command_line(experiment: str, branch: str = "") -> str:
    """Return the command that runs a run of the tree: with the experiment's file or name, and the branch's name."""
    words = ["lydian", "run", experiment, *(["--branch", branch] if branch else [])]
    return " ".join(shlex.quote(word) for word in words)


def clusters(places: Sequence[float], least: float) -> tuple[tuple[int, ...], ...]:
    """Return which ascending positions are nearer than ``least`` to the one before and share its glyph.

    A glyph is at the first of its positions and includes those that are nearer than that to it.
    """
    found: list[list[int]] = []
    for index, place in enumerate(places):
        if found and place - places[found[-1][0]] < least:
            found[-1].append(index)
        else:
            found.append([index])
    return tuple(tuple(each) for each in found)
