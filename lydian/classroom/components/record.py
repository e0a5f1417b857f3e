"""The record of a run in components, which repeats it anywhere: without a network, and with the same fingerprints.

The file is JSON. It contains the system (the experiment, the protocol's source and the components), the batches of each
component with what they took in (envelopes in their order of arrival, interventions with their authors) and how far
they went, who acted when, and the fingerprints of the events of each component and of the merged trace::

    {"format": "lydian-components", "version": 1, "system": {...},
     "batches": {"A": [{"inputs": [...], "until": 0.5, "most": 2048}, ...], ...},
     "handovers": {"A": [...], ...}, "fingerprints": {"A": "...", "merged": "..."}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lydian.classroom.components.frames import Handover, Publish, Refused, envelope
from lydian.classroom.components.hub import Hub
from lydian.classroom.components.merge import merged, own_trace, whole
from lydian.classroom.components.part import Part
from lydian.classroom.components.system import System
from lydian.engine.end.result import Result
from lydian.model.errors import BadInput
from lydian.model.reading import read_text, write_text
from lydian.trace.events import Trace

__all__ = ["FORMAT", "Record", "is_record", "protocol_in", "read", "replay"]

FORMAT, VERSION = "lydian-components", 1
_MOST_BYTES = 512_000_000


@dataclass(frozen=True)
class Record:
    """A run in components.

    Attributes:
        system: the system.
        logs: component -> what it published.
        handovers: component -> who acted, in order.
    """

    system: System
    logs: Mapping[str, Sequence[Publish]]
    handovers: Mapping[str, Sequence[Handover]] = field(default_factory=dict)

    @classmethod
    def of(cls, hub: Hub) -> Record:
        """Return the record of what has been published at a meeting point."""
        handovers = {name: tuple(seat.handovers) for name, seat in hub.seats.items()}
        return cls(hub.system, {name: tuple(log) for name, log in hub.logs.items()}, handovers)

    @property
    def trace(self) -> Trace:
        """The events of all components in the order of time."""
        return merged(self.system, self.logs)

    def fingerprints(self) -> dict[str, str]:
        """Return the fingerprint of each component, and of the ``merged`` trace."""
        own = {name: own_trace(self.system, name, log).fingerprint() for name, log in self.logs.items()}
        return {**own, "merged": self.trace.fingerprint()}

    def result(self) -> Result | None:
        """Return the result of the run with its properties judged, from the same run in one simulator.

        ``None`` if it is not the same there, as when a link went down while a message was on the connection.
        """
        simulator = whole(self.system, self.logs)
        result = simulator.result()
        return result if result.fingerprint == self.trace.fingerprint() else None

    @property
    def interventions(self) -> list[dict[str, Any]]:
        """What users and programs did, with the author, the component and the time, in order."""
        found = [
            {"component": name, "author": each["author"], "time": each["time"], **each["what"]}
            for name, log in self.logs.items() for batch in log for each in batch.inputs
            if "envelope" not in each and each["accepted"]
        ]  # fmt: skip
        return sorted(found, key=lambda each: each["time"])

    def to_dict(self) -> dict[str, Any]:
        """Return the contents of the file."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "system": self.system.to_dict(),
            "batches": {
                name: [{"inputs": each.inputs, "until": each.until, "most": each.most} for each in log]
                for name, log in self.logs.items()
            },
            "handovers": {name: [each.to_dict() for each in some] for name, some in self.handovers.items()},
            "fingerprints": self.fingerprints(),
        }

    def save(self, path: Path | str) -> None:
        """Write the file."""
        write_text(path, json.dumps(self.to_dict(), separators=(",", ":"), default=str))


def is_record(path: Path) -> bool:
    """Return whether a file begins like a record."""
    try:
        with path.open("rb") as file:
            begin = file.read(200)
    except OSError:
        return False
    return begin.lstrip().startswith(b"{") and f'"{FORMAT}"'.encode() in begin


def protocol_in(path: Path) -> tuple[str, str]:
    """Return the name and the source of the protocol in a record; nothing is executed.

    Raises:
        BadInput: the file is not a record.
    """
    try:
        found = json.loads(read_text(path, "a record of components", _MOST_BYTES))["system"]["protocol"]
        return str(found["name"]), str(found["source"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"is not a record of a run in components: {error}", file=path) from None


def _again(system: System, name: str, batches: Any) -> list[Publish]:
    """Repeat the batches of a component from a file."""
    part, log = Part(system, name), []
    for index, each in enumerate(batches):
        blank = Publish(
            component=name, epoch=0, index=index, inputs=list(each["inputs"]), until=each["until"],
            most=int(each["most"]), first=0, count=0, rows="", details=[], labels=None, foreign=[], joins=[],
            envelopes=[], time=0.0, next=None, idle=False,
        )  # fmt: skip
        log.append(part.repeat(blank, check=False))
    return log


def read(path: Path | str) -> Record:
    """Read a record and repeat its run; this executes the protocol's source in the file.

    Raises:
        BadInput: the file is not such a record, or its run has other events than when it was recorded.
    """
    text = read_text(path, "a record of components", _MOST_BYTES)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"is damaged, or is not a record of a run in components: {error}", file=path) from None
    if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
        raise BadInput(f"is not a record of a run in components; its format must be {FORMAT} {VERSION}", file=path)
    try:
        system = System.from_dict(data["system"])
        if set(data["batches"]) != set(system.names):
            raise BadInput("batches must contain every component", file=path)
        logs = {name: _again(system, name, data["batches"][name]) for name in system.names}
        handovers = {
            name: tuple(Handover(**{key: each[key] for key in each if key != "kind"}) for each in some)
            for name, some in data["handovers"].items()
        }
        expected = dict(data["fingerprints"])
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, RecursionError, Refused) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadInput(f"is a damaged record of a run in components: {what}", file=path) from None
    record = Record(system, logs, handovers)
    try:
        _match(record)
    except BadInput as error:
        raise BadInput(str(error), file=path) from None
    found = record.fingerprints()
    wrong = [name for name in found if found[name] != expected.get(name)]
    if wrong:
        where = "the merged trace" if wrong == ["merged"] else f"component {wrong[0]}"
        raise BadInput(f"the run has other events in {where} than when it was recorded", file=path)
    return record


def _match(record: Record) -> None:
    """Check that what each component takes in is what the others have sent.

    Raises:
        BadInput: an envelope is not the one that left.
    """
    left = {
        (each["component"], each["to"], each["number"]): each
        for log in record.logs.values() for batch in log for each in batch.envelopes
    }  # fmt: skip
    for name, log in record.logs.items():
        for batch in log:
            for each in batch.inputs:
                if "envelope" in each:
                    letter = envelope(each["envelope"])
                    if left.get((letter.component, name, letter.number)) != each["envelope"]:
                        there = letter.component
                        raise BadInput(f"component {name} takes in a message that component {there} did not send")


def replay(path: Path | str) -> Trace:
    """Return the trace of a recorded run, repeated without a network; see :func:`read`.

    Its summary contains the results of the properties.
    """
    record = read(path)
    result = record.result()
    trace = record.trace
    return trace if result is None else replace(trace, summary={**result.trace.summary, **trace.summary, "checks": [
        check.to_dict() for check in result.checks
    ], "stopped": result.stopped, "decided": dict(result.trace.summary.get("decided", {}))})  # fmt: skip
