"""Viewstamped Replication: a primary orders the requests, and a majority replaces it if it crashes.

All replicas execute the same requests in the same order, and a request that was executed is never lost.

The views have numbers, and the primary of a view is determined by its number.  In the normal case, the primary appends
requests to its log and sends them to the backups; a request is committed when a majority has it.  When backups have
waited too long, they change to the next view: its primary takes the best log of a majority, and goes on with it.

Pseudo-code (v: the view; log: numbered requests; last: the latest view in which the replica was normal)::

    primary:             append each request x that is not in the log; send Prepare(v, number, x) to all
    backup, Prepare:     append x; send PrepareOk(v, number)
    primary, PrepareOk:  with a majority, itself included: commit up to number; send Commit(v, number) to all
    backup, Commit:      commit up to number
    backup, timeout:     v := v + 1; changing; send StartViewChange(v) to all
    StartViewChange(w):  if w > v: v := w; changing; send StartViewChange(v) to all
                         with a majority for v: send DoViewChange(v, last, log, commit) to the primary of v
    primary of v, DoViewChange(v) of a majority:
                         log := that with the greatest (last, length); commit := the greatest; normal, last := v;
                         send StartView(v, log, commit) to all; append the requests that are missing
    StartView(w, ...):   v := w; log := it; normal, last := w; send PrepareOk(v, length of the log); commit

The clients send their requests, r1, r2 ..., to all replicas at the beginning; a backup waits for its primary as long
as it has not executed them all.  Each view is given more time than the one before.  A replica takes part in at most
``views`` views, so that a run ends.  Crashed replicas do not recover here, and links are reliable and FIFO, so that the
recovery and the state transfer of the paper are not needed.

Needs a complete network with reliable FIFO links and names, and all processes as initiators; fewer than half of the
processes crash, and delays are bounded from some time on.
Complexity: 3 (n - 1) messages and two steps for each request; n (n - 1) + 2 (n - 1) for a change of the view.

Reference: B. Oki and B. Liskov, Viewstamped replication: a new primary copy method to support highly-available
distributed systems, PODC 1988; B. Liskov and J. Cowling, Viewstamped replication revisited, MIT-CSAIL-TR-2012-021.
"""

from lydian import (
    ANY,
    CRASHES,
    INIT,
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
    on,
    parameter,
    reliable,
    states,
)

IDLE, BACKUP, PRIMARY, CHANGING = states(
    "idle", "backup", "primary", "changing",
    reads={
        "idle": "is idle",
        "backup": "is a backup",
        "primary": "is the primary",
        "changing": "is changing to another view",
    },
)


class Prepare(Message):
    """The primary of view v gives request x this number."""

    v: int
    number: int
    x: str


class PrepareOk(Message):
    """'My log contains all requests of view v up to this number.'"""

    v: int
    number: int


class Commit(Message):
    """All requests up to this number are committed."""

    v: int
    number: int


class StartViewChange(Message):
    """'I have waited too long, and change to view v.'"""

    v: int


class DoViewChange(Message):
    """The state of a replica, for the primary of view v."""

    v: int
    last: int
    log: tuple[str, ...]
    commit: int


class StartView(Message):
    """View v begins with this log."""

    v: int
    log: tuple[str, ...]
    commit: int


class Silence(Timer):
    """The end of the time that a view is given for the next request."""


