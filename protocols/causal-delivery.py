"""Optimistic causal delivery over gossip: never against the causal order, and rather without an event than waiting.

Everybody has a copy of some objects, and a few updaters change them.  Each change is an event, which is gossiped and
carries a vector clock with one entry for each updater, however large the group is.

Pseudo-code (event e: timestamp t, entry j of its creator, number t[j]; T: what was delivered or given up of each entry;
H: heard and waiting; R: recovered; e is obsolete if t[j] <= T[j], and ready if t[j] = T[j] + 1 and no other
t[i] > T[i])::

    PrCast, every round:  the events heard in the round before that made fewer than ``hops`` hops go on, in one message
                          of at most ``most`` of them, least hops first, to ``fanout`` random members
    create e:             seq := seq + 1; t := T with seq in the own entry; deliver; keep it for a while; PrCast
    e from PrCast:        obsolete: drop; ready: deliver, and all that becomes ready; otherwise keep it in H
    e in H for a while:   RECOVER(i, s) to the creator of all that precedes e and is neither in H nor in R
    and a little longer:  deliver what is there of that in causal order, then e; the rest is given up
    RECOVER(i, s):        ACKRECOVER(event), if it is still kept
    ACKRECOVER(e):        as e from PrCast, with R for H
    deliver e:            hand it over; T := component-wise maximum of T and t

Needs names, and processes that can send to everybody (an overlay).  Messages may get lost and overtake each other.
Lemma 5.4.1: if none is lost everybody delivers everything, with high probability, in causal order.
Complexity: each event is sent at most ``fanout * hops`` times by each process, several of them in one message; an event
takes one number for each updater, whatever the size of the group; at most one RECOVER for an event and a process.
Readings taken: "T := t", as printed, forgets what concurrent events have brought (parameter ``clock``); everybody
knows everybody, so that gossip carries no members; the creator's own sending is the first hop; what does not fit into a
message is dropped; without recovery an event in H is delivered when its first time is over.  What was created has to be
kept longer than both times together, ``memory`` times: it is asked for only when a later event has waited.
``rate`` is the number of bits that a process can send in a unit of time: a round lasts that much longer.

Reference: A. Gidenstam, B. Koldehofe, M. Papatriantafilou, P. Tsigas, Lightweight causal cluster consistency, IICS
2005, algorithms 1 and 2; B. Koldehofe's thesis, Chalmers 2005, chapters 3 to 5.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    eventually,
    measure,
    named,
    on,
    overlay,
    parameter,
    states,
)

CALM, WAITING, RECOVERING = states(
    "calm", "waiting", "recovering",
    reads={
        "calm": "has delivered what it heard",
        "waiting": "holds an event back",
        "recovering": "asks for what is missing",
    },
)


class Gossip(Message):
    """What I heard in the last round: events, each with the hops that it has made."""

    events: tuple[tuple[tuple[int, tuple[int, ...], float], int], ...] = ()


class Recover(Message):
    """'I miss your event number s of entry j.'"""

    j: int
    s: int


class AckRecover(Message):
    """'Here is the event that you miss.'"""

    event: tuple[int, tuple[int, ...], float]


class Round(Timer):
    """The next round of PrCast."""


class Sent(Timer):
    """The messages of this round are on the line."""


class Terminate(Timer):
    """PrCast brings no more of what this event waits for."""

    j: int
    s: int


class GiveUp(Timer):
    """Nor does recovery."""

    j: int
    s: int


class Update(Command):
    """Change an object, if this process is an updater."""

    payload: str = ""


class Work(Command):
    """Begin the rounds in which updaters create events by chance."""


def name(j, s):
    """An event in words: number s of entry j."""
    return f"{j}.{s}"


class CausalDelivery(Process):
    title = "Optimistic causal delivery"
    needs = named, overlay
    messages = "<= n*(fanout*hops + 2)*(commands + rounds*(events + (updaters if updaters else n)))"

    state = CALM
    T: list[int] = []  # how far it is with each entry
    H: dict[str, tuple[int, tuple[int, ...], float]] = {}  # events heard that wait
    R: dict[str, tuple[int, tuple[int, ...], float]] = {}  # events recovered that wait
    asked: set[str] = set()  # events that it has asked for
    seq: int = 0  # how many events it created
    # events it keeps for those who miss them: (event, until when)
    sent: dict[str, tuple[tuple[int, tuple[int, ...], float], float]] = {}
    # what goes out with the next round: (event, hops so far)
    pool: dict[str, tuple[tuple[int, tuple[int, ...], float], int]] = {}
    history: dict[str, bool] = {}  # the last events that PrCast has brought
    out: tuple = ()  # the message that is on the line
    running: bool = False  # whether its rounds go on
    left: int = 0  # rounds in which it may still create events
    length: float = 0.0  # how long its last round took
    past: list[int] = []  # for the checks: the maximum of all timestamps that it delivered
    wrong: list[str] = []  # for the checks: what it delivered that precedes something delivered before
    got: list[str] = []  # events delivered
    skipped: list[str] = []  # events given up
    got_after: float = 0.0  # how long after their creation, added up
    heard: set[str] = set()  # for the measures: events that PrCast brought, its own among them
    heard_after: float = 0.0  # how long after their creation, added up
    again: int = 0  # how often PrCast brought one again, since the history had forgotten it
    worked: float = 0.0  # for the measures: until when it created events
    size: float = 0.0  # for the measures: the bits of its messages, where ``rate`` counts them; each of a round once
    parcels: int = 0  # for the measures: how many those are
    saved: int = 0  # events that recovery brought
    shown: str = ""  # T in words
    lacks: list[str] = []  # what the waiting events need, for the animation

    updaters = parameter(3, minimum=0, help="how many processes change objects: the first ones; 0: all")
    recovery = parameter(True, help="whether missing events are asked for")
    clock_rule = parameter("maximum", choices=("maximum", "printed"), help="what T becomes with a delivery")
    fanout = parameter(4, minimum=1, help="K: to how many members a message goes in each round")
    hops = parameter(5, minimum=1, help="r: how many hops an event makes")
    step = parameter(2.0, minimum=0.001, help="the length of a round: more than the longest delay")
    delta = parameter(1.5, minimum=0.0, help="the longest delay; recovery waits for twice as much")
    spare = parameter(2, minimum=0, help="for how many rounds more than it makes hops an event waits for others")
    memory = parameter(3.0, minimum=0.0, help="how often the time to terminate and recover an event is kept")
    ask = parameter("origin", choices=("origin", "anybody"), help="who keeps events, and is asked for them")
    most = parameter(20, minimum=1, help="how many events a message holds")
    remember = parameter(40, minimum=0, help="how many events the history of PrCast holds; 0: all")
    events = parameter(1.0, minimum=0.0, help="how many events the updaters create in a round, on average")
    rounds = parameter(8, minimum=0, reached=lambda p: p.left == 0 < p.rounds, help="for how many rounds they do so")
    rate = parameter(0.0, minimum=0.0, help="bits that a process sends in a unit of time; 0: no limit")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")
    picture = parameter(True, help="whether it keeps T in words as well, for the animation")

    # -- the lower layer: PrCast, balls-and-bins gossip

    @on(ANY, (INIT, Work))
    def work(self):
        """It begins its rounds, in which updaters create events.

        always:
        """
        self.left = self.rounds
        self.show()
        self.wind(0.0)

    def wind(self, after=None):
        """The next round begins, where nothing else is said with the next full step of the clock."""
        if not self.running:
            self.running = True
            self.set_timer(Round(), after=self.step - self.clock % self.step if after is None else after)

    def prcast(self, e, hops):
        """Put an event among those of the next round; of several copies the one with the least hops counts."""
        id = name(e[0], e[1][e[0]])
        if hops < self.hops and (id not in self.pool or hops < self.pool[id][1]):
            self.pool[id] = e, hops
            self.wind()

    @on(ANY, Gossip)
    def hear(self, m, q):
        """Events come; those not in the history go to the upper layer, and all with hops left go on."""
        for e, hops in m.events:
            self.prcast(e, hops)
            self.bring(e)
        self.show()

    def bring(self, e):
        """An event that PrCast brought goes to the upper layer, unless the history knows it."""
        id = name(e[0], e[1][e[0]])
        if id not in self.history:
            self.history[id] = True
            if self.remember and len(self.history) > self.remember:
                del self.history[next(iter(self.history))]
            self.again += id in self.heard
            self.receive(e)

    @on(ANY, Round)
    def send_on(self):
        """A round: perhaps it creates events; what it has for others goes on the line.

        delivers and sends Gossip: It changes an object, and sends the event to random members with what it has heard.
        delivers and sets Sent: It changes an object, and begins to send the event with what it has heard.
        delivers: It changes an object, but has no other member to tell.
        sends Gossip: It sends the events of the last round to random members.
        sets Sent: It begins to send the events of the last round.
        sets Round: It has heard nothing to pass on, and waits for the next round.
        otherwise: It has heard nothing to pass on, so its rounds are over for now.
        """
        if self.left > 0:
            self.left -= 1
            chance = self.events / self.entries() if self.own() is not None else 0.0
            for _ in range(int(chance) + (self.random.random() < chance % 1)):
                self.create()
        first = sorted(self.pool.values(), key=lambda copy: copy[1])[: self.most]
        self.out, self.pool = tuple((e, hops + 1) for e, hops in first), {}
        bits = Gossip(self.out).bits if self.rate and self.out else 0
        busy = self.fanout * bits / self.rate if bits else 0.0
        self.length = self.step + busy
        self.size += bits
        self.parcels += bits > 0
        if self.left:
            self.worked = self.clock + self.length
        if busy:
            self.set_timer(Sent(), after=busy)
        else:
            self.spread()

    @on(ANY, Sent)
    def spread(self):
        """The message of this round goes to random members.

        sends Gossip: The messages of this round are on the line now, and go to random members.
        otherwise: It has no message to send, or no other member to send it to.
        """
        if self.out:
            m = Gossip(self.out)
            for _ in range(self.fanout if len(self.everybody) > 1 else 0):
                self.send(m, to=self.member())
        self.running = False
        if self.left or self.out or self.pool:
            self.wind(self.step)
        self.out = ()
        for id in [id for id, (_, until) in self.sent.items() if until < self.clock]:
            del self.sent[id]
        self.show()

    def member(self):
        """Some other member of the group."""
        q = self.everybody[self.random.randrange(len(self.everybody) - 1)]
        return q if q != self.me else self.everybody[-1]

    # -- the upper layer: optimistic causal delivery

    def entries(self):
        return min(self.updaters or len(self.everybody), len(self.everybody))

    def own(self):
        """Its own entry, None if it has none."""
        mine = self.everybody.index(self.me) if self.me in self.everybody[: self.entries()] else None
        if not self.T:
            self.T, self.past = [0] * self.entries(), [0] * self.entries()
        return mine

    @on(ANY, Update)
    def update(self):
        """It changes an object, if it is an updater.

        delivers: It changes an object, and will tell the others.
        otherwise: It is not one of the updaters, so it changes nothing.
        """
        if self.own() is not None:
            self.create()
            self.show()

    def create(self):
        j = self.own()
        self.seq += 1
        t = self.T.copy()
        t[j] = self.seq
        e = j, tuple(t), self.clock
        self.history[name(j, self.seq)] = True
        self.heard.add(name(j, self.seq))
        self.give(e)
        self.drain()
        self.prcast(e, 0)

    def terminate(self):
        return (self.hops + self.spare) * (self.length or self.step)

    def obsolete(self, e):
        j, t, _ = e
        return t[j] <= self.T[j]

    def ready(self, e):
        j, t, _ = e
        return t[j] == self.T[j] + 1 and all(t[i] <= self.T[i] for i in range(len(t)) if i != j)

    def receive(self, e):
        """An event comes from the layer below."""
        self.own()
        j, t, born = e
        id = name(j, t[j])
        if id not in self.heard:
            self.heard.add(id)
            self.heard_after += self.clock - born
        if self.obsolete(e):
            return
        if self.ready(e):
            self.give(e)
            self.drain()
        elif id not in self.H and id not in self.R:
            self.H[id] = e
            self.set_timer(Terminate(j, t[j]), after=self.terminate())

    def give(self, e):
        """Deliver an event."""
        j, t, born = e
        id = name(j, t[j])
        if t[j] <= self.past[j]:
            self.wrong.append(id)
        for i in range(len(t)):
            self.skipped += [name(i, s) for s in range(self.T[i] + 1, t[i] + (i != j))]
        self.past = [max(a, b) for a, b in zip(self.past, t, strict=True)]
        self.T = list(t) if self.clock_rule == "printed" else [max(a, b) for a, b in zip(self.T, t, strict=True)]
        if j == self.own() or self.ask == "anybody":
            self.sent[id] = e, self.clock + self.memory * (self.terminate() + 2 * self.delta)
        self.got.append(id)
        self.got_after += self.clock - born
        self.deliver(id)

    def drain(self):
        """Deliver what has become ready, and forget what is obsolete."""
        going = True
        while going:
            going = False
            for waiting in (self.H, self.R):
                for id, e in list(waiting.items()):
                    if self.obsolete(e):
                        del waiting[id]
                    elif self.ready(e):
                        del waiting[id]
                        self.give(e)
                        going = True
        self.asked = {id for id in self.asked if not self.passed(id)}

    def passed(self, id):
        j, s = map(int, id.split("."))
        return s <= self.T[j]

    def missing(self, e):
        """What precedes an event and is not there."""
        j, t, _ = e
        return [
            (i, s)
            for i in range(len(t))
            for s in range(self.T[i] + 1, t[i] + (i != j))
            if name(i, s) not in self.H and name(i, s) not in self.R
        ]

    @on(ANY, Terminate)
    def recover(self, m):
        """An event has waited long enough for PrCast: it asks for what is missing, or goes on without.

        nothing: The event no longer waits: it has been delivered or given up.
        sends Recover: The event has waited long enough: it asks for what is missing.
        delivers: The event has waited long enough: it goes on without what is missing.
        sets GiveUp: It has nothing new to ask for, or no process to ask, so it only waits a little longer.
        """
        e = self.H.get(name(m.j, m.s))
        if e is None:
            return
        if not self.recovery:
            self.give_up(m)
            return
        for i, s in self.missing(e):
            if name(i, s) not in self.asked:
                self.asked.add(name(i, s))
                q = self.everybody[i] if self.ask == "origin" else self.member()
                if q != self.me:  # with T as printed it may miss what is its own
                    self.send(Recover(i, s), to=q)
        self.set_timer(GiveUp(m.j, m.s), after=2 * self.delta)
        self.show()

    @on(ANY, GiveUp)
    def give_up(self, m):
        """What is still missing is given up: what is there of it is delivered in causal order, then the event.

        nothing: The event no longer waits: it has been delivered or given up.
        delivers: What is missing is given up: what is here of it is delivered in causal order, then the event.
        """
        e = self.H.get(name(m.j, m.s))
        if e is None:
            return
        before = [f for f in (*self.H.values(), *self.R.values()) if f[1][f[0]] <= e[1][f[0]]]
        for f in sorted(before, key=lambda f: sum(f[1])):
            if not self.obsolete(f):
                self.give(f)
        self.drain()
        self.show()

    @on(ANY, Recover)
    def answer(self, m, q):
        """Somebody misses an event; it gets it if it is still there.

        sends AckRecover: {peer} misses an event, which is still here: it gets it.
        otherwise: {peer} misses an event that is not here any more.
        """
        kept = self.sent.get(name(m.j, m.s))
        if kept is not None and kept[1] >= self.clock:
            self.send(AckRecover(kept[0]), to=q)

    @on(ANY, AckRecover)
    def recovered(self, m, q):
        """A missing event comes after all.

        delivers: The missing event comes after all, and is delivered.
        changes saved: The missing event comes after all; another one that it needs is still missing.
        nothing: The event comes too late: it has been delivered or given up.
        """
        self.own()
        e = m.event
        if not self.obsolete(e):
            self.saved += 1
            if self.ready(e):
                self.give(e)
                self.drain()
            else:
                self.R[name(e[0], e[1][e[0]])] = e
        self.show()

    def show(self):
        self.own()
        self.state = CALM if not self.H and not self.R else RECOVERING if self.asked else WAITING
        if self.picture:
            self.lacks = list(dict.fromkeys(name(*id) for e in self.H.values() for id in self.missing(e)))
            self.shown = " ".join(map(str, self.T)) if len(self.T) <= 10 else ""


def made(c):
    return sum(p.seq for p in c.processes)


@always("nobody delivers an event that precedes what it delivered before, and none twice")
def causal(c):
    return not any(p.wrong for p in c.processes)


@always("what was delivered stays known: no entry of T falls back")
def never_back(c):
    return all(a >= b for p in c.processes for a, b in zip(p.T, p.past, strict=True))


@at_end("in the end nothing waits")
def nothing_waits(c):
    return not any(p.H or p.R for p in c.processes if not c.crashed(p))


@eventually("everybody delivers every event")
def everything(c):
    total = made(c)
    return all(len(p.got) == total for p in c.processes if not c.crashed(p))


@measure("loss")
def loss(c):
    """The share of events that a process does not deliver."""
    return 1 - sum(len(set(p.got)) for p in c.processes) / (made(c) * c.n) if made(c) else None


@measure("gossip loss")
def gossip_loss(c):
    """The share of events that PrCast does not bring to a process."""
    return 1 - sum(len(p.heard) for p in c.processes) / (made(c) * c.n) if made(c) else None


@measure("latency")
def latency(c):
    """The time from creating an event to delivering it elsewhere, on average."""
    told = sum(len(p.got) for p in c.processes) - made(c)
    return sum(p.got_after for p in c.processes) / told if told else None


@measure("gossip latency")
def gossip_latency(c):
    """The time from creating an event to PrCast's bringing it elsewhere, on average."""
    heard = sum(len(p.heard) for p in c.processes) - made(c)
    return sum(p.heard_after for p in c.processes) / heard if heard else None


@measure("throughput")
def throughput(c):
    """How many events are created in a unit of time."""
    span = max(p.worked for p in c.processes)
    return made(c) / span if span else None


@measure("message size")
def message_size(c):
    """The bits of a gossip message, on average; only if ``rate`` counts them."""
    parcels = sum(p.parcels for p in c.processes)
    return sum(p.size for p in c.processes) / parcels if parcels else None


@measure("reached all")
def reached_all(c):
    """The share of events that PrCast brought to everybody."""
    times = {}
    for p in c.processes:
        for id in sorted(p.heard):
            times[id] = times.get(id, 0) + 1
    return sum(k == c.n for k in times.values()) / len(times) if times else None
