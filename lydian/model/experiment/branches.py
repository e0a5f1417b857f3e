"""The tree of the runs of one experiment: the user goes back and tries something else.

A branch is the same experiment, run again with other interventions from some time on. It keeps the interventions of its
parent up to and including the time of departure, and adds its own; later interventions of the parent are undone,
because going back undoes the future. Faults and workload belong to the experiment and are kept. A branch is therefore
identical to its parent in everything that happens before it departs.

A tree never changes: functions return a new one, and the old one serves for undo. Nothing is ever removed from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.experiment.branch import ROOT, Branch, automatic_name, checked, unused_name
from lydian.model.interventions import Intervention

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["ROOT", "Branch", "Branches", "add", "extend", "find_or_add", "follow", "note", "rename"]


@dataclass(frozen=True)
class Branches:
    """The tree of the runs of one experiment.

    Args:
        root: the experiment; its own run is the root of the tree, :data:`ROOT`.
        branches: all other runs, each after its parent.

    Raises:
        BadInput: two branches have the same id or name, a parent does not come first, or a branch departs from its
            parent before the parent begins.
    """

    root: Experiment
    branches: tuple[Branch, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", self.root.with_(branches=()))
        object.__setattr__(self, "branches", checked(self.branches))

    @classmethod
    def of(cls, experiment: Experiment) -> Branches:
        """Return the tree in an experiment's file."""
        return cls(experiment, experiment.branches)

    @property
    def experiment(self) -> Experiment:
        """The experiment with all its branches, as it is saved."""
        return self.root.with_(branches=self.branches)

    def __len__(self) -> int:
        """Return the number of runs, including the root."""
        return len(self.branches) + 1

    def __contains__(self, id: object) -> bool:
        return id == ROOT or any(each.id == id for each in self.branches)

    def __getitem__(self, id: int) -> Branch:
        """Return the branch with this id.

        Raises:
            BadInput: there is no such branch; the root is not a branch.
        """
        for each in self.branches:
            if each.id == id:
                return each
        raise BadInput(f"unknown branch {shown(id)} of {self.root.name or 'this experiment'}")

    def name(self, id: int) -> str:
        """Return the name of a run; the root has the name of the experiment."""
        return (self.root.name or "the run itself") if id == ROOT else self[id].name

    def parent(self, id: int) -> int | None:
        """Return the run from which a run departs; ``None`` for the root."""
        return None if id == ROOT else self[id].parent

    def children(self, id: int) -> tuple[Branch, ...]:
        """Return the branches that depart from a run: by time of departure, then in order of creation."""
        return tuple(sorted((each for each in self.branches if each.parent == id), key=lambda each: each.at))

    def walk(self, id: int = ROOT) -> Iterator[tuple[int, int]]:
        """Yield the id and the depth of every run below and including this one, each before its children."""
        waiting = [(id, 0)]
        while waiting:
            here, depth = waiting.pop()
            yield here, depth
            waiting += [(each.id, depth + 1) for each in reversed(self.children(here))]

    def lineage(self, id: int) -> tuple[int, ...]:
        """Return the runs from the root to this one, both included."""
        found = [id]
        while found[-1] != ROOT:
            found.append(self[found[-1]].parent)
        return tuple(reversed(found))

    def shared_until(self, one: int, other: int) -> float | None:
        """Return the time up to which two runs are identical by construction; ``None``: they are the same run."""
        a, b = self.lineage(one), self.lineage(other)
        if a == b:
            return None
        common = next((i for i, (p, q) in enumerate(zip(a, b, strict=False)) if p != q), min(len(a), len(b)))
        return min(self[id].at for id in (*a[common:], *b[common:]))

    def interventions(self, id: int) -> tuple[Intervention, ...]:
        """Return all interventions in a run, in the order in which they were made."""
        done = self.root.interventions
        for each in self.lineage(id)[1:]:
            branch = self[each]
            done = (*_until(done, branch.at), *branch.interventions)
        return done

    def path(self, id: int) -> Experiment:
        """Return the complete experiment of a run: that of the root, with the interventions of this run."""
        return self.root.with_(interventions=self.interventions(id))

    def find(self, name: str) -> int:
        """Return the run with this name; a number that is not a name is an id.

        Raises:
            BadInput: there is no such run.
        """
        for each in self.branches:
            if each.name == name:
                return each.id
        if name.isdecimal() and int(name) in self:
            return int(name)
        names = [each.name for each in self.branches]
        some = "; there are " + ", ".join(shown(each) for each in names[:8]) + (" ..." if len(names) > 8 else "")
        hint = did_you_mean(name, names) or (some if names else "; it has none")
        raise BadInput(f"unknown branch {shown(name)} of {self.root.name or 'this experiment'}{hint}")

    def check(self, id: int, network: Network, protocol: Protocol) -> None:
        """Refuse a run that names something that the network or the protocol does not have.

        Raises:
            BadInput: names the file and the place in it.
        """
        places = {each.id: f"branches[{i}]" for i, each in enumerate(self.branches)}
        for each in self.lineage(id):
            place = f"{places[each]}." if each != ROOT else ""
            for i, done in enumerate(self.root.interventions if each == ROOT else self[each].interventions):
                done.check(network, protocol, file=self.root.path, place=f"{place}interventions[{i}]")


