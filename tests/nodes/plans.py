"""Plans for short runs of the programs in ``programs``."""

from __future__ import annotations

import sys
from pathlib import Path

from lydian.model.generators import from_spec
from lydian.nodes import faults as words
from lydian.nodes.plan import Plan, renamed
from lydian.nodes.program import MARK

PROGRAMS = Path(__file__).with_name("programs")


def planned(*command, workload, network="ring:3", faults=(), **values):
    """Return a plan for a short run; the limits are so long that a busy machine does not reach them."""
    usual = {"duration": 500, "rate": 200, "settle": 50, "timeout": 20_000, "startup": 60_000}
    given = [each for text in faults for each in words.read(text)]
    return Plan(tuple(map(str, command)), renamed(from_spec(network)), workload, faults=tuple(given), **usual | values)


def right(workload, *bug, **values):
    """Return a plan for the program that is right for a workload, or has a bug."""
    return planned(sys.executable, PROGRAMS / "right.py", workload, *bug, workload=workload, **values)


def programs_of(parent):
    """Return the programs of a process, recognised by the beginning of their mark."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdecimal() and f"{MARK}={parent}-".encode() in (place / "environ").read_bytes():
                found.append(place.name)
        except OSError:
            continue
    return found
