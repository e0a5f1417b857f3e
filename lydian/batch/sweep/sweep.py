"""A sweep: one experiment with any of its fields varied, and a seed for every repetition.

::

    name = "echo-size"
    about = "Echo needs 4m - 2n + 2 messages, whatever the network and the delays."
    experiment = "echo-random"         # a name, a path from this file, or the experiment itself as a table
    seeds = 20                         # 0 to 19; or {first = 100, count = 20}; or [1, 5, 9]
    measure = ["messages", "time", "tree_depth", "by_kind.Ack.sent"]

    [[vary]]
    name = "n"
    values = [8, 16, 32]               # or from, to and step or count; or sample, low, high

    [[vary]]
    name = "kind"
    field = "network"
    values = ["ring:{n}", "gnm:{n},{2*n},seed={seed}"]
    labels = ["ring", "random"]

    [[vary]]
    field = "timing.delay"
    values = ["constant(1)", "exponential(mean=1)"]

    [[faults]]                         # this many processes or links, drawn anew for each seed
    do = "scramble"
    count = 2

    [[published]]                      # a result that a source predicts; see lydian.batch.sweep.published
    measure = "messages"
    at = {n = 16, kind = "ring"}
    value = 34

    [limits]
    seconds = 60

All combinations of values are used, except that axes named together in ``zip = [["n", "delay"]]`` advance together.
Runs that differ only in the seed (and in the values that are drawn from it) form a group.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.batch.sweep.axes import Axis
from lydian.batch.sweep.drawn import DrawnFaults
from lydian.batch.sweep.fields import FORMULA_WORDS, filled, parts, spoken, with_field
from lydian.batch.sweep.measure import Measure
from lydian.batch.sweep.published import Mark, Published, check, marks_of
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.experiment.experiment import UNDISTURBED, Experiment, from_dict
from lydian.model.reading import at

if TYPE_CHECKING:
    from lydian.model.archive.archive import Archive

__all__ = ["MOST_RUNS", "Limits", "Run", "Runs", "Sweep", "side_grouped"]

MOST_RUNS = 100_000_000
#: The maximum number of groups for which a formula is evaluated, and the maximum number of runs if each draws the
#: values in the formula.
_MOST_GROUPS, _MOST_DRAWN = 5_000, 200
_LAYOUT = ("name", "about", "branches", "interventions")


@dataclass(frozen=True)
class Limits:
    """The limits of a single run; a run that exceeds one becomes a row of the result with its error.

    Args:
        events: the most events; ``None`` for the experiment's own limit.
        seconds: the most seconds of real time.
        memory: the most memory, in megabytes.
    """

    events: int | None = None
    seconds: float = 60.0
    memory: int = 1024


@dataclass(frozen=True)
class Run:
    """One run of a sweep, determined by its number alone.

    Args:
        index: its number, from 0.
        group: the number of its group, from 0.
        seed: the seed of the experiment.
        values: name of an axis -> its value in this run.
        shown: the same as shown in the columns of the result.
        data: the experiment in the layout of its file, without the faults that are drawn.
    """

    index: int
    group: int
    seed: int
    values: Mapping[str, Any]
    shown: Mapping[str, Any]
    data: Mapping[str, Any]


class Runs(Sequence[Run]):
    """All runs of a sweep in order: the seeds of the first group, then those of the second; created on demand."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep

    def __len__(self) -> int:
        return self._sweep.count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._sweep.run(i) for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._sweep.run(index)

    def __iter__(self) -> Iterator[Run]:
        return (self._sweep.run(i) for i in range(len(self)))


