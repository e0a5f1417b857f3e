"""Checks of one run with given faults, whose outcome is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from lydian.assignment.kinds.kind import Failed, Kind, Outcome, texts
from lydian.assignment.kinds.runs import ended
from lydian.assignment.setting import Setting, Shelf
from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput, shown
from lydian.model.reading import Table
from lydian.trace.parquet.recorder import plain

__all__ = ["Scenario"]

_KEYS = ("stopped", "states", "decided", "variables", "messages", "holds")


@dataclass(frozen=True)
class Scenario(Kind):
    """One run, and its expected outcome.

    Attributes:
        stopped: how the run must end, ``quiescent`` or ``until``; "" for either.
        states: process -> its state at the end.
        decided: process -> the value that it has decided.
        variables: ``process.variable`` -> its value at the end.
        messages: the number of messages; ``None`` for any number.
        holds: the names of the lecturer's properties that must hold.
        network: the network, "" for that of the assignment.
    """

    stopped: str = ""
    states: Mapping[str, str] = field(default_factory=dict)
    decided: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    messages: int | None = None
    holds: tuple[str, ...] = ()
    network: str = ""

    name: ClassVar[str] = "scenario"
    about: ClassVar[str] = "one run with given faults has the expected outcome"
    keys: ClassVar[tuple[str, ...]] = ("expect", "network")

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Scenario:
        expect = Table(table.need("expect", dict, "expect = { stopped = \"quiescent\" }"), _KEYS,
                       file=table.file, place=table.where("expect"))  # fmt: skip
        stopped = expect.get("stopped", str, "")
        if stopped not in ("", "quiescent", "until"):
            raise expect.bad("stopped", f'must be "quiescent" or "until", not {shown(stopped)}')
        if not expect.data:
            raise expect.bad("", f"must say what is expected: {', '.join(_KEYS)}")
        return cls(
            stopped, expect.get("states", dict, {}), expect.get("decided", dict, {}), expect.get("variables", dict, {}),
            expect.whole("messages", 0) if "messages" in expect else None, texts(expect, "holds"),
            table.get("network", str, ""),
        )  # fmt: skip

    def mark(self, setting: Setting) -> Outcome:
        protocol = setting.protocol(self.holds)
        shelf = Shelf(protocol if self.holds else replace(protocol, properties=()))
        resolved = setting.single(shelf, self.network)
        setting.go_on()
        simulator = Simulator(resolved, check=True)
        result = simulator.run()
        setting.tell(1, 1)
        failed = ended(resolved, result)
        wrong = [] if failed is not None else self.differences(simulator, result)
        if failed is None and wrong:
            broken = next((each.name for each in result.checks if each.holds is False), "")
            failed = Failed(resolved, result, broken, "" if broken else wrong[0])
        return Outcome(int(failed is None), 1, "as expected" if failed is None else wrong[0] if wrong else "it fails",
                       failed)  # fmt: skip

    def differences(self, simulator: Simulator, result: Result) -> list[str]:
        """Return how the outcome differs from the expected one, one sentence for each difference."""
        by_name = {p._name: p for p in simulator.processes}
        found = [
            f"Does not hold: {each.name}." if each.holds is False else f"Not reached: {each.name}."
            for each in result.checks
            if each.holds is not True
        ]
        if self.stopped and result.stopped != self.stopped:
            ends = {"quiescent": "nothing is left to do", "until": "its time is up"}
            found.append(f"The run must end when {ends[self.stopped]}, but it ended when "
                         f"{ends.get(result.stopped, result.stopped)}.")  # fmt: skip
        for name, state in self.states.items():
            reached = str(getattr(self._process(by_name, name), "state", ""))
            if reached != state:
                found.append(f"At the end process {name} must be in the state {state}, not {reached}.")
        for name, value in self.decided.items():
            there = result.decided.get(name)
            if not same(there, value):
                said = "has decided nothing" if name not in result.decided else f"has decided {shown(there)}"
                found.append(f"Process {name} must decide {shown(value)}, but it {said}.")
        for place, value in self.variables.items():
            name, _, variable = place.partition(".")
            p = self._process(by_name, name)
            if not hasattr(p, variable):
                found.append(f"Process {name} has no variable {variable}.")
            elif not same(plain(getattr(p, variable)), value):
                there = plain(getattr(p, variable))
                found.append(f"At the end {variable} of process {name} must be {shown(value)}, not {shown(there)}.")
        if self.messages is not None and result.messages != self.messages:
            found.append(f"The run must send {self.messages:,} messages, not {result.messages:,}.")
        return found

    def _process(self, by_name: Mapping[str, Any], name: str) -> Any:
        if name not in by_name:
            raise BadInput(f"the network has no process {shown(name)}", place="expect")
        return by_name[name]


def same(one: Any, other: Any) -> bool:
    """Return True if two values are equal, numbers up to rounding."""
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    if numbers and not isinstance(one, bool) and not isinstance(other, bool):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)
