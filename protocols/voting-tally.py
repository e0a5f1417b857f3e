"""Election by voting, full tally: each process has one vote, and each candidate counts all votes.

On any connected network, the candidate with the most votes becomes the leader; the highest identifier breaks ties.

Each candidate asks all processes for their votes in an Echo wave of its own.  A process votes for the candidate whose
request reaches it first, and the acknowledgements of each wave carry the votes of the sender's subtree.  A process
votes before it answers any request.  So all candidates count the same votes and agree on the winner without any
further message.

Pseudo-code (close(c): if pending[c] is empty, then if c /= me send Ballot(c, count[c]) to parent[c]; otherwise the
tally is final, and if this process has the most votes it becomes the leader and sends Leader(me) to all neighbours)::

    vote = none, INIT:              vote := me; pending[me] := neighbours; count[me] := {me: 1};
                                    send ReqVote(me) to them; close(me)
    vote set, INIT:                 ignore: a voter cannot become a candidate
    c unknown, ReqVote(c) from q:   if vote = none then vote := c; parent[c] := q; pending[c] := neighbours - {q};
                                    count[c] := {vote: 1}; send ReqVote(c) to them; close(c)
    c known, ReqVote(c) from q:     send Ballot(c, empty) to q
    Ballot(c, t) from q:            add t to count[c]; remove q from pending[c]; close(c)
    leader = none, Leader(id) from q:   leader := id; send Leader(id) to neighbours - {q}
    leader set, Leader:             ignore

It needs a connected network, two-way links and distinct identifiers, which are the names in their natural order; any
processes may start.  No process fails, and links lose nothing, but need not be FIFO; n need not be known.
Complexity: with k candidates k(4m - 2n + 2) + 2m - n + 1 messages, whatever the delays.

Reference: an assignment of the case study from which this laboratory grew, "election by voting", in the version that
combines voting with Echo; E. J. H. Chang, Echo algorithms, IEEE Transactions on Software Engineering 8 (1982).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    reliable,
    some_initiator,
    states,
    two_way,
)

SLEEPING, CANDIDATE, VOTER, LEADER, INFORMED = states(
    "sleeping", "candidate", "voter", "leader", "informed",
    reads={
        "sleeping": "has not voted",
        "candidate": "is a candidate",
        "voter": "has voted",
        "leader": "is the leader",
        "informed": "knows the leader",
    },
)


class ReqVote(Message):
    """The request of candidate ``c`` for votes, which each process forwards."""

    c: str


class Ballot(Message):
    """The votes of the sender's subtree, counted for each candidate, on their way back to candidate ``c``."""

    c: str
    tally: dict[str, int]


class Leader(Message):
    """The announcement of the leader's identifier."""

    id: str


class VotingTally(Process):
    title = "Election by voting, full tally"
    needs = connected, two_way, named, some_initiator, reliable, no_crashes
    messages = "<= n*(4*m - 2*n + 2) + 2*m - n + 1"

    state = SLEEPING
    vote: str | None = None
    parent: dict[str, str] = {}  # for each candidate, the neighbour that brought its request
    pending: dict[str, set[str]] = {}  # for each candidate, neighbours whose ballots are missing
    count: dict[str, dict[str, int]] = {}  # for each candidate, the votes counted in its wave
    mine: int = 0  # votes for this process that it has counted so far
    leader: str | None = None

    @on(SLEEPING, INIT)
    def start(self):
        """It votes for itself and asks all other processes for their votes.

        always:
        """
        self.state = CANDIDATE
        self.vote = self.me
        self.open(self.me, self.neighbours)

    @on(ANY, INIT)
    def too_late(self):
        """It has voted already, and a voter cannot become a candidate."""

    @on(SLEEPING, ReqVote)
    def cast(self, m, q):
        """It votes for the candidate whose request arrives first."""
        self.state = VOTER
        self.vote = m.c
        self.asked(m, q)

    @on(ANY, ReqVote)
    def asked(self, m, q):
        """It forwards a new request, to collect the votes of its subtree; it answers a known one with an empty ballot.

        sends Ballot: It knows this request or has no other neighbour, so it answers with a ballot at once.
        otherwise: It forwards a new request; its answer will contain all votes of its subtree.
        """
        if m.c in self.count:
            self.send(Ballot(m.c, {}), to=q)
        else:
            self.parent[m.c] = q
            self.open(m.c, [r for r in self.neighbours if r != q])

    @on((CANDIDATE, VOTER, LEADER, INFORMED), Ballot)
    def add(self, m, q):
        """It adds the votes and needs one ballot fewer.

        always: It adds the votes and needs one ballot fewer.
        """
        if q in self.pending.get(m.c, ()):
            for name, votes in m.tally.items():
                self.count[m.c][name] = self.count[m.c].get(name, 0) + votes
            self.pending[m.c].remove(q)
            self.close(m.c)

    @on(SLEEPING, Ballot)
    def unexpected(self, m, q):
        """It has not asked for votes, so this is possible only after a fault."""
        self.note(f"unexpected ballot from {q}")

    @on((SLEEPING, CANDIDATE, VOTER), Leader)
    def hear(self, m, q):
        """It learns which process is the leader and forwards the announcement.

        sends Leader: It learns which process is the leader and forwards the announcement.
        otherwise: It learns which process is the leader.
        """
        self.state = INFORMED
        self.learn(m.id, [r for r in self.neighbours if r != q])

    @on((LEADER, INFORMED), Leader)
    def ignore(self, m, q):
        """It already knows the leader."""

    def open(self, c, others):
        self.pending[c] = set(others)
        self.count[c] = {self.vote: 1}
        for r in others:
            self.send(ReqVote(c), to=r)
        self.close(c)

    def close(self, c):
        if c == self.me:
            self.mine = self.count[c][c]
        if self.pending[c]:
            return
        if c != self.me:
            self.send(Ballot(c, self.count[c]), to=self.parent[c])
        elif winner(self.count[c]) == self.me:
            self.state = LEADER
            self.learn(self.me, self.neighbours)

    def learn(self, id, others):
        self.leader = id
        self.decide(id)
        for r in others:
            self.send(Leader(id), to=r)


def winner(tally):
    """Return the candidate with the most votes; the highest identifier breaks ties."""
    return max(tally.items(), key=lambda item: (item[1], natural(item[0])))[0]


def finished(c):
    """Return the final tallies of the candidates that have all ballots."""
    return [p.count[p.me] for p in c.processes if p.me in p.count and not p.pending[p.me]]


@always("at most one process has claimed to be the leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("each final tally contains each vote once, and all are equal")
def same(c):
    tallies = finished(c)
    return all(sum(t.values()) == c.n and t == tallies[0] for t in tallies)


@eventually("all processes know the same leader, which has the most votes")
def elected(c):
    leaders = [p.me for p in c.processes if p.state == LEADER]
    return len(leaders) == 1 and all(p.leader == leaders[0] == winner(finished(c)[0]) for p in c.processes)


@at_end("every candidate has counted, and nothing is in transit")
def silent(c):
    return len(finished(c)) == len({p.vote for p in c.processes}) and not c.in_transit
