"""Flooding: simple broadcast.

One process has news; everybody passes them on the first time they arrive and ignores later copies.

Pseudo-code (simple broadcast)::

    sleeping, INIT:                   send Broadcast to every neighbour; become received
    sleeping, Broadcast from q:       deliver; send Broadcast to every neighbour except q; become received
    received, Broadcast:              ignore

Needs a connected network, two-way links and one initiator; order and delays do not matter.
Complexity: 2m - n + 1 messages, each copy but the first is wasted; at most as many time units as the initiator is
far from the farthest process, if no message takes longer than one.
With ``forward_to = "all"`` the news go back to where they came from as well, and 2m messages are sent.

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
    """The news."""

    payload: str = "news"


class Flooding(Process):
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "2*m if forward_to == 'all' else 2*m - n + 1"

    state = SLEEPING
    forward_to = parameter(
        "others", choices=("others", "all"), help="to whom news are passed on: all others, or also back to the sender"
    )

    @on(SLEEPING, INIT)
    def start(self):
        """It has the news and tells every neighbour.

        always:
        """
        self.spread(Broadcast(), self.neighbours)
        self.state = RECEIVED

    @on(SLEEPING, Broadcast)
    def pass_on(self, m, q):
        """It hears the news for the first time and passes them on.

        sends: It hears the news for the first time and passes them on.
        otherwise: It hears the news for the first time.
        """
        self.deliver(m.payload)
        self.spread(m, [r for r in self.neighbours if r != q or self.forward_to == "all"])
        self.state = RECEIVED

    @on(RECEIVED, Broadcast)
    def ignore(self, m, q):
        """It has heard the news before."""

    def spread(self, m, to):
        for r in to:
            self.send(m, to=r)


@at_end("everybody has heard")
def everybody(c):
    return all(p.state == RECEIVED for p in c.processes)
