"""Two-phase commit: either all processes commit, or all abort.

A transaction has changed data at each process; the coordinator asks whether all can make the change permanent, and
decides.

A process that votes yes is uncertain until it receives the decision: it may neither commit nor abort on its own.  If
the decision does not arrive, it asks all others; if they are uncertain as well and the coordinator has crashed, it is
blocked.

Pseudo-code (commit or abort: write it to the log, cancel the timeout)::

    coordinator, INIT:              send VoteReq to all; wait for their votes
    initial, VoteReq from q:        send Yes to q and become uncertain, or send No to q and abort
    coordinator, Yes:               if all have voted yes: commit; send Commit to all
    coordinator, No or timeout:     abort; send Abort to all
    uncertain, timeout:             send DecisionReq to all others; wait again
    uncertain, Commit or Abort:     commit or abort
    any, DecisionReq from q:        send my decision to q, if I have one; initial: abort first

Needs a complete network with names, two-way reliable links and one initiator, the coordinator.  Processes may crash and
recover with their logs: here all variables are kept, and a missed timeout expires immediately, so a coordinator
that finds no decision in its log aborts.  As in the book, a process that decides sends the decision in the same step;
here it is also sent to the processes that voted no, and an uncertain process asks at most ``asks`` times, so that a run
ends.
Complexity: 3(n - 1) messages and three time units, if no process crashes and the timeout is longer than two delays; a
process that misses the decision sends n - 1 more messages for each time it asks.

Reference: J. Gray, Notes on data base operating systems, LNCS 60 (1978); P. A. Bernstein, V. Hadzilacos and
N. Goodman, Concurrency Control and Recovery in Database Systems (1987), section 7.4, with the cooperative termination
protocol.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    complete,
    eventually,
    named,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

INITIAL, COLLECTING, UNCERTAIN, COMMITTED, ABORTED = states(
    "initial", "collecting", "uncertain", "committed", "aborted",
    reads={
        "initial": "has not voted",
        "collecting": "is collecting the votes",
        "uncertain": "is uncertain after voting yes",
        "committed": "has committed",
        "aborted": "has aborted",
    },
)


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
    needs = complete, two_way, named, reliable, one_initiator
    messages = "3*(n - 1)"

    state = INITIAL
    coordinator: str | None = None  # the process that asked for my vote
    yes: set[str] = set()  # processes that have voted yes, as far as I know; possibly including me
    asked: int = 0  # how often I have asked for the decision

    refuses = parameter("", help="processes that vote no, for example '3' or '2, 4'")
    timeout = parameter(4.0, minimum=0.0, help="how long the coordinator waits for votes; half as long as the others")
    asks = parameter(
        5, minimum=0, help="how often an uncertain process asks before it only waits",
        reached=lambda p: p.asked >= p.asks > 0,
    )

    @on(INITIAL, INIT)
    def begin(self):
        """Phase one: it asks all others for a vote.

        always: Phase one: it asks all others for a vote.
        """
        self.state = COLLECTING
        if self.agrees():
            self.yes.add(self.me)
        self.tell_all(VoteReq())
        self.set_timer(Timeout(), after=self.timeout)

    @on(INITIAL, VoteReq)
    def vote(self, m, q):
        """It votes: after a yes it depends on the coordinator, and a no is already a decision.

        becomes aborted: It votes no, which is already a decision.
        otherwise: It votes yes, and depends on the coordinator from now on.
        """
        self.coordinator = q
        if self.agrees():
            self.state = UNCERTAIN
            self.yes.add(self.me)
            self.send(Yes(), to=q)
            self.set_timer(Timeout(), after=2 * self.timeout)
        else:
            self.send(No(), to=q)
            self.abort()

    @on(ABORTED, VoteReq)
    def too_late(self, m, q):
        """It was asked for the decision before it could vote, and has aborted."""
        self.send(No(), to=q)

    @on((COLLECTING, UNCERTAIN, COMMITTED), VoteReq)
    def voted_already(self, m, q):
        """It has already voted, so this happens only after a fault."""

    @on(COLLECTING, Yes)
    def count(self, m, q):
        """It counts a yes; after the last vote phase two begins: it decides and informs all others.

        becomes committed: The last vote has arrived, and all are yes: it commits and informs all others.
        becomes aborted: The last vote has arrived, but its own is no: it aborts and informs all others.
        otherwise: It counts a yes: {yes:process has|processes have} voted yes so far.
        """
        self.yes.add(q)
        if self.yes >= set(self.neighbours):
            if self.me in self.yes:
                self.commit()
                self.tell_all(Commit())
            else:
                self.call_off()

    @on(COLLECTING, (No, Timeout))
    def call_off(self):
        """It aborts: a process has voted no, or a vote is missing, or its log has no decision after recovery."""
        self.abort()
        self.tell_all(Abort())

    @on(UNCERTAIN, Timeout)
    def ask(self):
        """It has no decision in time: it asks all others, because it cannot decide alone.

        notes: It has asked as often as it may: it is blocked until the coordinator recovers.
        otherwise: It has no decision in time: it asks all others, because it cannot decide alone.
        """
        if self.asked < self.asks:
            self.asked += 1
            self.tell_all(DecisionReq())
            self.set_timer(Timeout(), after=2 * self.timeout)
        else:
            self.note("blocked: it has asked often enough and waits for the coordinator to recover")

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
        """It knows the decision and sends it."""
        self.send(Commit() if self.state == COMMITTED else Abort(), to=q)

    @on(INITIAL, DecisionReq)
    def abort_first(self, m, q):
        """It has not voted, so it may abort, and thereby gives the other process a decision."""
        self.abort()
        self.send(Abort(), to=q)

    @on((COLLECTING, UNCERTAIN), DecisionReq)
    def cannot_help(self, m, q):
        """It does not know the decision either."""

    @on(ANY, (Yes, No, Commit, Abort))
    @on((INITIAL, COMMITTED, ABORTED), Timeout)
    def over(self):
        """It has already decided, or was not waiting for this."""

    def agrees(self):
        return self.me not in self.refuses.replace(",", " ").split()

    def tell_all(self, m):
        for r in self.neighbours:
            self.send(m, to=r)

    def end(self, decision):
        self.cancel_timer(Timeout)
        self.decide(decision)


@always("no process commits while another aborts")
def agreement(c):
    return not {COMMITTED, ABORTED} <= {p.state for p in c.processes}


@always("a process commits only if all have voted yes")
def validity(c):
    return all(p.state != COMMITTED for p in c.processes) or all(p.me in p.yes for p in c.processes)


@eventually("no live process waits for the decision")
def decided(c):
    return all(c.crashed(p) or p.state not in (COLLECTING, UNCERTAIN) for p in c.processes)
