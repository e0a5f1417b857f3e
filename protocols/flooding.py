"""Flooding: a simple broadcast in which each process forwards the first copy that it receives.

The initiator sends the news to all its neighbours.  Each process forwards the news when it first arrives and ignores
all later copies.

Pseudo-code (simple broadcast)::

    sleeping, INIT:                   send Broadcast to every neighbour; become received
    sleeping, Broadcast from q:       deliver; send Broadcast to every neighbour except q; become received
    received, Broadcast:              ignore

It needs a connected network, two-way links and one initiator; order and delays do not matter.
Complexity: 2m - n + 1 messages; at each process, all copies but the first are redundant.  If no message takes longer
than one time unit, the time is at most the distance from the initiator to the farthest process.
With ``forward_to = "all"`` a process also returns the news to its sender, and 2m messages are sent.

Reference: G. Tel, Introduction to Distributed Algorithms, 2nd edition, chapter 6 (wave algorithms); N. Lynch,
Distributed Algorithms, section 4.2.
"""

from lydian import (
    INIT,
    Message,
    Process,
    at_end,
    connected,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

SLEEPING, RECEIVED = states(
    "sleeping", "received",
    reads={"sleeping": "is asleep", "received": "is informed"},
)


class Broadcast(Message):
    """The news that is broadcast."""

    payload: str = "news"


class Flooding(Process):
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "2*m if forward_to == 'all' else 2*m - n + 1"

    state = SLEEPING
    forward_to = parameter(
        "others", choices=("others", "all"), help="whether news is forwarded to all others, or also to its sender"
    )

    @on(SLEEPING, INIT)
    def start(self):
        """It sends the news to each neighbour.

        always:
        """
        self.spread(Broadcast(), self.neighbours)
        self.state = RECEIVED

    @on(SLEEPING, Broadcast)
    def pass_on(self, m, q):
        """It learns the news and forwards it.

        sends: It learns the news and forwards it.
        otherwise: It learns the news.
        """
        self.deliver(m.payload)
        self.spread(m, [r for r in self.neighbours if r != q or self.forward_to == "all"])
        self.state = RECEIVED

    @on(RECEIVED, Broadcast)
    def ignore(self, m, q):
        """It already has the news and ignores this copy."""

    def spread(self, m, to):
        for r in to:
            self.send(m, to=r)


@at_end("every process has received the news")
def everybody(c):
    return all(p.state == RECEIVED for p in c.processes)
