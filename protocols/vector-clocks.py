"""Vector clocks: timestamps that show exactly which events can have influenced which.

Each process counts the events of all processes, as far as it has heard of them.

Entry q of the clock of p is the number of events of q in the causal past of p.  An event can have influenced another
if and only if its vector is smaller: no entry is greater, and the two vectors differ.  If neither vector is smaller,
the events are concurrent.  The events to be timed come from letters, as in Lamport's clocks (lamport-clocks).

Pseudo-code (p is the process itself)::

    before each event:                    v[p] := v[p] + 1
    sending:                              the message carries the vector of its sending
    receiving a message with vector w:    v[q] := max(v[q], w[q]) for all q, then v[p] := v[p] + 1

Needs names and at least one initiator; delays, order and losses do not matter.
Complexity: no extra messages, but up to n numbers in each; fewer than n do not suffice (Charron-Bost).

Reference: F. Mattern, Virtual time and global states of distributed systems, Parallel and Distributed Algorithms
(1989); C. J. Fidge, Timestamps in message-passing systems that preserve the partial ordering (1988);
B. Charron-Bost, Concerning the size of logical clocks in distributed systems (1991).
"""

from lydian import ANY, INIT, Message, Process, always, at_end, named, on, parameter, some_initiator, states

FRESH, TICKING = states(
    "fresh", "ticking",
    reads={"fresh": "has no events", "ticking": "is counting events"},
)


class Letter(Message):
    """A letter to a neighbour; carries the vector of its sending and how often it is still to be passed on."""

    v: dict[str, int]
    hops: int


class VectorClocks(Process):
    title = "Vector clocks"
    needs = named, some_initiator
    messages = "<= n*(hops + 1)"

    state = FRESH
    v: dict[str, int] = {}  # process -> how many of its events are in my past; a missing entry counts as 0
    own: int = 0  # how many events I have had, to be compared with v[me]

    hops = parameter(4, minimum=0, maximum=50, help="how often a letter is passed on")

    @on(ANY, INIT)
    def start(self):
        """It writes a letter to a neighbour.

        always:
        """
        self.state = TICKING
        self.write(self.hops)

    @on(ANY, Letter)
    def receive(self, m):
        """It now knows all that the sender knew, and passes the letter on if any hops are left.

        sends: It now knows all that the sender knew, and passes the letter on.
        otherwise: It now knows all that the sender knew; the letter is not passed on any further.
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


@always("no clock counts more events of a process than have happened there")
def no_rumour(c):
    vectors = [p.v for p in c.processes] + [t.message.v for t in c.in_transit]
    return all(v.get(p.me, 0) <= p.own for p in c.processes for v in vectors)


@always("each process counts its own events")
def own_events(c):
    return all(p.v.get(p.me, 0) == p.own for p in c.processes)


@always("a sender knows at least as much as its letters")
def carried(c):
    return all(t.message.v[q] <= t.sender.v.get(q, 0) for t in c.in_transit for q in t.message.v)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
