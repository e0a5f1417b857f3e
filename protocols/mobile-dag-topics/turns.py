"""Turns: a sink of a layer passes its items on."""

from lydian import on

from .member import Member
from .messages import AWAKE, JOINING, MEMBER, SINK, Hold, News, Publish


class Turns(Member):
    """Turns."""

    def leads(self, low, high):
        """Return whether a link leads to the end with val and lid as in low."""
        step = high[0] - low[0]
        return (step > 0 if self.mode == "heights" else step % 3 == 1) or (step == 0 and low[1] < high[1])

    def look(self, t):
        """Update whether it is privileged in the layer of t, and whether it can leave."""
        me = self.val[t], self.lid[t]
        here = [self.leads(me, (self.cv[t, q], self.cl[t, q])) for q in self.N[t]]
        sink = bool(here) and all(here)
        waits = self.unknown[t] or self.asked[t] or self.frozen[t]
        may = t in self.going or not self.duty or self.turns[t] < self.duty
        held = t in self.holding
        if held and (waits or not sink):
            held = False
            self.holding.discard(t)
            self.cancel_timer(Hold(t))
            self.answer_deferred(t)
        if not held and t in self.going and t in self.topics_of and not waits and not self.input[t]:
            self.part(t)
        elif not held and sink and may and not waits:
            self.holding.add(t)
            self.set_timer(Hold(t), after=self.hold)
        self.state = SINK if self.holding else JOINING if self.joining else MEMBER

    @on(SINK, Hold)
    def give_way(self, m):
        """It sends its items on the topic, and reverses its links in the layer.

        changes topics_of: This was its last turn in this layer: it takes down its links there, as it wanted to leave.
        sets Hold: It gives way, but all its links in this layer still lead to it, so it is privileged there again.
        sends News(batch=none): It has no items to pass on in this layer, so it sends its neighbours there only its
            new val.
        otherwise: It sends its neighbours in this layer its new val and all items that it had to pass on.
        """
        t = m.topic
        self.holding.discard(t)
        if self.mode == "heights":
            self.val[t] = max(self.cv[t, q] for q in self.N[t]) + 1
        else:
            self.val[t] = (self.val[t] + 1) % 3
        for q in self.N[t]:
            self.send(News(t, self.val[t], tuple(self.input[t])), to=q)
        self.input[t] = []
        self.turns[t] += 1
        self.answer_deferred(t)
        self.look(t)

    @on(AWAKE, News)
    def hear(self, m, q):
        """A neighbour gave way in a layer; it delivers new items, and will pass them on in the same layer.

        delivers and sets Hold: It delivers the new items; all its links in this layer lead to it, so it is privileged.
        sets Hold: Process {peer} now has a new val, so all links of this process in this layer lead to it: it is
            privileged there.
        delivers: It delivers the new items, and keeps them for its next turn in this layer.
        says batch=none or batch=empty and changes cv: Process {peer} had no items to pass on; it only records the new
            val.
        changes cv: It knows all items that {peer} passes on, so it only records the new val.
        otherwise: It is not in the layer of this topic, or receives no new item there.
        """
        t = m.topic
        if t not in self.topics_of:
            return
        if q in self.N[t] or self.unknown[t]:  # at the beginning News may overtake the first message
            self.cv[t, q] = m.val
        for item in m.batch:
            if (t, item[0]) not in self.seen:
                self.have(t, item)
        self.look(t)

    def have(self, t, item):
        self.seen.add((t, item[0]))
        self.told += 1
        self.input[t].append(item)
        self.deliver(item)

    @on(AWAKE, Publish)
    def publish(self, m):
        """It publishes an item on a topic; a process that is not interested in it has no layer for it.

        delivers: It is in the layer of this topic, so it keeps the item for its next turn there.
        otherwise: It is not in the layer of this topic, so it cannot publish there.
        """
        if m.topic in self.topics_of:
            item = (self.random.randrange(10**9), m.content)
            self.mine.add((m.topic, item[0]))
            self.have(m.topic, item)
