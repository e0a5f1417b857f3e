"""Lamport clocks: numbers for events that respect cause and effect.

Every process counts its events, and a message brings the receiver's counter forward to its sender's.

If one event can have influenced another, its time is smaller (the clock condition); the converse does not hold.  The
pairs (time, name) order all events of the execution, and Lamport's mutual exclusion is built on them.
The events to be stamped are made by letters: everybody who starts writes one, which is passed on to neighbours
chosen by chance until it has been passed on ``hops`` times.

Pseudo-code (Lamport's rules IR1 and IR2)::

    before each event:                   time := time + 1
    sending:                             the message carries the time of its sending
    receiving a message with time t:     time := max(time, t) + 1

Needs names (for the total order) and somebody who starts; delays, order and losses do not matter.
Complexity: no message more, one number in each: k letters are passed on until k * (hops + 1) messages were sent.

Reference: L. Lamport, Time, clocks, and the ordering of events in a distributed system, Communications of the ACM 21
(1978); G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 2.3.3.
"""

from lydian import ANY, INIT, Message, Process, always, at_end, named, natural, on, parameter, some_initiator, states

FRESH, TICKING = states(
    "fresh", "ticking",
    reads={"fresh": "has no event yet"},
)


class Letter(Message):
    """Something that happened, with the time of its sending."""

    time: int
    hops: int


class LamportClocks(Process):
    title = "Lamport clocks"
    needs = named, some_initiator
    messages = "<= n*(hops + 1)"

    state = FRESH
    time: int = 0
    events: list[tuple[int, int]] = []  # of each of my events its time, and the time of the message that it received

    hops = parameter(4, minimum=0, maximum=50, help="how often a letter is passed on")

    @on(ANY, INIT)
    def start(self):
        """It writes a letter to somebody."""
        self.state = TICKING
        self.write(self.hops)

    @on(ANY, Letter)
    def receive(self, m):
        """Its clock must be past the letter's; the letter goes on if it is to.

        sends: Its clock moves past that of the letter; the letter goes on.
        otherwise: Its clock moves past that of the letter, which ends here.
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


@always("an event is later than the one before it, and than the sending of what it receives")
def clock_condition(c):
    return all(
        time > received and time > before
        for p in c.processes
        for (before, _), (time, received) in zip([(0, 0), *p.events], p.events, strict=False)
    )


@always("a letter has the time of an event of its sender")
def stamped(c):
    return all(any(t.message.time == time for time, _ in t.sender.events) for t in c.in_transit)


@always("time and name together order all events")
def total_order(c):
    stamps = [(time, natural(p.me)) for p in c.processes for time, _ in p.events]
    return len(set(stamps)) == len(stamps)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
