"""Consensus with a detector that looks at the clock, and rounds that advance one event at a time."""

from lydian import ANY, INIT, Command, Message, Process, Timer, natural, on, parameter, states

WAITING, OVER = states("waiting", "over")


class Propose(Command):
    value: str


class Alive(Message):
    pass


class Estimate(Message):
    of: int
    what: str


class Tick(Timer):
    """Time to look at the clock."""


class Member(Process):
    period = parameter(2.0)
    bound = parameter(2.0)

    state = WAITING
    suspected: set[str] = set()
    last: dict[str, float] = {}
    ticks: int = 0
    mine: str | None = None
    current: int = 0
    box: list[tuple[int, str]] = []

    @on(ANY, INIT)
    def wake(self):
        self.last = dict.fromkeys(self.neighbours, 0.0)
        self.tick()

    @on(ANY, Tick)
    def tick(self):
        if self.ticks % 4 == 0:
            for q in self.neighbours:
                self.send(Alive(), to=q)
        self.ticks += 1
        limit = self.period + self.bound + 0.01
        new = [q for q in self.neighbours if self.clock - self.last[q] > limit and q not in self.suspected]
        for q in new:
            self.suspected.add(q)
        self.set_timer(Tick(), after=self.period / 4)
        self.advance()

    @on(ANY, Alive)
    def alive(self, m, q):
        self.last[q] = self.clock

    @on(ANY, Propose)
    def begin(self, m):
        self.mine = m.value
        self.advance()

    @on(ANY, Estimate)
    def collect(self, m, q):
        self.box.append((m.of, m.what))
        self.advance()

    def advance(self):
        if self.mine is None or self.state == OVER:
            return
        names = sorted([self.me, *self.neighbours], key=natural)
        leader = names[self.current]
        heard = [what for number, what in self.box if number == self.current]
        if leader != self.me and not heard and leader not in self.suspected:
            return
        if heard:
            self.mine = heard[0]
        if leader == self.me:
            for q in self.neighbours:
                self.send(Estimate(self.current, self.mine), to=q)
        self.current += 1
        if self.current == len(names):
            self.state = OVER
            self.decide(self.mine)
        else:
            self.advance()
