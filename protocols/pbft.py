"""PBFT: a replicated service that tolerates lying replicas, and replaces a primary that lies or is silent.

All correct replicas execute the same requests in the same order, although up to f replicas are Byzantine.

The primary of a view gives each request a number.  A replica prepares the first request that it gets for a number; if
a quorum, more than (n + f)/2 replicas, has prepared it, no other request can have this number in this view.  The
replica then has a certificate, and commits.  With a quorum of commits, it executes the request: a quorum of replicas
then have certificates, and will carry the request into every later view.

Pseudo-code (v: the view; pool: the requests of the clients; each quorum counts the replica itself)::

    primary:                      send PrePrepare(v, number, x) to all, for each x in pool
    backup, PrePrepare(v, number, x) from the primary, the first one for number, x in pool:
                                  send Prepare(v, number, x) to all
    a quorum of Prepare(v, number, x), the PrePrepare included:
                                  keep them as a certificate for number; send Commit(v, number, x) to all
    a quorum of Commit(v, number, x):    execute x, when all smaller numbers are executed
    timeout, or f + 1 replicas have changed to higher views:
                                  v := v + 1 (the smallest of these); send ViewChange(v, my certificates) to all
    primary of v, a quorum of ViewChange(v):      send NewView(v, these messages) to all
    NewView(v, changes):          for each number up to the greatest in changes: as if PrePrepare(v, number, x) came,
                                  where x has the latest certificate for number, or is empty if there is none

A certificate, and a message that is passed on, is signed: it has a seal that depends on all of its contents, which a
liar that changes any of them cannot compute.  The sender of a message is known, so what q sends counts as signed by q.
The clients send their requests, r1, r2 ..., to all replicas at the beginning; each view is given more time than the one
before.  A replica that has executed all requests sends its log to one that asks for another view; f + 1 equal logs are
believed.  A replica takes part in at most ``views`` views, and accepts numbers up to twice that of the requests.
Checkpoints, which discard old numbers, are left out.

Needs a complete network with reliable FIFO links and names, and all processes as initiators; n > 3f for up to f
Byzantine replicas, and delays are bounded from some time on.
Complexity: 2n (n - 1) messages and three steps for each request, if the primary is correct.

Reference: M. Castro and B. Liskov, Practical Byzantine fault tolerance, OSDI 1999; M. Castro and B. Liskov, Practical
Byzantine fault tolerance and proactive recovery, ACM Transactions on Computer Systems 20 (2002).
"""

from lydian import (
    ANY,
    INIT,
    LIARS,
    Message,
    Process,
    Timer,
    always,
    at_end,
    at_most,
    bounded_delay,
    complete,
    everybody_starts,
    fifo,
    named,
    natural,
    need,
    on,
    parameter,
    reliable,
    states,
)
from lydian.circle import fnv1a, mixed

IDLE, BACKUP, PRIMARY, CHANGING = states(
    "idle", "backup", "primary", "changing",
    reads={
        "idle": "is idle",
        "backup": "is a backup",
        "primary": "is the primary",
        "changing": "is changing to another view",
    },
)


class PrePrepare(Message):
    """The primary of view v gives request x this number."""

    v: int
    number: int
    x: str


class Prepare(Message):
    """'In view v, I have accepted x for this number, and will accept nothing else.'"""

    v: int
    number: int
    x: str


class Commit(Message):
    """'A quorum has prepared x for this number in view v.'"""

    v: int
    number: int
    x: str


class Certificate(Message):
    """The proof that a quorum has prepared x for this number in view v; part of a ViewChange."""

    number: int
    v: int
    x: str
    signers: tuple[str, ...]
    seal: int


class ViewChange(Message):
    """A replica changes to view v; its certificates, and the seal under which the message is passed on."""

    v: int
    sender: str
    certificates: tuple[Certificate, ...]
    seal: int = 0


class NewView(Message):
    """The primary begins view v, and justifies it by the changes of a quorum."""

    v: int
    changes: tuple[ViewChange, ...]


class State(Message):
    """All requests that the sender has executed."""

    log: tuple[str, ...]


class Silence(Timer):
    """The end of the time that a view is given for the next request."""


def sealed(*contents):
    """Return the number that proves these contents."""
    return mixed(fnv1a(repr(contents)))


def sealed_change(v, sender, certificates):
    """Return the number that proves that the sender has sent this ViewChange."""
    return sealed(v, sender, *((each.number, each.v, each.x, each.seal) for each in certificates))


@need("four processes", "there are at least four processes")
def four(network):
    return None if network.n >= 4 else "one liar needs at least four processes, for example complete:4"


