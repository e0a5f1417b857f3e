"""Three-phase commit: nobody is blocked by a crash.

As two-phase commit, with a step between the votes and the decision: before anybody commits, all who are alive know that
everybody has voted yes.

If the coordinator is silent, another process takes over and asks the others how far they are.  Who is uncertain can be
sure that nobody has committed; who is prepared can be sure that nobody has aborted.

Pseudo-code (with the termination protocol; T1 to T4 are the rules of the one who takes over)::

    coordinator, INIT:            send VoteReq to all; wait for their votes
    initial, VoteReq from q:      send Yes to q and become uncertain, or send No to q and abort
    coordinator, all have voted yes:             send PreCommit to all; wait for their Acks
    coordinator, No or timeout:                  abort; send Abort to all
    uncertain, PreCommit from q:                 send Ack to q; become prepared
    coordinator, all have answered, or timeout:  commit; send Commit to all
    uncertain or prepared, timeout:   take over: send StateReq to all; wait for their Reports
    any, StateReq from q:             send Report(my state) to q; wait for q from now
    who took over, all have answered, or timeout:
        T1  somebody has aborted:     abort; send Abort to all
        T2  somebody has committed:   commit; send Commit to all
        T3  all are uncertain:        abort; send Abort to all
        T4  some are prepared:        send PreCommit to those who are not; wait for their Acks; commit; tell all

Needs a complete network with names, two-way links that lose nothing, one initiator (the coordinator), and times that
are known: the timeout is longer than two messages take.  Processes may crash, but not all, and stay down: to recover
is to ask somebody for the decision, and is left out.  The book elects the process that takes over; here the one with
the lowest name is the least patient, the next waits one timeout longer, and so on.  Commit and Abort go to all.
Complexity: 5(n - 1) messages and five time units if it is committed, 3(n - 1) messages if somebody refuses; who takes
over needs up to 5(n - 1) more.

Reference: D. Skeen, Nonblocking commit protocols, SIGMOD 1981; P. A. Bernstein, V. Hadzilacos and N. Goodman,
Concurrency Control and Recovery in Database Systems (1987), section 7.5.
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
    natural,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

INITIAL, COLLECTING, UNCERTAIN, PREPARING, PREPARED, ASKING, COMMITTED, ABORTED = states(
    "initial", "collecting", "uncertain", "preparing", "prepared", "asking", "committed", "aborted",
    reads={
        "initial": "has not voted",
        "collecting": "collects the votes",
        "uncertain": "has voted yes and is uncertain",
        "preparing": "prepares the others",
        "prepared": "knows that all voted yes",
        "asking": "has taken over and asks",
        "committed": "has committed",
        "aborted": "has aborted",
    },
)


class VoteReq(Message):
    """'Can you commit?'"""


class Yes(Message):
    """'I can.'"""


class No(Message):
    """'I cannot, and have aborted.'"""


class PreCommit(Message):
    """'All have voted yes; we are about to commit.'"""


class Ack(Message):
    """'I know that all have voted yes.'"""


class Commit(Message):
    """'It is done.'"""


class Abort(Message):
    """'It never happened.'"""


class StateReq(Message):
    """'The coordinator is silent; I have taken over. How far are you?'"""


class Report(Message):
    """'So far: uncertain, prepared, committed or aborted.'"""

    state: str


class Timeout(Timer):
    """Somebody has kept me waiting for too long."""


class ThreePhaseCommit(Process):
    title = "Three-phase commit"
    needs = complete, two_way, named, reliable, one_initiator
    messages = "5*(n - 1) if refuses == '' else 3*(n - 1)"

    state = INITIAL
    coordinator: str | None = None  # whom I wait for
    yes: set[str] = set()  # who has voted yes, as far as I know; myself among them
    pending: set[str] = set()  # from whom I expect an Ack or a Report
    far: dict[str, str] = {}  # how far the others are, if I have taken over; and I

    refuses = parameter("", help="who votes no, for example '3' or '2, 4'")
    timeout = parameter(4.0, minimum=0.0, help="how long votes and answers may take, there and back")

    @on(INITIAL, INIT)
    def begin(self):
        """Phase one: it asks everybody for a vote.

        always: Phase one: it asks all others for a vote.
        """
        self.state = COLLECTING
        if self.agrees():
            self.yes.add(self.me)
        self.tell(VoteReq(), self.neighbours)
        self.set_timer(Timeout(), after=self.timeout)

    @on(INITIAL, VoteReq)
    def vote(self, m, q):
        """It votes: a no is a decision, from a yes on it waits for the coordinator.

        becomes aborted: It votes no, which is a decision.
        otherwise: It votes yes, and depends on the coordinator from now on.
        """
        if self.agrees():
            self.state = UNCERTAIN
            self.yes.add(self.me)
            self.send(Yes(), to=q)
            self.wait_for(q)
        else:
            self.send(No(), to=q)
            self.abort()

    @on(COLLECTING, Yes)
    def count(self, m, q):
        """Phase two begins when the last vote has come, and tells everybody that all have voted yes.

        becomes preparing: All have voted yes: phase two begins, and it tells all others.
        becomes aborted: All others have voted yes, but it has not: it aborts.
        otherwise: One vote more: {yes:process has|processes have} voted yes.
        """
        self.yes.add(q)
        if self.yes >= set(self.neighbours):
            if self.me in self.yes:
                self.prepare(self.neighbours)
            else:
                self.call_off()

    @on(COLLECTING, (No, Timeout))
    def call_off(self):
        """Somebody refuses, or a vote is missing: it aborts and tells everybody."""
        self.abort()
        self.tell(Abort(), self.neighbours)

    @on((UNCERTAIN, PREPARED), PreCommit)
    def be_prepared(self, m, q):
        """All have voted yes: whatever happens now, it can be committed."""
        self.state = PREPARED
        self.send(Ack(), to=q)
        self.wait_for(q)

    @on(PREPARING, Ack)
    def acknowledged(self, m, q):
        """One more knows that all have voted yes; with the last, phase three begins.

        becomes committed: All know that all have voted yes: it commits, and tells all others.
        otherwise: One more knows that all have voted yes; {pending:answer is|answers are} missing.
        """
        self.pending.discard(q)
        if not self.pending:
            self.close()

    @on(PREPARING, Timeout)
    def close(self):
        """All who are alive are prepared: it commits and tells everybody.

        always:
        """
        self.commit()
        self.tell(Commit(), self.neighbours)

    @on((UNCERTAIN, PREPARED), Timeout)
    def take_over(self):
        """The coordinator is silent: it takes over and asks the others how far they are.

        always:
        """
        self.far = {self.me: self.state}
        self.state = ASKING
        self.pending = set(self.neighbours)
        self.tell(StateReq(), self.neighbours)
        self.set_timer(Timeout(), after=self.timeout)

    @on(ANY, StateReq)
    def report(self, m, q):
        """It says how far it is, and from now on waits for the one who took over.

        becomes aborted: It had not voted: it aborts, and says so.
        otherwise: It says how far it is.
        """
        if self.state == INITIAL:
            self.abort()  # it has not voted, and may
        so_far = {COLLECTING: UNCERTAIN, PREPARING: PREPARED, ASKING: self.far.get(self.me, "")}
        self.send(Report(so_far.get(self.state, self.state)), to=q)
        if self.state in (UNCERTAIN, PREPARED):
            self.wait_for(q)

    @on(ASKING, Report)
    def learn(self, m, q):
        """One more has told how far it is; with the last, it decides.

        stays: {peer} has told how far it is; {pending:answer is|answers are} missing.
        becomes aborted: The last answer is here: no process can have committed, so it aborts.
        becomes committed: The last answer is here: a process has committed, so it commits.
        otherwise: The last answer is here: it may commit, and prepares the others first.
        """
        self.far[q] = m.state
        self.pending.discard(q)
        if not self.pending:
            self.terminate()

    @on(ASKING, Timeout)
    def terminate(self):
        """All who are alive have told how far they are: the rules T1 to T4.

        becomes aborted: No process that is alive can have committed, so it aborts.
        becomes committed: A process has committed, so it commits.
        otherwise: It may commit: it prepares those that are still uncertain first.
        """
        known = set(self.far.values())
        if ABORTED in known or known == {UNCERTAIN}:
            self.call_off()
        elif COMMITTED in known:
            self.close()
        else:
            self.prepare([q for q in self.neighbours if self.far.get(q) == UNCERTAIN])

    @on((INITIAL, UNCERTAIN, PREPARED, ASKING, PREPARING, COLLECTING), Commit)
    def commit(self):
        """It commits, for good."""
        self.state = COMMITTED
        self.end("commit")

    @on((INITIAL, UNCERTAIN, PREPARED, ASKING, PREPARING, COLLECTING), Abort)
    def abort(self):
        """It aborts, for good."""
        self.state = ABORTED
        self.end("abort")

    @on(ANY, (VoteReq, Yes, No, PreCommit, Ack, Report, Commit, Abort, Timeout))
    def late(self):
        """It is past that, or has decided."""

    def agrees(self):
        return self.me not in self.refuses.replace(",", " ").split()

    def prepare(self, others):
        self.state = PREPARING
        self.pending = set(others)
        self.tell(PreCommit(), others)
        if self.pending:
            self.set_timer(Timeout(), after=self.timeout)
        else:
            self.close()

    def wait_for(self, q):
        self.coordinator = q
        rank = sum(natural(r) < natural(self.me) for r in self.neighbours)
        self.set_timer(Timeout(), after=(2 + rank) * self.timeout)

    def tell(self, m, others):
        for r in others:
            self.send(m, to=r)

    def end(self, decision):
        self.cancel_timer(Timeout)
        self.decide(decision)


@always("nobody commits while another aborts")
def agreement(c):
    return not {COMMITTED, ABORTED} <= {p.state for p in c.processes}


@always("it is committed only if all have voted yes")
def validity(c):
    return all(p.state != COMMITTED for p in c.processes) or all(p.me in p.yes for p in c.processes)


@always("while somebody is uncertain, nobody has committed")
def non_blocking(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    return all(p.state != UNCERTAIN for p in alive) or all(p.state != COMMITTED for p in alive)


@eventually("everybody alive has decided")
def decided(c):
    return all(c.crashed(p) or p.state in (COMMITTED, ABORTED) for p in c.processes)
