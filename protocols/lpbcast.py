"""Lightweight probabilistic broadcast: gossip whose memory is bounded.

Processes recognise what they have heard by a history of ids.  It is bounded; what is forgotten is new again, is
delivered and forwarded once more, and the extra traffic makes everybody forget even faster: the system can tip over.

Pseudo-code (V: the view; history and events: at most b ids)::

    round, for each message that was received, one after the other:
        for each event not in history: deliver it; append it to history; put it into events unless it is there
        drop the oldest of history down to b; drop random ones of events down to b
    then, with probability p: create an event; deliver it; append it to history and to events
    end of the round: K times: draw j from V uniformly; send events to j; then empty events

Works in rounds, and everybody starts.  Needs names: a view is a random set of others, drawn once.  Nothing is lost.
The readings taken: messages of a round are handled in the natural order of the senders; the history is cut after each
message, and so is what is to be sent, or else messages grow without end; partners are drawn with replacement (with
``distinct`` they differ); what comes again is treated as new in every respect.  b can be changed while it runs.
Complexity: n K messages in each round in which all have something to send, of at most b + 1 events each.
An event that m rounds later is gone is delivered by nobody twice with probability over 1 - (e/4)^(n m p) if
b >= 2 n m p: competing events are n m p on average.

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
    reads={"quiet": "has nothing to send", "telling": "sends news", "repeating": "sends what it had forgotten"},
)


class Gossip(Message):
    """What was new to the sender in this round."""

    events: tuple[str, ...]


class Publish(Command):
    """Something happens: so many events at once."""

    count: int = 1


class Resize(Command):
    """From now on the history holds so many ids."""

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
    fresh: int = 0  # events that users have asked for
    mine: dict[str, int] = {}  # the events created here -> the round in which they were
    times: dict[str, int] = {}  # event -> how often it was delivered here
    last: dict[str, int] = {}  # event -> the round of its last delivery here
    again: int = 0  # deliveries of this round that were not the first ones here
    now: int = 0  # deliveries of this round
    going: set[str] = set()  # the events that it sends at the end of this round, for the animation

    b = parameter(16, minimum=1, help="how many ids the history holds")
    K = parameter(5, minimum=1, help="partners to whom a message is sent")
    p = parameter(0.01, minimum=0.0, maximum=1.0, help="with which probability a process creates an event in a round")
    size = parameter(50, minimum=1, help="how many others a process knows")
    distinct = parameter(False, help="whether the K partners differ from each other")
    rounds = parameter(
        60, minimum=0, help="in how many rounds events are created",
        reached=lambda p: p.round > p.rounds > 0,
    )
    warm_up = parameter(0, minimum=0, help="events of so many rounds at the beginning are not judged")
    settle = parameter(0, minimum=0, help="events of so many rounds before the last one are not judged")
    tail = parameter(40, minimum=0, help="after how many more rounds all should be over, for the bound of the messages")
    tells = parameter(True, help="whether deliveries stand in the trace as well, or are counted only")

    @on(ANY, INIT)
    def start(self):
        """It gets to know its view."""
        others = [q for q in self.everybody if q != self.me]
        self.view = tuple(self.random.sample(others, min(self.size, len(others))))
        self.room = self.b
        self.want_round()

    @on(ANY, Publish)
    def publish(self, m):
        """Its user has something to say in the next round."""
        self.fresh += m.count
        self.want_round()

    @on(ANY, Resize)
    def resize(self, m):
        """Its memory grows or shrinks."""
        self.room = m.b
        self.cut()

    @on(ANY, ROUND)
    def compute(self, received):
        """It delivers what it does not remember, creates an event perhaps, and sends all that.

        sends Gossip: It sends what it delivered in this round to others.
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
        """Deliver what is new, or is taken for it, and mean to send it."""
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
        """The oldest go, down to b."""
        history = self.history
        if len(history) > self.room:
            for event in [*history][: len(history) - self.room]:
                del history[event]

    def cut(self):
        """The same, and of what is to be sent go random ones."""
        self.forget()
        events, random = self.events, self.random.random
        while len(events) > self.room:
            del events[int(random() * len(events))]

    def partners(self):
        """K draws from the view."""
        if self.distinct or not self.view:
            return self.random.sample(self.view, min(self.K, len(self.view)))
        return self.random.choices(self.view, k=self.K)


def judged(c):
    """For each event that is judged: deliveries, processes that delivered it, rounds from the first to the last."""
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
    """The share of those that are true; nothing if there are none."""
    return sum(some) / len(some) if some else None


@always("at the end of a round the history holds at most b events")
def bounded(c):
    return all(len(p.history) <= p.room for p in c.processes)


@always("nobody delivers an event twice")
def safe(c):
    return not any(p.again for p in c.processes)


@always("nobody sends more than b events and those that are its own")
def short_messages(c):
    fresh = {p.me: sum(i == p.round for i in p.mine.values()) for p in c.processes}
    return all(len(t.message.events) <= max(t.sender.b, t.sender.room) + fresh[t.sender.me] for t in c.in_transit)


@measure("judged")
def judged_events(c):
    """How many events are judged."""
    return len(judged(c))


@measure("twice")
def twice(c):
    """Share of the events that somebody delivered more than once."""
    return share([k > informed for k, informed, _ in judged(c)])


@measure("extra")
def extra(c):
    """Deliveries of an event beyond the first at each process, on average over all events."""
    return share([k - informed for k, informed, _ in judged(c)])


@measure("informed")
def informed(c):
    """Share of the processes that an event reached, on average."""
    return share([k / c.n for _, k, _ in judged(c)])


@measure("everybody")
def everybody(c):
    """Share of the events that reached everybody."""
    return share([k == c.n for _, k, _ in judged(c)])


@measure("duration")
def duration(c):
    """Rounds from creating an event to its last delivery, on average."""
    return share([d for _, _, d in judged(c)])


@measure("longest")
def longest(c):
    """The same for the event that took longest."""
    return max((d for _, _, d in judged(c)), default=None)


@measure("in 8 rounds")
def eight(c):
    """Share of the events that were in the system for 8 rounds at most (its first and the last, fruitless one too)."""
    return share([d + 2 <= 8 for _, _, d in judged(c)])


@measure("in 2 rounds")
def two(c):
    """Share of the events that only the creator's partners delivered."""
    return share([d == 1 for _, _, d in judged(c)])


@measure("tipped")
def tipped(c):
    """The round in which the first event was created that everybody delivered ten times on average; nothing if none."""
    deliveries = {}
    for q in c.processes:
        for event, k in q.times.items():
            deliveries[event] = deliveries.get(event, 0) + k
    return min((i for q in c.processes for event, i in q.mine.items() if deliveries[event] > 10 * c.n), default=None)


@measure("circulating")
def circulating(c):
    """How many different events are under way at the end."""
    return len({event for t in c.in_transit for event in t.message.events})
