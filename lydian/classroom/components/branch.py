"""Another run of a system in components, which departs from a recorded one at some batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydian.classroom.components.frames import Publish, envelope
from lydian.classroom.components.part import MOST_STEPS, Part
from lydian.classroom.components.record import Record
from lydian.model.errors import BadInput

__all__ = ["branched"]

#: The largest number of batches of a component after the branch.
_MOST_BATCHES = 100_000


def branched(record: Record, component: str, batch: int, author: str, what: Mapping[str, Any]) -> Record:
    """Return another run: the same up to a batch of a component, which then also takes in an intervention.

    The batches that do not depend on it are kept; from there on the components go on without a connection's delay,
    until they are at rest.

    Args:
        record: the run from which it departs.
        component, batch: the batch before which the intervention is made.
        author: who makes it.
        what: the intervention without its time.

    Raises:
        BadInput: there is no such batch, or the intervention cannot be made there.
    """
    system = record.system
    if component not in system.number:
        raise BadInput(f"there is no component {component}; choose from {', '.join(system.names)}")
    if not 0 <= batch <= len(record.logs[component]):
        raise BadInput(f"component {component} has {len(record.logs[component])} batches, so there is no batch {batch}")
    kept = _unaffected(record, component, batch)
    parts = {name: Part(system, name) for name in system.names}
    logs: dict[str, list[Publish]] = {name: [] for name in system.names}
    for name, part in parts.items():
        for each in record.logs[name][: kept[name]]:
            logs[name].append(part.repeat(each))
    for log in list(logs.values()):
        for each in log:
            for data in each.envelopes:
                letter = envelope(data)
                parts[letter.to].take(letter)  # those that were taken in before are ignored
    parts[component].steer(-1, author, what)
    _go_on(parts, logs)
    answer = next(
        (each for made in logs[component][kept[component] :] for each in made.inputs if each.get("id") == -1), None
    )
    if answer is None or not answer["accepted"]:
        raise BadInput("the run has ended" if answer is None else answer["reason"])
    return Record(system, logs, {})


def _unaffected(record: Record, component: str, batch: int) -> dict[str, int]:
    """Return how many batches of each component do not depend on the batch from which a run departs."""
    kept = {name: len(log) for name, log in record.logs.items()}
    kept[component] = batch
    changed = True
    while changed:
        changed = False
        for name, log in record.logs.items():
            for index, made in enumerate(log[: kept[name]]):
                letters = [each["envelope"] for each in made.inputs if "envelope" in each]
                if any(each["batch"] >= kept[each["component"]] for each in letters):
                    kept[name], changed = index, True
                    break
    return kept


def _go_on(parts: Mapping[str, Part], logs: dict[str, list[Publish]]) -> None:
    """Let the components go on, the one whose next event is the earliest first, until all are at rest."""
    system = next(iter(parts.values())).system
    step = system.round_length
    for _ in range(_MOST_BATCHES):
        live = {name: part for name, part in parts.items() if part.simulator.stopped is None}
        ahead = [
            (part.time if part.waiting else part.next or part.time, name)
            for name, part in live.items() if part.waiting or not part.idle
        ]  # fmt: skip
        if not ahead:
            return
        time, name = min(ahead)
        part = parts[name]
        made = part.advance(max(part.time, time, 0.0) + step / 2, MOST_STEPS)
        logs[name].append(made)
        for data in made.envelopes:
            letter = envelope(data)
            parts[letter.to].take(letter)
    raise BadInput("the run does not come to rest after the branch; give the experiment a time at which it stops")
