"""Turns: a sink passes its items on."""

from lydian import on

from .member import Member
from .messages import INSIDE, MEMBER, SINK, Hold, News, Publish


class Turns(Member):
    """Turns."""

    def look(self):
        """Whether it is privileged, whether it can go, and where its links lead."""
        self.out = {q for q in self.among(self.N) if self.leads(q)}
        waits = self.unknown or self.asked or self.frozen
        if self.going and not waits and not self.input and not self.local:
            self.part()
            return
        may = self.going or not self.duty or self.turns < self.duty
        if self.state == MEMBER and may and not waits and self.is_sink():
            self.state = SINK
            self.set_timer(Hold(), after=self.hold)
        elif self.state == SINK and (waits or not self.is_sink()):
            self.state = MEMBER
            self.cancel_timer(Hold())
            self.answer_deferred()

    @on(SINK, Hold)
    def give_way(self):
        """It has been a sink for long enough: it sends what it has, and turns its links round.

        becomes leaving: It has passed on all that it had, so it can leave now, as it wanted to.
        stays: It gives way, but with its new val, {val}, all its links still lead to it, so it is a sink again.
        changes out and sends News(batch=none): It has nothing to pass on; its new val, {val}, turns links round.
        changes out: It sends all that it had to pass on; its new val, {val}, turns links round.
        otherwise: It sends its neighbours its new val, {val}, and all that it had to pass on.
        """
        near = set(self.cv.values())
        if self.mode == "heights":
            self.val = max(near) + 1
        elif self.mode == "ordinary" and near != {self.val}:
            self.val = max(near)
        else:
            self.val = (self.val + 1) % self.counters
        batch = tuple(self.input + self.local)
        for q in self.among(self.N):
            self.send(News(self.val, batch), to=q)
        self.copies += len(batch) * len(self.N)
        self.input, self.local, self.waiting = [], [], set()
        self.turns += 1
        self.state = MEMBER
        self.answer_deferred()
        self.look()

    @on(INSIDE, News)
    def hear(self, m, q):
        """A neighbour gave way; what is new is delivered, and passed on with the next turn.

        delivers and becomes sink: It delivers what it does not remember; all its links lead to it now, so it is a sink.
        becomes sink: With the new val of {peer} all its links lead to it, so it is a sink.
        delivers: It delivers what it does not remember, and keeps it for its next turn.
        says batch=none or batch=empty and changes cv: {peer} had nothing to pass on; it only notes the new val.
        changes cv: It remembers all that {peer} passes on, so it only notes the new val.
        otherwise: It learns nothing new from {peer}.
        """
        if q in self.N or q in self.unknown:  # at the beginning news may overtake the first message
            self.cv[q] = m.val
        for item in m.batch:
            if not self.memory or item[0] not in self.seen:
                self.have(item)
                self.input.append(item)
        self.look()

    def have(self, item):
        self.seen.add(item[0])
        self.waiting.add(item[0])
        self.told += 1
        self.deliver(item)

    @on(INSIDE, Publish)
    def publish(self, m):
        """It publishes news, which go out with its next turn; nothing in them says by whom they are."""
        item = (self.random.randrange(10**9), m.content)
        self.mine[item[0]] = self.clock
        self.local.append(item)
        self.have(item)
