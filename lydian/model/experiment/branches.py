"""Going back and trying otherwise: the tree of the runs of one experiment.

A branch is the same experiment run again with other interventions from a time on.  It keeps what somebody did to the
run it leaves up to the time of leaving, that time included, and adds its own; later interventions of that run are
undone, since going back undoes the future.  Faults and workload belong to the experiment and stay.  So a branch is
identical to its parent in everything that happens before it leaves.

A tree never changes: functions give a new one, and the old one is the undo.  Nothing in it is ever thrown away.
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
        branches: all others, a parent always before its children.

    Raises:
        BadInput: two with one id or one name, a parent that does not come before, a branch that leaves its parent
            before that one begins.
    """

    root: Experiment
    branches: tuple[Branch, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", self.root.with_(branches=()))
        object.__setattr__(self, "branches", checked(self.branches))

    @classmethod
    def of(cls, experiment: Experiment) -> Branches:
        """The tree that an experiment's file holds."""
        return cls(experiment, experiment.branches)

    @property
    def experiment(self) -> Experiment:
        """The experiment with all its branches: what is saved."""
        return self.root.with_(branches=self.branches)

    def __len__(self) -> int:
        """How many runs there are, the root included."""
        return len(self.branches) + 1

    def __contains__(self, id: object) -> bool:
        return id == ROOT or any(each.id == id for each in self.branches)

    def __getitem__(self, id: int) -> Branch:
        """The branch with this id.

        Raises:
            BadInput: there is none; the root is none either.
        """
        for each in self.branches:
            if each.id == id:
                return each
        raise BadInput(f"unknown branch {shown(id)} of {self.root.name or 'this experiment'}")

    def name(self, id: int) -> str:
        """What a run is called; the root as the experiment."""
        return (self.root.name or "the run itself") if id == ROOT else self[id].name

    def parent(self, id: int) -> int | None:
        """The run that a run leaves; ``None`` for the root."""
        return None if id == ROOT else self[id].parent

    def children(self, id: int) -> tuple[Branch, ...]:
        """The branches that leave a run: by the time when they do, then as they were made."""
        return tuple(sorted((each for each in self.branches if each.parent == id), key=lambda each: each.at))

    def walk(self, id: int = ROOT) -> Iterator[tuple[int, int]]:
        """Every run from this one on, each before its children: its id, and how deep below the first it stands."""
        waiting = [(id, 0)]
        while waiting:
            here, depth = waiting.pop()
            yield here, depth
            waiting += [(each.id, depth + 1) for each in reversed(self.children(here))]

    def lineage(self, id: int) -> tuple[int, ...]:
        """The runs from the root to this one, both included."""
        found = [id]
        while found[-1] != ROOT:
            found.append(self[found[-1]].parent)
        return tuple(reversed(found))

    def shared_until(self, one: int, other: int) -> float | None:
        """The time up to which two runs are the same because of how they were made; ``None``: they are one run."""
        a, b = self.lineage(one), self.lineage(other)
        if a == b:
            return None
        common = next((i for i, (p, q) in enumerate(zip(a, b, strict=False)) if p != q), min(len(a), len(b)))
        return min(self[id].at for id in (*a[common:], *b[common:]))

    def interventions(self, id: int) -> tuple[Intervention, ...]:
        """What is done to a run, all of it, in the order in which it was thought of."""
        done = self.root.interventions
        for each in self.lineage(id)[1:]:
            branch = self[each]
            done = (*_until(done, branch.at), *branch.interventions)
        return done

    def path(self, id: int) -> Experiment:
        """The full experiment of a run: the root's, with the interventions of this run."""
        return self.root.with_(interventions=self.interventions(id))

    def find(self, name: str) -> int:
        """The run with this name; a number that is no name is an id.

        Raises:
            BadInput: there is none.
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
        """Refuses a run that names something the network or the protocol does not have.

        Raises:
            BadInput: with the file and the place in it.
        """
        places = {each.id: f"branches[{i}]" for i, each in enumerate(self.branches)}
        for each in self.lineage(id):
            place = f"{places[each]}." if each != ROOT else ""
            for i, done in enumerate(self.root.interventions if each == ROOT else self[each].interventions):
                done.check(network, protocol, file=self.root.path, place=f"{place}interventions[{i}]")


def add(
    tree: Branches, parent: int, interventions: Sequence[Intervention] = (), at: float | None = None, name: str = ""
) -> tuple[Branches, int]:
    """The tree with one more branch, and the branch's id.

    A branch that leaves at a time when its parent was still the same as the parent's parent leaves that one instead.

    Args:
        parent: the run that it leaves.
        interventions: what is done differently.
        at: when it leaves; the time of the first intervention if not given.
        name: what it is called; from what was done if not given.  If another one has this name, it gets a number.

    Raises:
        BadInput: no such parent, an intervention before ``at``, or neither a time nor an intervention.
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
    """As :func:`add`, but a run to which the very same is done is found instead of added again."""
    more, id = add(tree, parent, interventions, at, name)
    wanted = _done(more, id)
    same = next((each for each, _ in tree.walk() if _done(tree, each) == wanted), None)
    return (more, id) if same is None else (tree, same)


def extend(tree: Branches, id: int, interventions: Sequence[Intervention]) -> Branches:
    """The tree with more done at the end of a run: what happens to a live run as it goes on.

    Raises:
        BadInput: something is earlier than what was done to the run before, or than a branch that left it.
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
    """The tree with a run to which exactly this was done, and the run's id.

    Args:
        id: the run that somebody looked at; the new one leaves it, or a run that it left, where something else was
            done for the first time.
        done: all that was done to the run, in the order in which it happened.
        goes_on: whether the run is still the one with this id, to which more was done at its end; the root never is.
    """
    done = _in_time(done)
    own = _in_time(tree.interventions(id))
    if goes_on and id != ROOT and done[: len(own)] == own:
        try:
            return extend(tree, id, done[len(own) :]), id
        except BadInput:
            pass  # it is no longer its end
    parent, at, kept = _leaves(tree, id, done)
    return find_or_add(tree, parent, done[kept:], at)


def _in_time(interventions: Iterable[Intervention]) -> tuple[Intervention, ...]:
    return tuple(sorted(interventions, key=lambda each: each.time))


def _leaves(tree: Branches, id: int, done: Sequence[Intervention]) -> tuple[int, float, int]:
    """Which run one to which this was done leaves, when, and how much of ``done`` was done by then."""
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
    """The tree with another name for a branch.

    Raises:
        BadInput: an empty name, one that another branch has, or no such branch; the root is called as the experiment.
    """
    words = " ".join(name.split())
    if any(each.name == words and each.id != id for each in tree.branches):
        raise BadInput(f"another branch is already called {shown(words)}; choose another name")
    return _with(tree, id, name=words)


def note(tree: Branches, id: int, notes: str) -> Branches:
    """The tree with other notes on a branch."""
    return _with(tree, id, notes=notes)


def _with(tree: Branches, id: int, **changes: Any) -> Branches:
    changed = replace(tree[id], **changes)
    return replace(tree, branches=tuple(changed if each.id == id else each for each in tree.branches))


def _origin(tree: Branches, parent: int, at: float) -> int:
    """The run that is really left at a time: the first one to which the same was done up to then."""
    for nearer, farther in zip(reversed(tree.lineage(parent)), reversed(tree.lineage(parent)[:-1]), strict=False):
        if _until(tree.interventions(nearer), at) != _until(tree.interventions(farther), at):
            return nearer
    return ROOT


def _done(tree: Branches, id: int) -> str:
    """What is done to a run, in the order in which it happens; a text, since for Python ``True`` is 1."""
    return repr(list(_in_time(tree.interventions(id))))


def _until(interventions: Iterable[Intervention], time: float) -> tuple[Intervention, ...]:
    return tuple(each for each in interventions if each.time <= time)
