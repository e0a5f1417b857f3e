"""LYDIAN, a laboratory for distributed algorithms: the names that protocol files import, and what scripts call.

Everything that a protocol file needs is imported from here; importing it loads nothing else. ``run``, ``runs``,
``explore``, ``sweep`` and ``open_run`` are the functions of :mod:`lydian.lab`, which is loaded when one is first named.
"""

import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:  # a random.py in the current folder would hide Python's own
    sys.path.append(sys.path.pop(0))

from typing import TYPE_CHECKING, Any

from lydian.model.history.consistency import causally_consistent, linearizable, sequentially_consistent
from lydian.model.history.specs import keyvalue, queue, register, snapshot
from lydian.model.memory.objects import atomic, compare_and_swap, regular, safe, test_and_set
from lydian.model.names import natural
from lydian.model.protocol.layers import Layer
from lydian.model.protocol.message import Command, Indication, Message, Request, Timer
from lydian.model.protocol.observer import Observer
from lydian.model.protocol.parameters import variable
from lydian.model.protocol.process import ANY, INIT, Process, State, on, parameter, states
from lydian.model.protocol.program import program, wait
from lydian.model.protocol.properties import (
    CRASHES,
    DOWN,
    LIARS,
    always,
    anonymous,
    at_end,
    at_most,
    bounded_delay,
    centre_starts,
    complete,
    connected,
    eventually,
    everybody_starts,
    fifo,
    leaves_start,
    measure,
    named,
    need,
    no_crashes,
    one_initiator,
    one_way_ring,
    overlay,
    reliable,
    ring,
    rounds,
    some_initiator,
    synchronous,
    tree,
    two_way,
)
from lydian.model.protocol.rounds import ROUND
from lydian.model.protocol.rules import when
from lydian.model.protocol.watching import detector

if TYPE_CHECKING:
    from lydian.lab import explore as explore
    from lydian.lab import open_run as open_run
    from lydian.lab import run as run
    from lydian.lab import runs as runs
    from lydian.lab import sweep as sweep

__all__ = [
    "ANY",
    "CRASHES",
    "DOWN",
    "INIT",
    "LIARS",
    "ROUND",
    "Command",
    "Indication",
    "Layer",
    "Message",
    "Observer",
    "Process",
    "Request",
    "State",
    "Timer",
    "always",
    "anonymous",
    "at_end",
    "at_most",
    "atomic",
    "bounded_delay",
    "causally_consistent",
    "centre_starts",
    "compare_and_swap",
    "complete",
    "connected",
    "detector",
    "eventually",
    "everybody_starts",
    "fifo",
    "keyvalue",
    "leaves_start",
    "linearizable",
    "measure",
    "named",
    "natural",
    "need",
    "no_crashes",
    "on",
    "one_initiator",
    "one_way_ring",
    "overlay",
    "parameter",
    "program",
    "queue",
    "register",
    "regular",
    "reliable",
    "ring",
    "rounds",
    "safe",
    "sequentially_consistent",
    "snapshot",
    "some_initiator",
    "states",
    "synchronous",
    "test_and_set",
    "tree",
    "two_way",
    "variable",
    "wait",
    "when",
]

__version__ = "0.1.0"

#: The functions for scripts and notebooks.
_LAB = ("explore", "open_run", "run", "runs", "sweep")


def __getattr__(name: str) -> Any:
    if name in _LAB:
        import lydian.lab

        return getattr(lydian.lab, name)
    raise AttributeError(f"module 'lydian' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAB})
