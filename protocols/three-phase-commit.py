"""Three-phase commit: no crash blocks the remaining processes.

This is two-phase commit with a step between the votes and the decision: before any process commits, all live processes
know that all have voted yes.

If the coordinator is silent, another process takes over and asks the others for their states.  An uncertain process can
be sure that no process has committed; a prepared process can be sure that no process has aborted.

Pseudo-code (with the termination protocol; T1 to T4 are the rules of the process that takes over)::

    coordinator, INIT:            send VoteReq to all; wait for their votes
    initial, VoteReq from q:      send Yes to q and become uncertain, or send No to q and abort
    coordinator, all have voted yes:             send PreCommit to all; wait for their Acks
    coordinator, No or timeout:                  abort; send Abort to all
    uncertain, PreCommit from q:                 send Ack to q; become prepared
    coordinator, all have answered, or timeout:  commit; send Commit to all
    uncertain or prepared, timeout:   take over: send StateReq to all; wait for their Reports
    any, StateReq from q:             send Report(my state) to q; wait for q from now on
    the process that took over, all have answered, or timeout:
        T1  some process has aborted:     abort; send Abort to all
        T2  some process has committed:   commit; send Commit to all
        T3  all are uncertain:            abort; send Abort to all
        T4  some are prepared:            send PreCommit to those that are not; wait for their Acks; commit; inform all

Needs a complete network with names, two-way reliable links, one initiator (the coordinator), and known bounds on the
delays: the timeout is longer than two delays.  Processes may crash, but not all, and do not recover: a recovering
process would ask another one for the decision, which is left out.  In the book, the process that takes over is elected;
here the process with the lowest name times out first, the next one timeout later, and so on.  Commit and Abort are sent
to all.
Complexity: 5(n - 1) messages and five time units to commit, 3(n - 1) messages if some process votes no; a process that
takes over needs up to 5(n - 1) more.

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
    synchronous,
    two_way,
)

INITIAL, COLLECTING, UNCERTAIN, PREPARING, PREPARED, ASKING, COMMITTED, ABORTED = states(
    "initial", "collecting", "uncertain", "preparing", "prepared", "asking", "committed", "aborted",
    reads={
        "initial": "has not voted",
        "collecting": "is collecting the votes",
        "uncertain": "is uncertain after voting yes",
        "preparing": "is preparing the others",
        "prepared": "knows that all have voted yes",
        "asking": "is collecting reports",
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
    """'The decision is to commit.'"""


class Abort(Message):
    """'The decision is to abort.'"""


class StateReq(Message):
    """'The coordinator is silent; I have taken over. What is your state?'"""


class Report(Message):
    """'My state is uncertain, prepared, committed or aborted.'"""

    state: str


class Timeout(Timer):
    """The end of the time for which a process waits for an answer or for the coordinator."""


class ThreePhaseCommit(Process):
    title = "Three-phase commit"
    needs = complete, two_way, named, reliable, one_initiator, synchronous("timeout / 2")
    messages = "5*(n - 1) if refuses == '' else 3*(n - 1)"

    state = INITIAL
    coordinator: str | None = None  # the process that I wait for
    yes: set[str] = set()  # processes that have voted yes, as far as I know; possibly including me
    pending: set[str] = set()  # processes from which I expect an Ack or a Report
    far: dict[str, str] = {}  # if I have taken over: process -> the state it has reported; also my own

    refuses = parameter("", help="processes that vote no, for example '3' or '2, 4'")
    timeout = parameter(4.0, minimum=0.0, help="longest time from a request to its answer")

    @on(INITIAL, INIT)
    def begin(self):
        """Phase one: it asks all others for a vote.

        always: Phase one: it asks all others for a vote.
        """
        self.state = COLLECTING
        if self.agrees():
            self.yes.add(self.me)
        self.tell(VoteReq(), self.neighbours)
        self.set_timer(Timeout(), after=self.timeout)

    @on(INITIAL, VoteReq)
    def vote(self, m, q):
        """It votes: after a yes it waits for the coordinator, and a no is already a decision.

        becomes aborted: It votes no, which is already a decision.
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
        """It counts a yes; after the last vote phase two begins: it informs all others that all have voted yes.

        becomes preparing: All have voted yes: phase two begins, and it informs all others.
        becomes aborted: All others have voted yes, but it has not: it aborts.
        otherwise: It counts a yes: {yes:process has|processes have} voted yes so far.
        """
        self.yes.add(q)
        if self.yes >= set(self.neighbours):
            if self.me in self.yes:
                self.prepare(self.neighbours)
            else:
                self.call_off()

    @on(COLLECTING, (No, Timeout))
    def call_off(self):
        """It aborts and informs all others: a process has voted no, or a vote is missing."""
        self.abort()
        self.tell(Abort(), self.neighbours)

    @on((UNCERTAIN, PREPARED), PreCommit)
    def be_prepared(self, m, q):
        """It learns that all have voted yes: it is safe to commit, whatever happens."""
        self.state = PREPARED
        self.send(Ack(), to=q)
        self.wait_for(q)

    @on(PREPARING, Ack)
    def acknowledged(self, m, q):
        """It learns that a process is prepared; after the last acknowledgement phase three begins.

        becomes committed: All others know that all have voted yes: it commits and informs them.
        otherwise: One more process knows that all have voted yes; {pending:answer is|answers are} missing.
        """
        self.pending.discard(q)
        if not self.pending:
            self.close()

    @on(PREPARING, Timeout)
    def close(self):
        """It commits and informs all others: all live processes are prepared.

        always:
        """
        self.commit()
        self.tell(Commit(), self.neighbours)

    @on((UNCERTAIN, PREPARED), Timeout)
    def take_over(self):
        """It takes over from the silent coordinator and asks the others for their states.

        always:
        """
        self.far = {self.me: self.state}
        self.state = ASKING
        self.pending = set(self.neighbours)
        self.tell(StateReq(), self.neighbours)
        self.set_timer(Timeout(), after=self.timeout)

    @on(ANY, StateReq)
    def report(self, m, q):
        """It reports its state, and now waits for the process that has taken over.

        becomes aborted: It had not voted: it aborts, and reports this.
        otherwise: It reports its state.
        """
        if self.state == INITIAL:
            self.abort()  # it has not voted, and may abort
        so_far = {COLLECTING: UNCERTAIN, PREPARING: PREPARED, ASKING: self.far.get(self.me, "")}
        self.send(Report(so_far.get(self.state, self.state)), to=q)
        if self.state in (UNCERTAIN, PREPARED):
            self.wait_for(q)

    @on(ASKING, Report)
    def learn(self, m, q):
        """It collects a report; after the last one it decides.

        stays: Process {peer} has reported its state; {pending:answer is|answers are} missing.
        becomes aborted: The last report has arrived: no process can have committed, so it aborts.
        becomes committed: The last report has arrived: a process has committed, so it commits.
        otherwise: The last report has arrived: it may commit, but prepares the others first.
        """
        self.far[q] = m.state
        self.pending.discard(q)
        if not self.pending:
            self.terminate()

    @on(ASKING, Timeout)
    def terminate(self):
        """It has the reports of all live processes and applies the rules T1 to T4.

        becomes aborted: No live process can have committed, so it aborts.
        becomes committed: A process has committed, so it commits.
        otherwise: It may commit, but first it prepares those that are still uncertain.
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
        """It commits."""
        self.state = COMMITTED
        self.end("commit")

    @on((INITIAL, UNCERTAIN, PREPARED, ASKING, PREPARING, COLLECTING), Abort)
    def abort(self):
        """It aborts."""
        self.state = ABORTED
        self.end("abort")

    @on(ANY, (VoteReq, Yes, No, PreCommit, Ack, Report, Commit, Abort, Timeout))
    def late(self):
        """It is past this step, or has decided."""

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


@always("no process commits while another aborts")
def agreement(c):
    return not {COMMITTED, ABORTED} <= {p.state for p in c.processes}


@always("a process commits only if all have voted yes")
def validity(c):
    return all(p.state != COMMITTED for p in c.processes) or all(p.me in p.yes for p in c.processes)


@always("while some process is uncertain, no process has committed")
def non_blocking(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    return all(p.state != UNCERTAIN for p in alive) or all(p.state != COMMITTED for p in alive)


@eventually("each live process has decided")
def decided(c):
    return all(c.crashed(p) or p.state in (COMMITTED, ABORTED) for p in c.processes)
