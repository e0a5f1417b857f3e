"""Balls and bins: a process that receives a rumour forwards it to random processes, each time anew.

A rumour is spread by copies (balls) to random processes (bins).  Unlike in an epidemic, a process forwards the rumour
in every round in which it receives it.  Each copy is a ball of its own, and the coupon collector's problem says when
every bin has one.

Pseudo-code (V: the view, here all other processes; history: the events that were delivered)::

    round, for every event that was received, as (event, tag):
        if event is not in history: deliver it, add it to history
        if tag < r: put (event, tag + 1) into the message of this round
    end of the round: K times: choose j from V uniformly at random; send the message to j

Works in rounds: messages sent in round i arrive in round i + 1.  Needs names: each process knows all others or a random
``view`` of them.  An initiator has the event with tag 0; r is the number of rounds in which it is sent.
One parameter selects how to forward: everything that was received (balls and bins); only what is new (an epidemic: an
event is forwarded the first time only); everything that is known, until its r rounds are over (pushing).
Choices made where the source leaves room: several copies in one round cause one message, so a process throws K balls in
a round, and not K for each copy; partners are chosen with replacement, and no process chooses itself.
Complexity: K messages for each process that received in the round before, so at most n K r for one event.  With
K >= 2 e ln n / ln ln n all processes are informed after O(log n) rounds with high probability, with K >= 12 after
O(sqrt n); c n log n balls (c > 1, log to base 2) leave no bin empty.  These are upper bounds, and far from tight.

Reference: B. Koldehofe, Distributed Algorithms and Educational Simulation/Visualisation in Collaborative Environments,
PhD thesis, Chalmers University of Technology, 2005, chapter 3 (simple gossiping with balls and bins).
"""

from math import log

from lydian import (
    ANY,
    INIT,
    ROUND,
    Command,
    Message,
    Process,
    always,
    at_end,
    measure,
    named,
    on,
    overlay,
    parameter,
    rounds,
    some_initiator,
    states,
)

SUSCEPTIBLE, INFECTIOUS, RESISTANT = states(
    "susceptible", "infectious", "resistant",
    reads={"susceptible": "has heard nothing", "infectious": "throws balls", "resistant": "knows the rumour and rests"},
)


class Gossip(Message):
    """A ball: a set of events, each with the number of hops that this copy has made."""

    copies: tuple[tuple[str, int], ...]


class Publish(Command):
    """Announce an event to all processes; with the name of an event, announce that event again."""

    event: str = ""


class BallsAndBins(Process):
    title = "Balls and bins"
    needs = overlay, rounds, named, some_initiator
    messages = "<= n*K*r*events"

    state = SUSCEPTIBLE
    view: tuple[str, ...] = ()  # V, unless it contains all other processes
    history: dict[str, int] = {}  # event -> the round in which it was delivered
    mine: dict[str, int] = {}  # the events that began here -> the round in which each began
    fresh: list[str] = []  # the events that begin in the next round
    wishes: int = 0  # how often something was published here
    told: dict[str, int] = {}  # event -> tag in the message of the last round
    caught: dict[int, int] = {}  # round -> balls received here
    thrown: dict[int, int] = {}  # round -> balls sent from here

    K = parameter(5, minimum=1, help="balls that a process throws in a round")
    r = parameter(8, minimum=1, help="number of rounds in which an event is sent")
    forwards = parameter("received", choices=("received", "new", "known"),
                         help="contents of a message: events received, new events, or all known events")  # fmt: skip
    size = parameter(0, minimum=0, help="number of other processes that a process knows; 0: all")
    events = parameter(20, minimum=0, help="maximum number of events, for the bound on messages")

    @on(ANY, INIT)
    def start(self):
        """It has an event of its own, which it will send from the next round on."""
        self.tell("")

    @on(ANY, Publish)
    def publish(self, m):
        """Its user has published an event, which it will send from the next round on."""
        self.tell(m.event)

    def tell(self, event):
        self.wishes += 1
        self.fresh.append(event or f"{self.me}.{self.wishes}")
        self.want_round()

    @on(ANY, ROUND)
    def compute(self, received):
        """It delivers new events and throws its balls.

        delivers and sends: It delivers new events and throws its balls.
        sends: It throws its balls.
        delivers: It delivers new events.
        otherwise: It has nothing to throw in this round.
        """
        copies = dict.fromkeys(self.fresh, 0)
        for event in self.fresh:
            self.mine.setdefault(event, self.round)
        self.fresh = []
        if self.forwards == "known":
            copies.update(self.told)
        for m, _ in received:
            copies.update(m.copies)
        self.told = {}
        for event, tag in copies.items():
            new = event not in self.history
            if new:
                self.deliver(event)
                self.history[event] = self.round
            if tag < self.r and (new or self.forwards != "new"):
                self.told[event] = tag + 1
        if received:
            self.caught[self.round] = len(received)
        if self.told:
            m, partners = Gossip(tuple(self.told.items())), self.partners()
            for j in partners:
                self.send(m, to=j)
            self.thrown[self.round] = len(partners)
            self.want_round()
        self.state = INFECTIOUS if self.told else RESISTANT if self.history else SUSCEPTIBLE

    def partners(self):
        """Choose K processes from the view at random; one may be chosen twice."""
        if self.size and not self.view:
            others = [q for q in self.everybody if q != self.me]
            self.view = tuple(self.random.sample(others, min(self.size, len(others))))
        if self.view or len(self.everybody) == 1:
            return self.random.choices(self.view, k=self.K) if self.view else []
        drawn = self.random.choices(self.everybody, k=self.K)
        while self.me in drawn:
            drawn[drawn.index(self.me)] = self.random.choice(self.everybody)
        return drawn


