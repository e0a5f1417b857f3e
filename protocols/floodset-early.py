"""FloodSet, early stopping: who misses nobody new knows enough.

FloodSet for up to f crashes, which ends after f' + 2 rounds when only f' processes crash.

A process counts from whom it hears in each round.  When they are as many as in the round before, nobody has crashed
in a way that it could have missed a value, so it has seen all that anybody alive has seen.  It says so with its
values in the next round, and decides at the end of that; who hears it does the same one round later.

Pseudo-code (heard(r): from how many a process hears in round r, itself included; heard(0) = n)::

    INIT:            W := {my value}; early := false
    round r:         send (W, early) to all others; W := W united with all sets received in the round
    after round r:   if early or r = f + 1:  decide the value in W if there is only one, else v0, and halt
                     if heard(r) = heard(r - 1), or somebody sent early = true:  early := true

Rounds are read as in FloodSet: all begin at time 0, a round lasts ``round`` units, which is longer than any message
takes, and a timer that is the same for all ends it.  What comes late counts in the round in which it comes.  That a
process decides at the end of the round in which it has said so, and not right after sending, is our reading: who
crashes while it sends has not decided.

Needs a complete network with names whose links lose nothing, and that everybody starts; messages take more than no
time and less than a round, clocks run equally fast, at most f processes crash (f < n), and nobody lies.
Complexity: min(f' + 2, f + 1) rounds; n (n - 1) messages in each of them when nobody crashes.

Reference: D. Dolev, R. Reischuk and H. R. Strong, Early stopping in Byzantine agreement, Journal of the ACM 37 (1990);
M. Raynal, Fault-tolerant Agreement in Synchronous Message-passing Systems (2010), section 3.2; N. Lynch, Distributed
Algorithms, section 6.2.1 (FloodSet).
"""

from lydian import (
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

IDLE, FLOODING, STOPPING, DECIDED = states(
    "idle", "flooding", "stopping", "decided",
    reads={
        "idle": "has not begun",
        "flooding": "sends what it has seen",
        "stopping": "will decide after this round",
        "decided": "has decided",
    },
)


class Values(Message):
    """All values that the sender has seen, and whether it will decide after this round."""

    w: set[str]
    early: bool


class RoundOver(Timer):
    """The round is over."""


class FloodSetEarly(Process):
    title = "FloodSet, early stopping"
    needs = complete, named, everybody_starts, reliable
    messages = "min(2, f + 1)*n*(n - 1)"

    state = IDLE
    value: str | None = None  # what I begin with
    w: set[str] = set()  # the values that I have seen
    rounds: int = 0  # how many rounds are over
    heard: set[str] = set()  # from whom I heard in this round
    before: int = 0  # how many these were in the round before, with me
    told: bool = False  # whether somebody in this round said that it will decide
    decision: str | None = None

    f = parameter(1, minimum=0, help="how many processes may crash")
    inputs = parameter("0110", help="what the processes begin with: a character each, in the order of names, then 0")
    v0 = parameter("0", help="what is decided when there are several values")
    round = parameter(2.0, minimum=0.0, help="how long a round lasts; longer than any message takes")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value and sends it to everybody."""
        me = sorted((self.me, *self.neighbours), key=natural).index(self.me)
        self.value = self.inputs[me : me + 1] or "0"
        self.w.add(self.value)
        self.before = len(self.neighbours) + 1
        self.state = FLOODING
        self.send_all()

    @on((FLOODING, STOPPING, DECIDED), INIT)
    def started(self):
        """It has begun already."""

    @on((IDLE, FLOODING, STOPPING), Values)
    def unite(self, m, q):
        """It has seen all that the sender has seen, and heard from one more."""
        self.w |= m.w
        self.heard.add(q)
        self.told = self.told or m.early

    @on(DECIDED, Values)
    def too_late(self, m, q):
        """It has decided already; who is slower to decide may still send."""

    @on(FLOODING, RoundOver)
    def next_round(self):
        """A round is over: did it hear from as many as before, and may it stop early?

        decides: The last round is over: it decides.
        becomes stopping: It has heard from as many as in the round before, or a process told it to stop: it
            will decide after this round.
        otherwise: The round is over: it heard from {before:process|processes}, itself included, and goes on.
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
        """The round in which it said so is over: it decides.

        always:
        """
        self.rounds += 1
        self.stop()

    @on((IDLE, DECIDED), RoundOver)
    def no_round(self):
        """No round is under way; this happens only when something was broken."""

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


@always("if all begin with one value, no other is decided")
def validity(c):
    begun = {p.value for p in c.processes if p.value is not None}
    return len(begun) > 1 or set(c.decided.values()) <= begun


@at_end("all who have not crashed have decided")
def termination(c):
    return all(p.decision is not None for p in c.processes if not c.crashed(p))


@always("nobody needs more than min(f' + 2, f + 1) rounds, when f' have crashed")
def early(c):
    crashed = sum(c.crashed(p) for p in c.processes)
    return all(p.rounds <= min(crashed + 2, p.f + 1) for p in c.processes)
