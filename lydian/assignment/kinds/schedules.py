"""Checks of every schedule of a small case: the explorer visits all configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from lydian.assignment.kinds.kind import Failed, Kind, Outcome, texts
from lydian.assignment.setting import Setting, Shelf
from lydian.engine.explorer.result import Progress
from lydian.engine.explorer.search import Explorer
from lydian.model.reading import Table

__all__ = ["Schedules"]


@dataclass(frozen=True)
class Schedules(Kind):
    """Properties of the lecturer hold in every schedule of small networks.

    Attributes:
        networks: names or specifications of small networks.
        named: the names of the properties; none for all.
        crashes, losses: how many processes may crash and how many messages may be lost, at any moment.
        states: the most configurations that are visited for a network.
    """

    networks: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    crashes: int = 0
    losses: int = 0
    states: int = 200_000

    name: ClassVar[str] = "schedules"
    about: ClassVar[str] = "properties hold in every schedule of a small case"
    keys: ClassVar[tuple[str, ...]] = ("networks", "properties", "crashes", "losses", "states")

    @classmethod
    def read(cls, table: Table, files: Mapping[str, str]) -> Schedules:
        return cls(
            texts(table, "networks"), texts(table, "properties"), table.whole("crashes", 0), table.whole("losses", 0),
            table.whole("states", cls.states, least=1),
        )  # fmt: skip

    def mark(self, setting: Setting) -> Outcome:
        shelf = Shelf(setting.protocol(self.named))
        networks = self.networks or ("",)
        good, words, failed, stopped = 0, [], None, False

        def go_on(_: Progress) -> None:
            setting.tell(good, len(networks))
            setting.go_on()

        for experiment in setting.experiments(shelf, networks, (), len(networks)):
            setting.go_on()
            resolved = experiment.with_(seed=1).resolve(shelf)
            explorer = Explorer(resolved, crashes=self.crashes, losses=self.losses, states=self.states, progress=go_on)
            found = explorer.run()
            where = resolved.network.name or f"{resolved.network.n} processes"
            broken = next(iter(found.failed or found.shown), None)
            if broken is not None and failed is None and broken.counterexample is not None:
                failed = Failed(
                    broken.counterexample.experiment.resolve(shelf),
                    property="" if broken.kind == "error" else broken.name,
                    sentence="" if broken.holds is False else broken.why,
                )
            if broken is not None:
                steps = 0 if broken.counterexample is None else len(broken.counterexample.steps)
                words.append(f"{where}: fails after {steps} step{'s' * (steps != 1)} at the earliest")
            elif not found.complete:
                stopped = True
                words.append(f"{where}: more than {found.configurations:,} configurations; not all were visited")
            elif (unjudged := next((each for each in found.findings if each.holds is None), None)) is not None:
                words.append(f"{where}: \u201c{unjudged.name}\u201d cannot be judged, because {unjudged.why}")
            else:
                good += 1
                words.append(f"{where}: all {found.configurations:,} configurations")
        return Outcome(good, len(networks), "; ".join(words), failed, stopped=stopped and not good and failed is None)
