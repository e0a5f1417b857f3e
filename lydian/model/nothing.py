"""A run in which nothing happens: why that is so, and what would make something happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.model.intervention import Intervention
from lydian.model.message import Record, accepted_types, annotation_text, plain_copy

if TYPE_CHECKING:
    from lydian.model.experiment import Resolved
    from lydian.model.network import Network
    from lydian.model.protocol import Protocol

__all__ = ["UNJUDGED", "described", "first_command", "first_commands", "why_nothing"]

#: Why a property is left open that would be true of an execution in which nothing happens.
UNJUDGED = "nothing happened that it could be judged by"

#: Type of a field -> an example of its value.
_EXAMPLES: Mapping[type, Any] = {bool: True, int: 1, float: 1.0, str: "a", list: [], tuple: [], set: [], frozenset: []}


def why_nothing(resolved: Resolved) -> str:
    """The sentence about an execution in which no process ever takes a step: what the processes wait for."""
    protocol, network = resolved.protocol, resolved.network
    wakes = "INIT" in protocol.table.events
    if protocol.rules:
        # only a start elsewhere, or a fault, could enable one
        return "Nothing happened: no guarded action is enabled in the configuration in which the run starts."
    if wakes and not network.initiators:
        return "Nothing happened: no process starts by itself, because the network has no initiator."
    if protocol.commands:
        names = ", ".join(each.__name__ for each in protocol.commands)
        word = "a command" if len(protocol.commands) == 1 else "one of the commands"
        return f"Nothing happened: every process waits for {word} {names}, and no user gives one."
    return "Nothing happened: no process starts by itself."


def first_command(protocol: Protocol, network: Network, process: str | None = None) -> Intervention | None:
    """An example of a command to begin with; ``None`` if the protocol has none.

    A command whose fields all have defaults is preferred; other fields get an example of their type.

    Args:
        process: whose user gives it; ``None`` for the first process.
    """
    if not protocol.commands:
        return None
    possible = [each for each in protocol.commands if protocol.table.get(protocol.start, each.__name__) is not None]
    chosen = min(possible or protocol.commands, key=lambda each: len(_required(each)))
    name = network.processes[0] if process is None else process
    fields = {field: _example(chosen, field, network) for field in _required(chosen)}
    return Intervention(0.0, "command", process=name, label=chosen.__name__, fields=fields)


def described(resolved: Resolved) -> dict[str, Any]:
    """What a trace keeps of an execution in which nothing happens, as plain data.

    ``why`` is the sentence; ``workload`` holds first commands, one for the user of each process, and ``start`` says
    whether a start in any configuration would help: what a window offers without loading the protocol.
    """
    commands = () if resolved.protocol.rules else first_commands(resolved.protocol, resolved.network)
    return {
        "why": why_nothing(resolved),
        "workload": [each.to_dict() for each in commands],
        "start": bool(resolved.protocol.rules),
    }


def first_commands(protocol: Protocol, network: Network) -> tuple[Intervention, ...]:
    """The same command for the user of every process, so that a run has something to show."""
    found = (first_command(protocol, network, name) for name in network.processes)
    return tuple(each for each in found if each is not None)


def _required(command: type[Record]) -> list[str]:
    return [field for field in command._fields if field not in command._defaults]


def _example(command: type[Record], field: str, network: Network) -> Any:
    """A value of the field's type; a field that is named after a process gets the name of one."""
    kinds = accepted_types(annotation_text(command._types[field])) or (str,)
    kind = next((each for each in kinds if each in _EXAMPLES), str)
    if kind is str and field in ("to", "target", "process", "peer", "receiver"):
        return network.processes[-1]
    return plain_copy(_EXAMPLES[kind])
