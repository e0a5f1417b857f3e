"""Interventions that crash a process, or let it recover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lydian.language import tr
from lydian.model.interventions.keys import KEEP, PROCESS
from lydian.model.interventions.kind import Drawn, Kind, Tool

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention, Moment

__all__ = ["Crash", "Recover"]

_TOOL = Tool(
    "crash", tr("Crash or recover a process"), ("process",), tr("Click a process"), ("process",), ("process",), 1,
    "fault-crash", bar=True,
    entry=tr("&Crash or recover"), keys="X", help=tr("Crash or recover the selected process"),
)  # fmt: skip


class Crash(Kind):
    """A process crashes: it takes no more steps, and messages that reach it are lost."""

    name = "crash"
    needs = (PROCESS,)
    living = True
    undone_by = "recover"
    breaks = ("no crashes",)
    breaking = "process {process} crashes"
    sort = "down"
    order = (tr("crash {process}"), tr("crash {n} processes"))
    branch = ("{process} crashed", "{n} processes crashed")
    happened = (tr("process {process} crashed"), tr("{who} crashed"))
    coming = tr("{who} crashes")
    planned = tr("{where} crashes")
    tool = _TOOL
    menu = (tr("Crash"), tr("Crash process {process}"))
    listed = ((tr("Crash process"), {}),)
    drawn = tr("Processes crash")
    varied = Drawn("crashes", tr("Processes that crash"), "others", "uniform(0, 5)")

    def lasts(self, now: Moment, process: int) -> bool:
        return bool(now.crashed[process])

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.crash(what.process)


class Recover(Kind):
    """A crashed process resumes with the variables that it had or, if ``keep`` is false, as a new process."""

    name = "recover"
    needs = (PROCESS,)
    may = (KEEP,)
    sort = "up"
    order = (tr("recover {process}"), tr("recover {n} processes"))
    branch = ("{process} recovered", "{n} processes recovered")
    happened = (tr("process {process} recovered"), tr("{who} recovered"))
    coming = tr("{who} recovers")
    planned = tr("{where} recovers")
    tool = _TOOL
    menu = (tr("Recover"), tr("Recover process {process}"))
    listed = ((tr("Recover process"), {}),)
    drawn = tr("Processes recover")

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return None if engine.crashed(what.process) else f"process {what.process} has not crashed"

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.recover(what.process, what.keep)
