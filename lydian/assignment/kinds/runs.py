"""Checks of many runs with random networks, delays and seeds: no action fails, properties hold, a formula holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from lydian.assignment.kinds.kind import Failed, Kind, Outcome, texts
from lydian.assignment.setting import Setting
from lydian.engine.end.result import Result
from lydian.model.delays import parse
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.experiment import Resolved
from lydian.model.lang.formula import Formula
from lydian.model.protocol.protocol import Protocol
from lydian.model.reading import Table, at

__all__ = ["Expected", "Holds", "Many", "Runs", "ended", "exhausts", "undecided"]

#: After this many runs that do not end, or need too much memory, the other runs of a check are not made and count as
#: failed.
_MOST_ENDLESS = 2


@dataclass(frozen=True)
class Many(Kind):
    """The settings of a check of many runs.

    Attributes:
        networks: names or specifications; ``{seed}`` in one is the number of the run.
        delays: the distributions of the delay of all links.
        runs: the number of runs.
    """

    networks: tuple[str, ...]
    delays: tuple[str, ...]
    runs: int

    keys: ClassVar[tuple[str, ...]] = ("networks", "delays", "runs")

    @staticmethod
    def many(table: Table, runs: int = 60) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Read these settings."""
        delays = texts(table, "delays")
        for i, each in enumerate(delays):
            parse(each, file=table.file, place=table.where(f"delays[{i}]"))
        networks = texts(table, "networks")
        count = table.whole("runs", runs, least=1)
        return networks, delays, count

    def wrong(self, resolved: Resolved, result: Result) -> Failed | None:
        """Return why a run is not good, or ``None``."""
        raise NotImplementedError

    def properties(self) -> tuple[str, ...] | None:
        """Return the names of the lecturer's properties to be judged: none for all, ``None`` for no property."""
        return None

    def mark(self, setting: Setting) -> Outcome:
        names = self.properties()

        def load() -> Protocol:
            protocol = setting.protocol(names or ())
            return protocol if names is not None else replace(protocol, properties=())

        made = setting.over(load, self.networks, self.delays, self.runs, final=names is not None)
        return counted(self.runs, made, self.wrong)


def counted(
    runs: int,
    made: Iterator[tuple[Resolved, Result]],
    wrong: Callable[[Resolved, Result], Failed | None],
) -> Outcome:
    """Return the outcome of many runs; the failed run is the one with the fewest events."""
    good = endless = 0
    worst: Failed | None = None
    for resolved, result in made:
        failed = wrong(resolved, result)
        good += failed is None
        if failed is not None and (worst is None or _size(failed) < _size(worst)):
            worst = failed
        endless += failed is not None and (result.stopped == "limit" or exhausts(result))
        if endless >= _MOST_ENDLESS:
            break
    words = f"{good} of {runs} run{'s' * (runs != 1)}"
    return Outcome(good, runs, words, worst, stopped=endless >= _MOST_ENDLESS and not good)


def _size(failed: Failed) -> tuple[int, int]:
    return failed.resolved.network.n, 0 if failed.result is None else failed.result.events


def exhausts(result: Result) -> bool:
    """Return True if an action was stopped by a limit of time or memory, so that repeating the run would be slow."""
    words = ("without coming to an end", "more memory", "sends without end")
    return result.error is not None and any(each in result.error for each in words)


def ended(resolved: Resolved, result: Result) -> Failed | None:
    """Return why a run did not end as it should: an action failed, or there were too many events."""
    if result.error is not None:
        return Failed(resolved, result)
    if result.stopped == "limit":
        most = resolved.experiment.stop.events
        return Failed(resolved, result, sentence=f"The run does not end: it is still going on after {most:,} events.")
    return None


def undecided(resolved: Resolved, result: Result) -> Failed | None:
    """Return the failure of a run in which a property does not hold, or was not decided before the run was stopped."""
    broken = next((each for each in result.checks if each.holds is False), None)
    if broken is not None:
        return Failed(resolved, result, property=broken.name)
    open_ = next((each for each in result.checks if each.holds is None), None)
    if open_ is None:
        return None
    sentence = f"Not reached before the run was stopped: {open_.name}."
    return Failed(resolved, result, sentence=sentence)


