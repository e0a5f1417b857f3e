"""Election by voting, majority ballots: a candidate with more than half of all votes becomes the leader.

On any connected network, a leader is elected even if some processes, but fewer than half, crash.

A candidate opens a ballot, a term with a new number, and asks all processes.  Each process has one vote in each term,
and gives it to the first candidate that asks.  Only one candidate can receive more than n/2 votes.  A split vote or a
crash can leave the term without a leader; after a time of random length the candidate opens the next term.

Pseudo-code (tally: if t is still the current term, has no leader, and more than n/2 of its votes are for this process,
it becomes the leader of t and sends Leader(t, me) to all neighbours)::

    no leader known, INIT or Retry:  term +:= 1; voted[term] := me; votes[term] := {me}; send ReqVote(term, me) to all
                                     neighbours; set Retry; tally
    leader known, INIT:              ignore
    (t, c) not seen, ReqVote(t, c) from q:  back[t, c] := q; send it to neighbours - {q}; if t > term then term := t;
                                     if t = term and voted[t] = none then voted[t] := c, send Vote(t, c, me) to q
    (t, c) seen, ReqVote(t, c):      ignore
    c /= me, Vote(t, c, v):          send it to back[t, c]
    c = me, Vote(t, me, v):          add v to votes[t]; tally
    leader_of[t] = none, Leader(t, c) from q:  leader_of[t] := c; term := max(term, t); send it to neighbours - {q};
                                     cancel Retry
    leader_of[t] set, Leader(t, c):  ignore

It needs a connected network, two-way links, distinct identifiers, and processes that all know n (``size``); any
processes may start.  At most ceil(n/2) - 1 processes crash, and the others stay connected.  Only termination depends
on times.
Complexity: with k candidates a term takes k(2m - n + 1) requests, at most (n - 1)^2 hops of votes and, if it has a
leader, 2m - n + 1 messages to announce it; with probability 1 some term has one.  The bound below allows for 20 full
terms.  A candidate has seen its own request; a late candidate may open a higher term, whose leader then counts.

Reference: an assignment of the case study from which this laboratory grew, "election by voting"; terms as in D. Ongaro
and J. Ousterhout, In search of an understandable consensus algorithm, USENIX ATC 2014, section 5.2; majorities as in
R. H. Thomas, A majority consensus approach to concurrency control, ACM TODS 4 (1979).
"""

from lydian import (
    ANY,
    CRASHES,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_most,
    connected,
    eventually,
    named,
    on,
    parameter,
    some_initiator,
    states,
    two_way,
)

IDLE, CANDIDATE, FOLLOWER, LEADER = states(
    "idle", "candidate", "follower", "leader",
    reads={
        "idle": "knows no leader",
        "candidate": "is a candidate",
        "follower": "follows a leader",
        "leader": "is the leader",
    },
)


class ReqVote(Message):
    """The request of candidate ``c`` for votes in ``term``."""

    term: int
    c: str


class Vote(Message):
    """One vote, which is forwarded to candidate ``c``."""

    term: int
    c: str
    voter: str


class Leader(Message):
    """The announcement that candidate ``c`` has won ``term``."""

    term: int
    c: str


class Retry(Timer):
    """The time after which an undecided ballot is given up."""


