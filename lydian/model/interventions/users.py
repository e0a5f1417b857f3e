"""The actions of users: they wake a process, or give it a command."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from lydian.language import tr
from lydian.model.interventions.keys import FIELDS, LABEL, PROCESS
from lydian.model.interventions.kind import Kind, Refuse, Tool, check_event, check_whole
from lydian.model.protocol.process import INIT

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["Command", "Wake"]


class Wake(Kind):
    """A process starts as an initiator does."""

    name = "wake"
    needs = (PROCESS,)
    living = True
    often = True
    of_user = True
    breaks = ("one initiator",)
    breaking = "process {process} starts"
    remedy = " as well"
    order = (tr("wake {process}"), tr("wake {n} processes"))
    branch = ("{process} woken", "{n} processes woken")
    happened = (tr("process {process} woken"), tr("{who} woken"))
    coming = tr("{who} is woken")
    tool = Tool(
        "wake", tr("Wake a process"), ("process",), tr("Click a process"), ("process",), ("process",), 11, dead=False,
        entry=tr("&Wake"), keys="W", help=tr("Wake the selected process as an initiator"),
    )  # fmt: skip
    menu = (tr("Wake it"), tr("Wake process {process}"))
    drawn = tr("Processes wake")

    def strains(self, what: Intervention, initiators: Collection[str]) -> bool:
        return what.process not in initiators

    def event(self, what: Intervention, protocol: Protocol) -> Any:
        return INIT

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.wake(what.process)


class Command(Kind):
    """The user of a process gives it a command."""

    name = "command"
    needs = (PROCESS, LABEL)
    may = (FIELDS,)
    living = True
    often = True
    of_user = True
    order = (tr("command {label} at {process}"), tr("command {n} commands"))
    branch = ("{label} at {process}", "{n} commands")
    happened = (tr("command {label} given to process {process}"), "")
    coming = tr("{who} receives a command")
    tool = Tool(
        "command", tr("Give a command"), ("process",), tr("Click a process"), ("process",), ("process",), 12,
        dead=False, entry=tr("Co&mmand…"), keys="Shift+C", help=tr("Give a command to the selected process"),
    )  # fmt: skip
    menu = (tr("Command…"), tr("Give a command to process {process}…"))
    form = "command"

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        check_whole(what, check_event(what, protocol, protocol.commands, "command", refuse), refuse)

    def event(self, what: Intervention, protocol: Protocol) -> Any:
        cls = protocol.event_class(what.label)
        return None if cls is None else cls._from_file(what.fields)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.command(what.process, what.label, what.fields)
