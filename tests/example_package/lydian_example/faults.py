from __future__ import annotations

from lydian.model.delays import Constant
from lydian.model.interventions import Key, Kind, Tool
from lydian.model.interventions.keys import PROCESS

STEP_TIME = Key("step_time", float, example="step_time = 2.5", sample=2.5, title="A step takes")


class SlowDown(Kind):
    """From now on, each step of a process takes the given time."""

    name = "slow_down"
    needs = (PROCESS, STEP_TIME)
    living = True
    order = ("slow down {process}", "slow down {n} processes")
    branch = ("{process} slowed down to {step_time}", "{n} processes slowed down")
    happened = ("a step of process {process} now takes {step_time}", "{who} slowed down")
    coming = "{who} slows down"
    planned = "{where} slows down"
    row = "is slowed down"
    tool = Tool("slow_down", "Slow a process down", ("process",), "Click a process", ("process",), ("process",))
    menu = ("Slow it down…", "Slow down process {process}…")

    def objection(self, what, engine):
        return f"process {what.process} is in the middle of a step" if engine.busy(what.process) else None

    def apply(self, what, engine):
        engine.retime_process(what.process, Constant(what.step_time))
        engine.record(what)
