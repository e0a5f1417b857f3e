"""Interventions that overwrite one variable of a process, or all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.language import tr, trc
from lydian.model.errors import BadInput
from lydian.model.interventions.keys import BY, PROCESS, SEED, VALUE, VARIABLE
from lydian.model.interventions.kind import Drawn, Kind, Refuse, Tool, check_value

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["Corrupt", "Scramble"]


class Corrupt(Kind):
    """The state or a variable is set to a new value, or a number is added to the variable's current value.

    ``None`` (in a file: no ``value``) is Python's ``None``; sets are given as lists.
    """

    name = "corrupt"
    needs = (PROCESS, VARIABLE)
    may = (VALUE, BY)
    living = True
    overwrites = True
    sort = "state"
    order = (tr("corrupt {variable} of {process}"), tr("corrupt {n} variables"))
    branch = ("{variable} of {process} corrupted", "{n} variables corrupted")
    happened = (tr("{variable} of process {process} is now {value}"), "")
    coming = tr("{who} is corrupted")
    tool = Tool(
        "corrupt", tr("Corrupt a variable or a message"), ("process", "message", "link"),
        tr("Click a process or a message"), ("process", "message"), ("process", "message", "way"), 8, "fault-corrupt",
        bar=True, dead=False, entry=tr("Corrupt a &value…"), keys="V", gap=True,
        help=tr("Change a variable of the selected process, or the fields of the selected message"),
    )  # fmt: skip

    def check_keys(self, what: Intervention) -> None:
        if what.by is not None and what.value is not None:
            raise BadInput("both value and by are given; write one of the two", place="by")

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        check_value(what, protocol.played(network.roles.get(what.process or "", "")), refuse)

    def apply(self, what: Intervention, engine: Engine) -> None:
        if what.variable == "state":
            engine.set_state(what.process, what.value)
        elif what.by is not None:
            engine.add_to_variable(what.process, what.variable, what.by)
        else:
            engine.set_variable(what.process, what.variable, what.value)

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        if what.get("by") is not None:
            raised = what["by"] > 0
            return (
                tr("{variable} of process {process} raised by {by}") if raised
                else tr("{variable} of process {process} lowered by {by}")
            ).format_map(words)  # fmt: skip
        value = what.get("value")
        now = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if what.get("variable") == "state":
            return tr("process {process} is now {state}", process=words["process"], state=now)
        return super().told(what, {**words, "value": now or trc("value of a variable", "empty")})


class Scramble(Kind):
    """A process is put into a random state with random values, drawn from ``seed`` and the seed of the experiment."""

    name = "scramble"
    needs = (PROCESS,)
    may = (SEED,)
    living = True
    overwrites = True
    sort = "state"
    order = (tr("scramble {process}"), tr("scramble {n} processes"))
    branch = ("{process} scrambled", "{n} processes scrambled")
    happened = (tr("process {process} scrambled"), tr("{who} scrambled"))
    coming = tr("{who} is scrambled")
    tool = Tool(
        "scramble", tr("Scramble a process"), ("process",), tr("Click a process"), ("process",), ("process",), 9,
        dead=False, entry=tr("Scram&ble"), keys="Z",
        help=tr("Put the selected process into a random state with random values"),
    )  # fmt: skip
    menu = (tr("Scramble it"), tr("Scramble process {process}: random state, random values"))
    drawn = tr("Processes are scrambled")
    varied = Drawn("scrambled", tr("Processes that are scrambled"), "all", "0")

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.scramble(what.process, what.seed)
