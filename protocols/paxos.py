"""Paxos: a majority chooses one value, whichever processes propose and whichever fail.

Proposers propose, acceptors accept, learners learn; a value is chosen once a majority of the acceptors has accepted it
in the same ballot.

A proposer first asks for promises to ignore lower ballots.  From the promises of a majority it learns which value may
already have been chosen: the one accepted in the highest ballot among them, which it must propose instead of its own.

Pseudo-code (Synod; ballots b: pairs of a round and a name, compared in this order; promised and accepted are stable)::

    proposer, INIT or timeout:       b := (a higher round than any seen, my name); send Prepare(b) to all acceptors
    acceptor, Prepare(b) from p:     if b > promised: promised := b; send Promise(b, accepted) to p
                                     else send Reject(promised) to p
    proposer, Promise(b, accepted) of a majority:
                                     v := the value accepted in the highest ballot among them, my own if there is none
                                     send Accept(b, v) to all acceptors
    acceptor, Accept(b, v) from p:   if b >= promised: promised := b; accepted := (b, v); send Accepted(b, v) to all
                                     else send Reject(promised) to p
    proposer, Reject:                give the ballot up; try again after some time
    learner, Accepted(b, v) of a majority:   v is chosen

Needs a complete network with names, two-way links and at least one initiator.  Each initiator is a proposer; the first
``acceptors`` processes in the order of names are acceptors (all, if it is 0); each process is a learner.  Links may
lose, duplicate and reorder messages, and processes may crash and recover if they keep their variables.  Reject is a
practical addition; a message from a process to itself is handled immediately; a proposer gives up after ``attempts``
ballots, so that a run ends.
Complexity: (n - 1)(n + 3) messages and three time units if one process proposes and all are acceptors; without bound if
proposers outbid each other for ever, which random waiting times (``backoff``) prevent.

Reference: L. Lamport, The part-time parliament, ACM Transactions on Computer Systems 16 (1998); Paxos made simple,
SIGACT News 32 (2001), section 2.
"""

from lydian import (
    ANY,
    DOWN,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_most,
    complete,
    eventually,
    named,
    natural,
    on,
    parameter,
    some_initiator,
    states,
    two_way,
)

LISTENING, PREPARING, PROPOSING, OUTBID, LEARNED = states(
    "listening", "preparing", "proposing", "outbid", "learned",
    reads={
        "preparing": "is waiting for promises",
        "proposing": "is proposing a value",
        "learned": "knows the chosen value",
    },
)
NEVER = (0, "")  # lower than every ballot


class Prepare(Message):
    """'Promise to ignore lower ballots than b; what have you accepted?'"""

    b: tuple[int, str]


class Promise(Message):
    """'I promise; I last accepted this value, in this ballot.'"""

    b: tuple[int, str]
    ballot: tuple[int, str]
    value: str | None


class Accept(Message):
    """'Accept this value in ballot b.'"""

    b: tuple[int, str]
    value: str


class Accepted(Message):
    """'I have accepted this value in ballot b.'"""

    b: tuple[int, str]
    value: str


class Reject(Message):
    """'I have promised a higher ballot than b.'"""

    b: tuple[int, str]
    promised: tuple[int, str]


class Retry(Timer):
    """The time at which a proposer begins a new ballot."""


