"""Flooding whose last process fails."""

from lydian import ANY, INIT, Message, Process, on, states

(IDLE,) = states("idle")


class News(Message):
    """The news."""


class Failing(Process):
    state = IDLE

    @on(IDLE, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(News(), to=q)

    @on(ANY, News)
    def forward(self, m, q):
        others = [r for r in self.neighbours if r != q]
        if not others:
            raise ValueError("boom")
        for r in others:
            self.send(News(), to=r)