@dataclass(frozen=True)
class Sweep:
    """Many variations of one experiment.

    Args:
        name: a short name, usually the file's stem.
        base: the experiment that is varied.
        ref: how the file refers to the experiment; ``None`` if the file contains it.
        about: one sentence.
        vary: the settings that differ.
        zipped: names of axes that advance together.
        seeds: the seeds of the repetitions; the same for every group, so that nothing else distinguishes the groups.
        faults: the faults that are drawn for each run.
        measure: the measures; every result has the usual columns as well.
        traces: whether the executions themselves are kept.
        limits: the limits of a run.
        published: the results that a source predicts.
        breaks: assumptions that the runs break on purpose, in addition to those that the experiment names.
        path: the file from which it was read.
    """

    name: str
    base: Experiment
    ref: str | None = None
    about: str = ""
    vary: tuple[Axis, ...] = ()
    zipped: tuple[tuple[str, ...], ...] = ()
    seeds: range | tuple[int, ...] = range(1)
    faults: tuple[DrawnFaults, ...] = ()
    measure: tuple[Measure, ...] = ()
    traces: bool = False
    limits: Limits = field(default_factory=Limits)
    published: tuple[Published, ...] = ()
    breaks: tuple[str, ...] = ()
    path: Path | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        names = [axis.name for axis in self.vary]
        for i, axis in enumerate(self.vary):
            if axis.name in names[:i]:
                raise BadInput(f"another one is already called {axis.name}; choose another name", place=f"vary[{i}]")
        for i, names_together in enumerate(self.zipped):
            self._check_zip(i, names_together)
        if self.count > MOST_RUNS:
            raise BadInput(f"there are {self.count} runs; there must be at most {MOST_RUNS}")
        known = {*names, "seed", "run"}
        for place, value in [(axis.place, axis.values) for axis in self.vary] + [
            (f"faults[{i}]", [each.count, each.fraction, each.time, each.lasts, each.extra])
            for i, each in enumerate(self.faults)
        ]:
            for word in sorted(spoken(value) - known - FORMULA_WORDS - {"n", "m"}):
                hint = did_you_mean(word, known) or f"; choose from {', '.join(sorted(known))}"
                raise BadInput(f"{{{word}}} is not varied{hint}", place=place or None)
        check(self.published, self.vary, self.measure)

    def _check_zip(self, number: int, names: Sequence[str]) -> None:
        place = f"zip[{number}]"
        found = {axis.name: axis for axis in self.vary}
        if len(names) < 2:
            raise BadInput('must have at least two names, such as ["n", "delay"]', place=place)
        for name in names:
            if name not in found:
                raise BadInput(f"{shown(name)} is not varied{did_you_mean(name, found)}", place=place)
            if sum(name in each for each in self.zipped) > 1 or names.count(name) > 1:
                raise BadInput(f"{name} appears twice; remove one of them", place=place)
        sizes = {name: len(found[name]) for name in names}
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{name} has {size}" for name, size in sizes.items())
            raise BadInput(f"fields that advance together must have the same number of values; {told}", place=place)

    # ------------------------------------------------------------------ runs

    @cached_property
    def _sides(self) -> tuple[tuple[Axis, ...], ...]:
        """The independent directions of the grid, those of groups first, each with the axes that advance together."""
        together = {name: names for names in self.zipped for name in names}
        seen: dict[tuple[str, ...], list[Axis]] = {}
        for axis in self.vary:
            seen.setdefault(together.get(axis.name, (axis.name,)), []).append(axis)
        sides = [tuple(axes) for axes in seen.values()]
        return (*(s for s in sides if side_grouped(s)), *(s for s in sides if not side_grouped(s)))

    @cached_property
    def repetitions(self) -> int:
        """The number of runs in a group."""
        return len(self.seeds) * math.prod(len(side[0]) for side in self._sides if not side_grouped(side))

    @cached_property
    def groups(self) -> int:
        """The number of groups."""
        return math.prod(len(side[0]) for side in self._sides if side_grouped(side))

    @property
    def count(self) -> int:
        """The number of runs."""
        return self.groups * self.repetitions

    @property
    def runs(self) -> Runs:
        """All runs; run i is determined by i alone."""
        return Runs(self)

    def group_values(self, group: int) -> dict[str, Any]:
        """Return the values that the runs of a group share, as shown in the columns."""
        run = self.run(group * self.repetitions)
        return {axis.name: run.shown[axis.name] for side in self._sides if side_grouped(side) for axis in side}

    def run(self, index: int) -> Run:
        """Return run number ``index``.

        Raises:
            BadInput: a text in braces has no value here.
        """
        rest, at_seed = divmod(index, len(self.seeds))
        seed = self.seeds[at_seed]
        numbers: dict[str, int] = {}
        for side in reversed(self._sides):
            rest, number = divmod(rest, len(side[0]))
            numbers.update((axis.name, number) for axis in side)
        raw = {axis.name: axis.value(numbers[axis.name], index) for axis in self.vary}
        names: dict[str, Any] = {"seed": seed, "run": index, **raw}
        values = {name: filled(value, names) if spoken(value) else value for name, value in raw.items()}
        names |= values
        data: Any = self._base_data
        for axis, path in self._fields:
            data = with_field(data, path, values[axis.name])
        events = {} if self.limits.events is None else {"events": self.limits.events}
        stop = {"stop": {**data.get("stop", {}), **events}} if events else {}
        data = {**data, **stop, "name": f"{self.name}-{index}", "seed": seed}
        shown_values = {axis.name: _shown(axis, raw, values, numbers[axis.name], names) for axis in self.vary}
        return Run(index, index // self.repetitions, seed, values, shown_values, data)

    def experiment(self, index: int, archive: Archive | None = None) -> Experiment:
        """Return the experiment of a run, with the faults that are drawn for it.

        Raises:
            BadInput: the values do not fit the experiment or its network.
        """
        run = self.run(index)
        experiment = from_dict(run.data).with_(path=self.base.path)
        if not self.faults:
            return experiment
        network = experiment.with_(**UNDISTURBED).resolve(archive).network
        names = {"seed": run.seed, "run": index, "n": network.n, "m": network.m, **run.values}
        found = list(experiment.faults)
        for number, each in enumerate(self.faults):
            with at(self.path, f"faults[{number}]"):
                found += each.drawn(number, network, run.seed, names)
        return experiment.with_(faults=tuple(found))

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Return the published numbers, one by one.

        Raises:
            BadInput: a formula has no value.
        """
        return marks_of(self.published, self.vary, self._some)

    def _some(self, drawn: bool) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
        """Yield the column values and the values of some runs: one of each group, or the first of all."""
        for number in range(min(self.count, _MOST_DRAWN)) if drawn else range(
            0, min(self.groups, _MOST_GROUPS) * self.repetitions, self.repetitions
        ):  # fmt: skip
            run = self.run(number)
            yield run.shown, run.values

    @cached_property
    def _base_data(self) -> dict[str, Any]:
        base = self.base.with_(breaks=tuple(dict.fromkeys((*self.base.breaks, *self.breaks))))
        return {key: value for key, value in base.to_dict().items() if key not in _LAYOUT}

    @cached_property
    def _fields(self) -> list[tuple[Axis, tuple[str | int, ...]]]:
        return [(axis, parts(axis.field)) for axis in self.vary if axis.field is not None]

    # ------------------------------------------------------------------ files

    def with_(self, **changes: Any) -> Sweep:
        """Return the same sweep with some parts changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data in the layout of the file."""
        seeds: Any = list(self.seeds)
        if isinstance(self.seeds, range):
            seeds = {"first": self.seeds.start, "count": len(self.seeds)}
        limits = {key: getattr(self.limits, key) for key in ("events", "seconds", "memory")}
        return {
            "name": self.name,
            **({"about": self.about} if self.about else {}),
            "experiment": self.base.to_dict() if self.ref is None else self.ref,
            **({"breaks": list(self.breaks)} if self.breaks else {}),
            "seeds": seeds,
            **({"measure": [each.to_plain() for each in self.measure]} if self.measure else {}),
            **({"traces": True} if self.traces else {}),
            **({"zip": [list(each) for each in self.zipped]} if self.zipped else {}),
            **({"vary": [axis.to_dict() for axis in self.vary]} if self.vary else {}),
            **({"faults": [each.to_dict() for each in self.faults]} if self.faults else {}),
            **({"published": [each.to_dict() for each in self.published]} if self.published else {}),
            "limits": {key: value for key, value in limits.items() if value is not None},
        }

    def to_toml(self) -> str:
        """Return the text of the file.

        Raises:
            BadInput: a value cannot be written in TOML.
        """
        import tomli_w

        try:
            return tomli_w.dumps(self.to_dict())
        except (TypeError, ValueError) as error:
            raise BadInput(f"the sweep contains a value that cannot be written in TOML: {error}") from None


def _shown(axis: Axis, raw: Mapping[str, Any], values: Mapping[str, Any], number: int, names: Mapping[str, Any]) -> Any:
    """Return the value as shown in its column: the same for all runs of a group, even if its text uses the seed."""
    value = raw[axis.name]
    if axis.labels or not spoken(value):
        return axis.shown(number, names["run"])
    if spoken(value) & {"seed", "run"}:
        try:
            return str(filled(value, {**names, "seed": "{seed}", "run": "{run}"}))
        except BadInput:  # a formula that contains the seed
            return str(value)
    return str(values[axis.name])


def side_grouped(side: Sequence[Axis]) -> bool:
    """Return whether runs that differ in these axes belong to different groups."""
    return all(axis.grouped for axis in side)
