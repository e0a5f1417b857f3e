"""Publish/subscribe on a mobile DAG: who is a sink tells all it knows, and gives way by one small counter.

The processes interested in a topic form a layer, whose links have directions without a cycle.  A sink, to which all its
links lead, is privileged: it sends what it has heard and published to all neighbours and adds 1 to its counter val,
modulo 3, which turns its links round.  So everybody is a sink again and again, and nobody knows who publishes.

Pseudo-code (x is below y if y = x + 1 mod 3; link (p, q) leads to p if val_p is below val_q, or both are equal and
lid_p < lid_q; N: the neighbours whose link is up)::

    sink, and still after hold:  NEWS(val + 1 mod 3, input + local) to all of N; empty both; val := val + 1 mod 3
    NEWS(v, batch) from q:       cv[q] := v; what was not seen before: deliver it, and append it to input
    publish:                     append it to local, with a new random identifier
    join:                        LINK_REQ to all points; when all have answered: choose val and lid, LINK_UP to points
    LINK_REQ:                    keep val until the link is settled; LINK_OK(val, lid), or LINK_KO (no member)
    leave:                       when all is sent: LINK_DOWN to all of N; wait for LINK_DOWN_OK

A newcomer whose points have the values V chooses, by mode:
  * paper (LLO as printed): v + 1 if V = {v}, the least of V if there are two, 0 if there are three.  May make a cycle;
  * safe: v + 1 of one point x.  Any other link, also later between members, only comes up if its two ends have a common
    neighbour x with |d(p, x) + d(x, q)| <= 1, where d is the difference modulo 3, -1 to 1; else it goes on forming;
  * heights: val is any number, a newcomer takes max + 1, and so does a sink.  Never a cycle;
  * ordinary: as paper with the common "<" instead of the cyclic "below", as definition 4 prints it.  Starves.

Readings: "below" is cyclic; a newcomer with three values takes a lid above all; seen keeps items from circulating for
ever; who is a sink already answers LINK_REQ after its turn; LINK_FREE, not in the paper, ends the wait for a link that
does not come up; LINK_OK also tells the neighbours, which safe mode compares, and in it a member asks all its own, too.
Links that come and go are reported to one end, or to both, by the commands Meet and Lost; whoever is named by Lost is
out of reach until Meet names it, so that nobody waits for its answer.

Needs names and two-way links, and somebody who starts and publishes.  Links may reorder messages as long as nobody
joins or leaves; otherwise set order = "fifo".
Complexity: 2 m messages to get to know each other, and 2 m for each turn of everybody; 2 m copies of every item; turns
of neighbours differ by 1 at most.  After duty turns a process goes off duty, so that a run ends; an item goes one link
further with every turn, so duty should be more than the diameter.

Reference: E. Anceaume, A. K. Datta, M. Gradinariu, G. Simon, Publish/subscribe scheme for mobile networks, POMC 2002,
definitions 1 to 5, tables 1 to 4 (LLO and LLRO).
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

OUTSIDE, JOINING, MEMBER, SINK, LEAVING = states(
    "outside", "joining", "member", "sink", "leaving",
    reads={
        "outside": "is not in the layer",
        "joining": "asks its points",
        "member": "is in the layer",
        "sink": "is a privileged sink",
        "leaving": "takes its links down",
    },
)
EVERYWHERE = (OUTSIDE, JOINING, MEMBER, SINK, LEAVING)
INSIDE = (MEMBER, SINK)


class LinkReq(Message):
    """'May I have a link to you?'"""


class LinkOk(Message):
    """'Yes; this is my val, which I keep until you have decided, and my lid.'"""

    val: int
    lid: int
    near: tuple = ()  # its neighbours, for safe mode


class LinkKo(Message):
    """'No, I am not in the layer.'"""


class LinkUp(Message):
    """'The link is up, and this is my end of it.'"""

    val: int
    lid: int


class LinkFree(Message):
    """'There will be no link for now; your val is yours again.'"""


class LinkDown(Message):
    """'Our link is down.'"""


class LinkDownOk(Message):
    """'I know that our link is down.'"""


class News(Message):
    """'I give way; this is my new val, and what I have heard and published.'"""

    val: int
    batch: tuple[tuple[int, str], ...] = ()  # items: (random identifier, content)


class Hold(Timer):
    """The time for which a sink keeps its privilege is over."""


class Retry(Timer):
    """It is time to ask again for links that are forming."""


class Publish(Command):
    """News for everybody in the layer."""

    content: str = "news"


class Join(Command):
    """Join the layer through these points; through all neighbours if none is named."""

    points: tuple = ()


class Leave(Command):
    """Leave the layer, when all news are passed on."""


class Meet(Command):
    """The neighbour came into reach; a random one to which there is no link if none is named."""

    neighbour: str = ""


class Lost(Command):
    """The neighbour is out of reach; a random one if none is named."""

    neighbour: str = ""


class MobileDag(Process):
    title = "Publish/subscribe on a mobile DAG"
    needs = connected, named, two_way, some_initiator
    messages = "2*m*(duty + 1)"

    state = OUTSIDE
    val: int = 0
    lid: int = 0
    N: set[str] = set()  # neighbours to which the link is up
    cv: dict[str, int] = {}  # their val, as far as it knows
    cl: dict[str, int] = {}  # their lid
    out: set[str] = set()  # those to which the link leads
    input: list = []  # items heard and not passed on yet
    local: list = []  # items published and not sent yet
    seen: set[int] = set()  # identifiers of all items it had
    waiting: set[int] = set()  # those of input and local
    unknown: set[str] = set()  # neighbours that did not say yet, at the beginning, whether they are members
    away: set[str] = set()  # neighbours that are out of reach
    forming: set[str] = set()  # those to which it wants a link
    asked: set[str] = set()  # those whose answer it waits for
    answers: dict[str, tuple] = {}  # val, lid and neighbours of those who said yes
    frozen: set[str] = set()  # those for whom it keeps its val
    deferred: set[str] = set()  # those whom it answers after its turn
    closing: set[str] = set()  # those that did not say yet that they know that the link is down
    going: bool = False  # whether it wants to leave
    turns: int = 0
    copies: int = 0  # how many items it sent, one for each neighbour
    told: int = 0  # how many items it handed to its user
    changes: int = 0  # how many links it got or lost since the beginning
    cuts: int = 0  # how many of them it lost
    since: float = -1.0  # when it came into the layer, -1 if it never was there
    mine: dict[int, float] = {}  # what it published, and when

    mode = parameter("safe", choices=("safe", "paper", "heights", "ordinary"), help="how val is chosen and compared")
    hold = parameter(0.5, minimum=0.0, help="how long a sink keeps its privilege")
    retry = parameter(5.0, minimum=0.1, help="after about how long it asks again for links that are forming")
    duty = parameter(
        24, minimum=0, help="after how many turns a process goes off duty; 0: never",
        reached=lambda p: p.duty and p.turns >= p.duty,
    )
    members = parameter("all", choices=("all", "initiators"), help="who is in the layer from the beginning")
    lids = parameter("random", choices=("random", "names", "alternating"), help="the identifiers: by chance; by rising "
                     "names; or every other process in the order of names below the rest")  # fmt: skip
    counters = parameter(3, minimum=2, maximum=3, help="how many values val has, except in mode heights")
    memory = parameter(True, help="whether a process remembers what it has seen")

    # -- order

    def below(self, x, y):
        return x < y if self.mode in ("heights", "ordinary") else y == (x + 1) % self.counters

    def leads(self, q):
        """Whether the link to q leads from here to q."""
        return self.below(self.cv[q], self.val) or (self.cv[q] == self.val and self.cl[q] < self.lid)

    def is_sink(self):
        """Whether all links lead here."""
        near = self.among(self.N)
        here = (self.below(self.val, self.cv[q]) or (self.val == self.cv[q] and self.lid < self.cl[q]) for q in near)
        return bool(near) and all(here)

    def among(self, some):
        return [q for q in self.neighbours if q in some]

    # -- the beginning

    @on(OUTSIDE, INIT)
    def begin(self):
        """It is in the layer from the beginning, with the value 0, and tells its neighbours.

        delivers and sends LinkUp: It enters the layer with the val 0, tells its neighbours, and publishes an item.
        sends LinkUp: It enters the layer with the val 0, and tells its neighbours.
        otherwise: It enters the layer with the val 0; it has no neighbour in reach to tell.
        """
        number = int(self.me) if self.me.isdigit() else int.from_bytes(self.me.encode(), "big")
        if self.lids == "random":
            number += 1000 * self.random.randrange(10)
        elif self.lids == "alternating":
            number += 1000 * (number % 2)
        self.enter(0, number)
        self.unknown = set(self.neighbours) - self.away
        for q in self.among(self.unknown):
            self.send(LinkUp(self.val, self.lid), to=q)
        if self.initiator:
            self.publish(Publish("hello"))

    def enter(self, val, lid):
        self.state, self.val, self.lid, self.since = MEMBER, val, lid, self.clock

    @on(OUTSIDE, LinkUp)
    def wake(self, m, q):
        """The first that it hears of the layer: it belongs to it, too; or it does not, and says so.

        becomes and sends LinkDown: It enters the layer, but {peer} counts as out of reach, so it takes this link down.
        becomes: This is how it hears of the layer: it enters it, has a link to {peer}, and tells its neighbours.
        otherwise: It does not belong to the layer, or has left it, so it takes the link to {peer} down.
        """
        if self.members == "all" and self.since < 0:
            self.begin()
            self.gain(m, q)
        else:
            self.send(LinkDown(), to=q)

    # -- turns

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

    # -- joining, and links that come up

    @on(OUTSIDE, Join)
    def join(self, m):
        """It wants to join, and asks its points.

        sends LinkReq: It wants to join the layer, so it asks {forming:neighbour|neighbours} for a link.
        otherwise: It wants to join the layer, but no neighbour is in reach.
        """
        self.forming = set(self.among(m.points)) or set(self.neighbours) - self.away
        if self.forming:
            self.state = JOINING
            self.ask()

    def ask(self):
        self.answers = {}
        self.asked = self.forming | (self.N if self.mode == "safe" else set())
        for q in self.among(self.asked):
            self.send(LinkReq(), to=q)

    @on(MEMBER, LinkReq)
    def agree(self, m, q):
        """Somebody wants a link: it says its val and keeps it until that is settled.

        sends LinkOk: It says yes, and keeps its val until {peer} has decided whether the link comes up.
        sends LinkKo: It says no: it wants to leave, still takes a link to {peer} down, or asks for links itself.
        """
        if self.going or q in self.closing or (self.asked and not self.N):
            self.send(LinkKo(), to=q)
            return
        self.frozen.add(q)
        self.send(LinkOk(self.val, self.lid, tuple(self.among(self.N))), to=q)
        self.look()

    @on(SINK, LinkReq)
    def defer(self, m, q):
        """It is privileged just now; it answers after its turn."""
        self.deferred.add(q)

    def answer_deferred(self):
        for q in self.among(self.deferred):
            self.agree(LinkReq(), q)
        self.deferred = set()

    @on((OUTSIDE, JOINING, LEAVING), LinkReq)
    def refuse(self, m, q):
        """It is no member, so there is no link."""
        self.send(LinkKo(), to=q)

    @on((JOINING, MEMBER), LinkOk)
    def accepted(self, m, q):
        """A neighbour agrees, and waits; with the last answer it is decided which links come up.

        changes asked and sends nothing: {peer} agrees and waits; {asked:answer is|answers are} still missing.
        changes asked and while joining: With the last answer it chooses its val, {val}, and enters with {N:link|links}.
        becomes leaving or outside: It waited only for this answer, so it can leave now, as it wanted to.
        changes asked and sends LinkUp: With the last answer it gets at least one link more: {N:link|links} in all.
        changes asked and sets Retry: With the last answer no new link can come up, so it will ask again later.
        changes asked: That was the last answer, and no new link comes up.
        otherwise: It did not wait for this answer, so it tells {peer} that no link comes up.
        """
        if q not in self.asked:
            self.send(LinkFree(), to=q)
            return
        self.asked.discard(q)
        self.answers[q] = (m.val, m.lid, m.near)
        self.settle()

    @on((JOINING, MEMBER), LinkKo)
    def refused(self, m, q):
        """A neighbour brings up no link now; with the last answer it is decided which links come up.

        always:
        """
        self.asked.discard(q)
        self.settle()

    def settle(self):
        if self.asked:
            return
        free = self.state == JOINING or not (self.N or self.frozen)  # whether it can choose its val
        yes = self.forming & set(self.answers)
        via = [x for x in self.among(self.N) if x in self.answers]
        if yes:
            self.forming = yes
            if free:
                via = self.choose()
                self.enter(self.val, self.lid)
        up = [q for q in self.among(yes) if self.fits(q, via)]
        for q in self.among(self.answers):
            if q in up:
                self.send(LinkUp(self.val, self.lid), to=q)
                self.tie(q, *self.answers[q][:2])
            else:
                self.send(LinkFree(), to=q)
        self.answers = {}
        self.later()
        self.look()

    def choose(self):
        """val and lid of a newcomer, and the point that makes its other links safe."""
        points = self.among(self.forming)
        values = {self.answers[q][0] for q in points}
        lids = {self.answers[q][1] for q in points}
        between = [lid for lid in range(min(lids) + 1, max(lids)) if lid not in lids]
        three = self.mode == "paper" and len(values) == 3
        self.lid = between[0] if between and not three else max(lids) + 1
        if self.mode == "heights":
            self.val = max(values) + 1
        elif self.mode == "safe":
            best = points[0]
            for x in points:
                self.val = (self.answers[x][0] + 1) % self.counters
                if sum(self.fits(q, [x]) for q in points) > sum(self.fits(q, [best]) for q in points):
                    best = x
            self.val = (self.answers[best][0] + 1) % self.counters
            return [best]
        elif len(values) == 1:
            self.val = (min(values) + 1) % self.counters
        else:
            self.val = min(values) if len(values) == 2 else 0
        return []

    def fits(self, q, via):
        """Whether the link to q may come up; in safe mode a neighbour of both must show that it makes no cycle."""
        val, lid, near = self.answers[q]
        if lid == self.lid:
            return False
        if self.mode != "safe":
            return True
        d = {x: difference(self.val, self.answers[x][0]) + difference(self.answers[x][0], val) for x in via}
        return q in via or any(x in near and abs(d[x]) <= 1 for x in via)

    def tie(self, q, val, lid):
        self.N.add(q)
        self.cv[q], self.cl[q] = val, lid
        self.forming.discard(q)
        self.changes += 1

    def later(self):
        if self.forming and not (self.duty and self.turns >= self.duty):
            self.set_timer(Retry(), after=self.retry * (0.5 + self.random.random()))

    @on((JOINING, MEMBER), Retry)
    def again(self):
        """It asks again for the links that are still forming.

        sends LinkReq: It lacks {forming:link, so it asks for it|links, so it asks for them}.
        sets Retry: It still waits for other processes, so it will ask later.
        otherwise: No link is forming, or it is off duty, so it does not ask.
        """
        if self.forming and not self.asked and not self.unknown:
            self.ask()
            self.look()
        else:
            self.later()

    @on(SINK, Retry)
    def not_now(self):
        """It is privileged just now, and asks later.

        always:
        """
        self.later()

    @on(INSIDE, LinkUp)
    def gain(self, m, q):
        """A link is up.

        becomes leaving: It waited only for {peer}, so it can leave now, as it wanted to.
        changes unknown and becomes sink: It knows its neighbours now, and all its links lead to it, so it is a sink.
        changes unknown: {peer} is a member, too: there is a link; {unknown:neighbour is|neighbours are} still unknown.
        sends LinkDown: It has not agreed to this link, or not any more, so it takes it down.
        becomes sink: The link to {peer} is up, and all its links lead to it, so it is a sink.
        changes frozen: The link to {peer} is up, as it agreed.
        """
        if q in self.unknown:
            self.unknown.discard(q)
            self.tie(q, self.cv.get(q, m.val), m.lid)
            self.changes -= 1
        elif q not in self.frozen:
            self.send(LinkDown(), to=q)
        else:
            self.frozen.discard(q)
            if q not in self.N:
                self.tie(q, m.val, m.lid)
        self.look()

    @on(INSIDE, LinkFree)
    def thaw(self, m, q):
        """The link to this neighbour does not come up for now, so val need not stay as it is for it.

        always:
        """
        self.frozen.discard(q)
        self.look()

    @on((MEMBER, SINK), Meet)
    def meet(self, m):
        """A neighbour came into reach; it will ask for a link.

        sets Retry: A neighbour to which it has no link is in reach, so it is about to ask for one.
        says neighbour=none: No neighbour is left that it could ask for a link.
        otherwise: It has a link to this neighbour already, or none is left to ask.
        """
        if m.neighbour in self.neighbours:
            found = m.neighbour
            self.closing.discard(found)
            self.away.discard(found)
        else:
            others = [q for q in self.neighbours if q not in self.N | self.closing | self.forming | self.unknown]
            found = self.random.choice(others) if others else None
        if found is not None and found not in self.N:
            self.forming.add(found)
            self.set_timer(Retry(), after=0.0)

    @on((OUTSIDE, JOINING, LEAVING), Meet)
    def in_reach(self, m):
        """A neighbour came into reach; it is asked when this process joins again."""
        self.away.discard(m.neighbour)

    @on(OUTSIDE, Lost)
    def out_of_reach(self, m):
        """A neighbour is out of reach; it is not asked when this process joins."""
        self.away |= {*self.among((m.neighbour,))}

    # -- leaving, and links that go down

    @on(INSIDE, Leave)
    def leave(self, m):
        """It wants to leave, and goes as soon as it has nothing left to pass on.

        always:
        """
        self.going = True
        self.forming = set()
        self.look()

    def part(self):
        for q in self.among(self.deferred):
            self.send(LinkKo(), to=q)
        for q in self.among(self.N):
            self.send(LinkDown(), to=q)
        self.closing = self.closing | self.N
        self.cancel_timer(Hold())
        self.cancel_timer(Retry())
        self.N, self.out, self.deferred, self.forming, self.cv, self.cl = set(), set(), set(), set(), {}, {}
        self.state, self.going = LEAVING, False
        self.gone()

    def gone(self):
        if self.state == LEAVING and not self.closing:
            self.state = OUTSIDE

    @on(EVERYWHERE, LinkDown)
    def lose(self, m, q):
        """The neighbour took the link down.

        always:
        """
        self.send(LinkDownOk(), to=q)
        self.drop(q)

    def drop(self, q):
        waited = q in self.asked
        self.changes += q in self.N
        self.cuts += q in self.N
        for some in (self.N, self.unknown, self.asked, self.frozen, self.deferred, self.forming):
            some.discard(q)
        for table in (self.cv, self.cl, self.answers):
            table.pop(q, None)
        if self.state == JOINING and not self.forming:  # none is left to ask: it can be told to join again
            self.cancel_timer(Retry())
            self.state, self.answers = OUTSIDE, {}
        elif waited:
            self.settle()
        elif self.state in INSIDE:
            self.look()

    @on(EVERYWHERE, LinkDownOk)
    def closed(self, m, q):
        """The neighbour knows that the link is down.

        always:
        """
        self.closing.discard(q)
        self.gone()

    @on((JOINING, MEMBER, SINK, LEAVING), Lost)
    def lost(self, m):
        """A neighbour is out of reach; if it still hears anything, it is told.

        while joining and becomes outside: It asked this neighbour alone, so it cannot join now.
        while joining and becomes: It need not wait for this neighbour, so it enters the layer with {N:link|links}.
        while leaving and becomes outside: It waited only for this neighbour to confirm, so it is out of the layer now.
        while leaving and changes closing: One less to wait for: {closing:neighbour has|neighbours have} yet to confirm.
        while leaving: It has taken all its links down already, so it loses none.
        becomes leaving or outside: It waited only for this neighbour, so it can leave now, as it wanted to.
        sends LinkUp: It decides without the answer of this neighbour, and brings up at least one other link.
        sends LinkDown and becomes sink: It takes this link down, and all its others lead to it, so it is a sink.
        sends LinkDown: The neighbour is out of reach, so it takes their link down; {N:link is|links are} left.
        becomes sink: It need not wait for this neighbour, and all its links lead to it, so it is a sink.
        changes unknown or asked or frozen: The neighbour is out of reach, so it does not wait for it any longer.
        changes forming or deferred: The neighbour is out of reach, so no link to it comes up for now.
        otherwise: It has no link there to lose.
        """
        some = self.among(self.N)
        self.away |= {*self.among((m.neighbour,))}
        found = m.neighbour if m.neighbour in self.neighbours else self.random.choice(some) if some else None
        if found is not None and self.state == LEAVING:
            self.closing.discard(found)
            self.gone()
        elif found is not None:
            if found in self.N:
                self.closing.add(found)
                self.send(LinkDown(), to=found)
            self.drop(found)

    # -- what comes too late, or where it means nothing

    @on((OUTSIDE, SINK, LEAVING), LinkOk)
    def too_late(self, m, q):
        """It does not want this link any more."""
        self.send(LinkFree(), to=q)

    @on((JOINING, LEAVING), LinkUp)
    def not_here(self, m, q):
        """It is no member, and takes the link down again."""
        self.send(LinkDown(), to=q)

    @on((JOINING, MEMBER, SINK, LEAVING), (INIT, Join))
    @on((OUTSIDE, JOINING, LEAVING), (News, LinkFree, Publish, Leave))
    @on((OUTSIDE, SINK, LEAVING), LinkKo)
    @on((OUTSIDE, JOINING, MEMBER, LEAVING), Hold)
    @on((OUTSIDE, LEAVING), Retry)
    def nothing(self):
        """It is already where it wants to be, or no member to whom this means anything."""


def difference(x, y):
    """y - x modulo 3, as -1, 0 or 1."""
    return (y - x + 1) % 3 - 1


def layer(c):
    """Member -> the members to which it has a link that is up at both ends."""
    inside = {p.me: p for p in c.processes if p.state in INSIDE and not c.crashed(p)}
    return {me: [inside[q] for q in p.among(p.N) if q in inside and me in inside[q].N] for me, p in inside.items()}


def parts(c):
    """The components of the layer, as sets of names."""
    links, found = layer(c), []
    for me in links:
        if not any(me in part for part in found):
            part, todo = {me}, [me]
            while todo:
                fresh = [q.me for q in links[todo.pop()] if q.me not in part]
                part.update(fresh)
                todo += fresh
            found.append(part)
    return found


@always("the links never lead in a circle, and in every part of the layer somebody is a sink")
def acyclic(c):
    links = layer(c)
    inside = {p.me: p for p in c.processes}
    out = {}
    for me, near in links.items():
        p = inside[me]
        out[me] = [q.me for q in near if p.below(q.val, p.val) or (p.val == q.val and q.lid < p.lid)]
    while out:
        last = [me for me in out if not any(q in out for q in out[me])]
        if not last:
            return False
        for me in last:
            del out[me]
    return True


@always("two neighbours are never both privileged")
def alone(c):
    return not any(c.process(me).state == SINK and q.state == SINK for me, near in layer(c).items() for q in near)


@always("whoever goes round any cycle counts as many values up as down")
def no_winding(c):
    if not c.processes or c.processes[0].mode in ("heights", "ordinary"):
        return True
    links, lifted = layer(c), {}
    for start in links:
        if start in lifted:
            continue
        lifted[start], todo = 0, [start]
        while todo:
            me = todo.pop()
            for q in links[me]:
                height = lifted[me] + difference(c.process(me).val, q.val)
                if q.me not in lifted:
                    lifted[q.me] = height
                    todo.append(q.me)
                elif lifted[q.me] != height:
                    return False
    return True


@always("as long as their links stay, neighbours take turns: one has had one more than the other at most")
def fair(c):
    still = {p.me for p in c.processes if not p.changes}
    return all(
        abs(c.process(me).turns - q.turns) <= 1
        for me, near in layer(c).items()
        for q in near
        if me in still and q.me in still
    )


@at_end("nobody starves: when nothing is left to do, everybody has had all its turns")
def nobody_starves(c):
    changed = any(p.changes for p in c.processes)  # who came late may wait for a turn of one who is off duty
    people = [c.process(me) for me, near in layer(c).items() if near]
    return all(p.duty and (changed or p.turns >= p.duty) for p in people)


@always("as long as its links stay, at most one message with news is under way on each")
def alternating(c):
    news = [t for t in c.in_transit if type(t.message) is News and not (t.sender.changes or t.receiver.changes)]
    return len({frozenset((t.sender.me, t.receiver.me)) for t in news}) == len(news)


@always("nobody hears the same twice")
def once(c):
    return all(p.told == len(p.seen) for p in c.processes)


@eventually("news reach everybody who was in the layer when they were published, as long as no link goes down")
def spread(c):
    if any(p.cuts or (p.state in (OUTSIDE, LEAVING) and p.since >= 0) for p in c.processes):
        return True
    together = {me: part for part in parts(c) for me in part}
    return all(
        item in q.seen
        for p in c.processes
        for item, time in p.mine.items()
        for q in c.processes
        if q.me in together.get(p.me, ()) and 0 <= q.since <= time
    )
