"""The accesses of a run to shared objects, and the operations that last from one event to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

__all__ = ["Lasting", "access_of", "accesses", "lasting"]


@dataclass(frozen=True)
class Lasting:
    """An operation on a regular or a safe register.

    Attributes:
        process: the number of the process.
        first: the event with which it begins.
        last: the event with which it ends; ``None`` if it has not ended.
        access: the access of the last event known, as it is in the trace.
    """

    process: int
    first: int
    last: int | None
    access: Mapping[str, Any]


def access_of(detail: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the access in the detail of an event, or ``None`` if it is none."""
    found = (detail or {}).get("access")
    return found if isinstance(found, Mapping) else None


def accesses(run: Timeline) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the accesses to shared objects: the event, and the access as it is in the trace.

    The details of rules are not read if the run has no shared objects, which its trace names from the start.
    """
    if not run.trace.summary.get("shared"):
        return
    for seq in np.flatnonzero(run.kind == Kind.RULE).tolist():
        access = access_of(run.trace.recorded(seq))
        if access is not None:
            yield seq, access


def lasting(run: Timeline) -> list[Lasting]:
    """Return the operations that have a beginning and an end, in the order of their beginnings."""
    found: dict[int, Lasting] = {}
    running: dict[tuple[int, str], int] = {}
    for seq, access in accesses(run):
        key = int(run.process[seq]), str(access.get("object"))
        if access.get("phase") == "begins":
            running[key] = seq
            found[seq] = Lasting(key[0], seq, None, access)
        elif access.get("phase") == "ends" and key in running:
            first = running.pop(key)
            found[first] = Lasting(key[0], first, seq, access)
    return list(found.values())
