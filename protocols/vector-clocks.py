"""Vector clocks: stamps that tell exactly what can have influenced what.

Every process counts the events of all processes, as far as it has heard of them.

Entry q of the clock of p is the number of events of q in the causal past of p.  An event can have influenced another
if and only if its vector is smaller: not greater in any entry, and not the same.  Neither smaller: concurrent.
The events to be stamped are made by letters, as for Lamport's clocks (lamport-clocks).

Pseudo-code (p is the process itself)::

    before each event:                    v[p] := v[p] + 1
    sending:                              the message carries the vector of its sending
    receiving a message with vector w:    v[q] := max(v[q], w[q]) for all q, then v[p] := v[p] + 1

Needs names and somebody who starts; delays, order and losses do not matter.
Complexity: no message more, but up to n numbers in each, and no fewer can do (Charron-Bost).

Reference: F. Mattern, Virtual time and global states of distributed systems, Parallel and Distributed Algorithms
(1989); C. J. Fidge, Timestamps in message-passing systems that preserve the partial ordering (1988);
B. Charron-Bost, Concerning the size of logical clocks in distributed systems (1991).
"""

from lydian import ANY, INIT, Message, Process, always, at_end, named, on, parameter, some_initiator, states

FRESH, TICKING = states(
    "fresh", "ticking",
    reads={"fresh": "has no event yet", "ticking": "is counting"},
)


class Letter(Message):
    """Something that happened, with the vector of its sending."""

    v: dict[str, int]
    hops: int


class VectorClocks(Process):
    title = "Vector clocks"
    needs = named, some_initiator
    messages = "<= n*(hops + 1)"

    state = FRESH
    v: dict[str, int] = {}  # process -> how many of its events are in my past; 0 if it is not there
    own: int = 0  # how many events I had; v[me], kept apart to be compared with it

    hops = parameter(4, minimum=0, maximum=50, help="how often a letter is passed on")

    @on(ANY, INIT)
    def start(self):
        """It writes a letter to somebody.

        always:
        """
        self.state = TICKING
        self.write(self.hops)

    @on(ANY, Letter)
    def receive(self, m):
        """It now knows all that the sender knew; the letter goes on if it is to.

        sends: It now knows all that the sender knew; the letter goes on.
        otherwise: It now knows all that the sender knew; the letter ends here.
        """
        self.state = TICKING
        self.tick(m.v)
        if m.hops > 0:
            self.write(m.hops - 1)

    def write(self, hops):
        self.tick({})
        self.send(Letter(self.v, hops), to=self.random.choice(self.neighbours))

    def tick(self, w):
        for q in w:
            self.v[q] = max(self.v.get(q, 0), w[q])
        self.v[self.me] = self.v.get(self.me, 0) + 1
        self.own += 1


@always("nobody counts more events of a process than it had")
def no_rumour(c):
    vectors = [p.v for p in c.processes] + [t.message.v for t in c.in_transit]
    return all(v.get(p.me, 0) <= p.own for p in c.processes for v in vectors)


@always("everybody counts its own events")
def own_events(c):
    return all(p.v.get(p.me, 0) == p.own for p in c.processes)


@always("a sender knows what its letters know")
def carried(c):
    return all(t.message.v[q] <= t.sender.v.get(q, 0) for t in c.in_transit for q in t.message.v)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
