"""Flooding and echo with one class of messages and a counter, as a student may write it."""

from lydian import ANY, INIT, Message, Process, on, states

NEWS = "the bridge is open"
NEW, OLD = states("new", "old")


class Letter(Message):
    copy: bool


class Echo(Process):
    state = NEW
    parent: str | None = None
    heard: int = 0

    @on(NEW, INIT)
    def begin(self):
        self.tell()

    @on(ANY, Letter)
    def letter(self, m, q):
        self.heard += 1
        if self.state == NEW:
            self.parent = q
            self.tell()
        else:
            self.check()

    def tell(self):
        self.state = OLD
        self.deliver(NEWS)
        for r in self.neighbours:
            if r != self.parent:
                self.send(Letter(copy=True), to=r)
        self.check()

    def check(self):
        if self.heard == len(self.neighbours):
            if self.parent is None:
                self.decide("all have the news")
            else:
                self.send(Letter(copy=False), to=self.parent)
