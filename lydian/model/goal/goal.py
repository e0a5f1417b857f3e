"""Goals of a player against an algorithm: what must happen in a run, and the budget of steps and faults.

The player chooses every event. The layout of a goal's file::

    title = "Make two enter the critical section"
    sentence = "Processes 0 and 1 want to enter; you choose what arrives when."
    hint = "A Reply is a promise about what is still on the way."
    won = "Process 1 took the reply from 0 as proof that no older request from 0 could follow."
    level = 2                     # 1 to 3
    order = 7                     # its place in the list
    off = ["fifo"]                # the assumptions of the protocol that do not hold
    patient = true                # timers expire only when nothing else can happen

    [experiment]                  # the keys of an experiment's file
    protocol = "lamport-mutex"
    network = "complete:3"

    [wanted]
    violates = "at most one process is in the critical section"
    # or: where = 'state == "held"', true of at least processes = 2 of them; ending = true: only when the run has ended

    [budget]
    steps = 10
    crashes = 0
    losses = 0
    traitors = ["3"]              # processes whose messages the player may change and withhold
    lies = { order = ["attack", "retreat"] }    # the values that a field of their messages may get

A goal that cannot be reached has ``impossible = true``: the player is to find that out, and to read the proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType
from typing import Any

from lydian.model.archive.shelves import Shelves, shelves
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.experiment.experiment import Experiment, Resolved, from_dict
from lydian.model.lang.expression import OWN, parse
from lydian.model.protocol.properties import Property
from lydian.model.protocol.protocol import Protocol
from lydian.model.reading import Table, at, parse_toml, read_text

__all__ = ["LEVELS", "MOST_STARS", "RELIABLE", "Budget", "Goal", "Wanted", "from_table", "load", "names", "read"]

#: The easiest and the hardest level.
LEVELS = (1, 3)
#: The stars of a goal that is reached without hints.
MOST_STARS = 3
#: The assumptions that crashes and losses violate.
CRASHES, RELIABLE = "no crashes", "reliable"
_KEYS = (
    "title", "sentence", "hint", "won", "level", "order", "off", "patient", "impossible", "experiment", "wanted",
    "budget",
)  # fmt: skip
_WANTED = ("violates", "where", "processes", "ending")
_BUDGET = ("steps", "crashes", "losses", "traitors", "lies")
_MOST_BYTES = 100_000


@dataclass(frozen=True)
class Wanted:
    """The condition of a goal: a property of the protocol is violated, or a condition is true of some processes.

    Attributes:
        violates: the sentence of the property; empty if there is a condition.
        where: a condition over the variables of a process and its ``state``.
        processes: the least number of processes of which the condition is true at the same time.
        ending: whether only the configuration at the end of the run counts, in which nothing is left to do.
    """

    violates: str = ""
    where: str = ""
    processes: int = 1
    ending: bool = False


@dataclass(frozen=True)
class Budget:
    """The budget of the player.

    Attributes:
        steps: the largest number of steps; ``None`` for no bound.
        crashes, losses: the largest numbers of crashes and of lost messages.
        traitors: the processes whose messages the player may change and withhold.
        lies: field of their messages -> the values that it may get; truth values are negated without being listed.
    """

    steps: int | None = None
    crashes: int = 0
    losses: int = 0
    traitors: tuple[str, ...] = ()
    lies: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Goal:
    """A goal as in its file.

    Attributes:
        name: the stem of its file, or a name made from its protocol.
        title, sentence, hint, won: what to do, the situation, a piece of advice, and what the run shows once it is won.
        level: 1 (easy) to 3.
        order: its place in the list of ready goals; 0 if it has none.
        experiment: the protocol, the network and the workload.
        wanted, budget: what must happen, and at what cost.
        off: the assumptions of the protocol that do not hold.
        patient: whether timers expire only when nothing else can happen.
        impossible: whether it is meant to be impossible.
        record: the table from which it was read; :func:`from_table` reads it again.
    """

    name: str
    title: str
    sentence: str
    experiment: Experiment
    wanted: Wanted
    budget: Budget
    hint: str = ""
    won: str = ""
    level: int = 1
    order: int = 0
    off: tuple[str, ...] = ()
    patient: bool = False
    impossible: bool = False
    record: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    file: Path | None = field(default=None, compare=False)

    def resolve(self) -> Resolved:
        """Return the experiment with its parts loaded, after checking the goal against the protocol.

        Raises:
            BadInput: the protocol has no such property, variable or message, or a needed assumption is not off.
        """
        with at(self.file, "experiment"):
            resolved = self.experiment.resolve()
        with at(self.file):
            _check(self, resolved)
        return resolved

    def violated(self, protocol: Protocol) -> Property | None:
        """Return the property that must be violated, or ``None`` if the goal is a condition."""
        return next((each for each in protocol.properties if each.name == self.wanted.violates), None)

    @property
    def condition(self) -> CodeType:
        """The compiled condition; only for goals that have one."""
        return parse(self.wanted.where)[0]


def names(archive: Shelves | None = None) -> list[str]:
    """Return the names of all ready goals in the order in which they are listed."""
    place = archive or shelves()
    order = {}
    for name in place.names("goals"):
        found = parse_toml(read_text(place.find("goals", name), "a goal", _MOST_BYTES))
        number = found.get("order")
        order[name] = number if isinstance(number, int) else 10_000
    return sorted(order, key=lambda name: (order[name], name))


def load(ref: str | Path, archive: Shelves | None = None) -> Goal:
    """Return the goal of this name or path.

    Raises:
        BadInput: there is no such goal, or its file cannot be used.
    """
    return read((archive or shelves()).find("goals", ref))


def read(path: Path) -> Goal:
    """Read a goal from its file.

    Raises:
        BadInput: the file cannot be used; the error names the place.
    """
    data = parse_toml(read_text(path, "a goal", _MOST_BYTES), path)
    return from_table(data, path.stem, path)


def from_table(data: Mapping[str, Any], name: str, file: Path | None = None) -> Goal:
    """Return a goal from the table of its file.

    Raises:
        BadInput: a key is missing, unknown or unusable.
    """
    top = Table(data, _KEYS, file=file)
    title = str(top.need("title", str, 'title = "Make two enter the critical section"'))
    level = top.get("level", int, LEVELS[0])
    if not LEVELS[0] <= level <= LEVELS[1]:
        raise top.bad("level", f"must be from {LEVELS[0]} to {LEVELS[1]}, not {level}")
    off = _texts(top, "off")
    wanted = _wanted(Table(top.need("wanted", dict, "[wanted]"), _WANTED, file=file, place="wanted"))
    budget = _budget(Table(top.get("budget", dict, {}), _BUDGET, file=file, place="budget"))
    record = dict(top.need("experiment", dict, "[experiment]"))
    if "protocol" not in record:
        raise BadInput('protocol is missing; write, for example, protocol = "echo"', file=file, place="experiment")
    with at(file, "experiment"):
        experiment = from_dict({"name": name, "network": "complete:3", **record})
    experiment = experiment.with_(breaks=tuple(dict.fromkeys((*experiment.breaks, *off))), path=file)
    return Goal(
        name=name, title=title, sentence=top.get("sentence", str, ""), experiment=experiment, wanted=wanted,
        budget=budget, hint=top.get("hint", str, ""), won=top.get("won", str, ""), level=level,
        order=top.get("order", int, 0), off=off, patient=top.get("patient", bool, False),
        impossible=top.get("impossible", bool, False), record=dict(data), file=file,
    )  # fmt: skip


def _texts(table: Table, key: str) -> tuple[str, ...]:
    found = table.get(key, list, [])
    if not all(isinstance(each, str) for each in found):
        raise table.bad(key, f"must be a list of texts, not {shown(found)}")
    return tuple(found)


def _wanted(table: Table) -> Wanted:
    violates, where = table.get("violates", str, ""), table.get("where", str, "")
    if bool(violates) == bool(where):
        what = "must name a property that is violated (violates) or a condition over a process (where), and not both"
        raise BadInput(what, file=table.file, place="wanted")
    processes = table.get("processes", int, 1)
    if processes < 1:
        raise table.bad("processes", f"must be at least 1, not {processes}")
    if where:
        with at(table.file, "wanted.where"):
            parse(where)
    return Wanted(violates, where, processes, table.get("ending", bool, False))


def _budget(table: Table) -> Budget:
    counts = {}
    for key in ("steps", "crashes", "losses"):
        counts[key] = table.get(key, int, None if key == "steps" else 0)
        if counts[key] is not None and counts[key] < (key == "steps"):
            raise table.bad(key, f"must be at least {int(key == 'steps')}, not {counts[key]}")
    lies = table.get("lies", dict, {})
    for name, values in lies.items():
        if not isinstance(values, list) or len(values) < 2:
            raise table.bad("lies", f"must give at least two values for {name}, as in {name} = [0, 1]")
    traitors = _texts(table, "traitors")
    if lies and not traitors:
        raise table.bad("lies", 'must have traitors to tell them; write, for example, traitors = ["3"]')
    return Budget(**counts, traitors=traitors, lies={name: tuple(values) for name, values in lies.items()})


def _check(goal: Goal, resolved: Resolved) -> None:
    protocol, wanted, budget = resolved.protocol, goal.wanted, goal.budget
    if wanted.violates and goal.violated(protocol) is None:
        known = [each.name for each in protocol.properties]
        hint = did_you_mean(wanted.violates, known) or f"; choose from {', '.join(map(shown, known))}"
        raise BadInput(f"{protocol.name} has no property {shown(wanted.violates)}{hint}", place="wanted.violates")
    if wanted.where:
        known = [*protocol.variables, *protocol.parameters, *OWN[:2]]
        for name in sorted(parse(wanted.where)[1] - {*known}):
            hint = did_you_mean(name, known) or f"; choose from {', '.join(known)}"
            raise BadInput(f"no process has a variable {shown(name)}{hint}", place="wanted.where")
    needs = {each.name for each in protocol.needs}
    for key, name in (("crashes", CRASHES), ("losses", RELIABLE)):
        if getattr(budget, key) and name in needs and name not in goal.off:
            what = f'violate the assumption "{name}" of {protocol.name}; write off = ["{name}"]'
            raise BadInput(what, place=f"budget.{key}")
    for name in budget.traitors:
        if name not in resolved.network.processes:
            raise BadInput(f"the network has no process {shown(name)}", place="budget.traitors")
    fields_ = {name for each in protocol.messages for name in each._fields}
    for name in budget.lies:
        if name not in fields_:
            hint = did_you_mean(name, fields_) or f"; choose from {', '.join(sorted(fields_))}"
            raise BadInput(f"no message has a field {shown(name)}{hint}", place="budget.lies")


def without_bounds(goal: Goal) -> Goal:
    """Return the goal without a bound on its steps."""
    return replace(goal, budget=replace(goal.budget, steps=None))
