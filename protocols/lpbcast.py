"""Lightweight probabilistic broadcast: processes gossip with bounded memory.

Processes recognise events that they have heard of by a history of ids, which is bounded.  A forgotten event counts as
new: it is delivered and forwarded again, and the extra traffic makes all processes forget even faster.  The system can
tip over.

Pseudo-code (V: the view; history and events: at most b ids)::

    round, for each message that was received, one after the other:
        for each event not in history: deliver it; append it to history; put it into events unless it is in there
        drop the oldest of history down to b; drop random ones of events down to b
    then, with probability p: create an event; deliver it; append it to history and to events
    end of the round: K times: choose j from V uniformly at random; send events to j; then empty events

Works in rounds; every process is an initiator.  Needs names: a view is a random set of other processes, chosen once.
No message is lost.  Choices made where the source leaves room: the messages of a round are handled in the natural order
of their senders; after each message both the history and the events to be sent are cut, since otherwise messages grow
without bound; partners are chosen with replacement (with ``distinct`` they differ); a forgotten event that returns is
treated as new in every respect.  b can be changed during the run.
Complexity: n K messages in each round in which all processes have something to send, of at most b + 1 events each.  If
b >= 2 n m p, then with probability over 1 - (e/4)^(n m p) no process delivers twice an event that disappears m rounds
later; there are n m p competing events on average.

Reference: P. Eugster, R. Guerraoui, S. Handurukande, P. Kouznetsov, A.-M. Kermarrec, Lightweight Probabilistic
Broadcast, ACM Transactions on Computer Systems 21(4), 2003; studied in B. Koldehofe, Buffer Management in
Probabilistic Peer-to-Peer Communication Protocols, SRDS 2003, and in his PhD thesis, Chalmers, 2005, chapter 4.
"""

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
    """The events that were new to the sender in this round."""

    events: tuple[str, ...]


class Publish(Command):
    """Publish ``count`` new events at once."""

    count: int = 1


class Resize(Command):
    """Change the number of ids that the history holds."""

    b: int


class Lpbcast(Process):
    title = "Lightweight probabilistic broadcast"
    needs = overlay, rounds, named, everybody_starts
    messages = "<= n*K*(rounds + tail)"

    state = QUIET
    view: tuple[str, ...] = ()  # V
    room: int = 0  # b, which may change
    history: dict[str, int] = {}  # event -> the round in which it was delivered last; the oldest first
    events: list[str] = []  # what will be sent at the end of the round
    fresh: int = 0  # events that users have requested
    mine: dict[str, int] = {}  # the events created here -> the round in which each was created
    times: dict[str, int] = {}  # event -> how often it was delivered here
    last: dict[str, int] = {}  # event -> the round of its last delivery here
    again: int = 0  # deliveries of this round that were not the first ones here
    now: int = 0  # deliveries of this round
    going: set[str] = set()  # the events that it sends at the end of this round, for the animation

    b = parameter(16, minimum=1, help="number of ids that the history holds")
    K = parameter(5, minimum=1, help="number of partners to which a message is sent")
    p = parameter(0.01, minimum=0.0, maximum=1.0, help="probability that a process creates an event in a round")
    size = parameter(50, minimum=1, help="number of other processes that a process knows")
    distinct = parameter(False, help="whether the K partners differ from each other")
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
        self.room = self.b
        self.want_round()

    @on(ANY, Publish)
    def publish(self, m):
        """Its user has requested events, which it will create in the next round."""
        self.fresh += m.count
        self.want_round()

    @on(ANY, Resize)
    def resize(self, m):
        """The capacity of its history changes."""
        self.room = m.b
        self.cut()

    @on(ANY, ROUND)
    def compute(self, received):
        """It delivers the events that it does not remember, may create an event, and sends them all.

        sends Gossip: It sends other processes the events that it delivered in this round.
        otherwise: It has nothing to send in this round.
        """
        self.again = self.now = 0
        history = self.history
        for m, _ in received:
            new = [event for event in m.events if event not in history]
            if new:
                self.accept(new)
                self.cut()
        if self.round <= self.rounds:
            self.fresh += self.random.random() < self.p
            self.want_round()
        for _ in range(self.fresh):
            event = f"{self.me}.{len(self.mine) + 1}"
            self.mine[event] = self.round
            self.accept([event])
        self.fresh = 0
        self.forget()
        self.state = QUIET if not self.events else REPEATING if self.again else TELLING
        if self.tells:
            self.going = set(self.events)
        partners = self.partners()
        if self.events:
            m = Gossip(tuple(self.events))
            for j in partners:
                self.send(m, to=j)
        self.events = []

    def accept(self, new):
        """Deliver events that are new or regarded as new, and schedule them for sending."""
        times, before = self.times, len(self.times)
        heard = dict.fromkeys(new, self.round)
        self.history.update(heard)
        self.last.update(heard)
        there = set(self.events)
        self.events += [event for event in new if event not in there]
        for event in new:
            times[event] = times.get(event, 0) + 1
            if self.tells:
                self.deliver(event)
        self.now += len(new)
        self.again += len(new) - (len(times) - before)

    def forget(self):
        """Drop the oldest ids until b remain."""
        history = self.history
        if len(history) > self.room:
            for event in [*history][: len(history) - self.room]:
                del history[event]

    def cut(self):
        """Drop the oldest ids, and random ones of the events to be sent."""
        self.forget()
        events, random = self.events, self.random.random
        while len(events) > self.room:
            del events[int(random() * len(events))]

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


@always("at the end of a round the history holds at most b events")
def bounded(c):
    return all(len(p.history) <= p.room for p in c.processes)


@always("no process delivers an event twice")
def safe(c):
    return not any(p.again for p in c.processes)


@always("no process sends more than b events besides its own")
def short_messages(c):
    fresh = {p.me: sum(i == p.round for i in p.mine.values()) for p in c.processes}
    return all(len(t.message.events) <= max(t.sender.b, t.sender.room) + fresh[t.sender.me] for t in c.in_transit)


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


@measure("tipped")
def tipped(c):
    """The round that created the first event to be delivered ten times per process on average; nothing if none."""
    deliveries = {}
    for q in c.processes:
        for event, k in q.times.items():
            deliveries[event] = deliveries.get(event, 0) + k
    return min((i for q in c.processes for event, i in q.mine.items() if deliveries[event] > 10 * c.n), default=None)


@measure("circulating")
def circulating(c):
    """Number of different events in transit at the end."""
    return len({event for t in c.in_transit for event in t.message.events})
