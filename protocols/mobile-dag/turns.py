"""Turns: a sink passes its items on."""

from lydian import on

from .member import Member
from .messages import INSIDE, MEMBER, SINK, Hold, News, Publish


class Turns(Member):
    """Turns."""

    def look(self):
        """Update whether it is privileged, whether it can leave, and where its links lead."""
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
        """It has been a sink for long enough: it sends its items, and reverses its links.

        becomes leaving: It has passed on all its items, so it can leave now, as it wanted to.
        stays: It gives way, but with its new val, {val}, all its links still lead to it, so it is a sink again.
        changes out and sends News(batch=none): It has no items to pass on; its new val, {val}, reverses links.
        changes out: It sends all items that it had to pass on; its new val, {val}, reverses links.
        otherwise: It sends its neighbours its new val, {val}, and all items that it had to pass on.
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
        """A neighbour gave way; it delivers new items, and will pass them on in its next turn.

        delivers and becomes sink: It delivers the new items; all its links lead to it now, so it is a sink.
        becomes sink: Process {peer} now has a new val, so all links of this process lead to it: it is a sink.
        delivers: It delivers the new items, and keeps them for its next turn.
        says batch=none or batch=empty and changes cv: Process {peer} had no items to pass on; it only records the new
            val.
        changes cv: It knows all items that {peer} passes on, so it only records the new val.
        otherwise: It learns nothing new from {peer}.
        """
        if q in self.N or q in self.unknown:  # at the beginning News may overtake the first message
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
        """It publishes an item, which it will send in its next turn; the item does not name its publisher."""
        item = (self.random.randrange(10**9), m.content)
        self.mine[item[0]] = self.clock
        self.local.append(item)
        self.have(item)
