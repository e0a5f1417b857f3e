"""Rotating coordinator: each process in turn tells the others its value, and a failure detector reports crashes.

All processes that do not crash decide on the same value, whatever the delays are and however many processes crash.

In phase i, process number i is the coordinator and sends its value.  A process waits until it has this value, which it
adopts, or until the detector suspects the coordinator.  Some correct process is never suspected; after its phase all
processes have its value, and no later coordinator can have another one.

Pseudo-code (x: the value, initially the input)::

    for phase := 1 to n:
        if I am process number phase:      send Value(phase, x) to all
        else:                              wait until Value(phase, y) arrives or the coordinator is suspected
                                           if Value(phase, y) has arrived: x := y
    decide x

A process watches the coordinator for which it waits; the detector reports a crash ``delay`` units after it.

Needs a complete network with reliable links and names, all processes as initiators, and a strong failure detector: each
crash is suspected eventually, and some correct process is never suspected.  Here the detector suspects no live process.
Any number of processes may crash.
Complexity: n phases and n (n - 1) messages if no process crashes.

Reference: T. D. Chandra and S. Toueg, Unreliable failure detectors for reliable distributed systems, Journal of the ACM
43 (1996); G. Tel, Introduction to Distributed Algorithms, 2nd edition, chapter 16 (a rotating coordinator with a strong
detector).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    complete,
    detector,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
)

IDLE, WAITING, DECIDED = states(
    "idle", "waiting", "decided",
    reads={"idle": "is idle", "waiting": "is waiting for a coordinator", "decided": "has decided"},
)


class Value(Message):
    """The value of the coordinator of a phase."""

    phase: int
    x: bool


class Suspect(Timer):
    """The failure detector suspects process q."""

    q: str


class RotatingCoordinator(Process):
    title = "Rotating coordinator"
    needs = complete, named, everybody_starts, reliable, detector
    messages = "n*(n - 1)"

    state = IDLE
    value: bool | None = None  # my initial value
    x: bool | None = None  # my present value
    phase: int = 0
    coordinator: str | None = None  # the process for which I wait
    heard: dict[int, bool] = {}  # phase -> the value of its coordinator
    suspected: set[str] = set()
    decision: bool | None = None

    delay = parameter(3.0, minimum=0.0, help="time after which the detector suspects a crashed process")
    inputs = parameter("0110", help="initial values: 0 or 1 for each process, in the order of names; 0 for the rest")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value, and enters the first phase.

        sends Value: It is the first coordinator, and sends its value to all.
        otherwise: It begins with its value, and waits for the first coordinator.
        """
        me = self.everybody().index(self.me)
        self.value = self.x = self.inputs[me : me + 1] == "1"
        self.state = WAITING
        self.phase = 1
        self.go_on()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on(ANY, Value)
    def hear(self, m, q):
        """It notes the value of a coordinator, and goes on if it was waiting for it.

        decides: It adopts this value; the last phase is over: it decides.
        sends Value: It adopts this value and sends it to all: it is the next coordinator.
        changes phase: It adopts this value, and enters phase {phase}.
        otherwise: It notes the value; it is not in this phase.
        """
        self.heard.setdefault(m.phase, m.x)
        if self.state == WAITING:
            self.go_on()

    @on(ANY, Suspect)
    def suspect(self, m):
        """It learns that a process has crashed, and no longer waits for it.

        decides: The last coordinator has crashed: it decides.
        sends Value: The coordinator has crashed; it is the next one, and sends its value to all.
        changes phase: The coordinator has crashed: it keeps its value, and enters phase {phase}.
        otherwise: It learns that a process for which it does not wait has crashed.
        """
        self.suspected.add(m.q)
        if self.state == WAITING:
            self.go_on()

    def go_on(self):
        everybody = self.everybody()
        while self.phase <= len(everybody):
            self.coordinator = everybody[self.phase - 1]
            if self.coordinator == self.me:
                for q in self.neighbours:
                    self.send(Value(self.phase, self.x), to=q)
            elif self.phase in self.heard:
                self.x = self.heard[self.phase]
            elif self.coordinator not in self.suspected:
                self.watch(self.coordinator, Suspect(self.coordinator), after=self.delay)
                return
            self.phase += 1
        self.state = DECIDED
        self.coordinator = None
        self.decision = self.x
        self.decide(self.x)

    def everybody(self):
        return sorted((self.me, *self.neighbours), key=natural)


@always("agreement: no two processes decide differently, even if they crash later")
def agreement(c):
    return len({c.decided[p] for p in c.honest if p in c.decided}) <= 1


@always("validity: a process decides only a value with which some process began")
def validity(c):
    begun = {p.value for p in c.honest}
    return all(c.decided[p] in begun for p in c.honest if p in c.decided)


@always("after the phase of a live coordinator, all processes beyond it that have not crashed have its value")
def one_value(c):
    for k, coordinator in enumerate(sorted(c.processes, key=lambda p: natural(p.me)), 1):
        if coordinator in c.correct and coordinator.phase > k:
            said = {p.heard[k] for p in c.correct if k in p.heard}
            if any(p.x not in said for p in c.correct if said and p.phase > k):
                return False
    return True


@at_end("termination: all correct processes have decided")
def termination(c):
    return all(p in c.decided for p in c.correct)
