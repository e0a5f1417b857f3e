"""The ring of coordinators: joining, leaving, and the owners of entries."""

from lydian import on

from .member import Member, maximum
from .messages import (
    COORDINATOR,
    EXCLUDING,
    JOINING,
    LEAVING,
    MEMBER,
    OWNERS,
    TEMPORARY,
    Ack,
    AckCjoin,
    Again,
    Alive,
    Cjoin,
    Cleave,
    Count,
    Free,
    Join,
    Leave,
    NoAck,
    NoAnswer,
    Reject,
    Round,
    SuccChanged,
)


class Ring(Member):
    """The ring and the owners of its entries."""

    def known(self):
        """Return itself and its 2k nearest predecessors."""
        return [self.me, *self.L][: 2 * self.k + 1]

    def cut(self, some):
        """Return at most 2k+1 predecessors, and none behind itself if the core is small."""
        some = list(some)[: 2 * self.k + 1]
        return some[: some.index(self.me)] if self.me in some else some

    def behind(self, i):
        """Return the owners on the ring behind entry i, nearest first, without itself: (entry, name)."""
        ring = sorted(self.view, key=lambda j: (j - i - 1) % self.entries)
        return [(j, self.view[j]) for j in ring if self.view[j] != self.me]

    def strictly(self, i, j):
        """Return the entries strictly between i and j; all but i if they are equal."""
        return [(i + d) % self.entries for d in range(1, (j - i - 1) % self.entries + 1)]

    def administered(self):
        """Return S_p: its own entry and the free ones up to the successor; only its own while it is temporary."""
        if self.state in (EXCLUDING, TEMPORARY):
            return [self.entry]
        return [self.entry, *self.strictly(self.entry, self.next)]

    def learn(self, kind, i, who, stamp):
        """Handle news of PrCast about the owner of an entry."""
        if stamp >= self.since.get(i, 0.0):
            if kind == "free" and self.view.get(i) == who:
                self.owned(i, None, stamp)
            elif kind == "own" and self.blocked.get(i, 0) <= self.now:
                self.owned(i, who, stamp)

    def owned(self, i, who, since):
        """Record the owner of an entry, or none, since the given time."""
        self.view.pop(i, None)
        if who is not None:
            self.view[i] = who
        self.since[i] = since
        self.look()

    def look(self):
        """Send ALIVE at once to each process that is newly among the next 2k+1 successors."""
        if self.state in OWNERS:
            before, self.near = self.near, [q for _, q in self.behind(self.entry)[: 2 * self.k + 1]]
            for q in self.near:
                if q not in before:
                    self.send(Alive(), to=q)

    def announce(self, kind, i, who, stamp=None):
        self.prcast((kind, i, who, self.clock if stamp is None else stamp))

    @on(MEMBER, Join)
    def join(self):
        """It asks any coordinator that it knows for an entry.

        sends Cjoin: It asks any coordinator that it knows for an entry.
        otherwise: It wants an entry, but knows no coordinator to ask.
        """
        self.state = JOINING
        self.ask()

    @on(JOINING, Again)
    def ask(self):
        """It asks any coordinator that it knows for an entry, and repeats the request if it gets none.

        sends Cjoin and sets Again: It asks a coordinator that it knows for an entry, and again if it gets none.
        sends Cjoin: It asks a coordinator that it knows for an entry; the rounds are over, so it will not ask again.
        sets Again: It knows no coordinator to ask, so it will try again later.
        otherwise: It knows no coordinator to ask, and the rounds are over.
        """
        some = [q for _, q in self.behind(0)]
        if some:
            self.send(Cjoin(self.me), to=self.random.choice(some))
        if self.clock < self.round * self.rounds:
            self.set_timer(Again(), after=self.round * (1 + self.random.random()))

    @on((COORDINATOR, EXCLUDING, TEMPORARY), Cjoin)
    def wanted(self, m, q):
        """Another process requests an entry: it chooses a free one, whose administrator serves the request.

        sends AckCjoin: It administers a free entry, {next}: it grants that to {succ}, now its successor.
        sends Cjoin: Another coordinator administers the free entry that it chose, so it forwards the request.
        sends Reject: It knows no free entry, or the process seems to own one already, so it refuses.
        while coordinator and changes queue: The last change is not complete, so this request must wait.
        changes queue: It serves no request until the exclusion is over, so this one must wait.
        nothing: This is its own request, returned to it; it has an entry by now.
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
        """It administers no entry, or will soon administer none.

        always:
        """
        self.refuse(m.who, m)

    def refuse(self, who, m):
        if who != self.me:  # its own request, which returned to it after it got an entry
            self.send(Reject("Cleave" if isinstance(m, Cleave) else "Cjoin"), to=who)

    def serve(self, who, m):
        """Serve requests one after the other."""
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
        """Grant an entry that it administers; the new owner becomes its successor."""
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

    @on(JOINING, AckCjoin)
    def granted(self, m, q):
        """It now owns an entry, and has a place on the ring.

        always: Process {peer} grants it entry {entry}: it is a coordinator now, and its successor is {succ}.
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

    @on((MEMBER, *OWNERS), AckCjoin)
    def no_more(self, m, q):
        """It already has an entry."""
        self.send(Reject("AckCjoin"), to=q)

    @on(OWNERS, SuccChanged)
    def new_predecessor(self, m, q):
        """It has a new predecessor; it acknowledges that to the new one and the old one.

        while leaving and sends Cleave: Process {peer} is its predecessor now, so it asks {peer} to let it leave.
        sends Cleave: Process {peer} is its predecessor now; nothing else keeps it, so it asks {peer} to let it leave.
        stays and changes pred: Process {peer} is its predecessor now; it acknowledges that, which completes the change.
        stays: Process {peer} is still its predecessor, so it sends {peer} an acknowledgement.
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
        """Serve the next request: r has acknowledged."""
        if self.busy == q:
            self.busy = None
            self.serve_next()
            self.tell_news()

    @on(OWNERS, Ack)
    def acknowledged(self, m, q):
        """It receives an acknowledgement.

        says of=Update and sends Update: The predecessors have changed since its last report, so it sends another.
        says of=Update and changes telling: Its successor {peer} lives, and knows its predecessors now.
        while leaving and becomes member: It has all the acknowledgements that it needs, so it returns its entry.
        becomes member: The last change is complete, and it is alone on the ring, so it leaves at once.
        while leaving and changes acks: It must wait: {acks:acknowledgement is|acknowledgements are} still missing.
        sends Cleave: The last change is complete, so it can ask its predecessor {pred} to let it leave.
        sends AckCjoin: The last change is complete, so it serves the next request: process {succ} gets entry {next}.
        sends Ack: The last change is complete, so it serves the next request: its successor leaves, and {succ} follows.
        sends Reject: The last change is complete, so it turns to the next request, which it refuses.
        sends Update: The last change is complete, so it reports the predecessors to {succ}.
        changes busy: The last change is complete: it no longer waits for {peer}.
        nothing: It no longer waits for this acknowledgement.
        """
        if m.of == "Update":
            if q == self.succ and self.telling:
                self.told_succ, self.telling = self.telling, []
                self.cancel_timer(NoAck)
                self.tell_news()
            return
        leaving = self.state == LEAVING  # completing a change may start the leave, with acknowledgements to come
        self.settled(q)
        if leaving:
            self.acks.discard(q)
            if not self.acks:
                self.out()

    @on(COORDINATOR, Leave)
    def leave(self):
        """It wants to leave, and will do so when the current request is complete.

        always:
        """
        self.going = True
        self.serve_next()

    @on((EXCLUDING, TEMPORARY), Leave)
    def leave_later(self):
        """It will leave when the exclusion is over."""
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
        """The successor requests to leave.

        always:
        """
        self.serve(q, m)

    def release(self, x, m):
        """Release the successor: its entries are administered here from now on."""
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

    @on((MEMBER, JOINING, LEAVING), Cleave)
    def leaving_too(self, m, q):
        """It is leaving itself, so it cannot serve the request."""
        self.send(Reject("Cleave"), to=q)

    @on(LEAVING, Reject)
    def stay(self, m, q):
        """The predecessor refuses: it stays for now, and will ask again later.

        becomes coordinator: Its predecessor {peer} refuses to let it leave, so it stays and will ask again later.
        otherwise: This refusal is not its predecessor's answer to its request to leave, so it keeps waiting.
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
        """It reclaims an entry that was granted and rejected.

        sends AckCjoin: Process {peer} rejects the entry, so it serves the next request: {succ} gets entry {next}.
        changes succ or next or busy: Process {peer} rejects the entry that it was granted, so it takes the entry back.
        nothing: This refusal is about a request that is over, so it changes nothing.
        """
        if m.of == "AckCjoin" and q == self.succ and self.busy is not None:
            self.owned(self.next, None, self.clock)
            self.succ, self.next = self.before
            self.busy = None
            self.serve_next()

    def out(self):
        """It is a plain member again, and announces that its entry is free."""
        self.announce("free", self.entry, self.me, self.departed if self.state == LEAVING else None)
        for who, m in self.queue:
            self.refuse(who, m)
        for timer in (Round, NoAck, NoAnswer, Count, Free, Again):
            self.cancel_timer(timer)
        self.owned(self.entry, None, self.clock)
        self.state, self.entry, self.next, self.succ, self.pred = MEMBER, None, None, None, None
        self.L, self.told_succ, self.telling, self.queue, self.between = [], [], [], [], []
        self.busy, self.going, self.temp, self.acks = None, False, 0, set()