class ViewstampedReplication(Process):
    title = "Viewstamped Replication"
    needs = (
        complete, named, everybody_starts, reliable, fifo, at_most("(n - 1) // 2", CRASHES), bounded_delay,
    )  # fmt: skip
    messages = "3*requests*(n - 1)"

    state = IDLE
    v: int = 0  # my view
    last: int = 0  # the latest view in which I was normal
    primary: str | None = None  # of my view
    log: list[str] = []  # the requests, in order
    commit: int = 0  # how many of them are committed, as far as I know
    oks: dict[str, int] = {}  # primary: process -> the number up to which its log agrees with mine
    changing: dict[int, set[str]] = {}  # view -> the processes that change to it
    states_of: dict[int, dict[str, tuple[int, tuple[str, ...], int]]] = {}  # view -> process -> last, log, commit
    sent_state: int = 0  # the latest view whose primary has my state

    requests = parameter(3, minimum=1, maximum=20, help="how many requests the clients make")
    timeout = parameter(8.0, minimum=0.0, help="how long view 0 may take for a request; view k has k + 1 times as long")
    views = parameter(
        10, minimum=1, help="the largest number of views in which a replica takes part",
        reached=lambda p: p.v + 1 >= p.views and p.commit < p.requests,
    )

    @on(IDLE, INIT)
    def start(self):
        """It has the requests of the clients, and begins in view 0.

        sends Prepare: It is the primary of view 0: it numbers the requests and sends them to all.
        otherwise: It is a backup in view 0.
        """
        self.enter(0)
        self.number_requests()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on(ANY, Prepare)
    def prepare(self, m, q):
        """It appends a request of its primary to its log.

        sends PrepareOk: It appends the request, and confirms this.
        otherwise: It ignores the request, which is of another view than its own, or does not follow its log.
        """
        if self.state == IDLE:
            self.enter(0)
        if self.state == BACKUP and m.v == self.v and m.number == len(self.log) + 1:
            self.log.append(m.x)
            self.send(PrepareOk(self.v, m.number), to=q)

    @on(ANY, PrepareOk)
    def count(self, m, q):
        """It counts how many logs contain a request, and commits what a majority has.

        sends Commit: A majority has the requests up to {commit}: they are committed.
        otherwise: It notes how far the log of {peer} agrees with its own.
        """
        if self.state == PRIMARY and m.v == self.v:
            self.oks[q] = max(self.oks.get(q, 0), m.number)
            most = sorted([len(self.log), *(self.oks.get(r, 0) for r in self.neighbours)], reverse=True)
            agreed = most[(len(self.neighbours) + 1) // 2]
            if agreed > self.commit:
                self.execute(agreed)
                for r in self.neighbours:
                    self.send(Commit(self.v, self.commit), to=r)

    @on(ANY, Commit)
    def committed(self, m, q):
        """It learns that requests are committed, and executes them.

        delivers: It learns that requests are committed, and executes them.
        otherwise: The message is of another view, or contains nothing new.
        """
        if self.state == BACKUP and m.v == self.v:
            self.execute(min(m.number, len(self.log)))

    @on(ANY, Silence)
    def suspect(self):
        """It has waited too long for its primary, and changes to the next view.

        sends: It has waited too long: it changes to view {v}, and tells all others.
        otherwise: It has taken part in as many views as it may.
        """
        if self.v + 1 < self.views:
            self.change(self.v + 1)

    @on(ANY, StartViewChange)
    def join(self, m, q):
        """It joins a change to a higher view; once a majority does, it sends its state to the new primary.

        becomes primary: A majority has sent its state: it is the primary of view {v}, and begins the view.
        sends DoViewChange: A majority changes to view {v}: it sends its state to the new primary.
        becomes changing: It joins the change to view {v}.
        otherwise: It notes that {peer} changes to another view.
        """
        if m.v > self.v:
            self.change(m.v)
        self.changing.setdefault(m.v, set()).add(q)
        self.send_state()

    @on(ANY, DoViewChange)
    def collect(self, m, q):
        """It stores the state of a replica; with those of a majority it begins its view.

        becomes primary: It has the states of a majority: it takes the best log, and begins view {v}.
        otherwise: It stores the state of {peer}.
        """
        if m.v > self.v:
            self.change(m.v)
        self.states_of.setdefault(m.v, {})[q] = (m.last, m.log, m.commit)
        self.begin_view()

    @on(ANY, StartView)
    def follow(self, m, q):
        """It takes the log of the new primary.

        sends PrepareOk: View {v} begins: it takes the log of its primary, {peer}.
        otherwise: It is already in a higher view.
        """
        if m.v > self.v or (m.v == self.v and self.state == CHANGING):
            self.log = list(m.log)
            self.enter(m.v)
            self.send(PrepareOk(self.v, len(self.log)), to=q)
            self.execute(m.commit)

    def enter(self, v):
        self.v = self.last = v
        self.primary = self.primary_of(v)
        self.state = PRIMARY if self.primary == self.me else BACKUP
        self.oks = {}
        self.wait()

    def number_requests(self):
        if self.state == PRIMARY:
            for k in range(self.requests):
                x = f"r{k + 1}"
                if x not in self.log:
                    self.log.append(x)
                    for r in self.neighbours:
                        self.send(Prepare(self.v, len(self.log), x), to=r)

    def execute(self, up_to):
        while self.commit < up_to:
            self.deliver(self.log[self.commit])
            self.commit += 1
            self.wait()

    def wait(self):
        self.cancel_timer(Silence)
        if self.commit < self.requests and self.state != PRIMARY:
            self.set_timer(Silence(), after=self.timeout * (self.v + 1))

    def change(self, v):
        self.v = v
        self.state = CHANGING
        self.primary = self.primary_of(v)
        self.wait()
        self.changing.setdefault(v, set()).add(self.me)
        for r in self.neighbours:
            self.send(StartViewChange(v), to=r)
        self.send_state()

    def send_state(self):
        if self.state == CHANGING and self.majority(self.changing[self.v]) and self.sent_state < self.v:
            self.sent_state = self.v
            if self.primary == self.me:
                self.states_of.setdefault(self.v, {})[self.me] = (self.last, tuple(self.log), self.commit)
                self.begin_view()
            else:
                self.send(DoViewChange(self.v, self.last, tuple(self.log), self.commit), to=self.primary)

    def begin_view(self):
        known = self.states_of.get(self.v, {})
        if self.state == CHANGING and self.me in known and self.majority(known):
            _, _, log = max((last, len(log), log) for last, log, _ in known.values())
            self.log = list(log)
            self.enter(self.v)
            commit = max(commit for _, _, commit in known.values())
            for r in self.neighbours:
                self.send(StartView(self.v, log, commit), to=r)
            self.execute(commit)
            self.number_requests()

    def primary_of(self, v):
        everybody = sorted((self.me, *self.neighbours), key=natural)
        return everybody[v % len(everybody)]

    def majority(self, some):
        return 2 * len(some) > len(self.neighbours) + 1


@always("order: all replicas execute the same requests in the same order")
def order(c):
    longest = max(c.delivered.values(), key=len)
    return all(said == longest[: len(said)] for said in c.delivered.values())


@always("durability: a majority has each request that any replica has executed, at the same place")
def durability(c):
    return all(
        2 * sum(q.log[: len(said)] == list(said) for q in c.processes) > c.n for said in c.delivered.values() if said
    )


@always("a view has at most one primary, and of the logs of two normal replicas in it, one is a prefix of the other")
def one_log(c):
    normal = [p for p in c.processes if p.state in (BACKUP, PRIMARY)]
    return all(
        p.v != q.v or (p.log[: len(q.log)] == q.log[: len(p.log)] and (p.state, q.state) != (PRIMARY, PRIMARY))
        for p in normal
        for q in normal
        if p is not q
    )


@at_end("progress: all correct replicas have executed all requests")
def progress(c):
    return all(len(c.delivered[p]) == p.requests for p in c.correct)
