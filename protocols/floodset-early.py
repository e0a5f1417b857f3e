"""FloodSet, early stopping: a process that detects no new crash may decide.

FloodSet for up to f crashes, which ends after f' + 2 rounds if only f' processes crash.

A process counts the processes from which it hears in each round.  If there are as many as in the round before, it has
detected no new crash, so it has seen all the values that any live process has seen.  It announces this with its values
in the next round and decides at the end of that round; a process that receives the announcement decides one round
later.

Pseudo-code (heard(r): number of processes from which it hears in round r, itself included; heard(0) = n)::

    INIT:            W := {my value}; early := false
    round r:         send (W, early) to all others; W := W united with all sets received in the round
    after round r:   if early or r = f + 1:  decide the value in W if there is only one, else v0, and halt
                     if heard(r) = heard(r - 1), or some process sent early = true:  early := true

Rounds are implemented as in FloodSet: all processes begin at time 0, a round lasts ``round`` units, longer than any
delay, and a timer that is the same for all ends it.  A late message counts in the round in which it arrives.  In
this version a process decides at the end of the round in which it has announced its decision, not directly after
sending: a process that crashes while it sends has not decided.

Needs a complete network with reliable links and names, and all processes as initiators; delays are positive and less
than a round, clocks run equally fast, at most f processes crash (f < n), and none is Byzantine.
Complexity: min(f' + 2, f + 1) rounds, with n (n - 1) messages in each if no process crashes.

Reference: D. Dolev, R. Reischuk and H. R. Strong, Early stopping in Byzantine agreement, Journal of the ACM 37 (1990);
M. Raynal, Fault-tolerant Agreement in Synchronous Message-passing Systems (2010), section 3.2; N. Lynch, Distributed
Algorithms, section 6.2.1 (FloodSet).
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

IDLE, FLOODING, STOPPING, DECIDED = states(
    "idle", "flooding", "stopping", "decided",
    reads={
        "idle": "is idle",
        "flooding": "is sending the values it has seen",
        "stopping": "is due to decide after this round",
        "decided": "has decided",
    },
)


class Values(Message):
    """All values that the sender has seen; ``early`` if it will decide after this round."""

    w: set[str]
    early: bool


class RoundOver(Timer):
    """The end of a round."""


class FloodSetEarly(Process):
    title = "FloodSet, early stopping"
    needs = complete, named, everybody_starts, reliable, at_most("f", CRASHES), synchronous("round")
    messages = "min(2, f + 1)*n*(n - 1)"

    state = IDLE
    value: str | None = None  # my initial value
    w: set[str] = set()  # the values that I have seen
    rounds: int = 0  # how many rounds are over
    heard: set[str] = set()  # processes from which I have heard in this round
    before: int = 0  # the number of these in the round before, including me
    told: bool = False  # whether some process announced in this round that it will decide
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
        self.before = len(self.neighbours) + 1
        self.state = FLOODING
        self.send_all()

    @on((FLOODING, STOPPING, DECIDED), INIT)
    def started(self):
        """It has already begun."""

    @on((IDLE, FLOODING, STOPPING), Values)
    def unite(self, m, q):
        """It adds all the values that the sender has seen, and counts the sender as heard."""
        self.w |= m.w
        self.heard.add(q)
        self.told = self.told or m.early

    @on(DECIDED, Values)
    def too_late(self, m, q):
        """It has already decided; slower processes may still send."""

    @on(FLOODING, RoundOver)
    def next_round(self):
        """It ends a round: if it has heard from as many processes as before, it may stop early.

        decides: The last round is over: it decides.
        becomes stopping: It has heard from as many processes as in the round before, or a process has announced
            its decision: it will decide after this round.
        otherwise: The round is over: it has heard from {before:process|processes}, itself included, and continues.
        """
        self.rounds += 1
        if self.rounds == self.f + 1:
            self.stop()
        else:
            if len(self.heard) + 1 == self.before or self.told:
                self.state = STOPPING
            self.before = len(self.heard) + 1
            self.send_all()

    @on(STOPPING, RoundOver)
    def last_round(self):
        """It ends the round in which it has announced its decision, and decides.

        always:
        """
        self.rounds += 1
        self.stop()

    @on((IDLE, DECIDED), RoundOver)
    def no_round(self):
        """It is not in a round, which happens only after a fault."""

    def send_all(self):
        self.heard = set()
        self.told = False
        for r in self.neighbours:
            self.send(Values(self.w, self.state == STOPPING), to=r)
        self.set_timer(RoundOver(), after=self.round)

    def stop(self):
        self.decision = min(self.w) if len(self.w) == 1 else self.v0
        self.state = DECIDED
        self.decide(self.decision)


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


@always("no process needs more than min(f' + 2, f + 1) rounds if f' have crashed")
def early(c):
    crashed = sum(c.crashed(p) for p in c.processes)
    return all(p.rounds <= min(crashed + 2, p.f + 1) for p in c.processes)
