"""Publish/subscribe on mobile DAGs for many topics: one layer for each, and no layer knows of another.

Everybody is interested in some topics.  For each topic those who are interested form a layer with counters, identifiers
and privileges of its own, and take turns in it as on one mobile DAG; a publication on a topic uses its layer.  Who
subscribes to a topic joins its layer, who unsubscribes leaves it.

Pseudo-code (for each topic t; x is below y if y = x + 1 mod 3; link (p, q) leads to p if val_p[t] is below val_q[t], or
both are equal and lid_p[t] < lid_q[t]; N[t]: the neighbours to which a link of the layer is up)::

    sink in layer t, and still after hold:  NEWS(t, val[t] + 1 mod 3, input[t]) to all of N[t]; empty input[t];
                                            val[t] := val[t] + 1 mod 3
    NEWS(t, v, batch) from q:               cv[t, q] := v; deliver what was not seen before, append it to input[t]
    publish on t:                           append it to input[t], with a new random identifier
    subscribe to t:                         LINK_REQ(t) to all neighbours; when all have answered: choose val[t] and
                                            lid[t], LINK_UP to them; if nobody is in the layer: val[t] := 0, lid[t] := 1
    LINK_REQ(t):                            keep val[t] until the link is settled; LINK_OK(t, val[t], lid[t]), or
                                            LINK_KO(t) (not in the layer, or not now)
    unsubscribe from t:                     when input[t] is sent: LINK_DOWN(t) to all of N[t]; wait for LINK_DOWN_OK(t)

At the beginning all tell their neighbours for each topic whether they are interested.  A newcomer chooses as on one
mobile DAG, by mode: safe takes v + 1 of one point x, and any other link only comes up, now or later, if its two ends
have a common neighbour x with |d(p, x) + d(x, q)| <= 1; paper (LLO as printed) may make a circle; heights counts
without end, max + 1.

Readings: one copy of everything for each layer, even of what was seen; a link of a layer is only between two that are
both in it.  LINK_KO says whether it makes sense to ask again (who answers is joining, too, or about to leave), so that
neighbours in a layer have a link, or one of them asks for it.  Who is privileged leaves after its turn; who is alone
with news waits for somebody to hear them.  Who is alone chooses val anew when it gets its first link; if a link to it
does not come up, it asks in its turn.  In mode safe two parts of a layer with links of their own never become one:
nobody can know that they are two.  Two neighbours that chose the same lid at the same time get no link.

Needs a connected network with names and two-way links, and somebody who starts, and publishes on all its topics.  Links
may reorder messages as long as nobody subscribes or unsubscribes; otherwise set order = "fifo".
Messages of one layer never change anything in another (theorem 1).
Complexity, as long as nobody subscribes or unsubscribes: 2 m messages for each topic to get to know each other, and 2 m
at most for a turn of everybody in a layer; exactly that if all are interested in everything.  To join costs 3 messages
for each neighbour at most; in mode safe whoever asks again asks all its neighbours in the layer.

Reference: E. Anceaume, A. K. Datta, M. Gradinariu, G. Simon, Publish/subscribe scheme for mobile networks, POMC 2002,
definition 5, tables 1 to 3 (LLO), table 5 (LLRM), theorem 1.
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
    measure,
    named,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
    two_way,
)

ASLEEP, MEMBER, JOINING, SINK = states(
    "asleep", "member", "joining", "sink",
    reads={
        "asleep": "has heard nothing yet",
        "member": "is in its layers",
        "joining": "joins a layer",
        "sink": "is privileged in some layer",
    },
)
AWAKE = (MEMBER, JOINING, SINK)


class Hello(Message):
    """'I am (not) interested in this topic; this is my identifier in its layer.'"""

    topic: int
    interested: bool
    lid: int


class News(Message):
    """'In the layer of this topic I give way; this is my new val there, and what I have heard and published.'"""

    topic: int
    val: int
    batch: tuple[tuple[int, str], ...] = ()


class LinkReq(Message):
    """'May I have a link to you in this layer?'"""

    topic: int


class LinkOk(Message):
    """'Yes; this is my val there, which I keep until you have decided, and my lid.'"""

    topic: int
    val: int
    lid: int
    near: tuple = ()  # its neighbours in the layer, for mode safe


class LinkKo(Message):
    """'No; I am not in this layer, or cannot say yes now.'"""

    topic: int
    again: bool  # whether to ask again makes sense


class LinkUp(Message):
    """'Our link in this layer is up, and this is my end of it.'"""

    topic: int
    val: int
    lid: int


class LinkFree(Message):
    """'There will be no link in this layer for now; your val is yours again.'"""

    topic: int


class LinkDown(Message):
    """'I leave this layer, and our link there is down.'"""

    topic: int


class LinkDownOk(Message):
    """'I know that our link in this layer is down.'"""

    topic: int


class Hold(Timer):
    """The time for which a sink keeps its privilege in a layer is over."""

    topic: int


class Retry(Timer):
    """It is time to ask again for links of a layer that are forming."""

    topic: int


class Publish(Command):
    """News on a topic."""

    topic: int = 1
    content: str = "news"


class Subscribe(Command):
    """Join the layer of a topic through all neighbours that are in it."""

    topic: int = 1


class Unsubscribe(Command):
    """Leave the layer of a topic, when all news are passed on."""

    topic: int = 1


class MobileDagTopics(Process):
    title = "Publish/subscribe on mobile DAGs, many topics"
    needs = connected, named, two_way, some_initiator, reliable
    messages = "<= 2*m*topics*(duty + 1)"

    state = ASLEEP
    topics_of: set[int] = set()  # the topics in whose layers it is
    joining: set[int] = set()  # those whose layers it is about to join
    going: set[int] = set()  # those whose layers it wants to leave
    leaving: set[int] = set()  # those whose layers it left, and not all neighbours know it
    holding: set[int] = set()  # topics in whose layers it is privileged
    val: dict[int, int] = {}  # topic -> its counter in that layer
    lid: dict[int, int] = {}
    N: dict[int, list] = {}  # topic -> the neighbours to which it has a link in the layer
    cv: dict[tuple, int] = {}  # (topic, neighbour) -> val, as far as it knows
    cl: dict[tuple, int] = {}
    old: dict[tuple, set] = {}  # (topic, neighbour) -> what it had when the link came up, if later than the beginning
    unknown: dict[int, int] = {}  # topic -> how many neighbours did not say yet whether they are interested
    input: dict[int, list] = {}  # topic -> items to pass on
    seen: set[tuple] = set()  # (topic, identifier) of all items it had
    turns: dict[int, int] = {}
    forming: dict[int, set] = {}  # topic -> those to which it wants a link
    asked: dict[int, set] = {}  # those whose answer it waits for
    answers: dict[int, dict] = {}  # val, lid and neighbours of those who said yes
    frozen: dict[int, set] = {}  # those for whom it keeps its val
    deferred: dict[int, list] = {}  # those whom it answers after its turn
    closing: dict[int, set] = {}  # those that did not say yet that they know that the link is down
    ever: set[int] = set()  # the topics in whose layers it ever was
    stayed: set[int] = set()  # those in whose layers it is from the beginning
    changes: dict[int, int] = {}  # how many links it got or lost since the beginning
    joins: int = 0  # how often it came into a layer since the beginning
    told: int = 0  # how many items it handed to its user
    mine: set[tuple] = set()  # (topic, identifier) of what it published
    out: set[str] = set()  # in the layer that is shown: neighbours to which its links lead
    near: set[str] = set()  # ... to which it has a link
    wants: set[str] = set()  # ... to which it wants one
    keeps: set[str] = set()  # ... for whom it keeps its val
    level: int | None = None  # ... its val, while it is in

    topics = parameter(2, minimum=1, help="how many topics there are: 1, 2, 3 ...")
    interest = parameter(1.0, minimum=0.0, maximum=1.0, help="how likely somebody is interested in a topic at first")
    mode = parameter("safe", choices=("safe", "paper", "heights"), help="how a newcomer chooses val, and how it counts")
    hold = parameter(0.5, minimum=0.0, help="how long a sink keeps its privilege")
    retry = parameter(5.0, minimum=0.1, help="after about how long it asks again for links that are forming")
    duty = parameter(
        16, minimum=0, help="after how many turns in a layer a process goes off duty there; 0: never",
        reached=lambda p: p.duty and any(k >= p.duty for k in p.turns.values()),
    )
    lids = parameter("random", choices=("random", "names"), help="the identifiers: by chance, or by rising names")
    shown = parameter(1, minimum=1, help="the topic whose layer is drawn")

    # -- the beginning

    @on(ASLEEP, INIT)
    def begin(self):
        """It chooses its topics, and tells its neighbours.

        delivers and sends Hello: It is interested in {topics_of:topic|topics}, tells its neighbours, and publishes.
        changes topics_of and sends Hello: It is interested in {topics_of:topic|topics}, and tells its neighbours.
        sends Hello: It is interested in none of the topics, and tells its neighbours.
        otherwise: It chooses its topics; it has no neighbours to tell.
        """
        self.state = MEMBER
        number = int(self.me) if self.me.isdigit() else int.from_bytes(self.me.encode(), "big")
        for t in range(1, self.topics + 1):
            if self.random.random() < self.interest:
                self.topics_of.add(t)
                self.ever.add(t)
                self.stayed.add(t)
            self.lid[t] = number + (1000 * self.random.randrange(10) if self.lids == "random" else 0)
            self.val[t], self.turns[t], self.changes[t] = 0, 0, 0
            self.N[t], self.input[t], self.deferred[t], self.answers[t] = [], [], [], {}
            self.forming[t], self.asked[t], self.frozen[t], self.closing[t] = set(), set(), set(), set()
            self.unknown[t] = len(self.neighbours)
            for q in self.neighbours:
                self.send(Hello(t, t in self.topics_of, self.lid[t]), to=q)
            self.look(t)
        if self.initiator:
            for t in sorted(self.topics_of):
                self.publish(Publish(t, f"hello {t}"))

    @on(ASLEEP, Hello)
    def wake(self, m, q):
        """The first that it hears wakes it.

        always:
        """
        self.begin()
        self.know(m, q)

    @on(AWAKE, Hello)
    def know(self, m, q):
        """A neighbour says whether it is interested; if both are, there is a link in the layer of the topic.

        changes going: It knows all its neighbours now, so it can leave the layer, as it wanted to.
        sends LinkReq: It knows all its neighbours now, so it asks for links in the layer that it wants to join.
        sets Hold: It knows all its neighbours now, and all its links in this layer lead to it, so it is privileged.
        changes N: {peer} is interested in this topic, too, so there is a link in its layer.
        says interested=no: {peer} is not interested in this topic, so there is no link in its layer.
        otherwise: {peer} is interested in this topic, but it is not in the layer itself, so there is no link.
        """
        t = m.topic
        self.unknown[t] -= 1
        if m.interested and t in self.topics_of:
            self.N[t].append(q)
            self.cv.setdefault((t, q), 0)
            self.cl[t, q] = m.lid
        if t in self.joining:
            self.ask_neighbours(t)
        self.look(t)

    # -- turns

    def leads(self, low, high):
        """Whether a link leads to the end with val and lid as in low."""
        step = high[0] - low[0]
        return (step > 0 if self.mode == "heights" else step % 3 == 1) or (step == 0 and low[1] < high[1])

    def look(self, t):
        """Whether it is privileged in the layer of t, whether it can go, and where its links lead."""
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
        if t == self.shown:
            self.show(t, here)

    def show(self, t, here):
        """What is drawn of the layer that is shown."""
        self.near, self.wants, self.keeps = set(self.N[t]), set(self.forming[t]), set(self.frozen[t])
        self.out = {q for q, leads in zip(self.N[t], here, strict=False) if not leads}
        self.level = self.val[t] if t in self.topics_of else None

    @on(SINK, Hold)
    def give_way(self, m):
        """It sends what it has on the topic, and turns the links of its layer round.

        changes topics_of: This was its last turn in this layer: it takes its links there down, as it wanted to leave.
        sets Hold: It gives way, but all its links in this layer still lead to it, so it is privileged there again.
        sends News(batch=none): It has nothing to pass on in this layer, so it only tells its new val there.
        otherwise: It sends its neighbours in this layer its new val and all that it had to pass on.
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
        """A neighbour gave way in a layer; what is new is delivered, and passed on in the same layer.

        delivers and sets Hold: It delivers what is new; all its links in this layer lead to it, so it is privileged.
        sets Hold: With the new val of {peer} all its links in this layer lead to it, so it is privileged there.
        delivers: It delivers what is new, and keeps it for its next turn in this layer.
        says batch=none or batch=empty and changes cv: {peer} had nothing to pass on; it only notes the new val.
        changes cv: It knows all that {peer} passes on, so it only notes the new val.
        otherwise: It is not in the layer of this topic, or learns nothing new there.
        """
        t = m.topic
        if t not in self.topics_of:
            return
        if q in self.N[t] or self.unknown[t]:  # at the beginning news may overtake the first message
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
        """It publishes on a topic; who is not interested in it has no layer to publish in.

        delivers: It is in the layer of this topic, so it keeps the item for its next turn there.
        otherwise: It is not in the layer of this topic, so it cannot publish there.
        """
        if m.topic in self.topics_of:
            item = (self.random.randrange(10**9), m.content)
            self.mine.add((m.topic, item[0]))
            self.have(m.topic, item)

    # -- joining a layer, and links that come up

    @on(ASLEEP, Subscribe)
    def begin_and_subscribe(self, m):
        """It wakes, and joins.

        always:
        """
        self.begin()
        self.subscribe(m)

    @on(AWAKE, Subscribe)
    def subscribe(self, m):
        """It wants to join the layer, and asks its neighbours; if it was about to leave, it stays.

        sends LinkReq: It is not in the layer of this topic, so it asks its neighbours for links there.
        changes topics_of: It has no neighbours to ask, so it is alone in the layer.
        changes joining: To join, it must first have heard from all neighbours, and have left the layer completely.
        changes going: It does not want to leave this layer any more.
        otherwise: It is in this layer already or about to join it, or there is no such topic.
        """
        t = m.topic
        self.going.discard(t)
        if 1 <= t <= self.topics and t not in self.topics_of | self.joining:
            self.joining.add(t)
            self.forming[t] = set(self.neighbours)
            self.ask_neighbours(t)
            self.look(t)

    def ask_neighbours(self, t):
        """It asks all neighbours as soon as it knows who is in the layer, and all know that it is not."""
        if not self.unknown[t] and t not in self.leaving:
            self.ask(t)
            self.settle(t)

    def ask(self, t):
        self.answers[t] = {}
        self.asked[t] = self.forming[t] | (set(self.N[t]) if self.mode == "safe" else set())
        for q in self.neighbours:
            if q in self.asked[t]:
                self.send(LinkReq(t), to=q)

    @on(AWAKE, LinkReq)
    def agree(self, m, q):
        """Somebody wants a link: it says its val and keeps it until that is settled, but ends its turn before.

        sends LinkOk: It is in this layer, so it says yes, and keeps its val there until {peer} has decided.
        changes deferred: It is privileged in this layer just now, so it answers {peer} after its turn.
        sends LinkKo(again=no): It is not in this layer, so it says no.
        sends LinkKo: It cannot agree now: it joins or leaves this layer, or asks for its first links there.
        """
        t = m.topic
        if t in self.holding:
            self.deferred[t].append(q)
        elif t not in self.topics_of or (self.N[t] and t in self.going) or (self.asked[t] and not self.N[t]):
            self.send(LinkKo(t, t in self.topics_of | self.joining), to=q)
        else:
            self.frozen[t].add(q)
            self.send(LinkOk(t, self.val[t], self.lid[t], tuple(self.N[t])), to=q)
            self.look(t)

    def answer_deferred(self, t):
        waiting, self.deferred[t] = self.deferred[t], []
        for q in waiting:
            self.agree(LinkReq(t), q)

    @on(AWAKE, LinkOk)
    def accepted(self, m, q):
        """A neighbour agrees, and waits; with the last answer it is decided which links come up.

        changes asked and sends nothing: {peer} agrees and waits; other answers are still missing.
        changes going: It waited only for this answer, so it can leave the layer now, as it wanted to.
        changes joining and sends LinkUp: With the last answer it chooses its val, and enters the layer.
        sends LinkUp: With the last answer it gets at least one link more in this layer.
        changes asked and sets Retry: With the last answer no new link can come up, so it will ask again later.
        changes asked: That was the last answer, and no new link comes up.
        otherwise: It did not wait for this answer, so it tells {peer} that no link comes up.
        """
        if q not in self.asked[m.topic]:
            self.send(LinkFree(m.topic), to=q)
            return
        self.asked[m.topic].discard(q)
        self.answers[m.topic][q] = (m.val, m.lid, m.near)
        self.settle(m.topic)
        self.look(m.topic)

    @on(AWAKE, LinkKo)
    def refused(self, m, q):
        """A neighbour is not in the layer, or cannot say yes now; with the last answer it is decided as well.

        changes going: It waited only for this answer, so it can leave the layer now, as it wanted to.
        changes joining and sends LinkUp: With the last answer it chooses its val, and enters the layer.
        changes joining: That was the last answer, and no link comes up, so it enters the layer alone.
        sends LinkUp: With the last answer it gets at least one link more in this layer.
        sets Retry: That was the last answer; it still lacks links in this layer, so it will ask again later.
        changes asked and says again=no: {peer} is not in this layer, so it gives up the link to {peer}.
        changes asked: {peer} cannot agree for now, but may later.
        otherwise: It did not wait for this answer.
        """
        if q in self.asked[m.topic]:
            self.asked[m.topic].discard(q)
            if not m.again:
                self.forming[m.topic].discard(q)
            self.settle(m.topic)
            self.look(m.topic)

    def settle(self, t):
        if self.asked[t]:
            return
        answers, via = self.answers[t], [x for x in self.N[t] if x in self.answers[t]]
        yes = [q for q in self.neighbours if q in self.forming[t] and q in answers]
        if yes and (t in self.joining or not (self.N[t] or self.frozen[t])):
            via = self.choose(t, yes)
        elif t in self.joining:  # it is the first in the layer, as far as it can see
            self.val[t], self.lid[t] = 0, 1
        if t in self.joining:
            self.joining.discard(t)
            self.topics_of.add(t)
            self.ever.add(t)
            self.joins += 1
        up = [q for q in yes if self.fits(t, q, via)]
        for q in self.neighbours:
            if q in up:
                self.send(LinkUp(t, self.val[t], self.lid[t]), to=q)
                self.tie(t, q, *answers[q][:2])
            elif q in answers:
                self.send(LinkFree(t), to=q)
        self.answers[t] = {}
        self.later(t)

    def choose(self, t, points):
        """val and lid of a newcomer, and the point that makes its other links safe."""
        answers = self.answers[t]
        values = {answers[q][0] for q in points}
        lids = {answers[q][1] for q in points}
        between = [lid for lid in range(min(lids) + 1, max(lids)) if lid not in lids]
        three = self.mode == "paper" and len(values) == 3
        self.lid[t] = between[0] if between and not three else max(lids) + 1
        if self.mode == "heights":
            self.val[t] = max(values) + 1
        elif self.mode == "safe":
            best, most = points[0], 0
            for x in points:
                self.val[t] = (answers[x][0] + 1) % 3
                links = sum(self.fits(t, q, [x]) for q in points)
                if links > most:
                    best, most = x, links
            self.val[t] = (answers[best][0] + 1) % 3
            return [best]
        elif len(values) == 1:
            self.val[t] = (min(values) + 1) % 3
        else:
            self.val[t] = min(values) if len(values) == 2 else 0
        return []

    def fits(self, t, q, via):
        """Whether the link to q may come up; in safe mode a neighbour of both must show that it makes no cycle."""
        val, lid, near = self.answers[t][q]
        if lid == self.lid[t]:
            return False
        if self.mode != "safe" or q in via:
            return True
        d = {x: self.answers[t][x][0] for x in via if x in near}
        return any(abs(difference(self.val[t], d[x]) + difference(d[x], val)) <= 1 for x in d)

    def tie(self, t, q, val, lid):
        self.N[t].append(q)
        self.cv[t, q], self.cl[t, q], self.old[t, q] = val, lid, {item for item in self.seen if item[0] == t}
        self.forming[t].discard(q)
        self.changes[t] += 1

    def later(self, t):
        if self.forming[t] and not (self.duty and self.turns[t] >= self.duty):
            self.set_timer(Retry(t), after=self.retry * (0.5 + self.random.random()))

    @on(AWAKE, Retry)
    def again(self, m):
        """It asks again for links that are still forming, unless it is privileged, or does not know its neighbours.

        sends LinkReq: Some links that it wants in this layer are missing, so it asks for them.
        sets Retry: It is privileged in this layer, or waits for other processes, so it will ask later.
        otherwise: No link of this layer is forming, or it is off duty there, so it does not ask.
        """
        t = m.topic
        waits = self.unknown[t] or self.asked[t] or t in self.holding
        if self.forming[t] and t in self.topics_of and not waits:
            self.ask(t)
            self.look(t)
        else:
            self.later(t)

    @on(AWAKE, LinkUp)
    def gain(self, m, q):
        """A link of a layer is up.

        changes going: It waited only for {peer} to decide, so it can leave the layer now, as it wanted to.
        sets Hold: The link to {peer} is up, and all its links in this layer lead to it, so it is privileged there.
        changes frozen: The link to {peer} in this layer is up, as it agreed.
        sends LinkDown: It has not agreed to this link, or not any more, so it takes it down.
        """
        t = m.topic
        if q in self.frozen[t]:
            self.frozen[t].discard(q)
            if q not in self.N[t]:
                self.tie(t, q, m.val, m.lid)
            self.look(t)
        else:
            self.send(LinkDown(t), to=q)

    @on(AWAKE, LinkFree)
    def thaw(self, m, q):
        """The link does not come up for now, and val is free again; who is alone in the layer asks in its turn.

        changes going: It waited only for {peer} to decide, so it can leave the layer now, as it wanted to.
        sets Retry: No link to {peer} comes up for now, but it has no other in this layer, so it will ask for it.
        sets Hold: No new link to {peer} comes up, and all its links in this layer lead to it, so it is privileged.
        changes frozen: No new link to {peer} comes up for now, so it need not keep its val for {peer} any longer.
        otherwise: It did not keep its val for {peer}, so nothing changes.
        """
        t = m.topic
        if q in self.frozen[t]:
            self.frozen[t].discard(q)
            if not self.N[t]:
                self.forming[t].add(q)
                self.later(t)
            self.look(t)

    # -- leaving a layer, and links that go down

    @on(ASLEEP, Unsubscribe)
    def begin_and_unsubscribe(self, m):
        """It wakes, and wants to leave.

        always:
        """
        self.begin()
        self.unsubscribe(m)

    @on(AWAKE, Unsubscribe)
    def unsubscribe(self, m):
        """It wants to leave the layer, and goes as soon as it has nothing left to pass on there.

        sends LinkDown: It has nothing to pass on in this layer, so it leaves at once, and takes its links there down.
        changes topics_of: It has nothing to pass on and no links in this layer, so it has left it at once.
        changes going: It wants to leave the layer, but must first pass items on, end its turn, or wait for others.
        otherwise: It is not in this layer, or wants to leave it already.
        """
        t = m.topic
        if t in self.topics_of | self.joining:
            self.going.add(t)
            self.look(t)

    def part(self, t):
        for q in self.N[t]:
            self.send(LinkDown(t), to=q)
            self.forget(t, q)
        self.closing[t] = set(self.N[t])
        if self.N[t]:
            self.leaving.add(t)
        self.changes[t] += len(self.N[t])
        self.cancel_timer(Retry(t))
        self.N[t], self.forming[t] = [], set()
        self.topics_of.discard(t)
        self.stayed.discard(t)
        self.going.discard(t)

    def forget(self, t, q):
        del self.cv[t, q], self.cl[t, q]
        self.old.pop((t, q), None)

    @on(AWAKE, LinkDown)
    def lose(self, m, q):
        """The neighbour left the layer.

        sets Hold: {peer} has taken their link down; all its others in this layer lead to it, so it is privileged.
        changes holding: {peer} has taken their link down, so it is not privileged in this layer any more.
        changes N: {peer} has taken their link in this layer down.
        otherwise: It had no link to {peer} in this layer, and confirms that there is none.
        """
        t = m.topic
        self.send(LinkDownOk(t), to=q)
        self.forming[t].discard(q)
        if q in self.N[t]:
            self.N[t].remove(q)
            self.forget(t, q)
            self.changes[t] += 1
        self.look(t)

    @on(AWAKE, LinkDownOk)
    def closed(self, m, q):
        """The neighbour knows that the link is down; with the last one it is out of the layer.

        sends LinkReq: All its old links in this layer are known to be down, so it asks for new ones, to join again.
        changes leaving: {peer} was the last to confirm: all its old links in this layer are known to be down.
        changes closing: {peer} knows that their link is down; others have yet to confirm.
        otherwise: It did not wait for this.
        """
        t = m.topic
        self.closing[t].discard(q)
        if t in self.leaving and not self.closing[t]:
            self.leaving.discard(t)
            if t in self.joining:
                self.ask_neighbours(t)
        self.look(t)

    # -- what comes too early, or where it means nothing

    @on(ASLEEP, LinkReq)
    def refuse(self, m, q):
        """It is not yet in any layer."""
        self.send(LinkKo(m.topic, False), to=q)

    @on(AWAKE, INIT)
    @on((ASLEEP, MEMBER, JOINING), Hold)
    @on(ASLEEP, (News, LinkOk, LinkKo, LinkUp, LinkFree, LinkDown, LinkDownOk, Retry, Publish))
    def nothing(self):
        """It is awake already, or not yet in any layer."""


