"""Mutual exclusion with counters and a table of waiting requests, as a student may write it."""

from lydian import INIT, Message, Process, Timer, natural, on, parameter, states

RELEASED, WANTED, HELD = states("released", "wanted", "held")


class Ask(Message):
    when: int


class Yes(Message):
    pass


class Think(Timer):
    pass


class Use(Timer):
    pass


class Mutex(Process):
    state = RELEASED
    request: tuple[int, str] | None = None
    entered: int = 0
    lamport: int = 0
    permissions: int = 0
    waiting: dict[str, int] = {}

    entries = parameter(3, minimum=0, help="how often each process enters the critical section")
    think = parameter(2.0, minimum=0.0, help="mean time until a process next wants to enter")
    use = parameter(2.0, minimum=0.0, help="mean time in the critical section")

    @on(RELEASED, INIT)
    def begin(self):
        self.think_again()

    @on(RELEASED, Think)
    def want(self):
        self.lamport = self.lamport + 1
        self.request = (self.lamport, self.me)
        self.permissions = 0
        self.state = WANTED
        for q in self.neighbours:
            self.send(Ask(self.lamport), to=q)
        self.test()

    @on((RELEASED, WANTED, HELD), Ask)
    def asked(self, m, q):
        self.lamport = max(self.lamport, m.when) + 1
        self.waiting[q] = m.when
        self.answer()

    @on(WANTED, Yes)
    def permitted(self, m, q):
        self.permissions += 1
        self.test()

    @on(HELD, Use)
    def leave(self):
        self.state = RELEASED
        self.request = None
        self.answer()
        self.think_again()

    def answer(self):
        if self.state == HELD:
            return
        for q, when in list(self.waiting.items()):
            if self.request is None or older((when, q), self.request):
                del self.waiting[q]
                self.send(Yes(), to=q)

    def test(self):
        if self.permissions == len(self.neighbours):
            self.enter()

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(0.5, 1.5) * self.use)

    def think_again(self):
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.uniform(0, 2) * self.think)


def older(a, b):
    return (a[0], natural(a[1])) < (b[0], natural(b[1]))
