"""Consensus with a failure detector: all processes that do not crash decide on one of the proposed values."""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
)

IDLE, DECIDING, DECIDED = states(
    "idle", "deciding", "decided",
    reads={"idle": "has no proposal yet", "deciding": "is going through the rounds", "decided": "has decided"},
)  # fmt: skip


class Propose(Command):
    """The user of a process proposes a value."""

    value: str


class Heartbeat(Message):
    """'I am alive.'"""


class Estimate(Message):
    """The estimate of the coordinator of a round."""

    round: int
    value: str


class Beat(Timer):
    """The time at which the next heartbeat is due."""


class Silence(Timer):
    """The end of the time for which process ``of`` may be silent."""

    of: str


class Consensus(Process):
    title = "Consensus with a failure detector"
    needs = complete, named, reliable, everybody_starts

    period = parameter(2.0, minimum=0.0, help="time from one heartbeat of a process to the next")
    bound = parameter(2.0, minimum=0.0, help="no message takes longer than this")

    state = IDLE
    suspected: set[str] = set()  # the processes that I suspect to have crashed
    estimate: str = ""  # the value that I should decide if the last round were over
    round: int = 0  # the round I am in, from 0
    received: dict[int, str] = {}  # round -> the estimate of its coordinator

    # ------------------------------------------------------------- the failure detector

    @on(ANY, INIT)
    def start(self):
        """It sends its first heartbeat, and expects one from each other process."""
        for q in self.neighbours:
            self.expect(q)
        self.beat()

    @on(ANY, Beat)
    def beat(self):
        """It tells all others that it is alive."""
        for q in self.neighbours:
            self.send(Heartbeat(), to=q)
        self.set_timer(Beat(), after=self.period)

    @on(ANY, Heartbeat)
    def hear(self, m, q):
        """It learns that process q is alive."""
        self.expect(q)

    def expect(self, q):
        self.set_timer(Silence(q), after=self.period + self.bound + 0.1)

    @on(ANY, Silence)
    def suspect(self, m):
        """It suspects process m.of, which has been silent for too long, and no longer waits for it."""
        self.suspected.add(m.of)
        self.go_on()

    # ------------------------------------------------------------- consensus

    @on(IDLE, Propose)
    def propose(self, m):
        """Its user proposes a value, and it begins with the first round."""
        self.state = DECIDING
        self.estimate = m.value
        self.go_on()

    @on(ANY, Estimate)
    def receive(self, m, q):
        """It receives the estimate of q, the coordinator of round m.round, and keeps it for this round."""
        self.received[m.round] = m.value
        self.go_on()

    def go_on(self):
        """Go through the rounds as long as there is nothing to wait for."""
        everyone = self.everyone()
        while self.state == DECIDING:
            coordinator = everyone[self.round]
            if coordinator == self.me:
                for q in self.neighbours:
                    self.send(Estimate(self.round, self.estimate), to=q)
            elif self.round in self.received:
                self.estimate = self.received[self.round]
            elif coordinator not in self.suspected:
                return
            self.round += 1
            if self.round == len(everyone):
                self.state = DECIDED
                self.decide(self.estimate)

    def everyone(self):
        """Return the names of all processes, in the order in which they are coordinators."""
        return sorted((self.me, *self.neighbours), key=natural)
