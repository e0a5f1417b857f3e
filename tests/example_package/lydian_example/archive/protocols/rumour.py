"""Rumour: one process tells it, and each passes it on once.

Here: one process has news, and whoever hears them for the first time passes them on.

Needs a connected network and one initiator.  Complexity: 2m - n + 1 messages.
"""

from lydian import INIT, Message, Process, at_end, connected, on, one_initiator, states

# The states, the start state first.
IDLE, INFORMED = states("idle", "informed")


class News(Message):
    """What is passed on."""

    hops: int  # fields are declared like this


class Rumour(Process):
    needs = connected, one_initiator
    messages = "2*m - n + 1"  # how many messages it should take, with n processes and m links

    state = IDLE
    heard_from: str | None = None  # variables are declared with their first value
    distance: int = 0

    @on(IDLE, INIT)
    def start(self):
        """The initiator has the news and tells all its neighbours."""
        self.state = INFORMED
        for r in self.neighbours:
            self.send(News(hops=1), to=r)

    @on(IDLE, News)
    def hear(self, m, q):
        """It hears the news for the first time, and passes them on if there is anybody else.

        sends: It hears the news for the first time, and passes them on.
        otherwise: It hears the news for the first time; there is nobody else to tell.
        """
        # m is the message, q the neighbour that sent it; the docstring is what `lydian run --explain` says
        self.state = INFORMED
        self.heard_from = q
        self.distance = m.hops
        for r in self.neighbours:
            if r != q:
                self.send(News(hops=m.hops + 1), to=r)

    @on(INFORMED, News)
    def ignore(self, m, q):
        """It has heard the news before."""
        # doing nothing is said too: a missing pair of state and event stops the run


@at_end("everybody has heard")
def everybody(c):
    return all(p.state == INFORMED for p in c.processes)
