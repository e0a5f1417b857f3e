"""Gossip in which a process tells one neighbour after another, and the curious ask with growing courage."""

from lydian import ANY, INIT, Command, Message, Process, Timer, on


class Tell(Command):
    text: str


class Whisper(Message):
    what: str


class WhatIsNew(Message):
    pass


class Next(Timer):
    """Time for the next neighbour."""


class Wonder(Timer):
    """Time to ask."""


class Person(Process):
    secret: str = ""
    left: int = 2
    asked: list[str] = []

    @on(ANY, INIT)
    def arrive(self):
        self.set_timer(Wonder(), after=12 + self.random.random())

    @on(ANY, Tell)
    def from_user(self, m):
        self.left = 4
        self.take(m.text)

    @on(ANY, Whisper)
    def from_neighbour(self, m, q):
        self.take(m.what)

    def take(self, text):
        if self.secret:
            return
        self.secret = text
        self.deliver(text)
        self.cancel_timer(Wonder)
        self.pass_on()

    @on(ANY, Next)
    def pass_on(self):
        self.send(Whisper(self.secret), to=self.random.choice(self.neighbours))
        self.left -= 1
        if self.left > 0:
            self.set_timer(Next(), after=0.5)

    @on(ANY, Wonder)
    def wonder(self):
        fresh = [r for r in self.neighbours if r not in self.asked]
        if not fresh:
            self.asked = []
            fresh = list(self.neighbours)
        one = self.random.choice(fresh)
        self.asked.append(one)
        self.send(WhatIsNew(), to=one)
        self.set_timer(Wonder(), after=3.2)

    @on(ANY, WhatIsNew)
    def help(self, m, q):
        if self.secret:
            self.send(Whisper(self.secret), to=q)
