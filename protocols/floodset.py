"""FloodSet: processes exchange all the values they have seen, in f + 1 rounds, and decide on one.

Each process begins with a value; all processes that do not crash decide on the same value, although up to f crash.

In each round a process sends the set of all values that it has seen to all others.  A process that crashes while it
sends reaches some and not others; but in at least one of f + 1 rounds no process crashes, and after it all sets are
equal and remain so.

Pseudo-code (round: executed by all processes in lock-step, f + 1 times)::

    INIT:            W := {my value}
    round:           send W to all others; W := W united with all sets received in the round
    after round f + 1:   decide the value in W if there is only one, else v0

Rounds are implemented as follows: all processes begin at time 0, a round lasts ``round`` units, which is longer than
any delay, and a timer that is the same for all ends it.  A message that arrives late counts in the round in which it
arrives, and not at all once the receiver has decided.  A process that crashes during a round sends to some processes
only: in an experiment, drop the other messages (the next ones on their links) and crash it before the round ends.

Needs a complete network with reliable links and names, and all processes as initiators; delays are positive and less
than a round, clocks run equally fast, at most f processes crash (f < n), and none is Byzantine.
Complexity: f + 1 rounds, and (f + 1) n (n - 1) messages if no process crashes.

Reference: N. Lynch, Distributed Algorithms, section 6.2.1 (FloodSet); M. Fischer and N. Lynch, A lower bound for the
time to assure interactive consistency, Information Processing Letters 14 (1982), for the f + 1 rounds.
"""

from lydian import (
    CRASHES,
    INIT,
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

IDLE, FLOODING, DECIDED = states(
    "idle", "flooding", "decided",
    reads={"idle": "is idle", "flooding": "is sending the values it has seen", "decided": "has decided"},
)


class Values(Message):
    """All values that the sender has seen."""

    w: set[str]


class RoundOver(Timer):
    """The end of a round."""


class FloodSet(Process):
    title = "FloodSet"
    needs = complete, named, everybody_starts, reliable, at_most("f", CRASHES), synchronous("round")
    messages = "(f + 1)*n*(n - 1)"

    state = IDLE
    value: str | None = None  # my initial value
    w: set[str] = set()  # the values that I have seen
    rounds: int = 0  # how many rounds are over
    decision: str | None = None

    f = parameter(1, minimum=0, help="how many processes may crash")
    inputs = parameter("0110", help="initial values: one character each, in the order of names; 0 for the rest")
    v0 = parameter("0", help="the decision if there are several values")
    round = parameter(2.0, minimum=0.0, help="how long a round lasts; longer than any delay")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value and sends it to all others."""
        me = sorted((self.me, *self.neighbours), key=natural).index(self.me)
        self.value = self.inputs[me : me + 1] or "0"
        self.w.add(self.value)
        self.state = FLOODING
        self.send_all()

    @on((FLOODING, DECIDED), INIT)
    def started(self):
        """It has already begun."""

    @on((IDLE, FLOODING), Values)
    def unite(self, m, q):
        """It adds all the values that the sender has seen."""
        self.w |= m.w

    @on(DECIDED, Values)
    def too_late(self, m, q):
        """It has already decided, which happens only if a message takes longer than a round."""
        self.note(f"values from {q} come too late")

    @on(FLOODING, RoundOver)
    def next_round(self):
        """It ends a round: it sends the values it has seen, or decides after the last round.

        decides: The last round is over: it decides.
        otherwise: Round {rounds} is over: it sends the values it has seen so far.
        """
        self.rounds += 1
        if self.rounds <= self.f:
            self.send_all()
        else:
            self.decision = min(self.w) if len(self.w) == 1 else self.v0
            self.state = DECIDED
            self.decide(self.decision)

    @on((IDLE, DECIDED), RoundOver)
    def no_round(self):
        """It is not in a round, which happens only after a fault."""

    def send_all(self):
        for r in self.neighbours:
            self.send(Values(self.w), to=r)
        self.set_timer(RoundOver(), after=self.round)


@always("no two processes decide differently")
def agreement(c):
    return len(set(c.decided.values())) <= 1


@always("if all processes begin with one value, no other is decided")
def validity(c):
    begun = {p.value for p in c.processes if p.value is not None}
    return len(begun) > 1 or set(c.decided.values()) <= begun


@at_end("each process that has not crashed has decided")
def termination(c):
    return all(p.decision is not None for p in c.processes if not c.crashed(p))