class VotingMajority(Process):
    title = "Election by voting, majority ballots"
    needs = connected, two_way, named, some_initiator, at_most("(n - 1) // 2", CRASHES)
    messages = "<= 20*n*(2*m + n*n)"

    state = IDLE
    term: int = 0
    voted: dict[int, str] = {}  # for each term, the candidate that it voted for
    votes: dict[int, set[str]] = {}  # for each term, the processes that voted for it
    back: dict[tuple[int, str], str] = {}  # for each request, the neighbour that brought it
    leader_of: dict[int, str] = {}
    vote: str | None = None  # the candidate that it voted for in this term
    mine: int = 0  # votes that it has in this term
    leader: str | None = None  # the leader of the highest term known

    size = parameter(8, minimum=1, help="the number of processes, which all processes know")
    shortest = parameter(2.0, minimum=0.0, help="the shortest time that a ballot lasts, per process of the network")
    longest = parameter(6.0, minimum=0.0, help="the longest time that a ballot lasts, per process of the network")

    @on(IDLE, INIT)
    def stand(self):
        """It opens a new ballot, votes for itself and asks all processes.

        always:
        """
        self.state = CANDIDATE
        self.enter(self.term + 1)
        self.voted[self.term] = self.vote = self.me
        self.votes[self.term] = {self.me}
        self.back[self.term, self.me] = self.me
        for r in self.neighbours:
            self.send(ReqVote(self.term, self.me), to=r)
        self.set_timer(Retry(), after=self.size * self.random.uniform(self.shortest, self.longest))
        self.tally(self.term)

    @on(ANY, INIT)
    def known(self):
        """It is a candidate already or knows a leader."""

    @on(CANDIDATE, Retry)
    def again(self):
        """No candidate has won the ballot, so it opens the next one."""
        self.note(f"term {self.term} has lasted too long")
        self.stand()

    @on((IDLE, FOLLOWER, LEADER), Retry)
    def needless(self):
        """It knows a leader and ignores the timer, which should have been cancelled."""

    @on(ANY, ReqVote)
    def asked(self, m, q):
        """It forwards a new request, and votes for the candidate if it has not voted in this term.

        sends Vote: It has not seen this request before and has not voted in this term, so it votes for the candidate.
        sends ReqVote: It forwards a new request, but has already voted in this term.
        nothing: It already knows this request.
        otherwise: It has already voted in this term and has no other neighbour.
        """
        if (m.term, m.c) in self.back:
            return
        self.back[m.term, m.c] = q
        self.tell(m, q)
        self.enter(m.term)
        if m.term == self.term and m.term not in self.voted:
            self.voted[m.term] = self.vote = m.c
            self.send(Vote(m.term, m.c, self.me), to=q)

    @on(ANY, Vote)
    def count(self, m, q):
        """It counts a vote for itself, and forwards a vote for another candidate along the path of the request.

        becomes leader: It has a majority of all votes and becomes the leader.
        changes votes: It counts a vote for itself.
        sends Vote: It forwards a vote for another candidate, along the path of the request.
        otherwise: It no longer needs this vote.
        """
        if m.c == self.me and m.term in self.votes:
            self.votes[m.term].add(m.voter)
            self.tally(m.term)
        elif m.c != self.me and (m.term, m.c) in self.back:
            self.send(m, to=self.back[m.term, m.c])

    @on(ANY, Leader)
    def hear(self, m, q):
        """It learns which candidate has won a term and forwards the first announcement.

        changes leader_of: It learns which candidate has won the term and forwards the announcement.
        otherwise: It already knows which candidate has won the term.
        """
        if m.term not in self.leader_of:
            self.cancel_timer(Retry())
            self.enter(m.term)
            self.elect(m.term, m.c)
            self.tell(m, q)

    def enter(self, t):
        if t > self.term:
            self.term = t
            self.vote = None
            self.mine = 0

    def tally(self, t):
        if t == self.term:
            self.mine = len(self.votes[t])
        if t == self.term and 2 * len(self.votes[t]) > self.size and t not in self.leader_of:
            self.cancel_timer(Retry())
            self.elect(t, self.me)
            self.tell(Leader(t, self.me), self.me)

    def elect(self, t, c):
        self.leader_of[t] = c
        self.leader = self.leader_of[max(self.leader_of)]
        self.state = LEADER if self.leader == self.me else FOLLOWER
        self.decide(self.leader)

    def tell(self, m, q):
        for r in self.neighbours:
            if r != q:
                self.send(m, to=r)


@always("every process knows the true number of processes")
def size_is_true(c):
    return all(p.size == c.n for p in c.processes)


@always("a term has at most one leader")
def one(c):
    won = {(t, leader) for p in c.processes for t, leader in p.leader_of.items()}
    return len(won) == len({t for t, _ in won})


@always("the leader of a term has more than half of the votes")
def majority(c):
    return all(
        2 * len(c.process(leader).votes.get(t, ())) > c.n for p in c.processes for t, leader in p.leader_of.items()
    )


@eventually("all processes alive know the leader of the highest decided term")
def elected(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    won = {t: leader for p in c.processes for t, leader in p.leader_of.items()}
    return bool(won) and all(p.leader == won[max(won)] for p in alive)