@dataclass(frozen=True)
class Runs(Many):
    """No action fails, and each run ends."""

    name: ClassVar[str] = "runs"
    about: ClassVar[str] = "no action fails, and each run ends"

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Runs:
        return cls(*cls.many(table, 20))

    def wrong(self, resolved: Resolved, result: Result) -> Failed | None:
        return ended(resolved, result)


@dataclass(frozen=True)
class Holds(Many):
    """Properties of the lecturer hold in each run.

    Attributes:
        named: the names of the properties; none for all.
    """

    named: tuple[str, ...] = ()

    name: ClassVar[str] = "property"
    about: ClassVar[str] = "properties hold in runs with random networks, delays and seeds"
    keys: ClassVar[tuple[str, ...]] = (*Many.keys, "properties")

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Holds:
        return cls(*cls.many(table), texts(table, "properties"))

    def properties(self) -> tuple[str, ...] | None:
        return self.named

    def wrong(self, resolved: Resolved, result: Result) -> Failed | None:
        violated = undecided(resolved, result)
        return violated if violated is not None and violated.property else ended(resolved, result) or violated


#: The measures that a formula may be about -> their words.
_MEASURES = {"messages": "messages", "time": "time units", "chain": "messages on the longest chain", "bits": "bits"}
_BOUNDS = {"=": "", "<=": "at most ", ">=": "at least "}


@dataclass(frozen=True)
class Expected(Many):
    """A number from each run agrees with a formula.

    Attributes:
        measure: ``messages``, ``time``, ``chain``, ``bits``, or ``own.NAME`` for a measure of the lecturer.
        formula: a formula in n, m and the parameters of the protocol, or a bound such as ``<= 2*(n-1)``.
        named: the names of properties that must hold as well, so that a bound is not met by doing nothing; ``None``
            for none.
    """

    measure: str = "messages"
    formula: str = ""
    named: tuple[str, ...] | None = None

    name: ClassVar[str] = "formula"
    about: ClassVar[str] = "the messages, the time or the longest chain of each run agree with a formula"
    keys: ClassVar[tuple[str, ...]] = (*Many.keys, "measure", "formula", "compare", "properties")

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Expected:
        measure = table.get("measure", str, "messages")
        if measure not in _MEASURES and not measure.startswith("own."):
            what = f"must be one of {', '.join(_MEASURES)}, or own.NAME for a measure of lecturer/properties.py"
            raise table.bad("measure", f"{what}, not {shown(measure)}")
        compare = table.get("compare", str, "=")
        if compare not in _BOUNDS:
            raise table.bad("compare", f"must be =, <= or >=, not {shown(compare)}")
        formula = table.need("formula", str, 'formula = "2*(n-1)"')
        whole = formula if compare == "=" else f"{compare} {formula}"
        with at(table.file, table.where("formula")):
            Formula(whole)
        return cls(*cls.many(table, 20), measure, whole, texts(table, "properties") or None)

    def properties(self) -> tuple[str, ...] | None:
        return self.named

    def wrong(self, resolved: Resolved, result: Result) -> Failed | None:
        failed = ended(resolved, result) or undecided(resolved, result)
        if failed is not None:
            return failed
        formula = Formula(self.formula)
        known = {"n": resolved.network.n, "m": resolved.network.m, **resolved.parameters}
        formula.check(known)
        found = self.of(result)
        if found is not None and formula.holds(found, known):
            return None
        what = _MEASURES.get(self.measure, self.measure.removeprefix("own."))
        number = "none" if found is None else f"{found:,.6g}"
        sizes = f"{_many(resolved.network.n, 'process', 'processes')} and {_many(resolved.network.m, 'link', 'links')}"
        bound = _BOUNDS.get(formula.relation, "")
        sentence = (
            f"With {sizes}, the number of {what} is {number}; "
            f"{formula.text.removeprefix(formula.relation).strip()} gives {bound}{formula.value(known):,.6g}."
        )
        return Failed(resolved, result, sentence=sentence)

    def of(self, result: Result) -> float | None:
        """Return the number for a run."""
        if self.measure.startswith("own."):
            own = result.measures.get("own") or {}
            name = self.measure.removeprefix("own.")
            if name not in own:
                raise BadInput(f"no measure '{name}' in lecturer/properties.py", place=f"measure {self.measure}")
            found = own[name]
            return None if found is None else float(found)
        return float(
            {"messages": result.messages, "time": result.time, "chain": result.chain, "bits": result.measures["bits"]}[
                self.measure
            ]
        )


def _many(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"
