"""Publish/subscribe on mobile DAGs for many topics: one layer for each, and no layer knows of another.

Everybody is interested in some topics.  For each topic those who are interested form a layer with counters, identifiers
and privileges of its own, and take turns in it as on one mobile DAG; a publication on a topic uses its layer.

Pseudo-code (for each topic t; x is below y if y = x + 1 mod 3; link (p, q) leads to p if val_p[t] is below val_q[t], or
both are equal and lid_p[t] < lid_q[t]; N[t]: the neighbours in the layer)::

    sink in layer t, and still after hold:  NEWS(t, val[t] + 1 mod 3, input[t]) to all of N[t]; empty input[t];
                                            val[t] := val[t] + 1 mod 3
    NEWS(t, v, batch) from q:               cv[t, q] := v; deliver what was not seen before, append it to input[t]
    publish on t:                           append it to input[t], with a new random identifier

At the beginning all tell their neighbours for each topic whether they are interested.  The layers stay as they are; how
processes join and leave one is shown by mobile-dag.

Needs a connected network with names and two-way links, and somebody who starts, and publishes on all its topics.
Messages of one layer never change anything in another (theorem 1).
Complexity: 2 m messages for each topic to get to know each other, and 2 m at most for a turn of everybody in a layer;
exactly that if all are interested in everything.

Reference: E. Anceaume, A. K. Datta, M. Gradinariu, G. Simon, Publish/subscribe scheme for mobile networks, POMC 2002,
definition 5, table 5 (LLRM), theorem 1.
"""

from lydian import (
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    connected,
    eventually,
    named,
    on,
    parameter,
    some_initiator,
    states,
    two_way,
)

ASLEEP, MEMBER, SINK = states("asleep", "member", "sink")
AWAKE = (MEMBER, SINK)


class Hello(Message):
    """'I am (not) interested in this topic; this is my identifier in its layer.'"""

    topic: int
    interested: bool
    lid: int


class News(Message):
    """'In the layer of this topic I give way; this is my new val there, and what I have heard and published.'"""

    topic: int
    val: int
    batch: tuple = ()


class Hold(Timer):
    """The time for which a sink keeps its privilege in a layer is over."""

    topic: int


class Publish(Command):
    """News on a topic."""

    topic: int = 1
    content: str = "news"


class MobileDagTopics(Process):
    title = "Publish/subscribe on mobile DAGs, many topics"
    needs = connected, named, two_way, some_initiator
    messages = "<= 2*m*topics*(duty + 1)"

    state = ASLEEP
    topics_of: set[int] = set()  # what it is interested in
    val: dict[int, int] = {}  # topic -> its counter in that layer
    lid: dict[int, int] = {}
    N: dict[int, list] = {}  # topic -> the neighbours in the layer
    cv: dict[tuple, int] = {}  # (topic, neighbour) -> val, as far as it knows
    cl: dict[tuple, int] = {}
    unknown: dict[int, int] = {}  # topic -> how many neighbours did not say yet whether they are interested
    input: dict[int, list] = {}  # topic -> items to pass on
    seen: set[int] = set()
    turns: dict[int, int] = {}
    holding: set[int] = set()  # topics in whose layers it is privileged
    out: set[str] = set()  # neighbours to which its links lead in the layer that is shown
    told: int = 0  # how many items it handed to its user
    mine: dict[int, int] = {}  # what it published -> its topic

    topics = parameter(2, minimum=1, help="how many topics there are: 1, 2, 3 ...")
    interest = parameter(1.0, minimum=0.0, maximum=1.0, help="how likely somebody is interested in a topic")
    hold = parameter(0.5, minimum=0.0, help="how long a sink keeps its privilege")
    duty = parameter(16, minimum=1, help="after how many turns in a layer a process goes off duty there")
    lids = parameter("random", choices=("random", "names"), help="the identifiers: by chance, or by rising names")
    shown = parameter(1, minimum=1, help="the topic whose layer is drawn")

    @on(ASLEEP, INIT)
    def begin(self):
        """It chooses its topics, and tells its neighbours."""
        self.state = MEMBER
        number = int(self.me) if self.me.isdigit() else int.from_bytes(self.me.encode(), "big")
        for t in range(1, self.topics + 1):
            if self.random.random() < self.interest:
                self.topics_of.add(t)
            self.lid[t] = number + (1000 * self.random.randrange(10) if self.lids == "random" else 0)
            self.val[t], self.turns[t], self.N[t], self.input[t] = 0, 0, [], []
            self.unknown[t] = len(self.neighbours)
            for q in self.neighbours:
                self.send(Hello(t, t in self.topics_of, self.lid[t]), to=q)
        if self.initiator:
            for t in sorted(self.topics_of):
                self.publish(Publish(t, f"hello {t}"))

    @on(ASLEEP, Hello)
    def wake(self, m, q):
        """The first that it hears wakes it."""
        self.begin()
        self.know(m, q)

    @on(AWAKE, Hello)
    def know(self, m, q):
        """A neighbour says whether it is interested; if both are, there is a link in the layer of the topic."""
        self.unknown[m.topic] -= 1
        if m.interested and m.topic in self.topics_of:
            self.N[m.topic].append(q)
            self.cv.setdefault((m.topic, q), 0)
            self.cl[m.topic, q] = m.lid
        self.look(m.topic)

    def leads_here(self, t, q):
        step = (self.cv[t, q] - self.val[t]) % 3
        return step == 1 or (step == 0 and self.lid[t] < self.cl[t, q])

    def look(self, t):
        """Whether it is privileged in the layer of t."""
        here = [self.leads_here(t, q) for q in self.N[t]]
        if t == self.shown:
            self.out = {q for q, leads in zip(self.N[t], here, strict=True) if not leads}
        if here and all(here) and not self.unknown[t] and t not in self.holding and self.turns[t] < self.duty:
            self.holding.add(t)
            self.set_timer(Hold(t), after=self.hold)
        self.state = SINK if self.holding else MEMBER

    @on(SINK, Hold)
    def give_way(self, m):
        """It sends what it has on the topic, and turns the links of its layer round."""
        t = m.topic
        self.holding.discard(t)
        self.val[t] = (self.val[t] + 1) % 3
        for q in self.N[t]:
            self.send(News(t, self.val[t], tuple(self.input[t])), to=q)
        self.input[t] = []
        self.turns[t] += 1
        self.look(t)

    @on(AWAKE, News)
    def hear(self, m, q):
        """A neighbour gave way in a layer; what is new is delivered, and passed on in the same layer."""
        self.cv[m.topic, q] = m.val
        for item in m.batch:
            if item[0] not in self.seen:
                self.have(m.topic, item)
        if self.unknown[m.topic] == 0:
            self.look(m.topic)

    def have(self, t, item):
        self.seen.add(item[0])
        self.told += 1
        self.input[t].append(item)
        self.deliver(item)

    @on(AWAKE, Publish)
    def publish(self, m):
        """It publishes on a topic; who is not interested in it has no layer to publish in."""
        if m.topic in self.topics_of:
            item = (self.random.randrange(10**9), m.content)
            self.mine[item[0]] = m.topic
            self.have(m.topic, item)

    @on(AWAKE, INIT)
    @on((ASLEEP, MEMBER), Hold)
    @on(ASLEEP, (News, Publish))
    def nothing(self):
        """It is awake already, or not yet in any layer."""


