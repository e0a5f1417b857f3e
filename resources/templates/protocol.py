"""TemplateName: one sentence that says what it achieves.

Here one process has news; each process that hears the news for the first time passes it on.

Needs a connected network and one initiator.  Complexity: 2m - n + 1 messages.
"""

from lydian import INIT, Message, Process, at_end, connected, on, one_initiator, states

# The states, beginning with the initial state.
IDLE, INFORMED = states("idle", "informed")


class News(Message):
    """The news."""

    hops: int  # declare the fields of a message like this


class TemplateName(Process):
    needs = connected, one_initiator
    messages = "2*m - n + 1"  # the expected number of messages, with n processes and m links

    state = IDLE
    heard_from: str | None = None  # declare variables with their initial values
    distance: int = 0

    @on(IDLE, INIT)
    def start(self):
        """The initiator has the news and sends it to all its neighbours."""
        self.state = INFORMED
        for r in self.neighbours:
            self.send(News(hops=1), to=r)

    @on(IDLE, News)
    def hear(self, m, q):
        """It hears the news for the first time, and passes it on to its other neighbours, if any.

        sends: It hears the news for the first time, and passes it on.
        otherwise: It hears the news for the first time; it has no other neighbour.
        """
        # m is the message, q its sender; `lydian run --explain` prints the docstring
        self.state = INFORMED
        self.heard_from = q
        self.distance = m.hops
        for r in self.neighbours:
            if r != q:
                self.send(News(hops=m.hops + 1), to=r)

    @on(INFORMED, News)
    def ignore(self, m, q):
        """It has heard the news before."""
        # doing nothing must be declared: a missing pair of state and event stops the run


@at_end("every process has heard the news")
def all_informed(c):
    return all(p.state == INFORMED for p in c.processes)
