"""Two-phase commit: either all processes commit, or all abort.

Complete the actions below, and add the missing ones. Keep the name of this file, the states ``initial``,
``committed`` and ``aborted``, and the parameters.
"""

from lydian import INIT, Message, Process, Timer, complete, named, on, one_initiator, parameter, reliable, states

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
    # Declare variables here, with their types and initial values.

    @on(INITIAL, INIT)
    def begin(self):
        """The coordinator begins phase one: it asks all others for their votes."""
        raise NotImplementedError("begin: send VoteReq to all others, set the timer, and become collecting")

    @on(INITIAL, VoteReq)
    def vote(self, m, q):
        """It votes, because the coordinator q asks for its vote."""
        raise NotImplementedError("vote: what does a process do that can commit, and one that cannot?")

    @on(COLLECTING, Yes)
    def count(self, m, q):
        """The coordinator receives a yes from q."""
        raise NotImplementedError("count: when is the decision made, and who is told?")

    @on(COLLECTING, (No, Timeout))
    def call_off(self):
        """The coordinator receives a no, or has waited long enough."""
        raise NotImplementedError("call_off: what is the decision, and who is told?")

    @on(UNCERTAIN, Timeout)
    def ask(self):
        """It has not heard the decision in time."""
        raise NotImplementedError("ask: who may know the decision?")

    # Which messages may arrive in the other states? Add the actions.

    def can_commit(self):
        """Return True if this process can commit."""
        return self.me not in self.refuses.replace(",", " ").split()