def difference(x, y):
    """y - x modulo 3, as -1, 0 or 1."""
    return (y - x + 1) % 3 - 1


def links(c, t):
    """Member of the layer of t -> its neighbours there to which the link is up at both ends."""
    inside = {p.me: p for p in c.processes if t in p.topics_of}
    return {me: [inside[q] for q in p.N[t] if q in inside and me in inside[q].N[t]] for me, p in inside.items()}


def layers(c):
    return range(1, c.processes[0].topics + 1)


@always("in no layer the links lead in a circle, and in every part of a layer somebody is a sink")
def acyclic(c):
    for t in layers(c):
        near, out = links(c, t), {}
        for me in near:
            p = c.process(me)
            out[me] = [q.me for q in near[me] if leads(p, q, t)]
        while out:
            last = [me for me in out if not any(q in out for q in out[me])]
            if not last:
                return False
            for me in last:
                del out[me]
    return True


def leads(p, q, t):
    """Whether the link between p and q leads to q."""
    return p.leads((q.val[t], q.lid[t]), (p.val[t], p.lid[t]))


@always("in no layer two neighbours are both privileged")
def alone(c):
    pairs = [(t, c.process(me), q) for t in layers(c) for me, near in links(c, t).items() for q in near]
    return not any(t in p.holding and t in q.holding for t, p, q in pairs)


