"""FloodSet: everybody tells everything, f + 1 times.

Every process begins with a value; all that do not crash decide for one and the same, although up to f crash.

In each round a process sends the set of all values that it has seen to everybody.  Who crashes while it sends reaches
some and not others; but among f + 1 rounds there is one in which nobody crashes, and after it all sets are equal, and
stay so.

Pseudo-code (round: what follows is done by everybody at the same time, f + 1 times)::

    INIT:            W := {my value}
    round:           send W to all others; W := W united with all sets received in the round
    after round f + 1:   decide the value in W if there is only one, else v0

Rounds are read so: all begin at time 0, a round lasts ``round`` units, which is longer than any message takes, and a
timer that is the same for all ends it.  What comes later than in its round counts in the round in which it comes, and
not at all once the process has decided.  A process that crashes in the middle of a round sends to some only: in an
experiment, drop the other messages (they are the next on their links) and crash it before the round ends.

Needs a complete network with names whose links lose nothing, and that everybody starts; messages take more than no
time and less than a round, clocks run equally fast, at most f processes crash (f < n), and nobody lies.
Complexity: f + 1 rounds, (f + 1) n (n - 1) messages when nobody crashes.

Reference: N. Lynch, Distributed Algorithms, section 6.2.1 (FloodSet); M. Fischer and N. Lynch, A lower bound for the
time to assure interactive consistency, Information Processing Letters 14 (1982), for the f + 1 rounds.
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

IDLE, FLOODING, DECIDED = states(
    "idle", "flooding", "decided",
    reads={"idle": "has not begun", "flooding": "sends what it has seen", "decided": "has decided"},
)


class Values(Message):
    """All values that the sender has seen."""

    w: set[str]


class RoundOver(Timer):
    """The round is over."""


class FloodSet(Process):
    title = "FloodSet"
    needs = complete, named, everybody_starts, reliable
    messages = "(f + 1)*n*(n - 1)"

    state = IDLE
    value: str | None = None  # what I begin with
    w: set[str] = set()  # the values that I have seen
    rounds: int = 0  # how many rounds are over
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
        self.state = FLOODING
        self.send_all()

    @on((FLOODING, DECIDED), INIT)
    def started(self):
        """It has begun already."""

    @on((IDLE, FLOODING), Values)
    def unite(self, m, q):
        """It has seen all that the sender has seen."""
        self.w |= m.w

    @on(DECIDED, Values)
    def too_late(self, m, q):
        """It has decided already; this happens only when a message took longer than a round."""
        self.note(f"values from {q} come too late")

    @on(FLOODING, RoundOver)
    def next_round(self):
        """A round is over: it sends what it has seen by now, or decides after the last.

        decides: The last round is over: it decides.
        otherwise: Round {rounds} is over: it sends what it has seen by now.
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
        """No round is under way; this happens only when something was broken."""

    def send_all(self):
        for r in self.neighbours:
            self.send(Values(self.w), to=r)
        self.set_timer(RoundOver(), after=self.round)


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
