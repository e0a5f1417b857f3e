"""Gossip with a bounded buffer: tags and priorities decide what to remember and when to stop.

A process recognises events that it has heard of by a buffer of at most b ids; a forgotten event counts as new.  Copies
carry a tag, so no event circulates for ever, and the buffer first forgets the events that will stop soonest anyway.

Pseudo-code (V: the view; sigma: 1 more in each round; Phi: the potential of an event in the buffer)::

    round: merge all copies (event, tag) that were received; new: the events that were not in the buffer
           deliver what is new, and put it into the buffer; then the same for events that are created now
           put (event, tag) into the message:
             FIFO, ETT      what is new, with tag + 1, if its copy has made fewer than r hops
             ETTB           all that was received, with tag + 1, if its copy has made fewer than r hops
             EP             all that was received, with t = ceil(sum of the tags of its copies / K) - 1, if t > 0
           while there are more than b in the buffer: drop
             FIFO           the oldest inserted
             ETT, ETTB      the lowest Phi = sigma + r - tag, set at the first reception (that is, the first created)
             EP             the lowest Phi = sigma + ceil(log t) + 1 (sigma if t = 0), set at the first reception
                            (with renew: at each one)
           K times: choose j from V uniformly at random; send the message to j

Works in rounds; every process is an initiator.  Needs names: a view is a random set, chosen once.  No message is lost.
A tag is the number of hops that a copy makes (0 where it is created), or with EP the number of balls that its receiver
still has to throw for it: the creator begins with t, ideally ceil(2 n / K log n) - 1.
Choices made: the buffer is cut at the end of a round, and an event is new if it is not in the buffer at the
beginning of the round; among equal potentials the one inserted first is dropped; partners are chosen with replacement
(with ``distinct`` they differ); a forgotten event that returns is treated as new in every respect.  The paper leaves
open whether EP resets the potential of an event still in the buffer, with the balls of its latest copies: ``renew``.
All copies of an event in a round have made the same number of hops.
Complexity: n K messages in each round in which all have something to send; an event ends at most r rounds after it was
created, or when its balls are used up.

Reference: B. Koldehofe, Buffer Management in Probabilistic Peer-to-Peer Communication Protocols, SRDS 2003; PhD thesis,
Chalmers University of Technology, 2005, chapter 4 (FIFOgossip, ETTgossip, ETTBgossip, EPgossip).
"""

from math import ceil, log

from lydian import (
    ANY,
    INIT,
    ROUND,
    Command,
    Message,
    Process,
    always,
    everybody_starts,
    measure,
    named,
    on,
    overlay,
    parameter,
    rounds,
    states,
)

QUIET, TELLING, REPEATING = states(
    "quiet", "telling", "repeating",
    reads={
        "quiet": "has nothing to send",
        "telling": "is sending new events",
        "repeating": "is resending events that it had delivered before and forgotten",
    },
)


class Gossip(Message):
    """Events, each with the hops that this copy has made, or with the balls that it represents."""

    copies: tuple[tuple[str, int], ...]


class Publish(Command):
    """Publish ``count`` new events at once."""

    count: int = 1