@always("in every layer whoever goes round any cycle counts as many values up as down")
def no_winding(c):
    if c.processes[0].mode == "heights":
        return True
    for t in layers(c):
        near, lifted = links(c, t), {}
        for start in near:
            if start in lifted:
                continue
            lifted[start], todo = 0, [start]
            while todo:
                me = todo.pop()
                for q in near[me]:
                    height = lifted[me] + difference(c.process(me).val[t], q.val[t])
                    if q.me not in lifted:
                        lifted[q.me] = height
                        todo.append(q.me)
                    elif lifted[q.me] != height:
                        return False
    return True


@always("in every layer neighbours whose links stay take turns: one has had one more than the other at most")
def fair(c):
    return all(
        abs(c.process(me).turns[t] - q.turns[t]) <= 1
        for t in layers(c)
        for me, near in links(c, t).items()
        for q in near
        if not c.process(me).changes[t] and not q.changes[t]
    )


@always("as long as its links stay, at most one message with news is under way on each link of each layer")
def alternating(c):
    news = [each for each in c.in_transit if type(each.message) is News]
    still = [
        (each.message.topic, frozenset((each.sender.me, each.receiver.me)))
        for each in news
        if not any(p.changes.get(each.message.topic, 0) for p in (each.sender, each.receiver))
    ]
    return len(set(still)) == len(still)


