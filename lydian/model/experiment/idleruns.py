"""Runs in which nothing happens: the reason, and what would make something happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.model.interventions import Intervention
from lydian.model.protocol.message import Record, accepted_types, annotation_text, plain_copy

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Resolved
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["UNJUDGED", "described", "first_command", "first_commands", "missing", "why_nothing"]

#: The reason why a property is left undecided that would hold in an execution in which nothing happens.
UNJUDGED = "nothing happened by which it could be judged"

#: Type of a field -> an example of its value.
_EXAMPLES: Mapping[type, Any] = {bool: True, int: 1, float: 1.0, str: "a", list: [], tuple: [], set: [], frozenset: []}


def why_nothing(resolved: Resolved, stopped: str = "quiescent", started: bool = False) -> str:
    """Explain in a sentence why no process takes a step other than its start: what the processes wait for.

    Args:
        stopped: how the run ended, as in a result.
        started: whether processes have started.
    """
    why, first = _why(resolved, stopped, started)
    return why or f"Nothing happened{' after the start' if started else ''}: {first}."


def missing(resolved: Resolved, stopped: str = "quiescent", started: bool = False) -> str:
    """Return what would help: ``start`` (in another configuration), ``initiator``, ``command``; "" for none of these.

    Args:
        stopped, started: as for :func:`why_nothing`.
    """
    protocol, network = resolved.protocol, resolved.network
    if _why(resolved, stopped, started)[0]:
        return ""
    if protocol.rules:
        return "start"
    if "INIT" in protocol.table.events and not network.initiators:
        return "initiator"
    return "command" if protocol.commands else ""


def _why(resolved: Resolved, stopped: str, started: bool) -> tuple[str, str]:
    """Return the whole sentence if settings of the experiment prevent the processes from acting; otherwise return what
    they wait for."""
    experiment, protocol, network = resolved.experiment, resolved.protocol, resolved.network
    given = [each for each in (*experiment.workload, *experiment.interventions) if each.do == "command"]
    if stopped in ("until", "limit"):
        until, events = experiment.stop.until, experiment.stop.events
        bound = f"at time {until:g}" if stopped == "until" and until is not None else f"after {events} events"
        late = min((each.time for each in given), default=None)
        if stopped == "until" and late is not None and until is not None and late > until:
            return f"Nothing happened: the first command is given at time {late:g}, and the run stops {bound}.", ""
        return f"Nothing happened: the run stops {bound}, before any process takes a step.", ""
    if protocol.rules:
        # only another initial configuration or a fault could enable a rule
        return "", "no guarded action is enabled in the configuration in which the run starts"
    crashed = {each.process for each in (*experiment.faults, *experiment.interventions) if each.do == "crash"}
    if "INIT" in protocol.table.events and not started:
        if not network.initiators:
            return "", "no process starts by itself, because the network has no initiator"
        if crashed.issuperset(network.initiators):
            names, one = ", ".join(network.initiators), len(network.initiators) == 1
            ends = "crashes before it starts" if one else "crash before they start"
            return f"No process takes a step: initiator{'' if one else 's'} {names} {ends}.", ""
    if given and crashed.issuperset(str(each.process) for each in given):
        return "No process takes a step: the processes that are given commands have crashed by then.", ""
    if protocol.commands:
        names = ", ".join(each.__name__ for each in protocol.commands)
        word = "a command" if len(protocol.commands) == 1 else "one of the commands"
        return "", f"every process waits for {word} {names}, but none is given"
    return "", "no process starts by itself"


def first_command(protocol: Protocol, network: Network, process: str | None = None) -> Intervention | None:
    """Return an example of a first command; ``None`` if the protocol has none.

    A command whose fields all have defaults is preferred; other fields are given an example of their type.

    Args:
        process: the process that is given the command; ``None`` for the first process.
    """
    if not protocol.commands:
        return None
    possible = [each for each in protocol.commands if protocol.table.get(protocol.start, each.__name__) is not None]
    chosen = min(possible or protocol.commands, key=lambda each: len(_required(each)))
    name = network.processes[0] if process is None else process
    fields = {field: _example(chosen, field, network) for field in _required(chosen)}
    return Intervention(0.0, "command", process=name, label=chosen.__name__, fields=fields)


def described(resolved: Resolved, stopped: str = "quiescent", started: bool = False) -> dict[str, Any]:
    """Return what a trace records about an execution in which nothing happens, as plain data.

    Args:
        stopped, started: as for :func:`why_nothing`.

    ``why`` is the sentence; ``workload`` contains first commands, one for each process, and ``start`` says whether
    starting in a random configuration would help. A window can offer these without loading the protocol.
    """
    wanted = missing(resolved, stopped, started)
    commands = first_commands(resolved.protocol, resolved.network) if wanted in ("command", "initiator") else ()
    return {
        "why": why_nothing(resolved, stopped, started),
        "workload": [each.to_dict() for each in commands],
        "start": wanted == "start",
    }


def first_commands(protocol: Protocol, network: Network) -> tuple[Intervention, ...]:
    """Return the same command for every process, so that the run has something to show."""
    found = (first_command(protocol, network, name) for name in network.processes)
    return tuple(each for each in found if each is not None)


def _required(command: type[Record]) -> list[str]:
    return [field for field in command._fields if field not in command._defaults]


def _example(command: type[Record], field: str, network: Network) -> Any:
    """Return a value of the field's type; a field that is named after a process contains the name of one."""
    kinds = accepted_types(annotation_text(command._types[field])) or (str,)
    kind = next((each for each in kinds if each in _EXAMPLES), str)
    if kind is str and field in ("to", "target", "process", "peer", "receiver"):
        return network.processes[-1]
    return plain_copy(_EXAMPLES[kind])