def add(
    tree: Branches, parent: int, interventions: Sequence[Intervention] = (), at: float | None = None, name: str = ""
) -> tuple[Branches, int]:
    """Return the tree with one more branch, and the branch's id.

    A branch that departs at a time when its parent was still identical to the parent's parent departs from that run
    instead.

    Args:
        parent: the run from which it departs.
        interventions: its interventions.
        at: the time of departure; by default, the time of the first intervention.
        name: its name; by default, it is derived from the interventions. If the name is in use, a number is added.

    Raises:
        BadInput: there is no such parent, an intervention is before ``at``, or there is neither a time nor an
            intervention.
    """
    done = tuple(sorted(interventions, key=lambda each: each.time))
    if at is None:
        if not done:
            raise BadInput("a branch must have a time at which it begins, or an intervention")
        at = done[0].time
    parent = _origin(tree, parent, at)
    words = " ".join(name.split()) or automatic_name(done, at)
    id = max((each.id for each in tree.branches), default=ROOT) + 1
    branch = Branch(id, unused_name(words, tree.branches), parent, at, done)
    return replace(tree, branches=(*tree.branches, branch)), id


def find_or_add(
    tree: Branches, parent: int, interventions: Sequence[Intervention] = (), at: float | None = None, name: str = ""
) -> tuple[Branches, int]:
    """Act like :func:`add`, but return an existing run if it has exactly the same interventions."""
    more, id = add(tree, parent, interventions, at, name)
    wanted = _done(more, id)
    same = next((each for each, _ in tree.walk() if _done(tree, each) == wanted), None)
    return (more, id) if same is None else (tree, same)


def extend(tree: Branches, id: int, interventions: Sequence[Intervention]) -> Branches:
    """Return the tree with interventions added at the end of a run, as in a live run that continues.

    Raises:
        BadInput: an intervention is earlier than the previous ones, or than the departure of another branch.
    """
    done = sorted(interventions, key=lambda each: each.time)
    if not done:
        return tree
    own = tree.root.interventions if id == ROOT else tree[id].interventions
    for each in own:
        if done[0].time < each.time:
            raise BadInput(f"{done[0].time} is before {each.time}, when this run was last changed; add a branch")
    for branch in tree.children(id):
        if done[0].time <= branch.at:
            what = f"{done[0].time} is not after {branch.at}, when {shown(branch.name)} left this run; add a branch"
            raise BadInput(what)
    whole = (*own, *done)
    if id == ROOT:
        return replace(tree, root=tree.root.with_(interventions=whole))
    return _with(tree, id, interventions=whole)


def follow(tree: Branches, id: int, done: Sequence[Intervention], *, goes_on: bool = False) -> tuple[Branches, int]:
    """Return the tree with a run that has exactly these interventions, and the run's id.

    Args:
        id: the run that the user was looking at; the new run departs from it, or from one of its ancestors, where the
            first intervention differs.
        done: all interventions in the run, in the order in which they happened.
        goes_on: whether the run keeps this id because interventions were added at its end; this never holds for the
            root.
    """
    done = _in_time(done)
    own = _in_time(tree.interventions(id))
    if goes_on and id != ROOT and done[: len(own)] == own:
        try:
            return extend(tree, id, done[len(own) :]), id
        except BadInput:
            pass  # it no longer has the same end
    parent, at, kept = _leaves(tree, id, done)
    return find_or_add(tree, parent, done[kept:], at)


def _in_time(interventions: Iterable[Intervention]) -> tuple[Intervention, ...]:
    return tuple(sorted(interventions, key=lambda each: each.time))


def _leaves(tree: Branches, id: int, done: Sequence[Intervention]) -> tuple[int, float, int]:
    """Return the run from which one with these interventions departs, the time, and how much of ``done`` precedes
    it."""
    best: tuple[int, float, int] | None = None
    for parent in reversed(tree.lineage(id)):
        own = _in_time(tree.interventions(parent))
        same = 0
        while same < min(len(own), len(done)) and own[same] == done[same]:
            same += 1
        at = done[same].time if same < len(done) else math.inf
        if same < len(own):
            at = min(at, math.nextafter(own[same].time, -math.inf))
        elif at == math.inf:
            at = own[-1].time if own else 0.0
        kept = sum(each.time <= at for each in own)
        if at >= 0 and kept <= same and (best is None or kept > best[2]):
            best = parent, at, kept
    return best if best is not None else (ROOT, 0.0, 0)


def rename(tree: Branches, id: int, name: str) -> Branches:
    """Return the tree with another name for a branch.

    Raises:
        BadInput: the name is empty or in use, or there is no such branch; the root has the name of the experiment.
    """
    words = " ".join(name.split())
    if any(each.name == words and each.id != id for each in tree.branches):
        raise BadInput(f"another branch is already called {shown(words)}; choose another name")
    return _with(tree, id, name=words)


def note(tree: Branches, id: int, notes: str) -> Branches:
    """Return the tree with other notes on a branch."""
    return _with(tree, id, notes=notes)


def _with(tree: Branches, id: int, **changes: Any) -> Branches:
    changed = replace(tree[id], **changes)
    return replace(tree, branches=tuple(changed if each.id == id else each for each in tree.branches))


def _origin(tree: Branches, parent: int, at: float) -> int:
    """Return the run from which a branch really departs at a time: the earliest with the same interventions until
    then."""
    for nearer, farther in zip(reversed(tree.lineage(parent)), reversed(tree.lineage(parent)[:-1]), strict=False):
        if _until(tree.interventions(nearer), at) != _until(tree.interventions(farther), at):
            return nearer
    return ROOT


def _done(tree: Branches, id: int) -> str:
    """Return the interventions in a run, in the order in which they happen, as text because in Python ``True`` equals
    1."""
    return repr(list(_in_time(tree.interventions(id))))


def _until(interventions: Iterable[Intervention], time: float) -> tuple[Intervention, ...]:
    return tuple(each for each in interventions if each.time <= time)
