"""LYDIAN, a laboratory for distributed algorithms: the words of a protocol file.

Everything a protocol file needs is imported from here, and nothing else is loaded with it.
"""

from lydian.model.message import Command, Message, Timer
from lydian.model.names import natural
from lydian.model.parameters import variable
from lydian.model.process import ANY, INIT, Process, State, on, parameter, states
from lydian.model.properties import (
    always,
    anonymous,
    at_end,
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
    one_initiator,
    one_way_ring,
    overlay,
    reliable,
    ring,
    some_initiator,
    tree,
    two_way,
)
from lydian.model.rules import when

__all__ = [
    "ANY",
    "INIT",
    "Command",
    "Message",
    "Process",
    "State",
    "Timer",
    "always",
    "anonymous",
    "at_end",
    "centre_starts",
    "complete",
    "connected",
    "eventually",
    "everybody_starts",
    "fifo",
    "leaves_start",
    "measure",
    "named",
    "natural",
    "need",
    "on",
    "one_initiator",
    "one_way_ring",
    "overlay",
    "parameter",
    "reliable",
    "ring",
    "some_initiator",
    "states",
    "tree",
    "two_way",
    "variable",
    "when",
]

__version__ = "0.1.0"
