"""Weight throwing: work carries weight, which returns to a controlling agent when a process becomes idle.

A process gives work to others, which may give work to others again; it learns when all of the work is done.

The controlling agent, here the initiator, has a fixed weight.  A process that gives work away throws half of its weight
with it; a process that receives work adds the weight to its own; a process that becomes idle returns all its weight to
the agent.  When the agent is idle and has all the weight, all work is done.  Weights are whole numbers: a process with
the weight 1 cannot halve it, so it asks the agent for more before it gives work away.  The work is that of
dijkstra-scholten.

Pseudo-code (Huang; the question for more weight after Fokkink)::

    agent, INIT:                  total := weight := 2^bits; become active
    active, give work:            if weight = 1 and this is not possible: send Ask to the agent; become waiting
                                  else half := weight div 2; weight := weight - half; send Work(half)
    active, done:                 give the work that follows; become idle; return weight
    any, Work(w):                 weight := weight + w; become active
    waiting, Supply(w):           weight := weight + w; give the work that follows; become idle; return weight
    return w:                     send Return(w) to the agent; the agent itself adds w to what it has collected
    agent, Return(w):             collected := collected + w; if collected = total announce termination
    agent, Ask from q:            total := total + 2^bits; send Supply(2^bits) to q

Needs a complete network with names, links that neither lose nor duplicate messages, and one initiator, whose name work
carries; order does not matter.
Complexity: at most one Return for each Work, here 2m(hops + 1), and two messages each time that a weight runs out.

Reference: S.-T. Huang, Detecting termination of distributed computations by external agents, ICDCS 1989; A. D.
Kshemkalyani and M. Singhal, Distributed Computing, section 7.3; W. Fokkink, Distributed Algorithms: An Intuitive
Approach, 2nd edition, section 6.2.
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
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
)

IDLE, ACTIVE, WAITING, ANNOUNCED = states(
    "idle", "active", "waiting", "announced",
    reads={"active": "is working", "waiting": "is waiting for weight", "announced": "has announced termination"},
)


class Work(Message):
    """A piece of work with its weight; says how often it is still to be passed on."""

    hops: int
    weight: int
    agent: str


class Return(Message):
    """The weight of a process that has become idle, on its way to the agent."""

    weight: int


class Ask(Message):
    """'My weight is too small to be halved.'"""


class Supply(Message):
    """More weight from the agent."""

    weight: int


class Done(Timer):
    """The end of the work that a process is doing."""


class WeightThrowing(Process):
    title = "Weight throwing"
    needs = complete, named, one_initiator, reliable, no_crashes
    messages = "<= 8*m*(hops + 1)"

    state = IDLE
    agent: str | None = None  # the controlling agent
    weight_here: int = 0  # my weight
    total: int = 0  # at the agent: all weight that exists
    collected: int = 0  # at the agent: all weight that has been returned
    asked: bool = False  # whether I have asked the agent for more weight and have not yet received it
    spread: bool = False  # whether I have given work to all others, or am about to
    todo: list[tuple[str, int]] = []  # work that I give away when I am done: receiver, hops

    hops = parameter(2, minimum=0, maximum=50, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")
    bits = parameter(16, minimum=1, maximum=60, help="the agent begins with a weight of 2^bits")
    exhausted = parameter(
        "ask", choices=("ask", "zero"),
        help="whether a process with the weight 1 asks for more, or gives work away with the weight 0, as when a "
        "floating-point number underflows",
    )  # fmt: skip

    @on(IDLE, INIT)
    def start(self):
        """It is the controlling agent and starts to work with all the weight.

        always:
        """
        self.agent = self.me
        self.total = self.weight_here = 2**self.bits
        self.work()

    @on(ANY, INIT)
    def too_late(self):
        """The work has already begun."""

    @on((IDLE, ACTIVE, WAITING), Work)
    def receive(self, m):
        """It adds the weight to its own, and works."""
        self.agent = m.agent
        self.weight_here += m.weight
        self.work(m)

    @on(ACTIVE, Done)
    def done(self):
        """It finishes its work, gives away the work that follows, and becomes idle.

        decides: It finishes its work and has collected all weight: all work is done.
        becomes waiting: It finishes its work, but its weight is too small for the work that follows: it needs more.
        sends Work: It finishes its work, gives away the work that follows with weight, and returns the rest.
        otherwise: It finishes its work; no work follows, and it returns its weight.
        """
        while self.todo and (self.weight_here > 1 or self.exhausted == "zero" or self.agent == self.me):
            if self.weight_here == 1 and self.agent == self.me and self.exhausted == "ask":
                self.total += 2**self.bits
                self.weight_here += 2**self.bits
            r, hops = self.todo.pop(0)
            half = self.weight_here // 2
            self.weight_here -= half
            self.send(Work(hops, half, self.agent), to=r)
        if not self.todo:
            self.state = IDLE
            weight, self.weight_here = self.weight_here, 0
            self.give_back(weight)
            return
        self.state = WAITING
        if not self.asked:
            self.asked = True
            self.send(Ask(), to=self.agent)

    @on(WAITING, Supply)
    def supplied(self, m):
        """It has weight again, gives away the work that follows, and becomes idle."""
        self.asked = False
        self.weight_here += m.weight
        self.done()

    @on(ACTIVE, Supply)
    def keep(self, m):
        """It has received work while it was waiting for weight; it keeps the weight."""
        self.asked = False
        self.weight_here += m.weight

    @on(IDLE, Supply)
    def too_much(self, m):
        """It no longer needs the weight, and returns it."""
        self.asked = False
        self.give_back(m.weight)

    @on(ANY, Ask)
    def supply(self, m, q):
        """It creates new weight and supplies process {peer} with it.

        notes: It has announced termination already, so this is possible only after a fault.
        otherwise: It creates new weight and supplies process {peer} with it.
        """
        if self.state == ANNOUNCED:
            self.note(f"{q} asks for weight after termination was announced")
            return
        self.total += 2**self.bits
        self.send(Supply(2**self.bits), to=q)

    @on((IDLE, ACTIVE, WAITING), Return)
    def returned(self, m):
        """It collects the weight.

        decides: It has collected all weight: all work is done.
        otherwise: It collects the weight.
        """
        self.collect(m.weight)

    @on(ANNOUNCED, (Work, Return))
    def wrong(self, m, q):
        """It receives this although it has announced termination, which happens only after a fault."""
        self.note(f"{type(m).__name__} from {q} after termination was announced")

    @on(ANY, (Done, Supply))
    def nothing_done(self):
        """It was not working, which happens only after a fault."""

    def give_back(self, weight):
        if self.agent == self.me:
            self.collect(weight)
        elif weight > 0:
            self.send(Return(weight), to=self.agent)

    def collect(self, weight):
        self.collected += weight
        if self.collected == self.total and self.state == IDLE:
            self.state = ANNOUNCED
            self.decide("terminated")

    def work(self, m=None):
        if not self.spread:
            self.spread = True
            self.todo += [(r, self.hops) for r in self.neighbours]
        if m is not None and m.hops > 0:
            self.todo.append((self.random.choice(self.neighbours), m.hops - 1))
        if self.state != ACTIVE:
            self.state = ACTIVE
            self.set_timer(Done(), after=self.duration)


@always("termination is announced only when no process is working and no work is in transit")
def safe(c):
    return all(p.state != ANNOUNCED for p in c.processes) or not (
        any(p.state in (ACTIVE, WAITING) for p in c.processes) or any(type(t.message) is Work for t in c.in_transit)
    )


@always("all weights add up to the total of the agent")
def conserved(c):
    moving = sum(t.message.weight for t in c.in_transit if type(t.message) is not Ask)
    there = sum(p.weight_here + p.collected for p in c.processes)
    return there + moving == sum(p.total for p in c.processes)


@eventually("the agent learns that all work is done")
def announced(c):
    return sorted(p.state for p in c.processes if p.state != IDLE) == [ANNOUNCED]
