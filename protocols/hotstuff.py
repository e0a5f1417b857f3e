"""Chained HotStuff: a replicated service whose blocks certify each other, so that each view does three things at once.

All correct replicas execute the same requests in the same order, although up to f replicas are Byzantine.

The leader of a view adds a block to the chain, together with a certificate for the block before it: the votes of a
quorum, more than (n + f)/2 replicas.  Replicas vote to the leader of the next view, whose block carries their votes.
So each view is at once the first phase of its own block, the second of the block before it, and the third of the one
before that.  A block is final when it is the first of three certified blocks of consecutive views.

Pseudo-code (high: the chain with the latest certificate; locked: the latest block with a certified successor)::

    leader of v, with a quorum of votes for a block of view v - 1, or of NewView(v):
                              send Proposal(high + a block of view v with the next request) to all
    Proposal(chain) of v >= my view, from the leader of v; all certificates in it are sound:
                              high := chain without its last block, if its certificate is later
                              locked := the block before this one, if it is of a later view
                              execute all up to the fourth last block, if it and its two successors are of
                                  consecutive views
                              if I have not voted in v, and chain contains locked or its certificate is later:
                                  send Vote(v, the last block) to the leader of v + 1; go to view v + 1
    timeout of my view:       v := the first view of the next leader; send NewView(v, high) to all
    f + 1 replicas have gone to higher views by timeout:     do the same, with the smallest of these

A certificate has a seal that depends on the whole chain up to its block and on the names of its voters; a liar that
changes any of them cannot compute it.  The sender of a message is known, so a vote counts as signed.  A message
contains the whole chain, so that no block must be fetched.  The clients send their requests, r1, r2 ..., to all
replicas at the beginning; empty blocks complete the last three views.  A replica that has executed all requests stops,
and sends its chain, which proves them, to one that asks for another view.  A replica leads ``turn`` views, one after
the other: four are needed to make a block final if the leaders before and after it are faulty.  Each timeout makes a
replica more patient; it takes part in at most ``views`` views.

Needs a complete network with reliable links and names, and all processes as initiators; n > 3f for up to f Byzantine
replicas, and delays are bounded from some time on.
Complexity: 2 (n - 1) messages in each view, one view for each request and three for the last: (2 requests + 5)(n - 1)
messages in all if no replica is faulty; n (n - 1) more for each timeout.

Reference: M. Yin, D. Malkhi, M. K. Reiter, G. Golan Gueta and I. Abraham, HotStuff: BFT consensus with linearity and
responsiveness, PODC 2019, algorithms 3 to 5.
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
    named,
    natural,
    need,
    on,
    parameter,
    reliable,
    states,
)
from lydian.circle import fnv1a, mixed

IDLE, VOTING, LEADING, FINISHED = states(
    "idle", "voting", "leading", "finished",
    reads={
        "idle": "is idle",
        "voting": "is waiting for a proposal",
        "leading": "leads the view",
        "finished": "has executed all requests",
    },
)
R1, R2, R3, R4, R5, R6 = REQUESTS = "r1", "r2", "r3", "r4", "r5", "r6"  # what the clients ask for


class Block(Message):
    """A block of the chain: its view, its request, and the certificate for the block before it."""

    view: int
    x: str
    voters: tuple[str, ...]
    seal: int


class Proposal(Message):
    """A chain with a new block at its end."""

    chain: tuple[Block, ...]


class Vote(Message):
    """A vote for the block of this view that ends the chain with this number."""

    view: int
    id: int


class NewView(Message):
    """'I go to this view'; with the chain that has the latest certificate, and this certificate."""

    view: int
    chain: tuple[Block, ...]
    voters: tuple[str, ...]
    seal: int


class Proof(Message):
    """A chain that proves that all requests are executed."""

    chain: tuple[Block, ...]


class Silence(Timer):
    """The end of the time that a view is given."""


def sealed(*contents):
    """Return a number that depends on all of these contents."""
    return mixed(fnv1a(repr(contents)))


def number(chain):
    """Return the number of a chain, which depends on all of its blocks."""
    id = 0
    for block in chain:
        id = sealed(id, block.view, block.x)
    return id


def view_of(chain):
    """Return the view of the last block, 0 for the empty chain."""
    return chain[-1].view if chain else 0


@need("four processes", "there are at least four processes")
def four(network):
    return None if network.n >= 4 else "one liar needs at least four processes, for example complete:4"


class HotStuff(Process):
    title = "HotStuff, chained"
    needs = (
        complete, named, everybody_starts, four, reliable, at_most("f", LIARS, given="n > 3*f"), bounded_delay,
    )  # fmt: skip
    messages = "(2*requests + 5)*(n - 1)"

    state = IDLE
    v: int = 0  # my view
    leader: str | None = None  # of my view
    pool: list[str] = []  # the requests of the clients
    high: tuple[Block, ...] = ()  # the chain with the latest certificate
    voters: tuple[str, ...] = ()  # this certificate: its voters
    seal: int = 0  # this certificate: its seal
    locked: int = 0  # the number of the chain that ends with my locked block
    locked_view: int = 0
    voted: int = 0  # the latest view in which I have voted
    proposed: int = 0  # the latest view in which I have proposed
    chains: dict[int, tuple[Block, ...]] = {}  # number -> a chain that was proposed
    votes: dict[int, set[str]] = {}  # number of a chain -> the processes that have voted for its last block
    fled: dict[str, int] = {}  # process -> the highest view to which it has gone by timeout
    proof: tuple[Block, ...] = ()  # the chain that has finished my work
    log: list[str] = []  # the requests that I have executed, in order
    patience: float = 0.0

    f = parameter(1, minimum=0, help="how many replicas may be Byzantine; fewer than a third")
    requests = parameter(3, minimum=1, maximum=6, help="how many requests the clients make")
    timeout = parameter(8.0, minimum=0.0, help="how long a view may take initially; each timeout makes it longer")
    turn = parameter(4, minimum=1, help="how many views in succession a replica leads")
    views = parameter(
        80, minimum=1, help="the largest number of views in which a replica takes part",
        reached=lambda p: p.v >= p.views and len(p.log) < p.requests,
    )

    @on(IDLE, INIT)
    def start(self):
        """It has the requests of the clients, and begins in view 1.

        sends Proposal: It leads view 1, and proposes the first block.
        otherwise: It waits for the proposal of the leader of view 1.
        """
        self.wake()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on(ANY, Proposal)
    def consider(self, m, q):
        """It verifies the chain, executes what is final, and votes for the last block.

        becomes finished: The chain makes the last request final: it executes it, and stops.
        delivers and sends: The chain makes a block final: it executes it, and votes for the last block.
        delivers: The chain makes a block final: it executes it.
        sends Proposal: It votes for the block; as the next leader, it adds a block of its own.
        sends Vote: It votes for the last block, and goes to the next view.
        changes voted: It votes for the last block; it leads the next view, and waits for the votes of the others.
        otherwise: It does not vote: the proposal is of an earlier view, not sound, or in conflict with its lock.
        """
        self.wake()
        v = view_of(m.chain)
        if self.state == FINISHED or v < self.v or q != self.leader_of(v) or not self.sound(m.chain):
            return
        self.learn(m.chain)
        self.chains[number(m.chain)] = m.chain
        if self.state != FINISHED:
            self.vote(m.chain)

    @on(ANY, Vote)
    def count(self, m, q):
        """It counts a vote, and proposes a block of its own once it has a quorum for the block before.

        sends Proposal: It has the votes of a quorum: it adds a block with their certificate to the chain.
        otherwise: It counts the vote of {peer}.
        """
        self.wake()
        self.votes.setdefault(m.id, set()).add(q)
        self.certify(m.id)

    @on(ANY, NewView)
    def join(self, m, q):
        """It notes that a replica has gone to another view, and learns its certificate.

        sends Proof: It has executed all requests, and sends the chain that proves this.
        sends Proposal: A quorum has gone to view {v}, which it leads: it proposes a block.
        sends NewView: At least f + 1 replicas have gone to higher views: it joins them.
        otherwise: It notes that {peer} has gone to another view.
        """
        self.wake()
        if self.state == FINISHED:
            self.send(Proof(self.proof), to=q)
            return
        if self.sound(m.chain) and self.certified(m.chain, m.voters, m.seal):
            self.raise_high(m.chain, m.voters, m.seal)
        self.fled[q] = max(self.fled.get(q, 0), m.view)
        higher = [v for v in self.fled.values() if v > self.v]
        if len(higher) > self.f:
            self.flee(min(higher))
        self.lead()

    @on(ANY, Proof)
    def catch_up(self, m, q):
        """It verifies a chain, and executes what it proves to be final.

        delivers: The chain proves that further requests are final: it executes them.
        otherwise: The chain proves nothing new.
        """
        self.wake()
        if self.state != FINISHED and self.sound(m.chain):
            self.learn(m.chain)

    @on(ANY, Silence)
    def give_up(self):
        """It has waited too long for a proposal, and goes to the first view of the next leader.

        sends: It has waited too long: it goes to view {v}, with another leader, and sends its certificate to all.
        otherwise: It has taken part in as many views as it may, or has executed all requests.
        """
        if self.state != FINISHED:
            self.patience += self.timeout
            self.flee((self.v - 1) // self.turn * self.turn + self.turn + 1)

    @on(ANY, Block)
    def alone(self, m, q):
        """It ignores a block that is not part of a chain, which only a liar sends."""

    def wake(self):
        if self.state == IDLE:
            self.pool = list(REQUESTS[: self.requests])
            self.patience = self.timeout
            self.enter(1)
            if self.leader == self.me:
                self.propose()

    def enter(self, v):
        self.v = v
        self.leader = self.leader_of(v)
        self.state = LEADING if self.leader == self.me else VOTING
        self.set_timer(Silence(), after=self.patience)

    def propose(self):
        self.proposed = self.v
        used = {block.x for block in self.high}
        x = next((each for each in self.pool if each not in used), "")
        chain = (*self.high, Block(self.v, x, self.voters, self.seal))
        self.send_all(Proposal(chain))
        self.learn(chain)
        self.chains[number(chain)] = chain
        if self.state != FINISHED:
            self.vote(chain)

    def vote(self, chain):
        v, before = view_of(chain), view_of(chain[:-1])
        safe = before > self.locked_view or self.locked in [number(chain[:k]) for k in range(len(chain))]
        if v > self.voted and safe:
            self.voted = v
            id = number(chain)
            self.enter(v + 1)
            if self.leader == self.me:
                self.votes.setdefault(id, set()).add(self.me)
                self.certify(id)
            else:
                self.send(Vote(v, id), to=self.leader)

    def certify(self, id):
        chain, voters = self.chains.get(id, ()), self.votes.get(id, set())
        if chain and self.quorum(voters) and self.leader_of(view_of(chain) + 1) == self.me and self.state != FINISHED:
            names = tuple(sorted(voters, key=natural))
            self.raise_high(chain, names, sealed(id, names))
            if view_of(chain) + 1 >= self.v and self.proposed <= view_of(chain):
                self.enter(view_of(chain) + 1)
                self.propose()

    def flee(self, v):
        if v <= self.views:
            self.enter(v)
            self.fled[self.me] = v
            self.send_all(NewView(v, self.high, self.voters, self.seal))
            self.lead()

    def lead(self):
        here = {q for q, v in self.fled.items() if v >= self.v}
        if self.state == LEADING and self.proposed < self.v and self.quorum(here):
            self.propose()

    def learn(self, chain):
        """Draw the conclusions from the certificates of a sound chain."""
        if len(chain) > 1:
            self.raise_high(chain[:-1], chain[-1].voters, chain[-1].seal)
        if len(chain) > 2 and view_of(chain[:-2]) > self.locked_view:
            self.locked, self.locked_view = number(chain[:-2]), view_of(chain[:-2])
        for k in range(len(chain) - 3):
            if chain[k].view + 2 == chain[k + 1].view + 1 == chain[k + 2].view:
                self.execute(chain[: k + 1])
        if len(self.log) == len(self.pool):
            self.state = FINISHED
            self.leader = None
            self.proof = chain
            self.cancel_timer(Silence)

    def raise_high(self, chain, voters, seal):
        if view_of(chain) > view_of(self.high):
            self.high, self.voters, self.seal = chain, voters, seal

    def execute(self, chain):
        for x in [block.x for block in chain if block.x][len(self.log) :]:
            self.log.append(x)
            self.deliver(x)

    def sound(self, chain):
        views, requests = [block.view for block in chain], [block.x for block in chain if block.x]
        return (
            views == sorted(set(views))
            and all(view > 0 for view in views)
            and len(requests) == len(set(requests))
            and set(requests) <= set(self.pool)
            and all(self.certified(chain[:k], chain[k].voters, chain[k].seal) for k in range(len(chain)))
        )

    def certified(self, chain, voters, seal):
        return not chain or (self.quorum(set(voters)) and seal == sealed(number(chain), voters))

    def quorum(self, some):
        return 2 * len(some) > len(self.neighbours) + 1 + self.f

    def leader_of(self, v):
        everybody = sorted((self.me, *self.neighbours), key=natural)
        return everybody[(v - 1) // self.turn % len(everybody)]

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


@always("certificates: in each view at most one block has a certificate that a correct replica knows")
def one_certificate(c):
    found = {(view_of(p.high), number(p.high)) for p in c.correct}
    return len({view for view, _ in found}) == len(found)


@at_end("progress: all correct replicas have executed all requests")
def progress(c):
    return all(len(c.delivered[p]) == p.requests for p in c.correct)
