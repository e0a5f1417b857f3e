"""The King algorithm: processes vote and propose, and a king decides where the votes are not clear.

Correct processes agree on one of two values, although up to f Byzantine processes may send arbitrary values.

In each phase all processes vote; a process that receives n - f equal votes proposes their value, and more than f equal
proposals are convincing, because one of them comes from a correct process.  A process that has received fewer than
n - f equal proposals adopts the value of the king of the phase.  One of f + 1 kings is correct, and after its phase all
correct processes have the same value, which no later king can change.

Pseudo-code (x: the value, initially the input; all counts include the process's own messages)::

    for phase := 1 to f + 1:
        round 1, vote:       send value(x) to all
        round 2, propose:    if some value(y) came at least n - f times, send propose(y) to all
                             if some propose(z) came more than f times, x := z
        round 3, king:       the king, the process number phase, sends its value w to all
                             if fewer than n - f propose(y) came, x := w
    decide x

This is the algorithm with three rounds in each phase for n > 3f, not the one with two rounds for n > 4f (phase queen).
Rounds are implemented as follows: all processes begin at time 0, a round lasts ``round`` units, which is longer than
any delay, and a timer that is the same for all ends it.  Of several messages from a process in one round, only the
first counts; a message that arrives in another round is ignored.  A process that receives no message from the king
keeps its value.

Needs a complete network with reliable links and names, and all processes as initiators; n > 3f, delays are positive and
less than a round, clocks run equally fast, and the sender of a message cannot be forged.
Complexity: 3 (f + 1) rounds and at most (f + 1) (n - 1) (2n + 1) messages of correct processes; exactly this number if
all begin with the same value.

Reference: P. Berman, J. Garay and K. Perry, Towards optimal distributed consensus, FOCS 1989; R. Wattenhofer,
Distributed Systems (lecture, ETH Zurich), "King algorithm"; H. Attiya and J. Welch, Distributed Computing, 2nd
edition, section 5.2.5, for the variant with two rounds.
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
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
    synchronous,
)

IDLE, VOTING, PROPOSING, LISTENING, REIGNING, DECIDED = states(
    "idle", "voting", "proposing", "listening", "reigning", "decided",
    reads={
        "idle": "is idle",
        "voting": "is voting",
        "proposing": "is waiting for proposals",
        "listening": "is waiting for the king",
        "reigning": "is the king",
        "decided": "has decided",
    },
)


class Value(Message):
    """A vote for the current value of the sender."""

    x: bool


class Propose(Message):
    """A proposal of the value for which the sender has received n - f votes."""

    x: bool


class KingSays(Message):
    """The value of the king of the phase."""

    x: bool


class RoundOver(Timer):
    """The end of a round."""


class King(Process):
    title = "King algorithm"
    needs = (
        complete, named, everybody_starts, reliable, at_most("f", LIARS, given="n > 3*f"), synchronous("round"),
    )  # fmt: skip
    messages = "<= (f + 1)*(n - 1)*(2*n + 1)"

    state = IDLE
    value: bool | None = None  # my initial value
    x: bool | None = None  # my current value
    phase: int = 0
    king: str | None = None  # the king of the phase
    votes: dict[str, bool] = {}  # process -> its vote in this phase
    proposals: dict[str, bool] = {}  # process -> its proposal in this phase
    sure: bool = False  # whether n - f processes have proposed the same value
    decision: bool | None = None

    f = parameter(1, minimum=0, help="how many processes may be Byzantine; fewer than a third")
    inputs = parameter("0110", help="initial values: 0 or 1 for each process, in the order of names; 0 for the rest")
    round = parameter(2.0, minimum=0.0, help="how long a round lasts; longer than any delay")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value and votes for it in the first phase."""
        me = self.everybody().index(self.me)
        self.value = self.x = self.inputs[me : me + 1] == "1"
        self.vote()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on(VOTING, Value)
    def count(self, m, q):
        """It counts a vote, the first one of each process."""
        self.votes.setdefault(q, m.x)

    @on(VOTING, RoundOver)
    def propose(self):
        """It ends the vote and proposes a value that has n - f votes.

        sends Propose: At least n - f processes have voted for the same value: it proposes this value.
        otherwise: No value has n - f votes, so it proposes none.
        """
        self.state = PROPOSING
        y, times = most(self.votes)
        if times >= len(self.neighbours) + 1 - self.f:
            self.proposals[self.me] = y
            self.send_all(Propose(y))
        self.set_timer(RoundOver(), after=self.round)

    @on(PROPOSING, Propose)
    def consider(self, m, q):
        """It counts a proposal, the first one of each process."""
        self.proposals.setdefault(q, m.x)

    @on(PROPOSING, RoundOver)
    def weigh(self):
        """It adopts a value that more than f processes have proposed; if it is the king, it sends its value.

        sends KingSays: It has counted the proposals; it is the king and sends its value, {x}.
        otherwise: It has counted the proposals: its value is {x}; it waits for the king.
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
        """It adopts the value of the king, unless it is sure of its own.

        changes x: It is not sure of its own value and adopts that of the king.
        otherwise: It keeps its value: it is sure of it, the king has the same, or {peer} is not the king.
        """
        if q == self.king and not self.sure:
            self.x = m.x

    @on((LISTENING, REIGNING), RoundOver)
    def end_phase(self):
        """It ends the phase and votes in the next one; after the last phase it decides.

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
        """It ignores a message of another round, which only a faulty or slow process sends."""

    @on((IDLE, DECIDED), RoundOver)
    def no_round(self):
        """It is not in a round, which happens only after a fault."""

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
    """Return the most frequent value and its frequency."""
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
