"""Interventions with which the user plays a process: takes it over, chooses its next steps, and releases it.

A process that has been taken over takes only the steps that are chosen for it, until it is released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lydian.language import tr
from lydian.model.interventions.keys import CHOICES, FIELDS, LABEL, PROCESS
from lydian.model.interventions.kind import Kind, Refuse, Tool, known
from lydian.model.interventions.messages import NO_CHOICE
from lydian.model.protocol.process import INIT
from lydian.model.protocol.rounds import ROUND

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention, Moment
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["Fire", "Hurry", "Release", "TakeOver"]

_TOOL = Tool(
    "take_over", tr("Take over or release a process"), ("process",), tr("Click a process"), ("process",),
    ("process",), 15, dead=False, entry=None,
)  # fmt: skip


class TakeOver(Kind):
    """A process is taken over: it handles only the events that the user chooses for it."""

    name = "take_over"
    needs = (PROCESS,)
    living = True
    undone_by = "release"
    order = (tr("take over {process}"), tr("take over {n} processes"))
    branch = ("{process} taken over", "{n} processes taken over")
    happened = (
        tr("process {process} taken over: its steps are chosen by hand"),
        tr("{who} taken over: their steps are chosen by hand"),
    )
    coming = tr("{who} is taken over")
    row = tr("is taken over")
    tool = _TOOL
    menu = (tr("Take it over"), tr("Take over process {process}: you choose its steps"))

    def lasts(self, now: Moment, process: int) -> bool:
        return now.names[process] in now.taken

    def against_rounds(self, what: Intervention) -> str:
        return NO_CHOICE

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return f"process {what.process} is already taken over" if engine.taken(what.process) else None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.take_over(what.process)
        engine.record(what)


class Release(Kind):
    """A process that was taken over acts on its own again, and first handles the events that wait for it."""

    name = "release"
    needs = (PROCESS,)
    order = (tr("release {process}"), tr("release {n} processes"))
    branch = ("{process} released", "{n} processes released")
    happened = (tr("process {process} acts on its own again"), tr("{who} act on their own again"))
    coming = tr("{who} is released")
    row = tr("acts on its own again")
    tool = _TOOL
    menu = (tr("Release it"), tr("Release process {process}: it acts on its own again"))

    def against_rounds(self, what: Intervention) -> str:
        return NO_CHOICE

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return None if engine.taken(what.process) else f"process {what.process} is not taken over"

    def apply(self, what: Intervention, engine: Engine) -> None:
        if engine.taken(what.process):
            engine.record(what)
            engine.release(what.process)


class _Chosen(Kind):
    """The choice of the next step of a process, which may take several steps at the same time."""

    living = True

    def subject(self, what: Intervention) -> Any:
        return what.process, None, None, what.label

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return f"process {what.process} is in the middle of a step" if engine.busy(what.process) else None


class Hurry(_Chosen):
    """A pending timer, command or start (``INIT``) happens now."""

    name = "hurry"
    needs = (PROCESS, LABEL)
    may = (FIELDS, CHOICES)
    order = (tr("hurry {label} at {process}"), tr("hurry {n} events"))
    branch = ("{label} of {process} hurried", "{n} events hurried")
    happened = (tr("{label} of process {process} triggered at once"), "")
    coming = tr("{who} is hurried")

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        names = (INIT.name, *(each.__name__ for each in (*protocol.timers, *protocol.commands)))
        known(what.label, names, "timer or command", f"of protocol {protocol.name}", "label", refuse)

    def against_rounds(self, what: Intervention) -> str:
        return "a round cannot begin early" if what.label == ROUND.__name__ else ""

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        reason = super().objection(what, engine)
        if reason is None and not engine.pending(what.process, what.label, what.fields):
            reason = f"no {what.label} is pending for process {what.process}"
        return reason or engine.no_cell(what.process, what.label, what.fields)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.hurry(what.process, what.label, what.fields)


class Fire(_Chosen):
    """A process executes an enabled rule."""

    name = "fire"
    needs = (PROCESS, LABEL)
    may = (CHOICES,)
    example = ("label", 'label = "move"')
    order = (tr("execute {label} at {process}"), tr("execute {n} rules"))
    branch = ("{label} executed by {process}", "{n} rules executed")
    happened = (tr("process {process} executed {label}"), "")
    coming = tr("{who} executes a rule")

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        names = [rule.name for rule in protocol.rules]
        known(what.label, names, "rule", f"of protocol {protocol.name}", "label", refuse)

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        reason = super().objection(what, engine)
        if reason is None and not engine.enabled(what.process, what.label):
            reason = f"the rule {what.label} of process {what.process} is not enabled"
        return reason

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.fire(what.process, what.label)
