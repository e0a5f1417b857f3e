"""Two-phase commit with three kinds of message; an uncertain process remembers who has asked it."""

from lydian import ANY, INIT, Message, Process, Timer, on, parameter, states

INITIAL, LEADING, READY, COMMITTED, ABORTED = states("initial", "leading", "ready", "committed", "aborted")
OUTCOME = {True: (COMMITTED, "commit"), False: (ABORTED, "abort")}


class Question(Message):
    """Asks for a vote, or for the decision."""

    vote: bool


class Vote(Message):
    can: bool


class Decision(Message):
    good: bool


class Alarm(Timer):
    """Enough waiting."""


class Transaction(Process):
    refuses = parameter("")
    timeout = parameter(4.0)
    asks = parameter(3)

    state = INITIAL
    missing: set[str] = set()
    curious: list[str] = []
    left: int = 0

    @on(ANY, INIT)
    def open(self):
        self.missing = set(self.neighbours)
        self.state = LEADING
        for r in self.neighbours:
            self.send(Question(vote=True), to=r)
        self.set_timer(Alarm(), after=self.timeout)

    @on(ANY, Question)
    def asked(self, m, q):
        mine = self.me not in [name.strip() for name in self.refuses.split(",")]
        if m.vote:
            can = mine and self.state == INITIAL
            self.send(Vote(can), to=q)
            if can:
                self.state = READY
                self.left = self.asks
                self.set_timer(Alarm(), after=self.timeout * 2)
            elif self.state == INITIAL:
                self.settle(False)
        elif self.state in (LEADING, READY):
            self.curious.append(q)
        else:
            if self.state == INITIAL:
                self.settle(False)
            self.send(Decision(self.state == COMMITTED), to=q)

    @on(LEADING, Vote)
    def counts(self, m, q):
        self.missing.discard(q)
        if not m.can or not self.missing:
            mine = self.me not in [name.strip() for name in self.refuses.split(",")]
            self.spread(m.can and mine)

    @on(LEADING, Alarm)
    def enough(self):
        self.spread(False)

    @on(READY, Alarm)
    def impatient(self):
        if self.left:
            self.left -= 1
            self.set_timer(Alarm(), after=self.timeout * 2)
            for r in self.neighbours:
                self.send(Question(vote=False), to=r)

    @on((INITIAL, READY), Decision)
    def learns(self, m, q):
        self.settle(m.good)

    @on(ANY, (Vote, Decision, Alarm))
    def nothing(self):
        pass

    def spread(self, good):
        for r in self.neighbours:
            self.send(Decision(good), to=r)
        self.curious = []
        self.settle(good)

    def settle(self, good):
        self.cancel_timer(Alarm)
        self.state, said = OUTCOME[good]
        self.decide(said)
        for r in self.curious:
            self.send(Decision(good), to=r)
        self.curious = []