class Paxos(Process):
    needs = complete, two_way, named, some_initiator, at_most("(n - 1) // 2", DOWN)
    messages = "<= attempts*n*(n - 1)*(n + 3)"

    state = LISTENING
    promised: tuple[int, str] = NEVER  # acceptor: I ignore lower ballots
    ballot: tuple[int, str] = NEVER  # acceptor: the ballot in which I last accepted
    value: str | None = None  # acceptor: the value that I last accepted
    round: int = 0  # the highest round that I have seen
    b: tuple[int, str] = NEVER  # proposer: my ballot
    promises: set[str] = set()  # proposer: processes that have promised
    highest: tuple[int, str] = NEVER  # proposer: the highest ballot in which one of these has accepted a value
    proposal: str | None = None  # proposer: this value, or my own
    tried: int = 0  # proposer: how many ballots I have begun
    seen: dict[tuple[int, str], set[str]] = {}  # learner: ballot -> processes that have accepted in it
    learned: str | None = None  # learner: the value that was chosen

    acceptors = parameter(0, minimum=0, help="how many processes are acceptors, the first by name; 0: all")
    timeout = parameter(8.0, minimum=0.0, help="how long a proposer waits before it tries a higher ballot")
    backoff = parameter(12.0, minimum=0.0, help="upper bound of the random time that it waits in addition")
    attempts = parameter(
        20, minimum=1, help="the largest number of ballots that a proposer begins",
        reached=lambda p: p.tried >= p.attempts,
    )

    @on((LISTENING, PREPARING, PROPOSING, OUTBID), INIT)
    @on((PREPARING, PROPOSING, OUTBID), Retry)
    def prepare(self):
        """It begins a ballot that is higher than any it has seen.

        sends Prepare: It begins a ballot that is higher than any it has seen.
        otherwise: It has begun as many ballots as it may.
        """
        if self.tried == self.attempts:
            self.state = OUTBID
            self.note(f"it has begun as many ballots as it may: attempts = {self.attempts}")
            return
        self.tried += 1
        self.b = (self.round + 1, self.me)
        self.promises = set()
        self.highest, self.proposal = NEVER, f"v{self.me}"
        self.state = PREPARING
        wait = self.timeout + (self.backoff * self.random.random() if self.backoff else 0)
        self.set_timer(Retry(), after=wait)
        self.tell(Prepare(self.b), self.all_acceptors())
        if self.me in self.all_acceptors():
            self.promised = self.b
            self.promise_received(Promise(self.b, self.ballot, self.value), self.me)

    @on(PREPARING, Promise)
    def promise_received(self, m, q):
        """It counts a promise; with a majority it proposes a value that may have been chosen, or its own.

        sends Accept: It has promises from a majority: it proposes a value that may already have been chosen, or
            its own.
        changes promises: Process {peer} has promised: {promises:promise|promises} so far.
        otherwise: This promise belongs to an earlier ballot.
        """
        if m.b == self.b:
            self.promises.add(q)
            if order(m.ballot) > order(self.highest):
                self.highest, self.proposal = m.ballot, m.value
            if self.majority(self.promises):
                self.state = PROPOSING
                self.tell(Accept(self.b, self.proposal), self.all_acceptors())
                if self.promised == self.b:
                    self.accept(Accept(self.b, self.proposal), self.me)

    @on((PREPARING, PROPOSING), Reject)
    def outbid(self, m, q):
        """It learns of a higher ballot: it gives up its own and tries again later.

        becomes outbid: Process {peer} has promised a higher ballot: it gives up its own and tries again later.
        otherwise: This belongs to an earlier ballot of its own.
        """
        self.round = max(self.round, m.promised[0])
        if m.b == self.b:
            self.state = OUTBID

    @on((LISTENING, PROPOSING, OUTBID, LEARNED), Promise)
    @on((LISTENING, OUTBID, LEARNED), Reject)
    @on((LISTENING, LEARNED), Retry)
    @on(LEARNED, INIT)
    def late(self):
        """It has enough promises, has given up this ballot, or knows the chosen value."""

    @on(ANY, Prepare)
    def promise(self, m, q):
        """It promises to ignore lower ballots and reports what it has accepted, or rejects the ballot.

        sends Promise: It promises to ignore lower ballots, and reports what it has accepted.
        otherwise: It has already promised a ballot that is at least as high, so it rejects this one.
        """
        self.round = max(self.round, m.b[0])
        if order(m.b) > order(self.promised):
            self.promised = m.b
            self.send(Promise(m.b, self.ballot, self.value), to=q)
        else:
            self.send(Reject(m.b, self.promised), to=q)

    @on(ANY, Accept)
    def accept(self, m, q):
        """It accepts the value, unless it has promised a higher ballot.

        sends Reject: It has promised a higher ballot, so it rejects this one.
        decides: It accepts the value, which a majority has now accepted in this ballot: the value is chosen.
        otherwise: It accepts the value.
        """
        self.round = max(self.round, m.b[0])
        if order(m.b) >= order(self.promised):
            self.promised = self.ballot = m.b
            self.value = m.value
            self.tell(Accepted(m.b, m.value), self.neighbours)
            self.learn(Accepted(m.b, m.value), self.me)
        else:
            self.send(Reject(m.b, self.promised), to=q)

    @on(ANY, Accepted)
    def learn(self, m, q):
        """It counts an acceptance: with a majority in one ballot the value is chosen.

        decides: A majority has accepted the value in one ballot: it is chosen.
        while learned: It already knows the chosen value.
        changes seen: Process {peer} has accepted the value; this is not yet a majority.
        otherwise: It already knew that {peer} had accepted the value.
        """
        self.round = max(self.round, m.b[0])
        self.seen.setdefault(m.b, set()).add(q)
        if self.learned is None and self.majority(self.seen[m.b]):
            self.learned = m.value
            self.state = LEARNED
            self.cancel_timer(Retry)
            self.decide(m.value)

    def all_acceptors(self):
        everybody = sorted((self.me, *self.neighbours), key=natural)
        return everybody[: self.acceptors or len(everybody)]

    def majority(self, some):
        return 2 * len(some) > len(self.all_acceptors())

    def tell(self, m, to):
        for r in to:
            if r != self.me:
                self.send(m, to=r)


def order(ballot):
    """Return the sort key of a ballot: its round, then its name."""
    return ballot[0], natural(ballot[1])


def chosen(c):
    """Return the pairs of a ballot and a value that a majority of the acceptors holds at this moment."""
    counts = {}
    for p in c.processes:
        if p.ballot != NEVER:
            counts[p.ballot, p.value] = counts.get((p.ballot, p.value), 0) + 1
    return [each for each in counts if 2 * counts[each] > len(c.processes[0].all_acceptors())]


@always("at most one value is chosen")
def one(c):
    return len({*c.decided.values(), *(value for _, value in chosen(c))}) <= 1


@always("no acceptor accepts in a ballot lower than one it has promised, and each acceptance is also a promise")
def promises_kept(c):
    return all(order(p.ballot) <= order(p.promised) for p in c.processes)


@always("a chosen value stays chosen: higher ballots propose the same value")
def stays(c):
    proposed = [(p.ballot, p.value) for p in c.processes]
    proposed += [(t.message.b, t.message.value) for t in c.in_transit if type(t.message) is Accept]
    return all(value == v or order(b) < order(ballot) for ballot, v in chosen(c) for b, value in proposed)


@always("only a proposed value is chosen")
def proposed(c):
    return all(p.learned is None or p.learned in {f"v{q.me}" for q in c.processes if q.tried} for p in c.processes)


@eventually("all live processes have learned the same value")
def learned(c):
    values = {p.learned for p in c.processes if not c.crashed(p)}
    return len(values) <= 1 and None not in values
