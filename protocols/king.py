"""The King algorithm: vote, propose, and let a king decide where the votes do not.

Correct processes agree on one of two values, although up to f Byzantine ones tell everybody what they like.

In each phase all vote; who sees n - f equal votes proposes that value, and more than f proposals convince, because one
of them is honest.  Who has seen fewer than n - f proposals takes the value of the king of the phase.  Among f + 1 kings
one is honest, and after its phase all correct processes have one value, which no later king can change.

Pseudo-code (x: the value, at first the input; all counts include what a process says itself)::

    for phase := 1 to f + 1:
        round 1, vote:       send value(x) to all
        round 2, propose:    if some value(y) came at least n - f times, send propose(y) to all
                             if some propose(z) came more than f times, x := z
        round 3, king:       the king, the process number phase, sends its value w to all
                             if fewer than n - f propose(y) came, x := w
    decide x

This is the algorithm with three rounds a phase for n > 3f, not that with two rounds for n > 4f (phase queen).  Rounds
are read so: all begin at time 0, a round lasts ``round`` units, which is longer than any message takes, and a timer
that is the same for all ends it.  Of several messages of a process in one round the first counts, and what comes in
another round does not; who hears no king keeps its value.

Needs a complete network with names whose links lose nothing, and that everybody starts; n > 3f, messages take more
than no time and less than a round, clocks run equally fast, and who sent a message is beyond doubt.
Complexity: 3 (f + 1) rounds and at most (f + 1) (n - 1) (2n + 1) messages of correct processes; exactly so many when
all begin with the same value.

Reference: P. Berman, J. Garay and K. Perry, Towards optimal distributed consensus, FOCS 1989; R. Wattenhofer,
Distributed Systems (lecture, ETH Zurich), "King algorithm"; H. Attiya and J. Welch, Distributed Computing, 2nd
edition, section 5.2.5, for the variant with two rounds.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
)

IDLE, VOTING, PROPOSING, LISTENING, REIGNING, DECIDED = states(
    "idle", "voting", "proposing", "listening", "reigning", "decided",
    reads={
        "idle": "has not begun",
        "voting": "votes",
        "proposing": "proposes",
        "listening": "listens to the king",
        "reigning": "is the king",
        "decided": "has decided",
    },
)


class Value(Message):
    """The value that the sender has."""

    x: bool


class Propose(Message):
    """The value that the sender has seen n - f times."""

    x: bool


class KingSays(Message):
    """The value of the king."""

    x: bool


class RoundOver(Timer):
    """The round is over."""


class King(Process):
    title = "King algorithm"
    needs = complete, named, everybody_starts, reliable
    messages = "<= (f + 1)*(n - 1)*(2*n + 1)"

    state = IDLE
    value: bool | None = None  # what I begin with
    x: bool | None = None  # the value that I have now
    phase: int = 0
    king: str | None = None  # that of the phase
    votes: dict[str, bool] = {}  # who votes for what, in this phase
    proposals: dict[str, bool] = {}  # who proposes what, in this phase
    sure: bool = False  # whether n - f proposed the same
    decision: bool | None = None

    f = parameter(1, minimum=0, help="how many processes may be Byzantine; fewer than a third")
    inputs = parameter("0110", help="what the processes begin with: 0 or 1 each, in the order of names, then 0")
    round = parameter(2.0, minimum=0.0, help="how long a round lasts; longer than any message takes")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value, and the first phase with a vote."""
        me = self.everybody().index(self.me)
        self.value = self.x = self.inputs[me : me + 1] == "1"
        self.vote()

    @on(ANY, INIT)
    def started(self):
        """It has begun already."""

    @on(VOTING, Value)
    def count(self, m, q):
        """A vote; the first of each process counts."""
        self.votes.setdefault(q, m.x)

    @on(VOTING, RoundOver)
    def propose(self):
        """The vote is over: it proposes what nearly all have.

        sends Propose: Nearly all have voted for the same value: it proposes that.
        otherwise: No value has enough votes, so it proposes none.
        """
        self.state = PROPOSING
        y, times = most(self.votes)
        if times >= len(self.neighbours) + 1 - self.f:
            self.proposals[self.me] = y
            self.send_all(Propose(y))
        self.set_timer(RoundOver(), after=self.round)

    @on(PROPOSING, Propose)
    def consider(self, m, q):
        """A proposal; the first of each process counts."""
        self.proposals.setdefault(q, m.x)

    @on(PROPOSING, RoundOver)
    def weigh(self):
        """What more than f have proposed is its value now; if it is the king, it says what it has.

        sends KingSays: The proposals are weighed; it is the king and says its value, {x}.
        otherwise: The proposals are weighed: its value is {x}; it waits for the king.
        """
        z, times = most(self.proposals)
        if times > self.f:
            self.x = z
        self.sure = times >= len(self.neighbours) + 1 - self.f
        self.state = REIGNING if self.king == self.me else LISTENING
        if self.state == REIGNING:
            self.send_all(KingSays(self.x))
        self.set_timer(RoundOver(), after=self.round)

    @on(LISTENING, KingSays)
    def obey(self, m, q):
        """It takes the value of the king, unless it is sure of its own.

        changes x: It is not sure of its own value and takes that of the king.
        otherwise: It keeps its value: it is sure of it, the king has the same, or {peer} is not the king.
        """
        if q == self.king and not self.sure:
            self.x = m.x

    @on((LISTENING, REIGNING), RoundOver)
    def end_phase(self):
        """The phase is over: it decides after the last.

        decides: The last phase is over: it decides.
        otherwise: The phase is over, and the next one begins with a vote.
        """
        if self.phase <= self.f:
            self.vote()
        else:
            self.state = DECIDED
            self.decision = self.x
            self.decide(self.x)

    @on(ANY, (Value, Propose, KingSays))
    def out_of_turn(self, m, q):
        """It is not the round for that; only somebody faulty, or slow, sends it now."""

    @on((IDLE, DECIDED), RoundOver)
    def no_round(self):
        """No round is under way; this happens only when something was broken."""

    def vote(self):
        self.state = VOTING
        self.phase += 1
        self.king = self.everybody()[(self.phase - 1) % (len(self.neighbours) + 1)]
        self.votes = {self.me: self.x}
        self.proposals = {}
        self.send_all(Value(self.x))
        self.set_timer(RoundOver(), after=self.round)

    def send_all(self, m):
        for r in self.neighbours:
            self.send(m, to=r)

    def everybody(self):
        return sorted((self.me, *self.neighbours), key=natural)


def most(said):
    """What was said most often, and how often."""
    words = sorted(said.values())
    return max(((word, words.count(word)) for word in words), key=lambda pair: pair[1], default=(None, 0))


@always("no two correct processes decide differently")
def agreement(c):
    return len({c.decided[p] for p in c.correct if p in c.decided}) <= 1


@always("if all correct processes begin with one value, they decide no other")
def validity(c):
    begun = {p.value for p in c.correct}
    return len(begun) > 1 or all(c.decided[p] in begun for p in c.correct if p in c.decided)


@always("no two correct processes propose different values in a phase")
def one_proposal(c):
    return all(
        len({p.proposals[p.me] for p in c.correct if p.phase == k and p.me in p.proposals}) <= 1
        for k in {p.phase for p in c.correct}
    )


@at_end("all correct processes have decided")
def termination(c):
    return all(p.decision is not None for p in c.correct)
