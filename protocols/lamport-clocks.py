"""Lamport clocks: numbers for events that respect cause and effect.

Each process counts its events, and each message brings the counter of its receiver up to that of its sender.

If one event can have influenced another, its time is smaller (the clock condition); the converse does not hold.  The
pairs (time, name) order all events of the execution; Lamport's mutual exclusion uses this order.
The events to be timed come from letters: each initiator writes one, and each receiver passes it on to a neighbour
chosen at random until it has been passed on ``hops`` times.

Pseudo-code (Lamport's rules IR1 and IR2)::

    before each event:                   time := time + 1
    sending:                             the message carries the time of its sending
    receiving a message with time t:     time := max(time, t) + 1

Needs names (for the total order) and at least one initiator; delays, order and losses do not matter.
Complexity: no extra messages, one number in each; k letters cause k * (hops + 1) messages.

Reference: L. Lamport, Time, clocks, and the ordering of events in a distributed system, Communications of the ACM 21
(1978); G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 2.3.3.
"""

from lydian import ANY, INIT, Message, Process, always, at_end, named, natural, on, parameter, some_initiator, states

FRESH, TICKING = states(
    "fresh", "ticking",
    reads={"fresh": "has no events"},
)


class Letter(Message):
    """A letter to a neighbour; carries the time of its sending and how often it is still to be passed on."""

    time: int
    hops: int


class LamportClocks(Process):
    title = "Lamport clocks"
    needs = named, some_initiator
    messages = "<= n*(hops + 1)"

    state = FRESH
    time: int = 0
    events: list[tuple[int, int]] = []  # for each of my events its time and the time of the message it received, or 0

    hops = parameter(4, minimum=0, maximum=50, help="how often a letter is passed on")

    @on(ANY, INIT)
    def start(self):
        """It writes a letter to a neighbour."""
        self.state = TICKING
        self.write(self.hops)

    @on(ANY, Letter)
    def receive(self, m):
        """It advances its clock past the time of the letter and passes the letter on if any hops are left.

        sends: It advances its clock past the time of the letter and passes the letter on.
        otherwise: It advances its clock past the time of the letter, which is not passed on any further.
        """
        self.state = TICKING
        self.tick(m.time)
        if m.hops > 0:
            self.write(m.hops - 1)

    def write(self, hops):
        self.tick(0)
        self.send(Letter(self.time, hops), to=self.random.choice(self.neighbours))

    def tick(self, received):
        self.time = max(self.time, received) + 1
        self.events.append((self.time, received))


@always("an event has a larger time than the event before it, and than the sending of the message it receives")
def clock_condition(c):
    return all(
        time > received and time > before
        for p in c.processes
        for (before, _), (time, received) in zip([(0, 0), *p.events], p.events, strict=False)
    )


@always("a letter carries the time of an event of its sender")
def stamped(c):
    return all(any(t.message.time == time for time, _ in t.sender.events) for t in c.in_transit)


@always("time and name together order all events")
def total_order(c):
    stamps = [(time, natural(p.me)) for p in c.processes for time, _ in p.events]
    return len(set(stamps)) == len(stamps)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
