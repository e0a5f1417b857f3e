"""ITF, the Informal Trace Format of Apalache and Quint: the states before the first event and after each one.

The variables of a state are ``state`` and ``variables`` (maps from processes), ``in_transit`` (the set of messages),
``event`` (the last event) and ``time`` (a text, because ITF has no real numbers).

The format is that of https://apalache-mc.org/docs/adr/015adr-trace.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from lydian.formats.traces import FORMATS, TraceFormat, Watch
from lydian.formats.traces.records import dumps, records
from lydian.language import later
from lydian.model.errors import BadInput
from lydian.trace.details import changes_in, first_values
from lydian.trace.events import ATTACHED, Kind, Trace
from lydian.trace.timeline import Timeline

__all__ = ["value", "write"]

#: The largest product of events and processes that is written, because each state contains all processes.
LARGEST = 20_000_000
#: The largest whole number that JSON contains exactly.
EXACT = 2**53 - 1


def write(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Write a trace as a sequence of states.

    Raises:
        BadInput: the trace is too long.
    """
    size = len(trace) * max(len(trace.processes), 1)
    if size > LARGEST:
        raise BadInput(
            f"ITF contains all processes after each event, {size:,} entries here; at most {LARGEST:,} are written; "
            "export as csv or json instead"
        )
    timeline = Timeline(trace)
    starts = timeline.start_states.tolist() if timeline.states else [-1] * timeline.n
    states = {name: timeline.states[at] if at >= 0 else "" for name, at in zip(trace.processes, starts, strict=True)}
    variables = [dict(each) for each in first_values(trace)]
    place = {name: i for i, name in enumerate(trace.processes)}
    transit: dict[int, dict[str, Any]] = {}
    described = dumps(dict(trace.experiment).get("name", "LYDIAN"))
    file.write(f'{{"#meta": {{"format": "ITF", "description": {described}, ')
    file.write('"format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html"},\n')
    file.write('"params": [], "vars": ["event", "in_transit", "state", "time", "variables"],\n"states": [')
    event: dict[str, Any] = {"kind": "", "process": "", "peer": "", "label": ""}
    _state(file, 0, event, transit, states, 0.0, variables)
    for index, record in enumerate(records(trace, watch), 1):
        seq, _, time, kind, process, peer, message, label, state, *_, detail = record
        code = int(timeline.kind[seq])
        event = {"kind": kind, "process": process or "", "peer": peer or "", "label": label or ""}
        if process is not None and state is not None and code not in ATTACHED:
            states[process] = state
        if process is not None and detail is not None:
            variables[place[process]].update(changes_in(trace, seq, detail))
        if message is not None and code in (Kind.SEND, Kind.INJECT):
            transit[message] = {"id": message, "label": label or "", "sender": process or "", "receiver": peer or ""}
        elif message is not None and code in (Kind.RECEIVE, Kind.DROP):
            transit.pop(message, None)
        _state(file, index, event, transit, states, time, variables)
    file.write("\n]}\n")


def _state(
    file: IO[str], index: int, event: Mapping[str, Any], transit: Mapping[int, Mapping[str, Any]],
    states: Mapping[str, str], time: float, variables: list[dict[str, Any]],
) -> None:  # fmt: skip
    names = list(states)
    content = {
        "#meta": {"index": index},
        "event": event,
        "in_transit": {"#set": list(transit.values())},
        "state": {"#map": [[name, state] for name, state in states.items()]},
        "time": repr(time),
        "variables": {"#map": [[name, value(own)] for name, own in zip(names, variables, strict=True)]},
    }
    file.write((",\n" if index else "\n") + dumps(content))


def value(given: Any) -> Any:
    """Return a value as ITF writes it: lists stay lists, large whole numbers and what ITF does not know are marked."""
    if isinstance(given, bool | str):
        return given
    if isinstance(given, int):
        return given if abs(given) <= EXACT else {"#bigint": str(given)}
    if isinstance(given, Mapping):
        return {str(key): value(item) for key, item in given.items()}
    if isinstance(given, list | tuple):
        return [value(item) for item in given]
    return {"#unserializable": repr(given)}


FORMATS.register(
    TraceFormat(
        "itf", "ITF (Apalache, Quint)", later("ITF traces"),
        later("Save the states after each event for model checkers"), later("a trace in ITF"),
        (".json",), ".itf.json", write, rb"\A\{\"#meta\"",
    )
)  # fmt: skip
