"""Causal cluster: at most n processes of a large group may update, and they hand the entries of the vector clock on.

Updates are gossiped and delivered in optimistic causal order (see causal-delivery).  Whoever updates owns an entry of
the vector clock.  The owners, the coordinators, stand on a ring of the n entries; each administers the free entries up
to its successor, grants them to those who want to coordinate, and excludes a dead successor if enough others agree.

Pseudo-code, coordinator p with own entry e and the successor's entry next (S_p = e .. next - 1; L: the 2k+1
predecessors, as the predecessor told; R: self and 2k of L, as it told its successor last)::

    CJOIN(p) at q:       p gets a free entry i of S_q and becomes q's successor: ACKCJOIN with all that p must know
    ACKCJOIN at p:       p tells the old successor r SUCC_CHANGED, and everybody by PrCast that it owns i
    CLEAVE(p) at q:      q makes p's successor r its own: SUCC_CHANGED to r; with q's and r's ACK p is free to go
                         (one request at a time: q and p serve nobody until r has sent its ACK)
    every round:         leave unless (|L| + 1) // 2 of L sent ALIVE; ALIVE to the 2k+1 next successors;
                         UPDATE(R) to the successor; without its ACK, with probability p_exclude: exclude
    exclude:             EXCLUDE to those behind the successor, one after the other, until one, q, sends its L_q;
                         REQCOORD(E) to L_q and R, E: the entries between; with |L_q| // 2 + 1 ACKCOORD: q is the
                         successor, and p temporary for dist(p, q) rounds; otherwise leave
    REQCOORD(E) at s:    not in E: ACKCOORD; no more ALIVE to E; news of who owns E mean nothing for dist rounds

Temporary coordinators grant nothing: meanwhile a process that was excluded although it lives hears from too few and
leaves.  So an entry has one owner at most.  If more than k neighbours on the ring crash, all may leave.

Needs names, processes that all start, and that can send to everybody (an overlay); a round is longer than a PrCast, a
round of gossip (``step``) longer than ``delta``, the longest delay.
Complexity: 2k + 3 messages for each coordinator and round; 5 to join (6 if somebody passes CJOIN on) and 5 to leave,
beside the gossip and what tells the next ones who their predecessors are.
Readings taken: k + 1, not 2k + 1, of L must be alive; temporary for dist rounds, not dist - 1, and a moment longer, as
all look at the clock at once; cores smaller than 2k + 2 need a majority, counting oneself; entries rise towards the
successor; a connection that fails is an ACK that does not come within 2 delta; SUCC_CHANGED tells R, and who gets
another L tells its successor at once; who comes among the next 2k + 1 successors gets ALIVE at once; whoever is new in
L counts from the next whole round on; news of entries are as old as what they tell, and older ones mean nothing;
ACKCJOIN brings the last number of every entry, and CLEAVE its own, after which its owner updates no more; what was
excluded is told by PrCast when it is free; who was rejected tries again.

Reference: A. Gidenstam, B. Koldehofe, M. Papatriantafilou, P. Tsigas, Lightweight causal cluster consistency, IICS
2005, algorithms 1 to 4; B. Koldehofe's thesis, Chalmers 2005, chapter 5.
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
    everybody_starts,
    measure,
    named,
    natural,
    on,
    overlay,
    parameter,
    states,
    variable,
)

MEMBER, JOINING, COORDINATOR, EXCLUDING, TEMPORARY, LEAVING = states(
    "member", "joining", "coordinator", "excluding", "temporary", "leaving",
    reads={
        "member": "is a member",
        "joining": "wants an entry",
        "coordinator": "is a coordinator",
        "excluding": "excludes a coordinator",
        "temporary": "is a temporary coordinator",
    },
)
OWNERS = (COORDINATOR, EXCLUDING, TEMPORARY, LEAVING)


class Gossip(Message):
    """What I heard in the last round, events and news of entries, each with the hops that it has made."""

    items: tuple[tuple[tuple[int, tuple[int, ...], str] | tuple[str, int, str, float], int], ...] = ()


class Recover(Message):
    """'I miss the event number s of entry j.'"""

    j: int
    s: int


class AckRecover(Message):
    """'Here is the event that you miss.'"""

    event: tuple[int, tuple[int, ...], str]


class Cjoin(Message):
    """'This process wants to coordinate', with a certain entry once somebody has chosen one."""

    who: str
    entry: int = -1


class AckCjoin(Message):
    """'This entry is yours; these are your predecessors and your successor, and all that I know of entries.'"""

    L: tuple
    entry: int
    next: int
    succ: str
    view: dict
    since: dict
    last: tuple


class Reject(Message):
    """'That cannot be', of Cjoin, Cleave or AckCjoin."""

    of: str


class SuccChanged(Message):
    """'I am your predecessor now, with this entry; these are I and mine.'"""

    entry: int
    R: tuple


class Cleave(Message):
    """'I want to leave; this is my successor, and the last number of my entry.'"""

    entry: int
    seq: int
    next: int
    succ: str


class Ack(Message):
    """'It is so', of Update, SuccChanged or Cleave."""

    of: str


class Alive(Message):
    """'I am here.'"""


class Update(Message):
    """'Your predecessors are I and these.'"""

    R: tuple


class Exclude(Message):
    """'Those between us seem to be dead; who are your predecessors?'"""


class AckExclude(Message):
    """'These are my predecessors.'"""

    L: tuple


class ReqCoord(Message):
    """'May the entries between these two be excluded?'"""

    after: int
    before: int


class AckCoord(Message):
    """'They may; they hear nothing from me any more.'"""


class Step(Timer):
    """The next round of PrCast."""


class Round(Timer):
    """The next round of the coordinators."""


class NoAck(Timer):
    """The successor should have sent its ACK to UPDATE."""


class NoAnswer(Timer):
    """Whoever was asked for its predecessors should have answered."""


class Count(Timer):
    """Whoever agrees to the exclusion has said so."""


class Free(Timer):
    """Whoever was excluded and lives has found out in this round."""


class Again(Timer):
    """It is time to ask again."""


class Terminate(Timer):
    """PrCast brings no more of what this event waits for."""

    j: int
    s: int


class GiveUp(Timer):
    """Nor does recovery."""

    j: int
    s: int


class Change(Command):
    """Change an object, if this process is a coordinator."""


class Join(Command):
    """Become a coordinator."""


class Leave(Command):
    """Stop being one."""


def name(j, s):
    """An event in words: number s of entry j."""
    return f"{j}.{s}"


def maximum(a, b):
    return [max(x, y) for x, y in zip(a, b, strict=True)]


class CausalCluster(Process):
    title = "Causal cluster"
    needs = named, overlay, everybody_starts
    messages = "<= n*rounds*(10*k + 2*n + 8) + (n*(fanout*hops + 2) + 30*k + 20)*(3*commands + entries + 2*n)"

    state = MEMBER
    # PrCast
    # what goes out with the next step: (item, hops so far)
    pool: dict[str, tuple[tuple[int, tuple[int, ...], str] | tuple[str, int, str, float], int]] = {}
    history: set[str] = set()  # all that PrCast has brought
    running: bool = False  # whether its steps go on
    # causal delivery
    T: list[int] = variable(lambda p: [0] * p.entries)  # how far it is with each entry
    seq: int = 0  # the last number of its own entry
    H: dict[str, tuple[int, tuple[int, ...], str]] = {}  # events heard that wait
    R: dict[str, tuple[int, tuple[int, ...], str]] = {}  # events recovered that wait
    asked: set[str] = set()  # events that it has asked for
    # events it keeps for those who miss them: (event, until when)
    sent: dict[str, tuple[tuple[int, tuple[int, ...], str], float]] = {}
    origin: dict[int, str] = {}  # who created the last event of an entry
    past: list[int] = variable(lambda p: [0] * p.entries)  # for the checks: the maximum of what it delivered
    wrong: list[str] = []  # for the checks: what it delivered that precedes something delivered before
    got: list[str] = []  # events delivered
    skipped: list[str] = []  # events given up
    made: int = 0  # events created
    # the ring
    entry: int | None = None  # e: the own entry
    next: int | None = None  # that of the successor
    succ: str | None = None
    pred: str | None = None
    view: dict[int, str] = {}  # Cview: entry -> its owner
    since: dict[int, float] = {}  # entry -> from when the news of it are
    departed: float = 0.0  # when it asked to leave
    last: list[int] = variable(lambda p: [0] * p.entries)  # the last number of each entry, as far as it knows
    L: list[str] = []  # the predecessors, nearest first
    told_succ: list[str] = []  # R: what the successor has acknowledged
    telling: list[str] = []  # what it was told and has not acknowledged yet
    busy: str | None = None  # whose ACK it waits for before it serves anybody
    busy_for: int = 0  # since how many rounds
    queue: list[tuple] = []  # who waits to join or to leave: (who, the request)
    before: tuple = ()  # succ and next before the last grant
    going: bool = False  # whether it wants to leave
    acks: set[str] = set()  # whose ACK it waits for before it is free to go
    # failures
    now: int = 0  # the number of this round
    counted: list[str] = []  # L at the beginning of this round
    near: list[str] = []  # the next 2k+1 successors
    alive: set[str] = set()  # who sent ALIVE in this round
    beyond: list[tuple] = []  # those behind the successor that it can still ask: (entry, name)
    candidate: tuple = ()  # whom it has asked: (entry, name)
    coming: str | None = None  # who may be its predecessor soon
    lost: list[tuple] = []  # whom it excludes: (entry, name)
    quorum: int = 0
    agreed: set[str] = set()  # who agrees to the exclusion
    between: list[int] = []  # E: the entries that are being excluded
    temp: int = 0  # for how many rounds it is temporary
    blocked: dict[int, int] = {}  # entry -> until which round news of it mean nothing
    gave_up: int = 0  # how often it left because it heard from too few
    excluded: int = 0  # how many owners it excluded
    span: str = ""  # S_p, the entries that it administers, in words

    entries = parameter(12, minimum=1, help="n: how many entries the vector clock has")
    core = parameter(4, minimum=1, help="how many coordinators there are at first: the first processes")
    packed = parameter(False, help="whether their entries stand side by side, or spread over the ring")
    k = parameter(1, minimum=1, help="how many neighbours on the ring may crash at once")
    round = parameter(12.0, minimum=0.001, help="the length of a round of the coordinators")
    rounds = parameter(
        12, minimum=0, help="how many rounds there are",
        reached=lambda p: p.clock >= (p.rounds - 1) * p.round,
    )
    p_exclude = parameter(0.5, minimum=0.0, maximum=1.0, help="with which probability a silent successor is excluded")
    threshold = parameter("k+1", choices=("k+1", "2k+1"), help="how many of L must be alive; 2k+1 as printed")
    temp_rounds = parameter("dist", choices=("dist", "dist-1"), help="for how long one is temporary; dist-1 as printed")
    recovery = parameter(True, help="whether missing events are asked for")
    clock_rule = parameter("maximum", choices=("maximum", "printed"), help="what T becomes with a delivery")
    fanout = parameter(3, minimum=1, help="K: to how many members a gossip message goes in each step")
    hops = parameter(4, minimum=1, help="r: how many hops an item makes")
    step = parameter(2.0, minimum=0.001, help="the length of a round of gossip: more than the longest delay")
    delta = parameter(1.5, minimum=0.0, help="the longest delay")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")

    @on(ANY, INIT)
    def begin(self):
        """It takes its place, if it is one of the first coordinators.

        becomes coordinator: It is one of the first coordinators: it owns entry {entry}, and its successor is {succ}.
        otherwise: It owns no entry at first, so it is a plain member.
        """
        n, first = self.entries, self.everybody[: min(self.core, len(self.everybody), self.entries)]
        if self.clock == 0:  # who comes back from a crash with nothing is a plain member
            places = [i if self.packed else i * n // len(first) for i in range(len(first))]
            self.view = dict(zip(places, first, strict=True))
            if self.me in first:
                at = first.index(self.me)
                self.entry, self.next = places[at], places[(at + 1) % len(first)]
                self.succ, self.pred = first[(at + 1) % len(first)], first[at - 1]
                self.L = self.cut(first[at - 1 :: -1] + first[:at:-1] if at else first[:0:-1])
                self.told_succ = self.known()
                self.state = COORDINATOR
                self.set_timer(Round(), after=self.round)
        self.show()

    # ------------------------------------------------------------------ PrCast: balls-and-bins gossip

    def prcast(self, item, hops=0):
        """Put an item among those of the next step; of several copies the one with the least hops counts."""
        id = self.identity(item)
        if hops < self.hops and (id not in self.pool or hops < self.pool[id][1]):
            self.pool[id] = item, hops
        if hops == 0:
            self.history.add(id)
        if self.pool and not self.running:
            self.running = True
            self.set_timer(Step(), after=self.step - self.clock % self.step)

    def identity(self, item):
        return name(item[0], item[1][item[0]]) if isinstance(item[0], int) else " ".join(map(str, item))

    @on(ANY, Step)
    def send_on(self):
        """A step of PrCast: what it heard in the step before goes to random members.

        sends: A step of PrCast: what it heard in the step before goes to random members.
        """
        self.running = False
        m, self.pool = Gossip(tuple((item, hops + 1) for item, hops in self.pool.values())), {}
        for _ in range(self.fanout if len(self.everybody) > 1 else 0):
            q = self.everybody[self.random.randrange(len(self.everybody) - 1)]
            self.send(m, to=q if q != self.me else self.everybody[-1])
        self.sent = {id: kept for id, kept in self.sent.items() if kept[1] >= self.clock}

    @on(ANY, Gossip)
    def hear(self, m, q):
        """Items come; new ones are looked at, and all with hops left go on.

        always:
        """
        for item, hops in m.items:
            id = self.identity(item)
            self.prcast(item, hops)
            if id not in self.history:
                self.history.add(id)
                if isinstance(item[0], int):
                    self.receive(item)
                else:
                    self.learn(*item)
        self.show()

    # ------------------------------------------------------------------ optimistic causal delivery

    @on((COORDINATOR, EXCLUDING, TEMPORARY), Change)
    def change(self):
        """It changes an object, and tells everybody.

        always:
        """
        self.seq = max(self.seq, self.last[self.entry]) + 1
        self.last[self.entry] = self.seq
        t = self.T.copy()
        t[self.entry] = self.seq
        e = self.entry, tuple(t), self.me
        self.made += 1
        self.give(e)
        self.drain()
        self.prcast(e)
        self.show()

    def receive(self, e):
        """PrCast brings an event."""
        j, t, creator = e
        self.origin[j] = creator
        self.last = maximum(self.last, t)
        if self.ready(e):
            self.give(e)
            self.drain()
        elif not self.obsolete(e) and name(j, t[j]) not in self.R:
            self.H[name(j, t[j])] = e
            self.set_timer(Terminate(j, t[j]), after=(self.hops + 2) * self.step)

    def obsolete(self, e):
        return e[1][e[0]] <= self.T[e[0]]

    def ready(self, e):
        j, t, _ = e
        return t[j] == self.T[j] + 1 and all(t[i] <= self.T[i] for i in range(len(t)) if i != j)

    def give(self, e):
        """Deliver an event."""
        j, t, _ = e
        if t[j] <= self.past[j]:
            self.wrong.append(name(j, t[j]))
        for i in range(len(t)):
            self.skipped += [name(i, s) for s in range(self.T[i] + 1, t[i] + (i != j))]
        self.past = maximum(self.past, t)
        self.T = list(t) if self.clock_rule == "printed" else maximum(self.T, t)
        if e[2] == self.me:
            self.sent[name(j, t[j])] = e, self.clock + 3 * ((self.hops + 2) * self.step + 2 * self.delta)
        self.got.append(name(j, t[j]))
        self.deliver(name(j, t[j]))

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
        self.asked = {id for id in self.asked if int(id.split(".")[1]) > self.T[int(id.split(".")[0])]}

    def missing(self, e):
        """What precedes an event and is not there."""
        j, t, _ = e
        some = [(i, s) for i in range(len(t)) for s in range(self.T[i] + 1, t[i] + (i != j))]
        return [(i, s) for i, s in some if name(i, s) not in self.H and name(i, s) not in self.R]

    @on(ANY, Terminate)
    def recover(self, m):
        """An event has waited long enough for PrCast: it asks for what is missing, or goes on without.

        nothing: The event no longer waits: it has been delivered or given up.
        sends Recover: The event has waited long enough for gossip, so it asks for what is missing.
        delivers: The event has waited long enough for gossip, so it goes on without what is missing.
        sets GiveUp: It has nothing new to ask for, or no process to ask, so it only waits a little longer.
        """
        e = self.H.get(name(m.j, m.s))
        if e is None:
            return
        if not self.recovery:
            self.give_up(m)
            return
        for i, s in self.missing(e):
            who = self.origin.get(i, self.view.get(i))
            if name(i, s) not in self.asked and who not in (None, self.me):
                self.asked.add(name(i, s))
                self.send(Recover(i, s), to=who)
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
        """Somebody misses an event of mine; it gets it if it is still there.

        sends AckRecover: {peer} misses an event that it still keeps, so {peer} gets it.
        otherwise: {peer} misses an event that it does not keep, so {peer} gets no answer.
        """
        if name(m.j, m.s) in self.sent:
            self.send(AckRecover(self.sent[name(m.j, m.s)][0]), to=q)

    @on(ANY, AckRecover)
    def recovered(self, m, q):
        """A missing event comes after all.

        delivers: The missing event comes after all, and is delivered.
        changes R: The missing event comes after all, but has to wait for another one that precedes it.
        nothing: The event comes too late, or a second time: it means nothing now.
        """
        e = m.event
        if self.ready(e):
            self.give(e)
            self.drain()
        elif not self.obsolete(e):
            self.R[name(e[0], e[1][e[0]])] = e
        self.show()

    # ------------------------------------------------------------------ the ring: who owns which entry

    def known(self):
        """Itself and its 2k nearest predecessors."""
        return [self.me, *self.L][: 2 * self.k + 1]

    def cut(self, some):
        """At most 2k+1 predecessors, and none behind itself where the core is small."""
        some = list(some)[: 2 * self.k + 1]
        return some[: some.index(self.me)] if self.me in some else some

    def behind(self, i):
        """The owners on the ring behind entry i, nearest first, without itself: (entry, name)."""
        ring = sorted(self.view, key=lambda j: (j - i - 1) % self.entries)
        return [(j, self.view[j]) for j in ring if self.view[j] != self.me]

    def strictly(self, i, j):
        """The entries strictly between i and j; all but i if they are the same."""
        return [(i + d) % self.entries for d in range(1, (j - i - 1) % self.entries + 1)]

    def administered(self):
        """S_p: its own entry and the free ones up to the successor; while it is temporary its own alone."""
        if self.state in (EXCLUDING, TEMPORARY):
            return [self.entry]
        return [self.entry, *self.strictly(self.entry, self.next)]

    def learn(self, kind, i, who, stamp):
        """PrCast brings news: somebody owns an entry, or does so no more."""
        if stamp >= self.since.get(i, 0.0):
            if kind == "free" and self.view.get(i) == who:
                self.owned(i, None, stamp)
            elif kind == "own" and self.blocked.get(i, 0) <= self.now:
                self.owned(i, who, stamp)

    def owned(self, i, who, since):
        """Somebody owns an entry, or nobody, since then."""
        self.view.pop(i, None)
        if who is not None:
            self.view[i] = who
        self.since[i] = since
        self.look()

    def look(self):
        """Whoever is among the next 2k+1 successors from now on gets ALIVE at once."""
        if self.state in OWNERS:
            before, self.near = self.near, [q for _, q in self.behind(self.entry)[: 2 * self.k + 1]]
            for q in self.near:
                if q not in before:
                    self.send(Alive(), to=q)

    def announce(self, kind, i, who, stamp=None):
        self.prcast((kind, i, who, self.clock if stamp is None else stamp))

    @on(MEMBER, Join)
    def join(self):
        """It asks any coordinator that it knows.

        sends Cjoin: It asks any coordinator that it knows.
        otherwise: It wants to come in, but knows no coordinator that it could ask.
        """
        self.state = JOINING
        self.ask()

    @on(JOINING, Again)
    def ask(self):
        """It asks any coordinator that it knows, and again if it gets no entry.

        sends Cjoin and sets Again: It asks a coordinator that it knows for an entry, and asks again if it gets none.
        sends Cjoin: It asks a coordinator that it knows for an entry; the rounds are over, so it will not ask again.
        sets Again: It knows no coordinator that it could ask, so it will try again later.
        otherwise: It knows no coordinator that it could ask, and the rounds are over.
        """
        some = [q for _, q in self.behind(0)]
        if some:
            self.send(Cjoin(self.me), to=self.random.choice(some))
        if self.clock < self.round * self.rounds:
            self.set_timer(Again(), after=self.round * (1 + self.random.random()))

    @on((COORDINATOR, EXCLUDING, TEMPORARY), Cjoin)
    def wanted(self, m, q):
        """Somebody wants to coordinate: it chooses a free entry, and its administrator serves the request.

        sends AckCjoin: It administers a free entry, {next}: it gives that to {succ}, its successor from now on.
        sends Cjoin: Another coordinator administers the free entry that it chose, so it passes the request on.
        sends Reject: It knows no entry that it could give, or the process seems to have one already: it refuses.
        while coordinator and changes queue: The last change is not settled yet, so this request has to wait.
        changes queue: It serves no request until the exclusion is over, so this one has to wait.
        nothing: This is a request of its own that went round; it has an entry by now.
        """
        if m.entry >= 0:
            self.serve(m.who, m)
            return
        free = [i for i in range(self.entries) if i not in self.view]
        if not free:
            self.refuse(m.who, m)
            return
        i = self.random.choice(free)
        at = min((j for j in self.view), key=lambda j: (i - j) % self.entries)
        if self.view[at] == self.me:
            self.serve(m.who, Cjoin(m.who, i))
        else:
            self.send(Cjoin(m.who, i), to=self.view[at])

    @on((MEMBER, JOINING, LEAVING), Cjoin)
    def not_me(self, m, q):
        """It does not administer anything, or not for long.

        always:
        """
        self.refuse(m.who, m)

    def refuse(self, who, m):
        if who != self.me:  # a wish of its own that went round while it got an entry
            self.send(Reject("Cleave" if isinstance(m, Cleave) else "Cjoin"), to=who)

    def serve(self, who, m):
        """One request after the other."""
        if self.state != COORDINATOR or self.busy is not None:
            self.queue.append((who, m))
        elif isinstance(m, Cjoin):
            self.grant(who, m.entry)
        else:
            self.release(who, m)

    def serve_next(self):
        while self.queue and self.state == COORDINATOR and self.busy is None:
            who, m = self.queue.pop(0)
            self.serve(who, m)
        if self.going and self.state == COORDINATOR and self.busy is None:
            self.depart()

    def grant(self, who, i):
        """Somebody gets one of the entries that it administers, and becomes its successor."""
        free = self.strictly(self.entry, self.next)
        if not free or who in self.view.values():
            self.refuse(who, None)
            return
        i = i if i in free else self.random.choice(free)
        m = AckCjoin(tuple(self.known()), i, self.next, self.succ, self.view, self.since, tuple(self.last))
        self.send(m, to=who)
        self.before = self.succ, self.next
        self.busy, self.busy_for = self.succ, 0
        self.succ, self.next, self.telling = who, i, []
        self.owned(i, who, self.clock)
        self.show()

    @on(JOINING, AckCjoin)
    def granted(self, m, q):
        """It owns an entry now, and has a place on the ring.

        always: {peer} grants it entry {entry}: it is a coordinator now, and its successor is {succ}.
        """
        self.cancel_timer(Again)
        self.entry, self.next, self.succ, self.pred = m.entry, m.next, m.succ, q
        for i, since in m.since.items():
            if since > self.since.get(i, 0.0):
                self.owned(i, m.view.get(i), since)
        self.L = self.cut(m.L)
        self.last = maximum(self.last, m.last)
        self.seq = self.last[self.entry]
        self.state, self.busy, self.busy_for = COORDINATOR, self.succ, 0
        self.told_succ, self.temp, self.alive, self.counted = self.known(), 0, set(), []
        self.near, self.blocked = [], {}
        self.send(SuccChanged(self.entry, tuple(self.known())), to=self.succ)
        self.owned(self.entry, self.me, self.clock)
        self.announce("own", self.entry, self.me)
        if self.clock < self.round * self.rounds:
            self.now = int(self.clock / self.round + 1e-9)
            self.set_timer(Round(), after=self.round * (self.now + 1) - self.clock)
        self.show()

    @on((MEMBER, *OWNERS), AckCjoin)
    def no_more(self, m, q):
        """It has an entry already."""
        self.send(Reject("AckCjoin"), to=q)

    @on(OWNERS, SuccChanged)
    def new_predecessor(self, m, q):
        """It has another predecessor; it tells this one, and the one before.

        while leaving and sends Cleave: {peer} is its predecessor now, so it asks {peer} to let it leave.
        sends Cleave: {peer} is its predecessor now; nothing else keeps it, so it asks {peer} to let it leave.
        stays and changes pred: {peer} is its predecessor now; it acknowledges that, so that the change is settled.
        stays: {peer} is still its predecessor, and gets an acknowledgement.
        """
        old, self.pred, self.L = self.pred, q, self.cut(m.R)
        self.owned(m.entry, q, self.clock)
        self.send(Ack("SuccChanged"), to=q)
        if old == self.me:
            self.settled(old)
        elif old is not None and old != q:
            self.send(Ack("SuccChanged"), to=old)
        if self.state == LEAVING:
            self.depart()
        else:
            self.serve_next()
            self.tell_news()

    def settled(self, q):
        """r has acknowledged: the next request can be served."""
        if self.busy == q:
            self.busy = None
            self.serve_next()
            self.tell_news()

    @on(OWNERS, Ack)
    def acknowledged(self, m, q):
        """The other end has heard it.

        says of=Update and sends Update: The predecessors have changed since it told {peer}, so it tells {peer} again.
        says of=Update and changes telling: Its successor {peer} lives, and knows its predecessors now.
        while leaving and becomes member: It has all the acknowledgements that it needs, so it gives its entry back.
        becomes member: The last change is settled, and it is alone on the ring, so it leaves at once.
        while leaving and changes acks: It must wait: {acks:acknowledgement is|acknowledgements are} still missing.
        sends Cleave: The last change is settled, so it can ask its predecessor {pred} to let it leave.
        sends AckCjoin: The last change is settled, so it serves the next request: {succ} gets entry {next}.
        sends Ack: The last change is settled, so it serves the next request: its successor leaves, and {succ} follows.
        sends Reject: The last change is settled, so it turns to the next request, which it refuses.
        sends Update: The last change is settled, so it tells {succ} who its predecessors are.
        changes busy: The last change is settled: it no longer waits for {peer}.
        nothing: It no longer waits for this acknowledgement.
        """
        if m.of == "Update":
            if q == self.succ and self.telling:
                self.told_succ, self.telling = self.telling, []
                self.cancel_timer(NoAck)
                self.tell_news()
            return
        leaving = self.state == LEAVING  # what is settled now may begin the leaving, with acknowledgements to come
        self.settled(q)
        if leaving:
            self.acks.discard(q)
            if not self.acks:
                self.out()

    @on(COORDINATOR, Leave)
    def leave(self):
        """It wants to leave, when whom it serves just now is settled.

        always:
        """
        self.going = True
        self.serve_next()

    @on((EXCLUDING, TEMPORARY), Leave)
    def leave_later(self):
        """It leaves when the exclusion is over."""
        self.going = True

    def depart(self):
        if self.succ == self.me:
            self.out()
            return
        self.state, self.going, self.busy_for, self.departed = LEAVING, False, 0, self.clock
        self.acks = {self.pred, self.succ}
        self.send(Cleave(self.entry, self.seq, self.next, self.succ), to=self.pred)
        for who, m in self.queue:
            self.refuse(who, m)
        self.queue = []

    @on((COORDINATOR, EXCLUDING, TEMPORARY), Cleave)
    def asked_to_release(self, m, q):
        """The successor wants to leave.

        always:
        """
        self.serve(q, m)

    def release(self, x, m):
        """The successor leaves: its entries are administered here from now on."""
        if x != self.succ:
            self.send(Reject("Cleave"), to=x)
            return
        self.succ, self.next = m.succ, m.next
        self.last[m.entry] = max(self.last[m.entry], m.seq)
        self.telling = []
        self.owned(m.entry, None, self.clock)
        self.send(Ack("Cleave"), to=x)
        if self.succ == self.me:
            self.pred, self.L, self.told_succ = self.me, [], [self.me]
            self.next = self.entry
        else:
            self.send(SuccChanged(self.entry, tuple(self.known())), to=self.succ)
            self.busy, self.busy_for = self.succ, 0
        self.show()

    @on((MEMBER, JOINING, LEAVING), Cleave)
    def leaving_too(self, m, q):
        """It leaves itself, so it cannot help."""
        self.send(Reject("Cleave"), to=q)

    @on(LEAVING, Reject)
    def stay(self, m, q):
        """The predecessor refuses: it stays for now, and asks again later.

        becomes coordinator: Its predecessor {peer} refuses to let it go, so it stays for now and asks again later.
        otherwise: This refusal is not its predecessor's answer to its wish to leave, so it goes on waiting.
        """
        if m.of == "Cleave" and q == self.pred:
            self.state, self.going = COORDINATOR, True
            self.set_timer(Again(), after=self.round * (0.5 + self.random.random()))

    @on(COORDINATOR, Again)
    def leave_again(self):
        """It tries again to leave.

        always:
        """
        self.serve_next()

    @on(COORDINATOR, Reject)
    def take_back(self, m, q):
        """It takes an entry back that was granted and rejected.

        sends AckCjoin: {peer} rejects the entry, so it serves the next request: {succ} gets entry {next}.
        changes succ or next or busy: {peer} rejects the entry that it was granted, so it takes the entry back.
        nothing: This refusal is about a request that is over, so it changes nothing.
        """
        if m.of == "AckCjoin" and q == self.succ and self.busy is not None:
            self.owned(self.next, None, self.clock)
            self.succ, self.next = self.before
            self.busy = None
            self.show()
            self.serve_next()

    def out(self):
        """It is a plain member again, and everybody hears that its entry is free."""
        self.announce("free", self.entry, self.me, self.departed if self.state == LEAVING else None)
        for who, m in self.queue:
            self.refuse(who, m)
        for timer in (Round, NoAck, NoAnswer, Count, Free, Again):
            self.cancel_timer(timer)
        self.owned(self.entry, None, self.clock)
        self.state, self.entry, self.next, self.succ, self.pred = MEMBER, None, None, None, None
        self.L, self.told_succ, self.telling, self.queue, self.between = [], [], [], [], []
        self.busy, self.going, self.temp, self.acks = None, False, 0, set()
        self.show()

    # ------------------------------------------------------------------ rounds, failures and exclusion

    def hears_enough(self):
        """Whether enough of L sent ALIVE; those who came to L in this round do not count yet."""
        some = [q for q in self.L if q in self.counted]
        need = len(some) if self.threshold == "2k+1" else (len(some) + 1) // 2
        return len(self.alive & set(some)) >= need

    def disconnected(self):
        self.gave_up += 1
        self.note("it hears from too few, and leaves")
        self.out()

    @on(OWNERS, Round)
    def next_round(self):
        """It leaves if it hears from too few; otherwise it tells its successors that it is alive.

        notes: It hears from too few of its predecessors, so it gives up its entry.
        while leaving and becomes member: The answers have not come for two rounds, so it leaves without them.
        while leaving and sends Alive: It tells its successors that it lives; it still waits for answers to leave.
        while excluding and sends Alive: It tells its successors that it lives; the exclusion goes on.
        while temporary and sets Free: Its time as a temporary coordinator is over: soon it may grant what it excluded.
        while temporary: It is temporary for {temp:more round|more rounds}: those that it excluded have to leave first.
        sends Cleave: It wants to leave and nothing keeps it any longer, so it asks its predecessor {pred}.
        sends AckCjoin or Ack or Reject: No acknowledgement has come for two rounds, so it turns to the next request.
        sends Update: It hears from enough predecessors; its successors hear that it lives, {succ} also who precedes it.
        sends Alive: It hears from enough predecessors, and tells its successors that it lives.
        stays: It knows no other coordinator, so it goes on alone.
        """
        self.now += 1
        if not self.hears_enough():
            self.disconnected()
            return
        self.alive, self.counted, self.near = set(), self.L.copy(), []
        self.look()
        if self.state == TEMPORARY:
            self.temp -= 1
            if self.temp <= 0:
                self.set_timer(Free(), after=self.delta)
        else:
            self.tell()
        self.busy_for += 1
        if self.busy_for > 2 and self.state == LEAVING:
            self.out()
            return
        if self.busy_for > 2:
            self.busy = None
            self.serve_next()
        if self.now < self.rounds and self.state in OWNERS:
            self.set_timer(Round(), after=self.round)

    def tell(self):
        """UPDATE to the successor, unless it is in doubt who that is."""
        if self.state == COORDINATOR and self.succ != self.me and self.busy is None and not self.telling:
            self.telling = self.known()
            self.send(Update(tuple(self.telling)), to=self.succ)
            self.set_timer(NoAck(), after=2 * self.delta)

    def tell_news(self):
        """UPDATE at once, if the successor was told something else last."""
        if self.state == COORDINATOR and self.told_succ != self.known():
            self.tell()

    @on(OWNERS, Alive)
    def lives(self, m, q):
        """A predecessor is alive."""
        self.alive.add(q)

    @on(OWNERS, Update)
    def told_predecessors(self, m, q):
        """The predecessor tells who the predecessors are.

        changes pred: The processes between {peer} and itself have been excluded, so {peer} is its predecessor now.
        sends Ack and sends Update: {peer} tells it its predecessors; what is new it passes on to its successor {succ}.
        sends Ack and changes L: {peer} tells it that its predecessors are others than before.
        sends Ack: Its predecessors are the same as before; it acknowledges that, so {peer} knows that it lives.
        nothing: {peer} is not its predecessor, so it does not answer.
        """
        if q == self.pred or q == self.coming:
            self.pred, self.L = q, self.cut(m.R)
            self.coming = None if q == self.coming else self.coming
            self.send(Ack("Update"), to=q)
            self.tell_news()

    @on(COORDINATOR, NoAck)
    def suspect(self):
        """The successor is silent: perhaps it is excluded now, perhaps after another try.

        notes: Its successor is silent, and it knows no process behind it, so it gives up its entry.
        becomes excluding: Its successor {succ} is silent, so it asks the process behind it, in order to exclude {succ}.
        changes telling: Its successor {succ} is silent, but gets another chance.
        nothing: Its successor has changed since, so it does not wait for this acknowledgement.
        """
        if self.telling and self.random.random() < self.p_exclude:
            self.state, self.between = EXCLUDING, []
            self.beyond = [(j, q) for j, q in self.behind(self.next) if q != self.succ]
            self.show()
            self.try_next()
        self.telling = []

    @on(EXCLUDING, NoAnswer)
    def try_next(self):
        """It asks the next process behind those that do not answer for its predecessors.

        sends Exclude: No answer has come in time, so it asks the next process on the ring for its predecessors.
        becomes member: No process behind its successor has answered, so it gives up its entry.
        """
        if self.beyond:
            self.send(Exclude(), to=self.beyond[0][1])
            self.set_timer(NoAnswer(), after=2 * self.delta)
            self.candidate, self.beyond = self.beyond[0], self.beyond[1:]
        else:
            self.disconnected()

    @on(OWNERS, Exclude)
    def between_us(self, m, q):
        """Somebody will be the predecessor, if it may exclude those between."""
        self.coming = q
        self.send(AckExclude(tuple(self.L)), to=q)

    @on(EXCLUDING, AckExclude)
    def found(self, m, q):
        """Here the ring goes on; it asks whether the entries between may be excluded.

        sends ReqCoord: The ring goes on at {peer}, so it asks whether the entries between may be excluded.
        sets Count: The ring goes on at {peer}, but it has no other process to ask about the exclusion.
        nothing: It has its answer already, or {peer} is not the process that it asked last.
        """
        if self.between or q != self.candidate[1]:
            return
        self.cancel_timer(NoAnswer)
        self.between = self.strictly(self.entry, self.candidate[0])
        self.lost = [(i, self.view[i]) for i in self.between if i in self.view]
        self.quorum, self.agreed = len(m.L) // 2 + 1, {self.me}
        self.forget(self.between)
        for s in sorted({*m.L, *self.told_succ} - {self.me}, key=natural):
            self.send(ReqCoord(self.entry, self.candidate[0]), to=s)
        self.set_timer(Count(), after=2 * self.delta)

    def forget(self, between):
        for i in between:
            self.blocked[i] = self.now + len(between) + 1
            self.owned(i, None, self.clock)

    @on(OWNERS, ReqCoord)
    def requested(self, m, q):
        """It agrees, unless it would be excluded itself.

        sends AckCoord: Its own entry is not concerned, so it agrees, and sends no Alive to those in question for now.
        otherwise: Its own entry would be excluded, so it does not agree.
        """
        between = self.strictly(m.after, m.before)
        if self.entry not in between:
            self.forget(between)
            self.send(AckCoord(), to=q)

    @on(EXCLUDING, AckCoord)
    def agrees(self, m, q):
        """One more agrees."""
        self.agreed.add(q)

    @on(EXCLUDING, Count)
    def count(self):
        """If enough agree it has a new successor, and is temporary for a while; otherwise it leaves.

        notes: Only {agreed:process agrees|processes agree}, itself included, but {quorum} are needed: it leaves.
        becomes temporary: Enough agree: {succ} is its successor now, and it is temporary for {temp:round|rounds}.
        becomes coordinator: Enough agree: {succ} is its successor now, and what was excluded can be granted at once.
        becomes leaving: Enough agree: {succ} is its successor now, and it may ask to leave.
        """
        if len(self.agreed) < self.quorum:
            self.disconnected()
            return
        self.next, self.succ = self.candidate
        self.temp = len(self.between) + (self.temp_rounds == "dist")
        self.excluded += len(self.lost)
        self.state, self.busy = TEMPORARY, None
        if self.temp <= 0:
            self.free()
        self.show()

    @on(TEMPORARY, Free)
    def free(self):
        """What was excluded can be granted: all who live there have left.

        always:
        """
        self.state, self.between = COORDINATOR, []
        for i, who in self.lost:
            self.announce("free", i, who)
        self.serve_next()
        self.show()

    # ------------------------------------------------------------------ what means nothing here

    @on((JOINING, *OWNERS), Join)
    @on(JOINING, Leave)
    def as_you_like(self):
        """It does so already."""

    @on((MEMBER, JOINING), (Alive, Update, SuccChanged, Ack, Exclude, ReqCoord))
    @on((MEMBER, JOINING, COORDINATOR, TEMPORARY, LEAVING), (AckExclude, AckCoord))
    @on((MEMBER, JOINING, EXCLUDING, TEMPORARY), Reject)
    def too_late(self, m, q):
        """That was for a coordinator, or for an exclusion that is over."""

    @on((MEMBER, JOINING), (Change, Round))
    @on(LEAVING, (Change, Leave))
    @on(MEMBER, Leave)
    @on((MEMBER, JOINING, EXCLUDING, TEMPORARY, LEAVING), NoAck)
    @on((MEMBER, JOINING, COORDINATOR, TEMPORARY, LEAVING), (NoAnswer, Count))
    @on((MEMBER, JOINING, COORDINATOR, EXCLUDING, LEAVING), Free)
    @on((MEMBER, EXCLUDING, TEMPORARY, LEAVING), Again)
    def nothing(self):
        """There is nothing to do for it."""

    def show(self):
        some = self.administered() if self.state in OWNERS else []
        self.span = f"{some[0]}" + (f"-{some[-1]}" if len(some) > 1 else "") if some else ""


def owners(c):
    """Those who own an entry: who leaves has none any more."""
    return [p for p in c.processes if p.state in (COORDINATOR, EXCLUDING, TEMPORARY) and not c.crashed(p)]


@always("nobody delivers an event that precedes what it delivered before, and none twice")
def causal(c):
    return not any(p.wrong for p in c.processes)


@always("what was delivered stays known: no entry of T falls back")
def never_back(c):
    return all(a >= b for p in c.processes for a, b in zip(p.T, p.past, strict=True))


@always("no entry has two owners who live")
def one_owner(c):
    own = [p.entry for p in owners(c)]
    return len(set(own)) == len(own)


@always("no entry is administered twice")
def disjoint(c):
    some = [i for p in owners(c) for i in p.administered()]
    return len(set(some)) == len(some)


@eventually("every entry is administered, unless somebody is being excluded or nobody coordinates")
def cover(c):
    here = owners(c)
    if not here or any(p.state != COORDINATOR for p in here):
        return True
    return len({i for p in here for i in p.administered()}) == here[0].entries


@eventually("somebody can change objects")
def core_lives(c):
    return bool(owners(c))


@at_end("in the end nothing waits")
def nothing_waits(c):
    return not any(p.H or p.R for p in c.processes if not c.crashed(p))


@measure("coordinators")
def coordinators(c):
    """How many coordinators there are in the end."""
    return len(owners(c))


@measure("gave up")
def gave_up(c):
    """How often a coordinator left because it heard from too few."""
    return sum(p.gave_up for p in c.processes)


@measure("excluded")
def excluded(c):
    """How many owners were excluded."""
    return sum(p.excluded for p in c.processes)


@measure("loss")
def loss(c):
    """The share of events that a process that lives does not deliver."""
    here, made = [p for p in c.processes if not c.crashed(p)], sum(p.made for p in c.processes)
    return 1 - sum(len(set(p.got)) for p in here) / (made * len(here)) if made and here else None
