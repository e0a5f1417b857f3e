"""Gossip on a budget: a rumour reaches every process, with a limited number of messages.

Only the beginning is here: the messages and timers are yours to choose. Keep the name of this file and the command
``Tell``.
"""

from lydian import ANY, INIT, Command, Message, Process, Timer, connected, everybody_starts, on, states, two_way

CURIOUS, INFORMED = states(
    "curious", "informed",
    reads={"curious": "has not heard the rumour", "informed": "has heard the rumour"},
)  # fmt: skip


class Tell(Command):
    """A user tells this process the rumour."""

    text: str


class Rumour(Message):
    """The rumour."""

    text: str


class Later(Timer):
    """A process sets this timer to do something later: self.set_timer(Later(), after=2.0)."""


class Gossip(Process):
    title = "Gossip on a budget"
    needs = connected, two_way, everybody_starts

    state = CURIOUS
    # Declare variables here, with their types and initial values.

    @on(ANY, INIT)
    def start(self):
        """It starts, at time 0; one process will soon be told the rumour."""

    @on(CURIOUS, Tell)
    def told(self, m):
        """Its user tells it the rumour."""
        raise NotImplementedError("told: deliver the rumour; to whom is it sent first?")

    @on(CURIOUS, Rumour)
    def hear(self, m, q):
        """It hears the rumour for the first time, from its neighbour q."""
        raise NotImplementedError("hear: deliver the rumour; to how many neighbours should it be forwarded?")
