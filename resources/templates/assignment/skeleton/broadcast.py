"""Broadcast: one process informs all others."""

from lydian import INIT, Message, Process, connected, on, one_initiator, states

SLEEPING, INFORMED = states("sleeping", "informed")


class News(Message):
    """What every process must hear."""


class Broadcast(Process):
    needs = connected, one_initiator

    state = SLEEPING

    @on(SLEEPING, INIT)
    def start(self):
        """The initiator is informed, and tells its neighbours."""
        # Write this action.

    # What does a process do when it receives News: @on(SLEEPING, News), @on(INFORMED, News)?
