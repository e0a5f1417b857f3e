"""LYDIAN, a laboratory for distributed algorithms: the names that protocol files import.

Everything that a protocol file needs is imported from here; importing it loads nothing else.
"""

import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:  # a random.py in the current folder would hide Python's own
    sys.path.append(sys.path.pop(0))

from lydian.model.names import natural
from lydian.model.protocol.layers import Layer
from lydian.model.protocol.message import Command, Indication, Message, Request, Timer
from lydian.model.protocol.parameters import variable
from lydian.model.protocol.process import ANY, INIT, Process, State, on, parameter, states
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
    "Process",
    "Request",
    "State",
    "Timer",
    "always",
    "anonymous",
    "at_end",
    "at_most",
    "bounded_delay",
    "centre_starts",
    "complete",
    "connected",
    "detector",
    "eventually",
    "everybody_starts",
    "fifo",
    "leaves_start",
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
    "reliable",
    "ring",
    "rounds",
    "some_initiator",
    "states",
    "synchronous",
    "tree",
    "two_way",
    "variable",
    "when",
]

__version__ = "0.1.0"