class PBFT(Process):
    title = "PBFT"
    needs = (
        complete, named, everybody_starts, four, reliable, fifo, at_most("f", LIARS, given="n > 3*f"), bounded_delay,
    )  # fmt: skip
    messages = "2*requests*n*(n - 1)"

    state = IDLE
    v: int = 0  # my view
    primary: str | None = None  # of my view
    pool: list[str] = []  # the requests of the clients
    accepted: dict[tuple[int, int], str] = {}  # view and number -> the request that I have accepted
    prepares: dict[tuple[int, int, str], set[str]] = {}  # view, number and request -> who has prepared it
    commits: dict[tuple[int, int, str], set[str]] = {}  # view, number and request -> who has committed it
    certificates: dict[int, Certificate] = {}  # number -> my latest certificate
    committed: dict[int, str] = {}  # number -> the request that a quorum has committed
    done: int = 0  # all numbers up to this one are executed
    log: list[str] = []  # the requests that I have executed, in order
    changes: dict[int, dict[str, ViewChange]] = {}  # view -> process -> its change to this view
    logs: dict[str, tuple[str, ...]] = {}  # process -> what it has executed

    f = parameter(1, minimum=0, help="how many replicas may be Byzantine; fewer than a third")
    requests = parameter(2, minimum=1, maximum=9, help="how many requests the clients make")
    timeout = parameter(8.0, minimum=0.0, help="how long view 0 may take for a request; view k has k + 1 times as long")
    views = parameter(
        12, minimum=1, help="the largest number of views in which a replica takes part",
        reached=lambda p: p.v + 1 >= p.views and len(p.log) < p.requests,
    )

    @on(IDLE, INIT)
    def start(self):
        """It has the requests of the clients, and begins in view 0.

        sends PrePrepare: It is the primary of view 0: it numbers the requests and sends them to all.
        otherwise: It is a backup in view 0.
        """
        self.wake()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on(ANY, PrePrepare)
    def order(self, m, q):
        """It accepts the first request that the primary of its view gives this number.

        sends Prepare: It accepts this request for this number, and tells all others.
        otherwise: It ignores the message: its view, sender, number or request is not acceptable.
        """
        if self.state == IDLE:
            self.wake()
        known = m.x in self.pool and 1 <= m.number <= 2 * len(self.pool)  # or a liar could waste numbers for ever
        if self.state == BACKUP and (m.v, q) == (self.v, self.primary) and known:
            self.accept(m.number, m.x)

    @on(ANY, Prepare)
    def prepared(self, m, q):
        """It counts a replica that has prepared a request.

        sends Commit: A quorum has prepared the request: it has a certificate, and commits.
        otherwise: It counts {peer} among those that have prepared the request.
        """
        self.prepares.setdefault((m.v, m.number, m.x), set()).add(q)
        self.certify(m.v, m.number, m.x)

    @on(ANY, Commit)
    def count(self, m, q):
        """It counts a replica that has committed a request, and executes what a quorum has committed.

        delivers: A quorum has committed the request: it executes it.
        otherwise: It counts {peer} among those that have committed the request.
        """
        self.commits.setdefault((m.v, m.number, m.x), set()).add(q)
        self.execute(m.v, m.number, m.x)

    @on(ANY, Silence)
    def suspect(self):
        """It has waited too long, and changes to the next view.

        sends: It has waited too long: it changes to view {v}, and sends its certificates to all.
        otherwise: It has taken part in as many views as it may.
        """
        self.change(self.v + 1)

    @on(ANY, ViewChange)
    def join(self, m, q):
        """It notes that a replica changes to another view, and joins if f + 1 replicas do.

        becomes primary: A quorum changes to view {v}: it is the primary, and begins the view.
        becomes changing: At least f + 1 replicas change to higher views: it joins them.
        sends State: It has executed all requests, and sends its log instead.
        otherwise: It notes that {peer} changes to another view, or ignores a message that is not sound.
        """
        if m.sender != q or not self.sound(m.v, m.certificates):
            return
        seal = sealed_change(m.v, q, m.certificates)
        self.changes.setdefault(m.v, {})[q] = ViewChange(m.v, q, m.certificates, seal)
        higher = {r: v for v in sorted(self.changes, reverse=True) if v > self.v for r in self.changes[v]}
        if len(higher) > self.f:
            self.change(min(higher.values()))
        elif len(self.log) == len(self.pool):
            self.send(State(tuple(self.log)), to=q)
        self.begin_view()

    @on(ANY, NewView)
    def follow(self, m, q):
        """It verifies the changes on which the new view is based, and enters it.

        sends Prepare: The changes are sound: it enters view {v}, and prepares what their certificates prove.
        becomes backup: The changes are sound: it enters view {v}.
        otherwise: It ignores the message: it is not sound, or of an earlier view.
        """
        new = m.v > self.v or (m.v == self.v and self.state == CHANGING)
        senders = {each.sender for each in m.changes}
        if new and q == self.primary_of(m.v) and self.quorum(senders) and all(
            each.v == m.v
            and self.sound(m.v, each.certificates)
            and each.seal == sealed_change(each.v, each.sender, each.certificates)
            for each in m.changes
        ):
            self.enter(m.v, m.changes)

    @on(ANY, State)
    def catch_up(self, m, q):
        """It executes a request if f + 1 replicas say that they have executed it after the same requests.

        delivers: At least f + 1 logs go on in the same way: it executes what they contain.
        otherwise: It notes what {peer} has executed.
        """
        self.logs[q] = m.log
        while True:
            at = len(self.log)
            said = [log[at] for log in self.logs.values() if len(log) > at and list(log[:at]) == self.log]
            x = next((each for each in said if said.count(each) > self.f), None)
            if x is None or x in self.log or x not in self.pool:
                return
            self.run(x)

    @on(ANY, Certificate)
    def alone(self, m, q):
        """It ignores a certificate that is not part of a ViewChange, which only a liar sends."""

    def wake(self):
        self.pool = [f"r{k + 1}" for k in range(self.requests)]
        self.enter(0, ())

    def enter(self, v, changes):
        self.v = v
        self.primary = self.primary_of(v)
        self.state = PRIMARY if self.primary == self.me else BACKUP
        self.wait()
        latest = {}
        for each in sorted((each for change in changes for each in change.certificates), key=lambda each: each.v):
            latest[each.number] = each.x
        top = max(latest, default=0)
        for number in range(1, top + 1):
            self.accept(number, latest.get(number, ""))
        if self.state == PRIMARY:
            for x in self.pool:
                if x not in latest.values():
                    top += 1
                    self.send_all(PrePrepare(v, top, x))
                    self.accept(top, x)

    def accept(self, number, x):
        if (self.v, number) not in self.accepted:
            self.accepted[self.v, number] = x
            self.prepares.setdefault((self.v, number, x), set()).update((self.me, self.primary))
            if self.state == BACKUP:
                self.send_all(Prepare(self.v, number, x))
            self.certify(self.v, number, x)

    def certify(self, v, number, x):
        mine = self.commits.setdefault((v, number, x), set())
        signers = self.prepares.get((v, number, x), set())
        current = v == self.v and self.state != CHANGING and self.accepted.get((v, number)) == x
        if current and self.quorum(signers) and self.me not in mine:
            names = tuple(sorted(signers, key=natural))
            self.certificates[number] = Certificate(number, v, x, names, sealed(number, v, x, names))
            mine.add(self.me)
            self.send_all(Commit(v, number, x))
            self.execute(v, number, x)

    def execute(self, v, number, x):
        if self.quorum(self.commits.get((v, number, x), ())):
            self.committed.setdefault(number, x)
            while self.done + 1 in self.committed:
                self.done += 1
                self.run(self.committed[self.done])

    def run(self, x):
        if x in self.pool and x not in self.log:
            self.log.append(x)
            self.deliver(x)
            self.wait()

    def wait(self):
        self.cancel_timer(Silence)
        if len(self.log) < len(self.pool):
            self.set_timer(Silence(), after=self.timeout * (self.v + 1))

    def change(self, v):
        if v < self.views:
            self.v = v
            self.state = CHANGING
            self.primary = self.primary_of(v)
            self.wait()
            mine = tuple(self.certificates[number] for number in sorted(self.certificates))
            self.changes.setdefault(v, {})[self.me] = ViewChange(v, self.me, mine, sealed_change(v, self.me, mine))
            self.send_all(ViewChange(v, self.me, mine))
            self.begin_view()

    def begin_view(self):
        changes = self.changes.get(self.v, {})
        if self.state == CHANGING and self.primary == self.me and self.quorum(changes):
            chosen = tuple(changes[q] for q in sorted(changes, key=natural))
            self.send_all(NewView(self.v, chosen))
            self.enter(self.v, chosen)

    def sound(self, v, certificates):
        return all(
            each.v < v
            and self.quorum(set(each.signers))
            and each.seal == sealed(each.number, each.v, each.x, each.signers)
            for each in certificates
        )

    def quorum(self, some):
        return 2 * len(some) > len(self.neighbours) + 1 + self.f

    def primary_of(self, v):
        everybody = sorted((self.me, *self.neighbours), key=natural)
        return everybody[v % len(everybody)]

    def send_all(self, m):
        for q in self.neighbours:
            self.send(m, to=q)


@always("order: all correct replicas execute the same requests in the same order")
def same_order(c):
    longest = max((c.delivered[p] for p in c.correct), key=len, default=())
    return all(c.delivered[p] == longest[: len(c.delivered[p])] for p in c.correct)


@always("integrity: a request is executed at most once, and only if a client has made it")
def integrity(c):
    said = [(p, c.delivered[p]) for p in c.correct]
    return all(len(set(each)) == len(each) and set(each) <= set(p.pool) for p, each in said)


@always("certificates: in a view, correct replicas have no certificates for different requests with the same number")
def one_certificate(c):
    found = {(each.v, each.number, each.x) for p in c.correct for each in p.certificates.values()}
    return len({(v, number) for v, number, _ in found}) == len(found)


@at_end("progress: all correct replicas have executed all requests")
def progress(c):
    return all(len(c.delivered[p]) == p.requests for p in c.correct)