class GossipBuffer(Process):
    title = "Gossip with a bounded buffer"
    needs = overlay, rounds, named, everybody_starts
    messages = "<= n*K*(rounds + tail)"

    state = QUIET
    view: tuple[str, ...] = ()  # V
    sigma: int = 0  # the value added to potentials
    buffer: dict[str, int] = {}  # event -> Phi, in the order in which they were inserted
    fresh: int = 0  # events that users have requested
    mine: dict[str, int] = {}  # the events created here -> the round in which each was created
    times: dict[str, int] = {}  # event -> how often it was delivered here
    last: dict[str, int] = {}  # event -> the round of its last delivery here
    again: int = 0  # deliveries of this round that were not the first ones here
    now: int = 0  # deliveries of this round
    got: int = 0  # copies received so far
    going: set[str] = set()  # the events that it sends at the end of this round, for the animation

    algorithm = parameter("ETTB", choices=("FIFO", "ETT", "ETTB", "EP"), help="one of the four protocols")
    b = parameter(16, minimum=1, help="number of ids that the buffer holds")
    r = parameter(8, minimum=1, help="maximum number of hops of a copy")
    t = parameter(0, minimum=0, help="EP: number of balls of a new event; 0: the number from the analysis")
    renew = parameter(False, help="EP: whether each reception sets the potential, or only the first")
    K = parameter(5, minimum=1, help="number of partners to which a message is sent")
    p = parameter(0.01, minimum=0.0, maximum=1.0, help="probability that a process creates an event in a round")
    size = parameter(50, minimum=1, help="number of other processes that a process knows")
    distinct = parameter(False, help="whether the K partners differ from each other")
    limit = parameter(0, minimum=0, help="maximum number of copies in a message; 0: no limit")
    most = parameter(1000, minimum=1, help="the value at which sigma is reset to 0")
    rounds = parameter(
        60, minimum=0, help="number of rounds in which events are created",
        reached=lambda p: p.round > p.rounds > 0,
    )
    warm_up = parameter(0, minimum=0, help="rounds at the beginning whose events are not evaluated")
    settle = parameter(0, minimum=0, help="rounds before the last one whose events are not evaluated")
    tail = parameter(40, minimum=0, help="number of further rounds after which all is over, for the bound on messages")
    tells = parameter(True, help="whether deliveries are also recorded in the trace, or only counted")

    @on(ANY, INIT)
    def start(self):
        """It chooses its view at random."""
        others = [q for q in self.everybody if q != self.me]
        self.view = tuple(self.random.sample(others, min(self.size, len(others))))
        self.want_round()

    @on(ANY, Publish)
    def publish(self, m):
        """Its user has requested events, which it will create in the next round."""
        self.fresh += m.count
        self.want_round()

    @on(ANY, ROUND)
    def compute(self, received):
        """It delivers the events that it does not remember, may create an event, and forgets those of lowest potential.

        sends: It sends other processes the events of this round.
        otherwise: It has nothing to send in this round.
        """
        self.again = self.now = 0
        self.sigma += 1
        self.got += sum([len(m.copies) for m, _ in received])
        message = self.balls(received) if self.algorithm == "EP" else self.hops(received)
        if self.round <= self.rounds:
            self.fresh += self.random.random() < self.p
            self.want_round()
        for _ in range(self.fresh):
            event = f"{self.me}.{len(self.mine) + 1}"
            self.mine[event] = self.round
            message.append(self.create(event))
        self.fresh = 0
        self.forget()
        self.state = QUIET if not message else REPEATING if self.again else TELLING
        if self.limit:
            message = sorted(message, key=lambda copy: copy[1], reverse=self.algorithm == "EP")[: self.limit]
        if self.tells:
            self.going = {event for event, _ in message}
        partners = self.partners()  # chosen in any case, so that the four protocols use the same random numbers
        if message:
            m = Gossip(tuple(message))
            for j in partners:
                self.send(m, to=j)

    def hops(self, received):
        """Handle received copies for FIFO, ETT and ETTB, whose tags count hops; return the copies to forward."""
        buffer, r, ahead = self.buffer, self.r, self.sigma + self.r
        copies, message = {}, []
        for m, _ in received:
            copies.update(m.copies)
        for event, tag in copies.items():
            new = event not in buffer
            if new:
                self.accept(event, 0 if self.algorithm == "FIFO" else ahead - tag)
            if tag < r and (new or self.algorithm == "ETTB"):
                message.append((event, tag + 1))
        return message

    def balls(self, received):
        """Handle received copies for EP, whose tags count balls; return the copies to forward."""
        copies, message = {}, []
        for m, _ in received:
            for event, tag in m.copies:
                copies[event] = copies.get(event, 0) + tag
        for event, tags in copies.items():
            t = -(-tags // self.K) - 1
            if event not in self.buffer:
                self.accept(event, self.worth(t))
            elif self.renew:
                self.buffer[event] = self.worth(t)
            if t > 0:
                message.append((event, t))
        return message

    def worth(self, t):
        """Return the potential of an event with t balls."""
        return self.sigma + (t - 1).bit_length() + 1 if t > 0 else self.sigma

    def create(self, event):
        if self.algorithm == "EP":
            n = len(self.everybody)
            t = self.t or max(1, ceil(2 * n / self.K * log(n, 2)) - 1)
            self.accept(event, self.worth(t))
            return event, t
        self.accept(event, 0 if self.algorithm == "FIFO" else self.sigma + self.r)
        return event, 1

    def accept(self, event, potential):
        """Deliver an event that is new or regarded as new."""
        self.buffer[event] = potential
        self.now += 1
        self.again += event in self.times
        self.times[event] = self.times.get(event, 0) + 1
        self.last[event] = self.round
        if self.tells:
            self.deliver(event)

    def forget(self):
        """Drop the lowest potentials until b remain, among equal ones the first."""
        buffer = self.buffer
        while len(buffer) > self.b:
            del buffer[min(buffer, key=buffer.get)]
        if self.sigma >= self.most:
            for event in buffer if self.algorithm != "FIFO" else ():
                buffer[event] -= self.sigma
            self.sigma = 0

    def partners(self):
        """Choose K processes from the view at random."""
        if self.distinct or not self.view:
            return self.random.sample(self.view, min(self.K, len(self.view)))
        return self.random.choices(self.view, k=self.K)


def judged(c):
    """Return, for each evaluated event, its deliveries, the processes that delivered it, and its duration in rounds."""
    p = c.processes[0]
    born = {e: i for q in c.processes for e, i in q.mine.items() if p.warm_up < i <= p.rounds - p.settle}
    deliveries, informed, last = dict.fromkeys(born, 0), dict.fromkeys(born, 0), dict(born)
    for q in c.processes:
        ends = q.last
        for event, k in q.times.items():
            if event in born:
                deliveries[event] += k
                informed[event] += 1
                if ends[event] > last[event]:
                    last[event] = ends[event]
    return [(deliveries[event], informed[event], last[event] - i) for event, i in born.items()]


def share(some):
    """Return the share of true values; nothing if there are no values."""
    return sum(some) / len(some) if some else None


@always("at the end of a round the buffer holds at most b events")
def bounded(c):
    return all(len(p.buffer) <= p.b for p in c.processes)


@always("no process delivers an event twice")
def safe(c):
    return not any(p.again for p in c.processes)


@always("no copy makes more than r hops, and no event lasts longer than r rounds")
def few_hops(c):
    p = c.processes[0]
    if p.algorithm == "EP":
        return True
    born = {e: i for q in c.processes for e, i in q.mine.items()}
    return all(tag <= p.r for t in c.in_transit for _, tag in t.message.copies) and all(
        q.last[event] - born[event] <= p.r for q in c.processes for event in q.buffer
    )


@always("with balls, no copy represents more balls than its event began with")
def few_balls(c):
    p = c.processes[0]
    if p.algorithm != "EP":
        return True
    most = p.t or max(1, ceil(2 * c.n / p.K * log(c.n, 2)) - 1)
    return all(0 < tag <= most for t in c.in_transit for _, tag in t.message.copies)


@measure("judged")
def judged_events(c):
    """Number of events that are evaluated."""
    return len(judged(c))


@measure("twice")
def twice(c):
    """Share of the events that some process delivered more than once."""
    return share([k > informed for k, informed, _ in judged(c)])


@measure("extra")
def extra(c):
    """Deliveries of an event beyond the first at each process, averaged over all events."""
    return share([k - informed for k, informed, _ in judged(c)])


@measure("informed")
def informed(c):
    """Share of the processes that an event reached, on average."""
    return share([k / c.n for _, k, _ in judged(c)])


@measure("everybody")
def everybody(c):
    """Share of the events that reached all processes."""
    return share([k == c.n for _, k, _ in judged(c)])


@measure("duration")
def duration(c):
    """Rounds from creating an event to its last delivery, on average."""
    return share([d for _, _, d in judged(c)])


@measure("longest")
def longest(c):
    """Number of rounds of the event that lasted longest."""
    return max((d for _, _, d in judged(c)), default=None)


@measure("in 8 rounds")
def eight(c):
    """Share of the events that lasted at most 8 rounds, including the first and the last, fruitless one."""
    return share([d + 2 <= 8 for _, _, d in judged(c)])


@measure("in 2 rounds")
def two(c):
    """Share of the events that only the creator's partners delivered."""
    return share([d == 1 for _, _, d in judged(c)])


@measure("wasted")
def wasted(c):
    """Share of the copies that contained no new event."""
    got = sum(p.got for p in c.processes)
    return 1 - (sum(len(p.times) for p in c.processes) - sum(len(p.mine) for p in c.processes)) / got if got else None
