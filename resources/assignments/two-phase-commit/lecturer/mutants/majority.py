"""The coordinator commits when a majority has voted yes."""

from lydian import ANY, INIT, Message, Process, Timer, complete, named, on, one_initiator, parameter, reliable, states

INITIAL, COLLECTING, UNCERTAIN, COMMITTED, ABORTED = states(
    "initial", "collecting", "uncertain", "committed", "aborted",
    reads={
        "initial": "has not voted",
        "collecting": "is collecting the votes",
        "uncertain": "is uncertain after voting yes",
        "committed": "has committed",
        "aborted": "has aborted",
    },
)  # fmt: skip


class VoteReq(Message):
    """'Can you commit?'"""


class Yes(Message):
    """'I can, whatever happens to me; the decision is yours.'"""


class No(Message):
    """'I cannot, and have aborted.'"""


class Commit(Message):
    """'The decision is to commit.'"""


class Abort(Message):
    """'The decision is to abort.'"""


class DecisionReq(Message):
    """'Do you know the decision?'"""


class Timeout(Timer):
    """The end of the time for which a process waits for votes or for the decision."""


class TwoPhaseCommit(Process):
    title = "Two-phase commit"
    needs = complete, named, reliable, one_initiator

    refuses = parameter("", help="processes that vote no, for example '3' or '2, 4'")
    timeout = parameter(4.0, minimum=0.0, help="how long the coordinator waits for votes; others wait twice as long")
    asks = parameter(3, minimum=0, help="how often an uncertain process asks for the decision")

    state = INITIAL
    yes: set[str] = set()  # the processes that have voted yes, as far as the coordinator knows
    asked: int = 0  # how often I have asked for the decision

    @on(INITIAL, INIT)
    def begin(self):
        """The coordinator begins phase one: it asks all others for their votes."""
        self.state = COLLECTING
        self.tell_all(VoteReq())
        self.set_timer(Timeout(), after=self.timeout)

    @on(INITIAL, VoteReq)
    def vote(self, m, q):
        """It votes: after a yes it depends on the coordinator, and a no is already a decision."""
        if self.can_commit():
            self.state = UNCERTAIN
            self.send(Yes(), to=q)
            self.set_timer(Timeout(), after=2 * self.timeout)
        else:
            self.send(No(), to=q)
            self.abort()

    @on(ABORTED, VoteReq)
    def too_late(self, m, q):
        """It was asked for the decision before it could vote, and has aborted."""
        self.send(No(), to=q)

    @on(COLLECTING, Yes)
    def count(self, m, q):
        """The coordinator counts a yes; after the last one it decides and informs all others."""
        self.yes.add(q)
        if len(self.yes) + 1 > (len(self.neighbours) + 1) / 2:
            if self.can_commit():
                self.commit()
                self.tell_all(Commit())
            else:
                self.call_off()

    @on(COLLECTING, (No, Timeout))
    def call_off(self):
        """The coordinator aborts: a process has voted no, or a vote is missing."""
        self.abort()
        self.tell_all(Abort())

    @on(UNCERTAIN, Timeout)
    def ask(self):
        """It has not heard the decision in time: it asks all others, because it cannot decide alone."""
        if self.asked < self.asks:
            self.asked += 1
            self.tell_all(DecisionReq())
            self.set_timer(Timeout(), after=2 * self.timeout)

    @on(UNCERTAIN, Commit)
    def commit(self):
        """It commits."""
        self.state = COMMITTED
        self.end("commit")

    @on((INITIAL, UNCERTAIN), Abort)
    def abort(self):
        """It aborts."""
        self.state = ABORTED
        self.end("abort")

    @on((COMMITTED, ABORTED), DecisionReq)
    def answer(self, m, q):
        """It knows the decision, and sends it."""
        self.send(Commit() if self.state == COMMITTED else Abort(), to=q)

    @on(INITIAL, DecisionReq)
    def abort_first(self, m, q):
        """It has not voted, so it may abort, which gives the other process a decision."""
        self.abort()
        self.send(Abort(), to=q)

    @on((COLLECTING, UNCERTAIN), DecisionReq)
    def cannot_help(self, m, q):
        """It does not know the decision either."""

    @on(ANY, (Yes, No, Commit, Abort))
    @on((INITIAL, COMMITTED, ABORTED), Timeout)
    def over(self):
        """It has already decided."""

    def can_commit(self):
        """Return True if this process can commit."""
        return self.me not in self.refuses.replace(",", " ").split()

    def tell_all(self, m):
        for r in self.neighbours:
            self.send(m, to=r)

    def end(self, decision):
        self.cancel_timer(Timeout)
        self.decide(decision)