@always("nobody hears the same twice, or anything on a topic that never interested it")
def once(c):
    published = {item for p in c.processes for item in p.mine}
    return all(
        p.told == len(p.seen) and all(item in published and item[0] in p.ever for item in p.seen)
        for p in c.processes
    )  # fmt: skip


@always("nobody leaves a layer with news that it did not pass on")
def passed_on(c):
    return not any(items and t not in p.topics_of for p in c.processes for t, items in p.input.items())


@at_end("nobody starves: when nothing is left to do, everybody has had all its turns in all its layers")
def nobody_starves(c):
    for t in layers(c):
        changed = any(p.changes.get(t) for p in c.processes)  # who came late may wait for a turn of one off duty
        people = [c.process(me) for me, near in links(c, t).items() if near]
        if not all(p.duty and (changed or p.turns[t] >= p.duty) for p in people):
            return False
    return True


@always("two neighbours in the layer of a topic have a link there, or one of them asks for it")
def linked(c):
    for p in c.processes:
        for t in p.topics_of:
            if p.unknown[t] or len(p.N[t]) == len(p.neighbours):
                continue
            for q in map(c.process, {*p.neighbours} - {*p.N[t]} - p.forming[t]):
                if t in q.topics_of and not q.unknown[t] and p.me not in q.N[t] and p.me not in q.forming[t]:
                    return False
    return True


@eventually("news reach everybody in their layer to whom a way leads that was there when they came by")
def spread(c):
    return all(
        item in q.seen or item in p.old.get((t, q.me), ())
        for t in layers(c)
        for p, near in ((c.process(me), near) for me, near in links(c, t).items())
        for item in p.seen
        if item[0] == t
        for q in near
    )


@measure("joins")
def joins(c):
    """How often somebody came into a layer."""
    return sum(p.joins for p in c.processes)


@measure("reached")
def reached(c):
    """Which share of those who were in its layer from the beginning to the end an item reached, on average."""
    shares = []
    for t in layers(c):
        there = [p for p in c.processes if t in p.stayed]
        items = [item for p in c.processes for item in p.mine if item[0] == t]
        shares += [sum(item in p.seen for p in there) / len(there) for item in items if there]
    return sum(shares) / len(shares) if shares else None
