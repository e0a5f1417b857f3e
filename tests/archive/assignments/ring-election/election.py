"""Election on a ring with one message and the highest name so far, as a student may write it."""

from lydian import ANY, INIT, Message, Process, natural, on, states

PLAYING, LEADER = states("playing", "leader")


class Name(Message):
    name: str
    won: bool = False


class Election(Process):
    state = PLAYING
    best: str | None = None

    @on(ANY, INIT)
    def start(self):
        if self.best is None:
            self.best = self.me
            self.send(Name(self.me), to=self.right)

    @on(ANY, Name)
    def name(self, m):
        if m.won:
            if m.name != self.me:
                self.decide(m.name)
                self.send(m, to=self.right)
        elif self.best is None or natural(m.name) > natural(self.best):
            self.best = m.name
            self.send(m, to=self.right)
        elif m.name == self.me:
            self.state = LEADER
            self.decide(self.me)
            self.send(Name(self.me, won=True), to=self.right)
