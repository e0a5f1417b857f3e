"""LYDIAN, a laboratory for distributed algorithms: the words of a protocol file.

Everything a protocol file needs is imported from here, and nothing else is loaded with it.
"""

from lydian.model.message import Command, Message, Timer
from lydian.model.process import ANY, INIT, Process, State, on, parameter, states
from lydian.model.properties import (
    always,
    anonymous,
    at_end,
    complete,
    connected,
    eventually,
    fifo,
    named,
    need,
    one_initiator,
    reliable,
    ring,
    some_initiator,
    tree,
    two_way,
)

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
    "complete",
    "connected",
    "eventually",
    "fifo",
    "named",
    "need",
    "on",
    "one_initiator",
    "parameter",
    "reliable",
    "ring",
    "some_initiator",
    "states",
    "tree",
    "two_way",
]

__version__ = "0.1.0"