def links(c, t):
    """Member of the layer of t -> its neighbours there, as far as both know of each other."""
    inside = {p.me: p for p in c.processes if t in p.topics_of}
    return {me: [inside[q] for q in p.N[t] if me in inside[q].N[t]] for me, p in inside.items()}


def layers(c):
    return range(1, c.processes[0].topics + 1)


@always("in no layer the links lead in a circle")
def acyclic(c):
    for t in layers(c):
        rest = links(c, t)
        heights = {me: (c.process(me).val[t], c.process(me).lid[t]) for me in rest}
        while rest:
            last = [me for me in rest if not any(q.me in rest and below(heights[q.me], heights[me]) for q in rest[me])]
            if not last:
                return False
            for me in last:
                del rest[me]
    return True


def below(low, high):
    """Whether a link leads from high, a pair of val and lid, down to low."""
    return (high[0] - low[0]) % 3 == 1 or (high[0] == low[0] and low[1] < high[1])


@always("in no layer two neighbours are both privileged")
def alone(c):
    pairs = [(t, c.process(me), q) for t in layers(c) for me, near in links(c, t).items() for q in near]
    return not any(t in p.holding and t in q.holding for t, p, q in pairs)


@always("in every layer neighbours take turns: one has had one more than the other at most")
def fair(c):
    return all(
        abs(c.process(me).turns[t] - q.turns[t]) <= 1
        for t in layers(c)
        for me, near in links(c, t).items()
        for q in near
    )


@always("nobody hears the same twice, or anything on a topic that does not interest it")
def once(c):
    topic = {item: t for p in c.processes for item, t in p.mine.items()}
    return all(p.told == len(p.seen) and all(topic[i] in p.topics_of for i in p.seen) for p in c.processes)


@at_end("nobody starves: when nothing is left to do, everybody has had all its turns in all its layers")
def nobody_starves(c):
    return all(c.process(me).turns[t] >= c.process(me).duty for t in layers(c) for me, q in links(c, t).items() if q)


@eventually("news reach everybody in their layer to whom a way leads there")
def spread(c):
    for t in layers(c):
        near = links(c, t)
        for p in c.processes:
            part, todo = {p.me}, [p.me] if p.me in near else []
            while todo:
                fresh = [q.me for q in near[todo.pop()] if q.me not in part]
                part.update(fresh)
                todo += fresh
            if not all(i in c.process(q).seen for i, topic in p.mine.items() if topic == t for q in part):
                return False
    return True
