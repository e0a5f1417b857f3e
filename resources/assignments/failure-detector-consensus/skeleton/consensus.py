"""Consensus with a failure detector: all processes that do not crash decide on one of the proposed values.

Complete the actions below, and add the missing ones. Keep the name of this file, the command ``Propose``, the message
``Estimate``, the variable ``suspected``, and the parameters ``period`` and ``bound``.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
)

IDLE, DECIDING, DECIDED = states(
    "idle", "deciding", "decided",
    reads={"idle": "has no proposal yet", "deciding": "is going through the rounds", "decided": "has decided"},
)  # fmt: skip


class Propose(Command):
    """The user of a process proposes a value."""

    value: str


class Heartbeat(Message):
    """'I am alive.'"""


class Estimate(Message):
    """The estimate of the coordinator of a round."""

    round: int
    value: str


class Beat(Timer):
    """The time at which the next heartbeat is due."""


class Silence(Timer):
    """The end of the time for which process ``of`` may be silent."""

    of: str


class Consensus(Process):
    title = "Consensus with a failure detector"
    needs = complete, named, reliable, everybody_starts

    period = parameter(2.0, minimum=0.0, help="time from one heartbeat of a process to the next")
    bound = parameter(2.0, minimum=0.0, help="no message takes longer than this")

    state = IDLE
    suspected: set[str] = set()  # the processes that I suspect to have crashed
    # Declare further variables here, with their types and initial values.

    # ------------------------------------------------------------- the failure detector

    @on(ANY, INIT)
    def start(self):
        """It sends its first heartbeat, and expects one from each other process."""
        raise NotImplementedError("start: send heartbeats, and set a timer Silence for each other process")

    @on(ANY, Heartbeat)
    def hear(self, m, q):
        """It learns that process q is alive."""
        raise NotImplementedError("hear: until when may q now be silent?")

    @on(ANY, Silence)
    def suspect(self, m):
        """It suspects process m.of, which has been silent for too long."""
        raise NotImplementedError("suspect: who may be waiting for m.of?")

    # ------------------------------------------------------------- consensus

    @on(IDLE, Propose)
    def propose(self, m):
        """Its user proposes a value, and it begins with the first round."""
        raise NotImplementedError("propose: what is the first estimate, and what happens in the first round?")

    @on(ANY, Estimate)
    def receive(self, m, q):
        """It receives the estimate of q, the coordinator of round m.round."""
        raise NotImplementedError("receive: what if I am not in this round yet?")

    def everyone(self):
        """Return the names of all processes, in the order in which they are coordinators."""
        return sorted((self.me, *self.neighbours), key=natural)