def balls(c, what="thrown"):
    """Return a map from each round to the number of balls thrown (or caught) in it by all processes."""
    found = {}
    for p in c.processes:
        for i, k in getattr(p, what).items():
            found[i] = found.get(i, 0) + k
    return dict(sorted(found.items()))


def begun(c):
    """Return a map from each event to the round in which it began."""
    return {event: i for p in c.processes for event, i in p.mine.items()}


@always("no copy makes more than r hops")
def few_hops(c):
    r = c.processes[0].r
    return all(tag <= r for t in c.in_transit for _, tag in t.message.copies)


@always("m_i is K times the number of processes that received in round i - 1 with a tag below r; 0 after round r")
def balls_of_a_round(c):
    p = c.processes[0]
    first = next(iter(begun(c).values()), None)
    if p.forwards != "received" or first is None or sum(q.wishes for q in c.processes) != 1:
        return True
    due = {first: p.K, **{i: p.K * sum(i in q.caught for q in c.processes) for i in range(first + 1, first + p.r)}}
    return balls(c) == {i: k for i, k in due.items() if k}


@at_end("every process hears of every event")
def everybody_hears(c):
    events = len(begun(c))
    return all(len(p.history) == events for p in c.processes)


@measure("informed")
def informed(c):
    """Share of the processes that have heard of an event, averaged over the events."""
    events = begun(c)
    return sum(len(p.history) for p in c.processes) / (len(events) * c.n) if events else None


@measure("missed")
def missed(c):
    """Number of processes that have not heard of the first event."""
    event = next(iter(begun(c)), None)
    return None if event is None else sum(event not in p.history for p in c.processes)


@measure("everybody")
def everybody(c):
    """1 if all processes have heard of every event, else 0; its mean over runs is the probability."""
    return int(everybody_hears(c)) if begun(c) else None


@measure("rounds")
def rounds_needed(c):
    """Number of rounds until all processes have heard of the first event; nothing if some process has not."""
    for event, first in begun(c).items():
        heard = [p.history.get(event) for p in c.processes]
        return None if None in heard else max(heard) - first
    return None


@measure("balls over n log n")
def share_of_balls(c):
    """The factor c: the number of all balls, divided by n log n."""
    return sum(balls(c).values()) / (c.n * log(c.n, 2)) if c.n > 1 else None


@measure("last balls")
def last_balls(c):
    """m_i in the last round in which balls were thrown."""
    return next(reversed(balls(c).values()), None)


@measure("receivers")
def receivers(c):
    """Number of different processes that the balls of the last round hit."""
    last = max(balls(c, "caught"), default=None)
    return None if last is None else sum(last in p.caught for p in c.processes)


@measure("empty")
def empty(c):
    """Number of processes (other than the originator, if it throws alone) that the balls of the last round missed."""
    hit = receivers(c)
    return None if hit is None else c.n - hit - (len(balls(c)) == 1)


def load(c, most):
    """Return the largest number of balls that one process received in a round with at most this many balls."""
    light = {i for i, m in balls(c, "caught").items() if m <= most}
    return max((k for p in c.processes for i, k in p.caught.items() if i in light), default=None)


@measure("load")
def full_load(c):
    """The fullest bin of all rounds with at most n balls."""
    return load(c, c.n)


@measure("small load")
def small_load(c):
    """The fullest bin of all rounds with at most sqrt(n) log_20 n balls."""
    return load(c, c.n**0.5 * log(c.n, 20))


@measure("growth")
def growth(c):
    """The smallest ratio m_{i+1} / m_i after rounds with at most n balls, except for the last one."""
    m = balls(c)
    return min((m[i + 1] / m[i] for i in m if i + 1 in m and m[i] <= c.n), default=None)
