"""Role-based distributed hash table: only who wants a topic forwards its news, and all take turns at the work.

For each topic (*role*) for which a process forwards it stands once on a circle, at the hash of the topic followed by
its own, so that the forwarders of a topic are neighbours there.  Other members are children of the closest forwarder.

Pseudo-code (L: topics p forwards; C[t]: its children; loc(p, t) = hash(t) hash(p))::

    lookup x:        go on to whom the tables show that is closer to x; nobody is: here it is
                     (with a role: tables of this role only, so nobody else is on the way)
    subscribe(T):    look up loc(p, t) for all t in T;  nobody forwards t: be its first forwarder
                     L empty: split where the closest forwarder has most children
                     q with (|L_q| - 1)/|T_q| > (|L| + 1)/|T|: split, and q goes (replace);  else join q
    split:           the forwarder to the left of loc(p, t) puts p between itself and r; children go where it is closer
    leave:           the one to the left is told to skip p; each child is given to its closest forwarder
    |C[t]| > k:      the child that forwards least splits
    child, every repair:  ROUTEPARENT to some of F[t]; no answer last time: ISPARENT by any table.  ISCHILD answers
    news on t:       a random lookup finds the root; it hands each half of the other forwarders to one in its middle,
                     who does the same with what lies to its left and right; all hand it to their children
      or gossip:     to fan_out of the view, that random REQUESTs fill, for hops steps

What changes a gap of the circle is done by the forwarder to the left of it, one thing at a time; it is busy meanwhile,
and who asks it waits, or is told to abort, looks up again, and tries once more.

Needs a reliable overlay with names and one who starts: it invites all, and newcomers ask it first.  Timers run until
``upkeep``, so that a run ends.
The readings taken: tables hold the forwarders 1, 2, 4 ... places to the left and to the right within the topic, so
halves are exact; nearness is measured within the sector of the topic, and only news and tables go round it;
heartbeats mend the circle, in place of empty news from each root; of a lookup at random the closest is taken, or with
``reject`` the arcs are made up for; phi = forwarded / notified; news of a topic belong to its supertopics, which
``direction = "printed"`` turns round.
Complexity: N - 1 messages to N forwarders in ceil(log2 N) steps at most, two for each of them at most; O(log N) hops
for a lookup; O(N) messages for tables when somebody comes or goes.  Subscriptions that do not meet take as much as
the formula says at most; it is a rule, since whoever is told to abort tries again.

Reference: S. Baehni, R. Guerraoui, S. B. Handurukande, M. Jurca, B. Koldehofe, chapter 6 of B. Koldehofe, Distributed
Algorithms and Educational Simulation/Visualisation in Collaborative Environments, Chalmers 2005, algorithms 5 and 6.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    eventually,
    measure,
    named,
    natural,
    on,
    one_initiator,
    overlay,
    parameter,
    reliable,
    states,
)

OUTSIDE, CHILD, FORWARDER = states(
    "outside", "child", "forwarder",
    reads={"outside": "is in no topic", "child": "is a child everywhere", "forwarder": "forwards some topic"},
)
M = 2**16  # points in the sector of a topic, and sectors on the circle


class Invite(Message):
    """'Come, and ask me for the way.'"""


class Lookup(Message):
    """'Who is closest to this point?'"""

    asker: str
    target: tuple
    role: int = 0  # the topic that all on the way must be interested in; 0: none
    to: int = 0  # the role in which it is addressed
    cargo: tuple = ()
    hops: int = 0
    strangers: int = 0


class Request(Lookup):
    """'Whoever is closest to this random point, tell me your address for my view.'"""


class IsParent(Lookup):
    """'Whoever is closest to me, are you my parent?'"""


class Post(Lookup):
    """'Whoever is closest to this random point, spread this.'"""


class Found(Message):
    """'I am the closest forwarder'; no owner: 'there is no circle yet, begin it'."""

    op: int
    topic: int
    owner: tuple = ()
    children: int = 0
    roles: int = 0
    interests: int = 1


class Join(Message):
    """'I want to be your child.'"""

    topic: int
    roles: int


class Split(Message):
    """'Put me between you and the next forwarder.'"""

    who: tuple
    to: int
    first: bool = False
    back: bool = False  # whether it came one step from the right


class Leave(Message):
    """'I do not forward this any more; the one to the right of me is now to the right of you.'"""

    who: tuple
    right: tuple
    to: int


class Ok(Message):
    """'It is done here.'"""

    topic: int
    left: tuple = ()
    right: tuple = ()


class Abort(Message):
    """'It is not so any more; look up again.'"""

    topic: int


class LeftIs(Message):
    """'To the left of you is now somebody else.'"""

    who: tuple
    instead: tuple
    to: int
    topic: int  # in which the sender comes or goes


class Known(Message):
    """'I know who is to my left.'"""

    topic: int


class Done(Message):
    """'All know; go on.'"""

    to: int


class Replace(Message):
    """'I forward this now; you can stop.'"""

    topic: int


class Promote(Message):
    """'I have too many children; be a forwarder yourself.'"""

    topic: int


class Reassign(Message):
    """'These children are closer to you.'"""

    topic: int
    children: tuple
    instead: str = ""


class IsChild(Message):
    """'I am your parent, and these are other forwarders.'"""

    topic: int
    others: tuple
    stamp: int
    instead: str = ""


class LeaveChild(Message):
    """'I am not your child any more.'"""

    topic: int
    stamp: int


class RouteParent(Message):
    """'Ask for me, in the role, who my parent is.'"""

    topic: int


class Claim(Message):
    """'This is an entry of my table', for who makes its own of it."""

    topic: int
    slot: str
    value: tuple
    number: int
    ask: bool = False


class MyAddress(Message):
    """'This is an address for your view.'"""

    topic: int
    who: str


class Event(Message):
    """News on a topic, with the part of the circle for which the receiver answers."""

    id: str
    topic: int
    tag: int = 0
    level: int = 0
    low: tuple = ()
    high: tuple = ()


class Ping(Message):
    """'Are you there?'"""

    who: tuple
    to: int


class Pong(Message):
    """'Yes; this is to the left of me, and these to the right.'"""

    topic: int
    left: tuple
    later: tuple


class Gone(Message):
    """'I am not there any more.'"""

    who: tuple


class Begin(Timer):
    """It comes, and subscribes to its topics."""


class Itself(Timer):
    """What one of its roles has to tell another."""


class Again(Timer):
    """Time to try again."""


class Patience(Timer):
    """What it asked for takes too long."""

    number: int


class ChildRepair(Timer):
    """Time to ask who the parent is."""

    topic: int


class ViewRefresh(Timer):
    """Time for new addresses in the views."""


class Heartbeat(Timer):
    """Time to ask whether the next on the circle is there."""


class Subscribe(Command):
    """It wants news on a topic."""

    topic: int = 1


class Unsubscribe(Command):
    """It does not want news on a topic any more; 0: on the topic it came to last."""

    topic: int = 0


class Publish(Command):
    """It has news; 0: on one of its topics at random."""

    topic: int = 0


class MakeChild(Command):
    """It is tired of forwarding a topic, and wants to be a child there."""

    topic: int = 1


class TakeOver(Command):
    """It wants to forward a topic in place of its closest forwarder (reassign)."""

    topic: int = 1


class Probe(Command):
    """It looks up a random point of a topic; 0: of one of its own."""

    topic: int = 0


def hashed(text, salt):
    """Sixteen bits that look like chance."""
    x = (2166136261 + 2654435769 * salt) % 2**32
    for byte in text.encode():
        x = (x ^ byte) * 16777619 % 2**32
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = (x ^ (x >> shift)) * factor % 2**32
    return (x ^ (x >> 16)) % M


def number(x):
    """The place of a location (hash of the topic, topic, hash of the process, process) on the whole circle."""
    return x[0] * M + x[2]


def nearness(q, x):
    """The smaller, the closer q is to x; who has the role of x is closer than who has not."""
    d = abs(number(q) - number(x))
    return q[1] != x[1], min(d, M * M - d), q


def between(a, x, b):
    """Whether x lies strictly between a and b, going right."""
    return a < x < b if a < b else x > a or x < b


def after(own, x):
    """The order in which the forwarders of a topic come to the right of own, own itself being last."""
    return x <= own, x


class RoleDht(Process):
    title = "Role-based DHT"
    needs = overlay, named, reliable, one_initiator
    messages = "<= (n*interest + commands)*(8*n + 40) + upkeep*n*(interest + 6)"

    state = OUTSIDE
    T: set[int] = set()  # topics of interest
    once: set[int] = set()  # topics it ever was interested in
    L: dict[int, tuple] = {}  # topics it forwards -> its location there
    left: dict[int, tuple] = {}  # Q: the location to the left and to the right of each of its own, on the circle
    right: dict[int, tuple] = {}
    later: dict[int, tuple] = {}  # those to the right of that, in case it crashes
    table: dict[int, dict] = {}  # topic -> F and E: first and last forwarder; R0, R1 ..., L0, L1 ...: 1, 2, 4 ... away
    far: dict[int, tuple] = {}  # some locations in other sectors, one for each order of distance
    C: dict[int, dict] = {}  # topic -> child -> (its hash, the topics it forwards, a number, when its lease is over)
    parent: dict[int, str] = {}
    stamps: dict[int, int] = {}  # the number under which the parent knows it
    F: dict[int, list] = {}  # alternative forwarders
    rec_ok: dict[int, bool] = {}
    V: dict[int, list] = {}  # gossip views
    heir: dict[int, str] = {}  # who forwards what it does not forward any more
    wish: set[int] = set()  # topics in which it must find its place
    urge: set[int] = set()  # topics in which it must be a forwarder
    asked: dict[int, int] = {}  # topic -> the number of the lookup that runs
    found: dict[int, tuple[tuple[int, int, int, str], int, int, int]] = {}
    plan: list = []  # operations to do: (what, topic, with whom)
    delayed: list = []  # those for which it is not yet time
    doing: tuple = ()
    # topic -> for whom the gap to the right of it is being changed, and since when
    busy: dict[int, tuple[tuple[int, int, int, str], float]] = {}
    queue: dict[int, list] = {}  # topic -> who waits for that
    promoted: dict[int, set] = {}
    waiting: dict[int, tuple] = {}  # pings without an answer, and how many
    pinged: dict[int, float] = {}  # when the one to the left asked last
    odd: dict[tuple, tuple] = {}  # what would not fit to the circle, heard once
    early: list = []  # what cannot be answered yet
    inbox: list = []  # what it told itself
    heard: dict[tuple, tuple] = {}
    host: str | None = None  # who invited it
    door: str | None = None  # somebody on the circle
    ended: bool = False  # whether it was the last on the circle
    seen: set[tuple] = set()
    got: dict[str, int] = {}  # news that it was notified of -> how many steps they came
    since: dict[int, float] = {}  # topic -> since when it has its place there
    mine: dict[str, tuple] = {}  # its own news -> (topic, time)
    numbers: int = 0
    forwarded: int = 0
    notified: int = 0
    repeats: int = 0  # news that came again
    most: int = 0  # to how many forwarders at most it sent the same news
    chosen: int = 0  # how many random lookups ended here
    lookups: int = 0  # lookups that ended here
    hops: int = 0  # and the steps that these took
    strangers: int = 0  # steps of lookups with a role that led to processes without it
    aborts: int = 0
    moved: float = 0.0  # when it last came to another parent
    phi: float = 0.0  # forwarded / notified
    up: str | None = None  # in the topic that is shown: the parent
    near: str | None = None  # the forwarder to the right
    fingers: set[str] = set()  # those 2, 4 ... places to the right
    place: float = 0.0  # where it stands in the sector, from 0 to 1
    cut: tuple = ()  # from where to where in the sector it is the closest forwarder
    role: int = 0  # 2: it forwards the topic that is shown, 1: it is a child, 0: it is a stranger
    shares: str = ""
    hierarchy_of: dict[str, list[str]] = {}  # topic -> the closest topics below it, where there is a hierarchy

    variant = parameter("ForwardTreeCast", choices=("FullGossip", "ForwardGossip", "FullTreeCast", "ForwardTreeCast"),
                        help="who spreads news (all members or forwarders), and how")  # fmt: skip
    topics = parameter(4, minimum=1, help="how many topics there are: 1, 2, 3 ...")
    interest = parameter(2, minimum=0, help="in how many of them each process is interested at the beginning")
    zipf = parameter(0.0, minimum=0.0, help="0: all topics are equally popular; the greater, the more so is the first")
    k = parameter(4, minimum=1, help="how many children a forwarder has at most")
    l = parameter(3, minimum=1, help="how many alternative forwarders, and addresses in a view")  # noqa: E741
    fan_out = parameter(2, minimum=1, help="K: to how many gossip goes, and how many addresses are refreshed at once")
    r = parameter(5, minimum=1, help="how many steps gossip goes at most")
    f = parameter(0.5, minimum=0.0, maximum=1.0, help="how likely a view is refreshed in a period")
    roots = parameter(1, minimum=1, help="how many roots spread the same news")
    fixed_root = parameter(False, help="whether all news of a topic go to the same root")
    reject = parameter(False, help="whether a random lookup makes up for long arcs")
    routing = parameter("both", choices=("both", "clockwise"), help="lookups by either side, or to the right only")
    links = parameter("interval", choices=("interval", "printed", "shifted"),
                      help="halves of the circle; or hash +- m/2^i as printed; or hash +- m/2^(i + 2)")  # fmt: skip
    hierarchy = parameter("none", choices=("none", "chain", "tree", "diamond"), help="which topics are above which")
    direction = parameter("up", choices=("up", "printed"), help="news go to supertopics, or as the text has it")
    repair = parameter(10.0, minimum=0.1, help="how often children ask for their parent, and views are refreshed")
    heartbeat = parameter(4.0, minimum=0.1, help="how often the next on the circle is asked whether it is there")
    patience = parameter(40.0, minimum=0.1, help="how long an operation may take where there are failures")
    upkeep = parameter(
        0.0, minimum=0.0, help="until when children, views and circle are looked after; 0: not at all",
        reached=lambda p: p.clock + p.repair >= p.upkeep > 0,
    )
    spread = parameter(20.0, minimum=0.0, help="the time in which the processes come")
    salt = parameter(0, minimum=0, help="which hash function")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")
    shown = parameter(1, minimum=1, help="the topic that is drawn")
    picture = parameter(True, help="whether processes keep what the animation shows")

    # -- subscribing: look up all, then decide

    @on(ANY, INIT)
    def invite(self):
        """It invites everybody.

        always:
        """
        self.host = self.me
        for q in self.everybody:
            self.tell(q, Invite())

    @on(ANY, Invite)
    def start(self, m, q):
        """It comes some time later.

        sets Heartbeat: {peer} invites it, so it will come at a random time; it will also look after circle and views.
        always: {peer} invites it, so it will come at a random time.
        """
        self.host = q
        self.catch_up()
        self.place = hashed(self.me, self.salt) / M
        if self.picture and self.hierarchy != "none":
            self.hierarchy_of = self.subtopics()
        self.set_timer(Begin(), after=self.random.uniform(0, self.spread))
        if self.upkeep:
            self.set_timer(Heartbeat(), after=self.spread * self.random.random() + self.heartbeat)
            self.set_timer(ViewRefresh(), after=self.spread * self.random.random() + self.repair)

    @on(ANY, Begin)
    def begin(self):
        """It comes, chooses its topics, and subscribes.

        while child or forwarder: It comes, chooses its topics, and subscribes.
        """
        left = [t for t in range(1, self.topics + 1) if t not in self.T]
        for _ in range(min(self.interest, len(left))):
            t = self.random.choices(left, [rank**-self.zipf for rank in left])[0]
            left.remove(t)
            self.T.add(t)
            self.wish.add(t)
        self.once |= self.T
        self.look_up()
        self.show()

    @on(ANY, Subscribe)
    def subscribe(self, m):
        """It subscribes to a topic.

        changes T and sends Lookup: It wants the topic, so it looks up the closest forwarder where it has no place yet.
        changes T and changes lookups: It wants the topic; of the roles that it knows one of its own is the closest.
        changes T and changes early: It wants the topic, but knows no process yet that it could ask for the way.
        changes T and changes asked: It wants the topic, and begins to look for its place.
        changes T: It wants the topic again, and still forwards it or has an operation there under way.
        otherwise: It wants this topic already.
        """
        if m.topic not in self.T:
            self.T.add(m.topic)
            self.once.add(m.topic)
            self.wish.add(m.topic)
            self.look_up()
        self.show()

    def location(self, t, name=None):
        return hashed(f"topic {t}", self.salt), t, hashed(name or self.me, self.salt), name or self.me

    def look_up(self):
        """Who is closest to it in each topic where it has no place?"""
        self.wish -= {*self.L, *self.parent}
        for t in sorted(self.wish):
            known = t in self.asked or t in self.found
            if not known and not any(each[1] == t for each in (*self.plan, *self.delayed, self.doing or ("", 0))):
                self.numbers += 1
                self.asked[t] = self.numbers
                if self.upkeep:
                    self.set_timer(Patience(self.numbers), after=self.patience)
                self.pass_on(Lookup(self.me, self.location(t), cargo=(self.numbers,)))
                if not (self.L or self.parent or self.door):
                    break  # it knows nobody; one answer will show it somebody

    @on(ANY, Found)
    def answer(self, m, q):
        """A lookup has found the closest forwarder; with the last answer it decides.

        while forwarder and says owner=none and changes asked: It is on a circle by now, so it need not begin one.
        says owner=none and becomes forwarder: {peer} knows no circle, so it begins one as the topic's first forwarder.
        says owner=none and changes asked: It begins a circle, but does not want the topic any more and ends it at once.
        sends Split(first=yes): This was the last answer; a topic has no forwarder, so it asks to be the first there.
        sends Split: This was the last answer; it asks for a place on the circle, to forward a topic itself.
        sends Join: This was the last answer; it asks the closest forwarder of a topic to take it as a child.
        changes doing or plan: This was the last answer: it knows where it has to forward, and where to be a child.
        changes found: {peer} has answered; {asked:lookup is|lookups are} still open, and the last answer decides.
        changes asked: It has its place there by now, or does not want the topic any more, so the answer is not needed.
        otherwise: It does not wait for this answer any more.
        """
        t = m.topic
        if self.asked.get(t) != m.op:
            return
        del self.asked[t]
        self.cancel_timer(Patience(m.op))
        if not m.owner and self.L:
            self.look_up()
        elif not m.owner:
            self.wish.discard(t)
            own = self.location(t)
            self.forward(own, own, own)
            if t not in self.T:  # it has lost interest meanwhile, but others rely on it
                self.plan.append(("leave", t, ()))
                self.go_on()
            self.look_up()
        else:
            self.door = q if q != self.me else self.door
            self.learn(m.owner)
            self.found[t] = (m.owner, m.children, m.roles, m.interests)
            self.look_up()
            if not self.asked:
                self.decide()
        self.show()

    def decide(self):
        """Where to be a forwarder, and where a child."""
        found, self.found = self.found, {}
        here = {t: each for t, each in found.items() if t in self.T and t in self.wish and t not in self.L}
        roles = len(self.L)
        self.wish -= {*here}
        for t, (owner, _, _, _) in here.items():
            if owner[1] != t:
                self.plan.append(("first", t, owner))
                roles += 1
        rest = {t: each for t, each in here.items() if each[0][1] == t}
        hot = max(rest, key=lambda t: (rest[t][1], t)) if rest and not roles else 0
        for t, (owner, _, theirs, interests) in rest.items():
            if t == hot or t in self.urge or self.variant == "FullTreeCast":
                self.plan.append(("split", t, owner))
                roles += 1
            elif (theirs - 1) / interests > (roles + 1) / len(self.T):
                self.plan.append(("replace", t, owner))
                roles += 1
            else:
                self.plan.append(("join", t, owner))
        self.go_on()

    def go_on(self):
        """The next operation of its own, one after the other."""
        while self.plan and not self.doing:
            what, t, q = self.plan.pop(0)
            if (what == "leave") == (t in self.L) and (what == "leave" or t in self.T):
                self.doing = (what, t, q)
                self.numbers += 1
                if self.upkeep:
                    self.set_timer(Patience(self.numbers), after=self.patience)
                if what == "join":
                    self.tell(q[3], Join(t, len(self.L)))
                elif what == "leave":
                    self.leave(t)
                else:
                    self.tell(q[3], Split(self.location(t), q[1], what == "first"))

    def finish(self):
        self.doing = ()
        self.cancel_timer(Patience)
        for t, op in self.asked.items():
            if self.upkeep and t:
                self.set_timer(Patience(op), after=self.patience)
        self.go_on()
        self.look_up()
        self.catch_up()
        self.show()

    @on(ANY, Abort)
    def abort(self, m, q):
        """It is not so any more; it looks up again a little later.

        changes aborts and changes delayed: {peer} says no, so it goes on forwarding, and tries to leave again later.
        changes aborts and changes wish: {peer} refuses what it asked for, so it looks up again a little later.
        changes aborts: {peer} refuses what it asked for, so it gives that up for now.
        changes parent: It cannot rely on its parent there any more, so it looks for its place in the topic again.
        otherwise: It has nothing under way to which this belongs, so it goes on as before.
        """
        t = m.topic
        if self.doing and self.doing[1] == t:
            self.aborts += 1
            what = self.doing[0]
            if what == "leave":
                self.free(t)
                self.delayed.append(("leave", t, ()))
            elif t not in self.L:
                self.again(t)
                if what in ("split", "replace"):
                    self.urge.add(t)
            self.doing = ()
            self.set_timer(Again(), after=self.random.uniform(0.5, 3))
        elif self.parent.get(t) == q or (t in self.parent and not self.rec_ok[t]):  # nobody forwards it: it must
            del self.parent[t]
            self.again(t)
            self.look_up()
        self.show()

    def again(self, t):
        if t in self.T and t not in self.L:
            self.wish.add(t)

    @on(ANY, Again)
    def retry(self):
        """It tries again.

        always:
        """
        self.plan, self.delayed = self.plan + self.delayed, []
        self.look_up()
        self.go_on()
        self.catch_up()
        self.show()

    @on(ANY, Patience)
    def too_long(self, m):
        """It takes too long, so somebody may have crashed; it tries again.

        sends Done: The next on the circle has not confirmed its place in time; it regards that as done, and says so.
        changes doing and changes delayed: Its patience is at an end, so it gives up; it tries to leave a little later.
        changes doing and sets Again: Its patience is at an end: a process may have crashed, so it gives up for now.
        changes doing: The next on the circle has not confirmed its place in time; it regards that as done.
        changes asked: A lookup has had no answer in time; a little later it asks again where it still has no place.
        otherwise: It does not wait for this any more; a little later it looks whether there is something to do.
        """
        lost = [t for t, op in self.asked.items() if op == m.number]
        for t in lost:
            del self.asked[t]
        if not lost and self.doing and self.doing[0] == "leave":
            self.free(self.doing[1])
            self.delayed.append(("leave", self.doing[1], ()))
            self.doing = ()
        elif not lost and self.doing:
            if self.doing[1] in self.L:
                self.settled()
                return
            self.again(self.doing[1])
            self.doing = ()
        if lost:
            self.far = {}
        if self.door and lost:
            self.door = self.random.choice([q for q in self.everybody if q != self.me] or [self.me])
        self.set_timer(Again(), after=self.random.uniform(0.5, 3))

    # -- routing

    @on(ANY, (Lookup, Request, IsParent, Post))
    def route(self, m, q):
        """It sends this on to a process that is closer, or answers it.

        sends Found(owner=none): It knows of no circle, so it tells the asker to begin one.
        changes chosen and sends Event or Post: It is closest to where this news has to go, and hands it on from here.
        changes chosen and delivers: It is closest to where this news has to go; it takes it and tells no other process.
        changes chosen: No location that it knows is closer to the point, so this ends here.
        sends Found: No location that it knows is closer to the point, so it answers the asker.
        sends IsChild and sends Promote: The asker becomes its child; as it has too many, one of them has to forward.
        sends IsChild: It knows no forwarder that is closer to the asker, so it takes the asker as a child.
        sends Reassign: A neighbour on the circle is closer to the asker, so that one has to take the asker as a child.
        sends Abort: The lookup ends here, at a role of another topic, so the asker is told to look for its place again.
        sends MyAddress: It is closest to the random point, so it sends the asker an address for its view.
        changes lookups: No location that it knows is closer to the point, so this ends here.
        changes early: It knows no process yet that could know the way, so it keeps this for later.
        while outside or child and sends Lookup or IsParent or Post: It forwards no topic itself, so it sends this on.
        while forwarder and says role=0: It knows a location that is closer to where this has to go, and sends it there.
        sends Lookup or Request or IsParent or Post: It sends this to a process that is closer or should know the way.
        sets Itself: It tells itself what follows.
        otherwise: It knows no forwarder of the topic any more, so this goes no further.
        """
        lost = m.role and m.role not in self.once
        self.strangers += bool(lost)
        if m.to and m.to not in self.L and m.to not in self.parent:
            self.tell(q, Gone(self.location(m.to)))
        self.learn_from(m)
        self.pass_on(m, bool(lost))

    @on(ANY, Gone)
    def forget(self, m, q):
        """A shortcut that leads nowhere any more."""
        self.far = {d: x for d, x in self.far.items() if x != m.who}

    def pass_on(self, m, lost=False):
        point, both = m.target, self.routing == "both"
        if m.role and both:
            mine = [m.role] if m.role in self.L else []
        else:
            mine = [point[1]] if point[1] in self.L and both else list(self.L)
        if not mine:
            self.elsewhere(m)
            return
        some = [self.far[d] for d in self.far] if not (m.role and both) else []
        for t in mine:
            some += [x for x in self.table[t].values() if x and (both or x > self.L[t])]  # Chord knows no sectors
            some += [self.right[t], self.left[t]] if both else [self.right[t]]
        if m.role and both:
            some = [each for each in some if each[1] == m.role]
        if both:
            own = min((self.L[t] for t in mine), key=lambda q: nearness(q, point))
            best = min(some, key=lambda q: nearness(q, point), default=own)
            closer = nearness(best, point) < nearness(own, point)
        else:  # to the right only, and one step past the point at the end
            own = min((self.L[t] for t in mine), key=lambda q: (number(point) - number(q)) % M**2)
            best = min(some, key=lambda q: (number(point) - number(q)) % M**2)
            closer = (number(point) - number(best)) % M**2 < (number(point) - number(own)) % M**2
            if "last" in m.cargo and m.to in self.L:
                own, closer = self.L[m.to], False
            elif not closer and nearness(self.right[own[1]], point) < nearness(own, point):
                best, closer = self.right[own[1]], True
                m = type(m)(m.asker, point, m.role, m.to, (*m.cargo, "last"), m.hops, m.strangers)
        if closer and best[3] != self.me:
            self.tell(best[3], type(m)(m.asker, point, m.role, best[1], m.cargo, m.hops + 1, m.strangers + lost))
        else:
            self.arrive(m, best if closer else own)

    def elsewhere(self, m):
        """It does not forward, so it hands this to who does."""
        t = m.target[1]
        to, role = None, 0
        if self.F.get(t):
            to, role = self.random.choice(self.F[t]), t
        elif t in self.heir:
            to, role = self.heir[t], t
        elif m.role:
            return
        elif self.F:
            role = self.random.choice(sorted(self.F))
            to = self.random.choice(self.F[role])
        elif self.door not in (None, self.me) and (self.door != m.asker or m.to):
            to = self.door
        elif (self.me == self.host or self.ended) and self.door in (None, m.asker):
            if type(m) is Lookup and m.cargo and m.cargo[0]:  # what else comes here is for a circle that is not there
                self.door = m.asker
                self.tell(m.asker, Found(m.cargo[0], t))
            return
        elif self.host not in (None, self.me) and m.asker == self.me:
            to = self.host
        if to is None:
            self.early.append((m, m.asker))
        else:
            self.tell(to, type(m)(m.asker, m.target, m.role, role, m.cargo, m.hops + 1, m.strangers))

    def arrive(self, m, own):
        """Nobody is closer."""
        t, q, here = m.target[1], m.asker, own[1] == m.target[1]
        cargo = m.cargo[:-1] if m.cargo[-1:] == ("last",) else m.cargo  # the mark of the last step to the right
        free = type(m) in (Request, Post) or cargo[:1] == (0,)  # whether the point was any, at random
        if self.reject and here and free and "fixed" not in cargo and self.refuses(t):
            again = (own[0], t, self.random.randrange(M), "")
            self.pass_on(type(m)(q, again, m.role, t, cargo, m.hops, m.strangers))
            return
        self.lookups += 1
        self.hops += m.hops
        if type(m) is Lookup:
            if cargo and cargo[0]:
                self.tell(q, Found(cargo[0], t, own, len(self.C.get(t, ())), len(self.L), max(1, len(self.T))))
            else:
                self.chosen += 1
        elif type(m) is IsParent:
            if here:
                self.adopt(t, q, *cargo)
            elif q != self.me:
                self.tell(q, Abort(t))
        elif type(m) is Request and here:
            some = [self.me, *self.C[t]] if self.variant == "FullGossip" else [self.me]
            self.tell(q, MyAddress(t, self.random.choice(some)))
        elif type(m) is Post:
            self.chosen += 1
            if here:
                self.spread_out(cargo[0], t, cargo[1], cargo[2])
            elif self.hierarchy != "none":
                self.pass_up(cargo[0], t)
        self.show()

    def refuses(self, t):
        """Whether to send a random lookup on, for its arc is longer than a short one."""
        some = self.table[t]
        ends = [each[2] for each in (self.left[t], self.right[t]) if each[1] == t]
        own = self.L[t][2]
        low = min([each for each in ends if each < own] or [-own])
        high = max([each for each in ends if each > own] or [2 * M - own])
        count, i = 1, 0
        while some.get(f"R{i}"):
            count, i = 2**i, i + 1
        span = (some[f"R{i - 1}"][2] - own) % M if i else M
        return self.random.random() > (span / count / 6) / ((high - low) / 2)

    def learn(self, x):
        """A shortcut to another sector."""
        if self.L and x[3] != self.me:
            base = next(iter(self.L.values()))
            if x[1] != base[1]:
                d = abs(x[0] - base[0])
                self.far[min(d, M - d).bit_length()] = x

    def learn_from(self, m):
        if type(m) is not Lookup or m.role or not self.L or m.asker == self.me:
            return
        for each in m.cargo[1:2]:
            if isinstance(each, tuple) and len(each) == 4:
                self.learn(each)

    # -- the circle: who is to the left grants what changes a gap

    @on(ANY, Split)
    def grant(self, m, q):
        """Somebody wants to come between it and the next.

        changes right: It puts the newcomer between itself and the next, and is busy until that is done.
        changes queue: The gap to its right is being changed, so the newcomer has to wait.
        changes early: It is about to get its own place in the topic, so it keeps this for later.
        sends Split: The newcomer belongs in another gap, so it sends this on along the circle.
        sends Abort: The circle is not as the newcomer believes, or changes there, so the newcomer has to look up again.
        sets Itself: It tells itself what follows, in another of its roles.
        otherwise: It has put the newcomer there already.
        """
        t, p = m.to, m.who
        own, right = self.L.get(t), self.right.get(t)
        if own is None:
            self.not_here(m, q)
        elif right == p:
            if self.busy.get(t, ((), 0))[0] != p:
                self.tell(p[3], Abort(p[1]))
        elif own != right and not between(own, p, right):
            back = not m.back and between(self.left[t], p, own)
            to = self.left[t] if back else right
            self.tell(to[3], Split(p, to[1], m.first, back or m.back))
        elif t in self.busy and self.busy[t][0] != own:
            self.queue.setdefault(t, []).append((m, q))
        elif t in self.busy or m.first == (p[1] in (own[1], right[1])):
            self.tell(p[3], Abort(p[1]))
        else:
            self.change(t, p, p)
        self.show()

    @on(ANY, Leave)
    def let_go(self, m, q):
        """The next wants to go.

        changes right: It skips {peer} on the circle from now on, and is busy until that is done.
        changes queue: The gap to its right is being changed, so {peer} has to wait.
        changes early: It is about to get its own place in the topic, so it keeps this for later.
        sends Abort: {peer} is not next to it, or it leaves itself or has left, so {peer} has to try again.
        """
        t, p = m.to, m.who
        if t not in self.L:
            self.not_here(m, q)
        elif t in self.busy and self.busy[t][0] != self.L[t]:
            self.queue.setdefault(t, []).append((m, q))
        elif t in self.busy or self.right[t] != p:
            self.tell(p[3], Abort(p[1]))
        else:
            self.change(t, p, m.right)
        self.show()

    def change(self, t, p, right):
        old = self.right[t]
        self.busy[t] = p, self.clock
        self.right[t] = right
        self.tell(p[3], Ok(p[1], self.L[t], old))
        self.renew(t)

    def not_here(self, m, q):
        if self.doing and self.doing[1] == m.to:
            self.early.append((m, q))
        else:
            self.tell(m.who[3], Abort(m.who[1]))

    @on(ANY, Ok)
    def granted(self, m, q):
        """Its place on the circle is granted, or it may go; the one to the right is told.

        changes L: {peer} has put it next to itself on the circle, so it forwards the topic, and tells the one behind.
        changes early: It has another operation under way, so it keeps this for later.
        changes doing: {peer} skips it on the circle, so it tells the one to its right about its new left neighbour.
        nothing: It has its place there already.
        """
        t = m.topic
        if not self.doing:  # it had given up waiting; what was granted has to be done all the same
            self.doing = "leave" if t in self.L else "split", t, m.left
        elif self.doing[1] != t or self.doing[0] == "join":
            self.early.append((m, q))
            return
        if self.doing[0] == "leave":
            left, right = self.left[t], self.right[t]
            self.doing = ("leave", t, left, right)
            self.tell(right[3], LeftIs(left, self.L[t], right[1], t))
        elif t not in self.L:
            self.doing = (self.doing[0], t, self.doing[2], m.left)
            self.forward(self.location(t), m.left, m.right)
            self.tell(m.right[3], LeftIs(self.L[t], m.left, m.right[1], t))
        self.show()

    @on(ANY, LeftIs)
    def meet(self, m, q):
        """Somebody else is to the left now; children that are closer to it go there.

        changes left and sends Reassign: Its left neighbour has changed; some children have to go to a closer neighbour.
        changes left: Its left neighbour on the circle has changed, and it tells {peer} that it knows.
        otherwise: It knows this, has a closer left neighbour, or does not forward there; it tells {peer} that it knows.
        """
        own = self.L.get(m.to)
        if own is not None and (self.left[m.to] in (m.instead, own) or between(self.left[m.to], m.who, own)):
            self.left[m.to] = m.who
            self.renew(m.to)
            self.hand_over(m.to)
        self.tell(q, Known(m.topic))
        self.show()

    @on(ANY, Known)
    def known(self, m, q):
        """All know.

        changes L and sends Reassign: {peer} knows that it goes, so it stops and gives its children to other forwarders.
        changes L: {peer} knows that it goes, so it does not forward the topic any more.
        sends Replace: {peer} knows it now, so its place is settled, and the forwarder that it replaces has to stop.
        changes doing: {peer} knows it now, so its place as a forwarder is settled.
        otherwise: It has nothing under way that waits for this.
        """
        if self.doing and self.doing[1] == m.topic and len(self.doing) == 4:
            if self.doing[0] == "leave":
                self.left_behind()
            else:
                self.settled()

    def settled(self):
        """It is a forwarder now."""
        what, t, q, *rest = self.doing
        for left in rest:
            self.tell(left[3], Done(left[1]))
        if what == "replace" and q[3] != self.me:
            self.tell(q[3], Replace(t))
        if t not in self.T:
            self.plan.append(("leave", t, ()))
        self.finish()

    def left_behind(self):
        """It is a forwarder no more; its children go to the forwarders at its sides."""
        _, t, left, right = self.doing
        own, heirs = self.L[t], [each for each in (left, right) if each[1] == t]
        groups = {}
        for c, (place, *_) in self.C[t].items():
            best = min(heirs, key=lambda q: abs(q[2] - place), default=None)
            groups.setdefault(best, []).append(c)
        self.drop(t)
        self.door = next((x[3] for x in (left, right) if x[3] != self.me), self.door)
        for best, some in groups.items():
            if best:
                self.tell(best[3], Reassign(t, tuple(some), self.me))
            else:  # the other forwarders went, too
                for c in some:
                    self.tell(c, Abort(t))
        self.tell(left[3], Done(left[1]))
        if heirs:
            best = min(heirs, key=lambda q: nearness(q, own))
            self.heir[t] = best[3]
            if t in self.T:
                self.plan.insert(0, ("join", t, best))
        elif t in self.T:
            self.again(t)
            self.look_up()
        self.finish()

    @on(ANY, Done)
    def free_again(self, m, q):
        """All know; one that waited has its turn, and children that are closer to the newcomer go there.

        changes right: The change to its right is done, so one that waited has its turn.
        sends Reassign: The change to its right is done; some of its children have to go to a closer neighbour.
        changes busy: The change to its right is done, so it is free for the next one.
        otherwise: It does not forward there any more, or is free already.
        """
        if m.to in self.L:
            self.free(m.to)
            self.hand_over(m.to)
        self.show()

    def free(self, t):
        self.busy.pop(t, None)
        for m, q in self.queue.pop(t, []):
            getattr(self, ACTIONS[type(m)])(m, q)

    def forward(self, own, left, right):
        t = own[1]
        self.L[t], self.left[t], self.right[t], self.table[t] = own, left, right, {}
        self.C.setdefault(t, {})
        self.ended = False
        self.later[t] = ()
        self.pinged[t] = self.clock
        self.since.setdefault(t, self.clock)
        self.urge.discard(t)
        self.wish.discard(t)
        self.heir.pop(t, None)
        if t in self.parent:
            self.tell(self.parent.pop(t), LeaveChild(t, self.stamps[t]))
            self.F.pop(t, None)
        self.renew(t)
        self.fill_view(t)
        self.catch_up()

    def drop(self, t):
        waiting = self.queue.pop(t, [])
        for some in (self.L, self.left, self.right, self.table, self.later, self.busy, self.promoted, self.waiting):
            some.pop(t, None)
        for m, _ in waiting:
            self.tell(m.who[3], Abort(m.who[1]))

    def catch_up(self):
        """What could not be answered before."""
        early, self.early = self.early, []
        for m, q in early:
            self.inbox.append((m, q))
        if self.inbox:
            self.set_timer(Itself(), after=0.0)

    # -- leaving

    @on(ANY, Unsubscribe)
    def unsubscribe(self, m):
        """It is not interested any more.

        sends LeaveChild: It does not want the topic any more, so it tells its parent there that it goes.
        changes plan: It does not want the topic any more, and gives up its place there in its turn.
        sends Leave: It does not want the topic any more, so it asks its neighbour on the left to skip it.
        sends Promote: It is the only forwarder of the topic, so a child has to become one before it can leave.
        changes L: It was alone on the circle and had no children, so the circle ends.
        changes delayed: It does not want the topic, but the gap to its right is being changed, so it leaves later.
        changes doing: It does not want the topic any more, and begins to leave.
        changes T: It does not want the topic any more, and has no place there to give up.
        otherwise: It does not want the topic anyway, so nothing changes.
        """
        t = m.topic or max(self.T, default=0)
        if t not in self.T:
            return
        self.T.discard(t)
        self.wish.discard(t)
        self.urge.discard(t)
        self.found.pop(t, None)
        self.V.pop(t, None)
        self.since.pop(t, None)
        if t in self.parent:
            self.heir[t] = self.parent[t]
            self.tell(self.parent.pop(t), LeaveChild(t, self.stamps[t]))
            self.F.pop(t, None)
        if t in self.L or (self.doing and self.doing[1] == t):
            self.plan.append(("leave", t, ()))
            self.go_on()
        self.show()

    @on(ANY, MakeChild)
    def yield_role(self, m):
        """It wants to be a child where it forwards.

        changes plan: Another process forwards the topic, too, so it stops forwarding it in its turn.
        sends Leave: Another process forwards the topic, too, so it asks its neighbour on the left to skip it.
        changes delayed: The gap to its right is being changed, so it tries to leave a little later.
        changes doing: Another process forwards the topic, too, so it begins to leave.
        otherwise: It does not forward the topic, or is its only forwarder, so nothing changes.
        """
        if m.topic in self.L and self.others(m.topic):
            self.plan.append(("leave", m.topic, ()))
            self.go_on()

    @on(ANY, TakeOver)
    def take_over(self, m):
        """It wants to forward in place of its parent: split, and the parent becomes a child.

        changes plan: It is a child there, and takes over from its parent in its turn.
        sends Split: It is a child there, so it asks its parent for a place on the circle, to forward in its stead.
        otherwise: It has no parent in the topic from which it could take over.
        """
        if m.topic in self.parent:
            self.plan.append(("replace", m.topic, self.location(m.topic, self.parent[m.topic])))
            self.go_on()

    @on(ANY, Replace)
    def replaced(self, m, q):
        """Somebody else forwards this now.

        changes plan: {peer} forwards the topic in its stead, so it stops forwarding it in its turn.
        sends Leave: {peer} forwards the topic in its stead, so it asks its neighbour on the left to skip it.
        changes delayed: The gap to its right is being changed, so it tries to leave a little later.
        changes doing: {peer} forwards the topic in its stead, so it begins to leave.
        otherwise: It does not forward the topic, or knows no other forwarder, so nothing changes.
        """
        if m.topic in self.L and self.others(m.topic):
            self.plan.append(("leave", m.topic, ()))
            self.go_on()
        self.show()

    def others(self, t):
        return [each for each in (self.left[t], self.right[t]) if each[1] == t and each != self.L[t]]

    def leave(self, t):
        """It asks the one to the left to skip it; who is alone with children lets one of them forward first."""
        own = self.L[t]
        if self.right[t] == own:
            if self.C[t]:
                self.promote(t, again=True)
            else:
                self.drop(t)
                self.door, self.ended, self.heir = None, True, {}
                self.finish()
                return
        elif t not in self.busy and (self.others(t) or not self.C[t]) and (self.others(t) or t not in self.T):
            self.busy[t] = own, self.clock
            left = self.left[t]
            self.tell(left[3], Leave(own, self.right[t], left[1]))
            return
        elif self.C[t] and not self.others(t) and t not in self.T:
            self.promote(t, again=True)
        elif t in self.T and not self.others(t):
            self.finish()  # the only forwarder stays
            return
        self.delayed.append(("leave", t, ()))
        self.doing = ()
        self.set_timer(Again(), after=self.random.uniform(1, 3))

    # -- children

    @on(ANY, Join)
    def join(self, m, q):
        """It takes the child if nobody is closer.

        sends IsChild and sends Promote: It takes {peer} as a child; as it has too many, one of them has to forward.
        sends IsChild: It knows no forwarder that is closer to {peer}, so it takes {peer} as a child.
        changes early: It is about to get its own place in the topic, so it answers {peer} later.
        sends Abort: It leaves, does not forward the topic, or a neighbour is closer, so {peer} has to look up again.
        """
        going = self.busy.get(m.topic, ((), 0))[0] == self.L.get(m.topic)
        if not going and m.topic in self.L and self.closest(m.topic, self.location(m.topic, q)) == self.L[m.topic]:
            self.adopt(m.topic, q, m.roles)
        elif self.doing and self.doing[1] == m.topic and m.topic not in self.L:
            self.early.append((m, q))
        else:
            self.tell(q, Abort(m.topic))
        self.show()

    def closest(self, t, x):
        some = [each for each in (self.left[t], self.right[t]) if each[1] == t]
        return min([self.L[t], *some], key=lambda q: nearness(q, x))

    def adopt(self, t, child, roles=0, instead=""):
        if child == self.me:
            return
        x = self.location(t, child)
        best = self.closest(t, x)
        if best != self.L[t]:
            self.tell(best[3], Reassign(t, (child,), instead))
            return
        self.numbers += 1
        self.C[t][child] = x[2], roles, self.numbers, self.clock + 3.5 * self.repair
        some = sorted({each[3] for each in self.table[t].values() if each} - {self.me}, key=natural)
        others = self.random.sample(some, min(self.l, len(some)))
        self.tell(child, IsChild(t, tuple(others), self.numbers, instead))
        self.check_room(t)

    def check_room(self, t):
        """Too many children: the one that forwards least is made a forwarder."""
        promoted = self.promoted.setdefault(t, set()) & set(self.C[t])
        for _ in range(len(self.C[t]) - len(promoted) - self.k):
            self.promote(t)

    def promote(self, t, again=False):
        promoted = self.promoted.setdefault(t, set())
        some = [c for c in self.C[t] if again or c not in promoted]
        if some:
            c = min(some, key=lambda c: (self.C[t][c][1], natural(c)))
            promoted.add(c)
            self.tell(c, Promote(t))

    @on(ANY, Promote)
    def promoted_to(self, m, q):
        """Its parent has too many children: it becomes a forwarder itself.

        sends LeaveChild: It does not want the topic any more, and tells {peer} so.
        changes plan: {peer} has too many children or leaves, so it will forward the topic itself, in its turn.
        sends Split: {peer} has too many children or leaves, so it asks {peer} for its own place on the circle.
        changes urge: It cannot begin with that now, but remembers that it has to forward the topic.
        otherwise: It forwards the topic already, or knows already that it has to.
        """
        t = m.topic
        if t in self.T and t not in self.L:
            self.urge.add(t)
            if t in self.parent and not any(each[1] == t for each in (*self.plan, self.doing or ("", 0))):
                self.plan.append(("split", t, self.location(t, q)))
                self.go_on()
        elif t not in self.T:
            self.tell(q, LeaveChild(t, 10**9))
        self.show()

    def hand_over(self, t):
        """Children that are closer to a neighbour go there; they stay here until they say so."""
        groups = {}
        for c, (place, *_) in self.C[t].items():
            best = self.closest(t, (self.L[t][0], t, place, c))
            if best != self.L[t]:
                groups.setdefault(best[3], []).append(c)
        for q, some in groups.items():
            self.tell(q, Reassign(t, tuple(some)))

    @on(ANY, Reassign)
    def reassign(self, m, q):
        """Children that are closer to it than to their parent, or whose parent goes.

        sends IsChild and says instead=none: It takes those of the children to which it knows no closer forwarder.
        sends IsChild: Their parent goes, so it takes those of the children to which it knows no closer forwarder.
        sends Reassign: Another forwarder is closer to the children, or forwards in its stead, so it has to take them.
        changes early: It is about to get its own place in the topic, so it keeps this for later.
        otherwise: It has these children already, is the child itself, or can do nothing for them.
        """
        t = m.topic
        if t in self.L:
            for c in m.children:
                if c not in self.C[t] or m.instead:
                    self.adopt(t, c, 0, m.instead)
        elif self.doing and self.doing[1] == t:
            self.early.append((m, q))
        elif t in self.heir:
            self.tell(self.heir[t], m)
        self.show()

    @on(ANY, IsChild)
    def is_child(self, m, q):
        """A forwarder takes it as its child: it accepts and tells the parent that it had, or it refuses.

        changes parent and sends LeaveChild: {peer} replaces its parent or is closer, so {peer} is its parent now.
        changes parent: It had no parent in the topic, so {peer} is its parent now.
        changes stamps: {peer} is its parent there already, and says so again.
        sends LeaveChild: It forwards the topic, does not want it, or has a closer parent, so it refuses {peer}.
        """
        t, old = m.topic, self.parent.get(m.topic)
        x = self.location(t)
        closer = old is None or old in (q, m.instead)
        closer = closer or nearness(self.location(t, q), x) < nearness(self.location(t, old), x)
        if t not in self.T or t in self.L or not closer:
            self.tell(q, LeaveChild(t, m.stamp))
        else:
            if old not in (None, q):
                self.tell(old, LeaveChild(t, self.stamps[t]))
            if old != q:
                self.moved = self.clock
            self.parent[t], self.stamps[t], self.rec_ok[t] = q, m.stamp, True
            self.F[t] = [q, *m.others]
            self.wish.discard(t)
            self.heir.pop(t, None)
            self.since.setdefault(t, self.clock)
            if old is None:
                self.fill_view(t)
                self.catch_up()
                if self.upkeep:
                    self.set_timer(ChildRepair(t), after=self.repair * (0.5 + self.random.random() / 2))
        if self.doing[:2] == ("join", t):
            self.finish()
        self.show()

    @on(ANY, LeaveChild)
    def lose(self, m, q):
        """A child goes.

        changes C: {peer} is not its child in the topic any more.
        otherwise: {peer} is not among its children there, or has become one again since, so this is out of date.
        """
        if self.C.get(m.topic, {}).get(q, (0, 0, 10**10))[2] <= m.stamp:
            del self.C[m.topic][q]
        self.promoted.get(m.topic, set()).discard(q)
        self.show()

    @on(ANY, ChildRepair)
    def child_repair(self, m):
        """It asks whether its parent is the right one; not answered last time, it asks by any way.

        nothing: It has no parent in the topic any more, so it does not ask.
        sends RouteParent: It has heard from its parent, so it lets a forwarder find out which one is closest to it now.
        sends IsParent: It has not heard from its parent since it asked last, so it looks for its parent by any way.
        """
        t = m.topic
        if t not in self.parent:
            return
        if self.clock + self.repair <= self.upkeep:
            self.set_timer(ChildRepair(t), after=self.repair)
        if self.rec_ok[t]:
            self.tell(self.random.choice(self.F[t]), RouteParent(t))
        else:
            self.far = {}  # they may lead to who has crashed
            m = IsParent(self.me, self.location(t), cargo=(len(self.L), self.parent[t]))
            some = [q for s in sorted(self.F) for q in self.F[s] if q != self.parent[t]]
            if self.L or not some:
                self.pass_on(m)
            else:
                self.tell(self.random.choice(some), m)
        self.rec_ok[t] = False

    @on(ANY, RouteParent)
    def route_parent(self, m, q):
        """It looks for the parent of somebody, within the role.

        sends IsChild: It knows no forwarder that is closer to {peer}, so {peer} is to be its child.
        sends Reassign: A neighbour on the circle is closer to {peer}, so that one is told to take {peer} as a child.
        sends IsParent: It sends the question on along the circle, for the forwarder closest to {peer} to answer.
        sends Abort: The question ends here, at a role of another topic, so {peer} has to look for its place again.
        nothing: It does not forward the topic any more, so it does not answer.
        """
        if m.topic in self.L:
            self.pass_on(IsParent(q, self.location(m.topic, q), m.topic, cargo=(0,)))

    # -- tables: the forwarder 2^(i + 1) places away is that which is 2^i places from the one 2^i places away

    def renew(self, t):
        """The circle has changed here; the entries of the table follow."""
        left, right = self.left[t], self.right[t]
        own, some = self.L[t], self.table[t]
        left = left if left[1] == t and left != own else None
        right = right if right[1] == t and right != own else None
        for slot, back, q in (("F", "E", left), ("E", "F", right)):
            if some.get(f"at {slot}", 0) != q:
                some[f"at {slot}"] = q
                if q is None:
                    self.put(t, slot, own)
                else:
                    self.claim(t, back, q, ask=True)
        self.ends(t)

    def ends(self, t):
        own, some = self.L[t], self.table[t]
        self.put(t, "R0", some["at E"] or (some["F"] if some.get("F") not in (None, own) else None))
        self.put(t, "L0", some["at F"] or (some["E"] if some.get("E") not in (None, own) else None))

    def put(self, t, slot, value):
        some = self.table[t]
        if some.get(slot) == value:
            return
        some[slot] = value
        if slot in ("F", "E"):
            to = some.get("at E" if slot == "F" else "at F")
            if to:
                self.claim(t, slot, to)
            if some.get("at E", 0) != 0 and some.get("at F", 0) != 0:
                self.ends(t)
            return
        back = ("L" if slot[0] == "R" else "R") + slot[1:]
        if some.get(back):
            self.claim(t, slot, some[back])
        if value is None:
            self.put(t, f"{slot[0]}{int(slot[1:]) + 1}", None) if f"{slot[0]}{int(slot[1:]) + 1}" in some else None
        else:
            self.claim(t, back, value, ask=True)

    def claim(self, t, slot, to, ask=False):
        self.numbers += 1
        self.tell(to[3], Claim(t, slot, self.table[t].get(slot) or (), self.numbers, ask))

    @on(ANY, Claim)
    def hear(self, m, q):
        """An entry of somebody else's table, of which it makes one of its own.

        changes table: {peer} is in its table, so it brings its own entries up to date with what {peer} says.
        sends Claim: Its own table stays as it is; {peer} asks for an entry in return, and gets it.
        changes heard: What {peer} says makes no difference to its own table.
        changes early: It is about to get its own place in the topic, so it keeps this for later.
        otherwise: It ignores this: it does not forward the topic, {peer} is not in its table, or this is out of date.
        """
        t, some = m.topic, self.table.get(m.topic)
        if some is None:
            if self.doing and self.doing[1] == t:
                self.early.append((m, q))
            return
        own, slot, value = self.L[t], m.slot, m.value or None
        teller = some.get(f"at {slot}") if slot in ("F", "E") else some.get(slot)
        last = self.heard.get((t, slot), ("", 0))
        if teller and teller[3] == q and (last[0] != q or last[1] < m.number):
            self.heard[t, slot] = q, m.number
            if slot in ("F", "E"):
                self.put(t, slot, value)
            else:
                if value and (value == own or (after(own, value) <= after(own, teller)) == (slot[0] == "R")):
                    value = None
                self.put(t, f"{slot[0]}{int(slot[1:]) + 1}", value)
        if m.ask:
            back = {"F": "E", "E": "F"}.get(slot) or ("L" if slot[0] == "R" else "R") + slot[1:]
            if some.get(back):
                self.claim(t, back, self.location(t, q))
        self.show()

    # -- news

    @on(ANY, Publish)
    def publish(self, m):
        """It has news on one of its topics.

        changes chosen and sends Event: It is closest to a point that its news goes to, and hands it on from there.
        changes chosen: It is closest to a point that its news goes to, so it need not send it there.
        sends Event: It gossips, and hands its news to processes of the topic that it knows.
        sends Post: It sends its news towards a point of a topic, for the forwarder closest to that to spread it.
        changes early: It has news, but knows no process yet that could know the way, so it keeps the news for later.
        changes mine: It has news, but sends it to no other process.
        otherwise: It wants no topic, so it has no news.
        """
        t = m.topic or (self.random.choice(sorted(self.T)) if self.T else 0)
        if not t:
            return
        id = f"{self.me}/{len(self.mine) + 1}"
        self.mine[id] = (t, self.clock)
        if t in self.T:
            self.take(id, t, 0)
        if "Gossip" in self.variant and (t in self.L or (self.variant == "FullGossip" and t in self.parent)):
            self.spread_out(id, t, 0, 0)
        else:
            for tag in range(self.roots if "Tree" in self.variant else 1):
                self.post(id, t, tag)
        self.show()

    def post(self, id, t, tag, role=True):
        value = hashed(f"root {tag}", self.salt) if self.fixed_root else self.random.randrange(M)
        x = (*self.location(t)[:3], "")
        within = t if role and (t in self.L or t in self.parent) else 0
        cargo = (id, tag, 0, "fixed") if self.fixed_root else (id, tag, 0)
        self.pass_on(Post(self.me, (x[0], t, value, ""), within, cargo=cargo))

    @on(ANY, Probe)
    def probe(self, m):
        """It looks up a random point, within its role if it has it.

        sends Lookup: It looks up a random point of a topic, and sends the lookup on its way.
        changes chosen: It is itself closest to the random point, so the lookup ends at once.
        changes early: It knows no process yet that could know the way, so it keeps the lookup for later.
        nothing: It wants no topic, so it looks up nothing.
        """
        t = m.topic or (self.random.choice(sorted(self.T)) if self.T else 0)
        if t:
            x = (*self.location(t)[:2], self.random.randrange(M), "")
            self.pass_on(Lookup(self.me, x, t if t in self.L or t in self.parent else 0, cargo=(0,)))

    def spread_out(self, id, t, tag, level):
        """It is the root, or where gossip begins."""
        if "Tree" in self.variant:
            self.get(Event(id, t, tag, level, (), ()), None)
            self.pass_up(id, t)
        else:
            self.get(Event(id, t, 0, level), None)
            if self.fan_out == 1:
                self.pass_up(id, t)

    def supertopics(self, t):
        up = {"chain": (t - 1,), "tree": (t // 2,), "diamond": {4: (2, 3), 3: (1,), 2: (1,)}.get(t, (t - 1,))}
        if self.direction == "up":
            return [s for s in up.get(self.hierarchy, ()) if s > 0]
        sinks = {1: (2, 3), 2: (4,), 3: (4,)}.get(t, (t + 1,))
        down = {"chain": (t + 1,), "tree": (2 * t, 2 * t + 1), "diamond": sinks}
        return [s for s in down.get(self.hierarchy, ()) if s <= self.topics]

    def subtopics(self):
        """Topic -> those of which it is a closest supertopic; for the animation."""
        below = {str(t): [] for t in range(1, self.topics + 1)}
        for t in range(1, self.topics + 1):
            for s in self.supertopics(t):
                below[str(s)].append(str(t))
        return below

    def pass_up(self, id, t):
        """To somebody in each closest supertopic."""
        for s in self.supertopics(t):
            self.post(id, s, 0)

    @on(ANY, Event)
    def get(self, m, q):
        """News: it is notified, and passes it on.

        delivers and sends Event or Post: It has not had this news yet, so it takes it, and hands it on.
        delivers: It has not had this news yet, so it takes it; it hands it on to no other process.
        sends Event or Post: It has had this news before, or does not want the topic, but hands the news on.
        changes repeats: This news has come to it before, so it does not hand it on.
        otherwise: It has had this news before, or does not want the topic, and hands the news on to no other process.
        """
        id, t = m.id, m.topic
        new = (id, t) not in self.seen
        self.repeats += not new
        self.seen.add((id, t))
        self.take(id, t, max(m.level, 0))
        if "Gossip" in self.variant:
            if new:
                self.gossip(m)
        elif m.level >= 0 and t in self.L and (id, t, m.tag) not in self.seen:
            self.seen.add((id, t, m.tag))
            self.cast(m, q is None)
        if new and t in self.L and self.variant != "FullGossip":
            for c in self.C[t]:
                self.send_event(c, Event(id, t, m.tag, -1))
        self.show()

    def take(self, id, t, level):
        if id not in self.got and t in self.T:
            self.got[id] = level
            self.notified += 1
            self.deliver(id)

    def send_event(self, q, m):
        if q != self.me:
            self.forwarded += 1
            self.tell(q, m)

    def gossip(self, m):
        t = m.topic
        if m.level == 1 and self.fan_out > 1 and t in self.T:
            self.pass_up(m.id, t)
        if m.level < self.r and (t in self.L or self.variant == "FullGossip"):
            some = [q for q in self.V.get(t, ()) if q != self.me]
            for q in self.random.sample(some, min(self.fan_out, len(some))):
                self.send_event(q, Event(m.id, t, 0, m.level + 1))

    def cast(self, m, root):
        """Each half of what it answers for goes to the forwarder in its middle."""
        t, some, own = m.topic, self.table[m.topic], self.L[m.topic]
        if self.links != "interval":
            self.by_links(m)
            return
        right = [some[f"R{i}"] for i in range(len(some)) if some.get(f"R{i}")]
        left = [some[f"L{i}"] for i in range(len(some)) if some.get(f"L{i}")]
        if not right or not left:
            return
        low, high = (right[-1], right[-1]) if root else (m.low, m.high)
        sent = 0
        right = [q for q in right if after(own, q) < after(own, high)]
        if right and high != right[0]:
            self.send_event(right[-1][3], Event(m.id, t, m.tag, m.level + 1, some["R0"], high))
            sent += 1
        left = [q for q in left if after(own, q) >= after(own, low)]
        if left and low != own:
            self.send_event(left[-1][3], Event(m.id, t, m.tag, m.level + 1, low, own))
            sent += 1
        self.most = max(self.most, sent)

    def by_links(self, m):
        """As printed, level i leads to hash +- m/2^i; shifted, to hash +- m/2^(i + 2)."""
        far = M >> (m.level + (2 if self.links == "shifted" else 0))
        own = self.L[m.topic]
        for sign in (1, -1):
            x = (own[0], own[1], (own[2] + sign * far) % M, "")
            if far and self.closer_than(own, x):
                self.forwarded += 1
                self.pass_on(Post(self.me, x, m.topic, cargo=(m.id, m.tag, m.level + 1, "fixed")))

    def closer_than(self, own, x):
        t = own[1]
        some = [q for q in (*self.table[t].values(), self.left[t], self.right[t]) if q and q[1] == t]
        return any(nearness(q, x) < nearness(own, x) for q in some)

    # -- views

    def fill_view(self, t):
        full, member = self.variant == "FullGossip", t in self.L or t in self.parent
        if member and (full or (self.variant == "ForwardGossip" and t in self.L)):
            for _ in range(self.l - len(self.V.get(t, ()))):
                self.request(t)

    def request(self, t):
        x = self.location(t)
        self.pass_on(Request(self.me, (x[0], t, self.random.randrange(M), ""), t))

    @on(ANY, ViewRefresh)
    def refresh(self):
        """Now and then it asks for new addresses.

        sends Request: It gossips, so it asks at random points of its topics for new addresses.
        changes lookups or inbox: It gossips and wants new addresses, but is itself closest to the random points.
        otherwise: It asks for no address this time: it does not gossip, or chance decides against it.
        """
        if self.clock + self.repair <= self.upkeep:
            self.set_timer(ViewRefresh(), after=self.repair)
        for t in sorted(self.T):
            member = t in self.L or (self.variant == "FullGossip" and t in self.parent)
            if "Gossip" in self.variant and member and self.random.random() < self.f:
                for _ in range(self.fan_out):
                    self.request(t)

    @on(ANY, MyAddress)
    def address(self, m, q):
        """An address for its view; the oldest goes if there are too many.

        changes V: It puts the address last in its view of the topic; of too many the oldest goes.
        otherwise: The address is its own or the latest in its view, or it does not want the topic any more.
        """
        if m.topic in self.T and m.who != self.me:
            old = [each for each in self.V.get(m.topic, []) if each != m.who]
            self.V[m.topic] = [*old, m.who][-self.l :]
        self.show()

    # -- crashes

    @on(ANY, Heartbeat)
    def beat(self):
        """It asks the next on the circle whether it is there, and counts leases.

        sends LeftIs: The next on the circle has not answered three times, so it takes the one behind that for the next.
        changes right: The circle to its right changes, since a process there takes too long.
        changes C: A child has not been heard of for too long, so it does not count as a child any more.
        changes busy: A change to its right takes too long, so it is free for the next one.
        sends Ping: It asks the next on the circle whether it is there.
        while forwarder: The next on the circle is itself, so it need not ask whether it is there.
        otherwise: It is not on the circle, so it has no neighbour to ask.
        """
        if self.clock + self.heartbeat <= self.upkeep:
            self.set_timer(Heartbeat(), after=self.heartbeat)
        for t in list(self.L):
            for c in [c for c, each in self.C[t].items() if each[3] < self.clock]:
                del self.C[t][c]
            if t in self.busy and self.clock - self.busy[t][1] > 2 * self.patience:
                self.free(t)
            x = self.right[t]
            asked, times = self.waiting.get(t, ((), 0))
            if x[3] == self.me:
                self.later[t] = (self.right[x[1]], *self.later[x[1]])[:4]
            elif asked == x and times == 3:
                self.skip(t, x)
            else:
                self.waiting[t] = x, times + 1 if asked == x else 1
                self.tell(x[3], Ping(self.L[t], x[1]))
        self.show()

    def skip(self, t, dead):
        """The next is dead; the one after it is next."""
        del self.waiting[t]
        own = self.L[t]
        known = {x for s in self.L for x in (self.left[s], self.L[s], *self.table[s].values()) if x and x != own}
        rest = [x for x in self.later[t] if x[3] != dead[3]]
        rest = rest or sorted((x for x in known if x[3] != dead[3]), key=lambda x: after(own, x)) or [own]
        self.right[t], self.later[t] = rest[0], tuple(rest[1:])
        if t in self.busy and self.busy[t][0][3] == dead[3]:
            self.free(t)
        self.tell(self.right[t][3], LeftIs(self.L[t], dead, self.right[t][1], t))
        self.renew(t)
        self.hand_over(t)

    @on(ANY, Ping)
    def ping(self, m, q):
        """It is there.

        changes left: Its left neighbour is silent, or {peer} is nearer, so {peer} is its left neighbour now.
        sends Pong and changes odd: {peer} seems to be its left neighbour; it believes that when {peer} asks again.
        sends Pong: It is there, and tells {peer} what is to its left and to its right.
        otherwise: It does not forward there any more, so it does not answer.
        """
        own = self.L.get(m.to)
        if own is not None:
            later = (self.right[m.to], *self.later[m.to])[:4]
            self.tell(q, Pong(m.who[1], self.left[m.to], later))
            if self.left[m.to] == m.who:
                self.pinged[m.to] = self.clock
            silent = self.left[m.to][3] != self.me and self.clock - self.pinged[m.to] > 4 * self.heartbeat
            nearer = between(self.left[m.to], m.who, own)
            if (nearer or silent) and self.twice((m.to, "left"), m.who):
                self.left[m.to] = m.who
                self.pinged[m.to] = self.clock
                self.renew(m.to)
                self.hand_over(m.to)

    @on(ANY, Pong)
    def pong(self, m, q):
        """The next is there, or there is even somebody nearer.

        changes right: It hears for the second time of one that is nearer than {peer}, so that one is next now.
        changes odd: {peer} is there, but tells of one that is nearer; it believes that when it hears it again.
        changes waiting: {peer} is there, as it should be.
        otherwise: It does not wait for this answer any more.
        """
        t = m.topic
        if t in self.L and t in self.waiting and self.waiting[t][0][3] == q:
            del self.waiting[t]
            self.later[t] = m.later
            nearer = between(self.L[t], m.left, self.right[t]) and t not in self.busy
            if nearer and self.twice((t, "right"), m.left):
                self.right[t] = m.left
                self.renew(t)
                self.hand_over(t)

    def twice(self, what, x):
        """Whether it hears this for the second time: the first time it may be old news."""
        before, self.odd[what] = self.odd.get(what), x
        return before == x

    # -- what all use

    def tell(self, q, m):
        """To somebody, or to itself in another role."""
        if q != self.me:
            self.send(m, to=q)
        else:
            self.inbox.append((m, q))
            self.set_timer(Itself(), after=0.0)

    @on(ANY, Itself)
    def inside(self):
        """What one of its roles told another.

        always:
        """
        some, self.inbox = self.inbox, []
        for m, q in some:
            getattr(self, ACTIONS[type(m)])(m, q)
        self.show()

    def show(self):
        self.state = FORWARDER if self.L else CHILD if self.parent else OUTSIDE
        if not self.picture:
            return
        t = self.shown
        self.phi = self.forwarded / self.notified if self.notified else 0.0
        self.role = 2 if t in self.L else 1 if t in self.parent else 0
        self.cut = self.closest_from(t) if self.role == 2 else ()
        self.up = self.parent.get(t)
        some = self.table.get(t, {})
        self.near = some["R0"][3] if some.get("R0") else None
        self.fingers = {x[3] for slot, x in some.items() if x and slot[0] == "R" and slot != "R0"}
        self.shares = " ".join(f"{t}{'●' if t in self.L else '○' if t in self.parent else '·'}" for t in sorted(self.T))


    def closest_from(self, t):
        """From where to where it is the closest forwarder: halfway to the next ones, or to the ends of the sector."""
        own, left, right = self.L[t], self.left.get(t), self.right.get(t)
        before = left[2] if left and left[1] == t and left[2] < own[2] else -own[2]
        behind = right[2] if right and right[1] == t and right[2] > own[2] else 2 * M - own[2]
        return (before + own[2]) / 2 / M, (own[2] + behind) / 2 / M


ACTIONS = {
    Invite: "start", Lookup: "route", Request: "route", IsParent: "route", Post: "route", Found: "answer", Join: "join",
    Split: "grant", Leave: "let_go", Ok: "granted", Abort: "abort", LeftIs: "meet", Known: "known", Done: "free_again",
    Replace: "replaced", Promote: "promoted_to", Reassign: "reassign", IsChild: "is_child", LeaveChild: "lose",
    RouteParent: "route_parent", Claim: "hear", MyAddress: "address", Event: "get", Ping: "ping", Pong: "pong",
    Gone: "forget",
}  # fmt: skip
OPERATIONS = (Lookup, IsParent, Found, Join, Split, Leave, Ok, Abort, LeftIs, Known, Done, Replace, Promote, Reassign,
              IsChild, LeaveChild, RouteParent, Claim)  # fmt: skip


def at_work(c):
    """Whether an operation is under way."""
    live = [p for p in c.processes if not c.crashed(p)]
    if any(p.plan or p.delayed or p.doing or p.asked or p.wish or p.busy or p.inbox or p.early for p in live):
        return True
    return any(isinstance(each.message, OPERATIONS) for each in c.in_transit)


def forwarders(c):
    """Topic -> the forwarders that live."""
    found = {}
    for p in c.processes:
        if not c.crashed(p):
            for t in p.L:
                found.setdefault(t, []).append(p)
    return found


def attached(c):
    """Whether every member that lives is a forwarder, or a child of the closest one, and that one's child alone."""
    roles = forwarders(c)
    for p in c.processes:
        if c.crashed(p):
            continue
        for t in p.T | set(p.L) | set(p.parent):
            if (t in p.L) == (t in p.parent) or t not in p.T:
                return False
            if t in p.parent:
                x = p.location(t)
                best = min(roles.get(t, ()), key=lambda q: nearness(q.L[t], x), default=None)
                mine = [q.me for q in roles.get(t, ()) if p.me in q.C[t]]
                if best is None or p.parent[t] != best.me or mine != [best.me]:
                    return False
    return True


@always("with no operation under way all forward their topics or are children of the closest forwarder, of it alone")
def in_order(c):
    return any(p.faulty for p in c.processes) or at_work(c) or attached(c)


@always("with no operation under way nobody has more than k children")
def enough_room(c):
    return at_work(c) or all(len(some) <= p.k for p in c.processes for t, some in p.C.items() if t in p.L)


@always("nobody forwards for a topic it never was interested in; with no operation under way children have a forwarder")
def by_interest(c):
    roles = forwarders(c)
    if any(set(p.L) - p.once for p in c.processes):
        return False
    fine = any(p.faulty for p in c.processes) or at_work(c)
    return fine or all(t in roles for p in c.processes for t in p.parent)


@always("a lookup with a role meets nobody who is not interested in it")
def no_parasites(c):
    return not any(p.strangers for p in c.processes)


@always("nobody hands the same news to more than two forwarders")
def two_at_most(c):
    return all(p.most <= 2 for p in c.processes)


@eventually("every child is attached to the closest forwarder")
def in_place(c):
    return attached(c)


def above(p, t):
    """The topic and all above it."""
    up = {"chain": (t - 1,), "tree": (t // 2,), "diamond": {4: (2, 3), 3: (1,), 2: (1,)}.get(t, (t - 1,))}
    return {t}.union(*(above(p, s) for s in up.get(p.hierarchy, ()) if s > 0))


@eventually("with trees, news reach all who have their place in the topic, or in one above it")
def news_reach_all(c):
    live = [p for p in c.processes if not c.crashed(p)]
    return all(
        id in q.got
        for p in live if "Tree" in p.variant
        for id, (t, time) in p.mine.items()
        for q in live
        if any(s in q.T and q.since.get(s, time) < time for s in above(p, t))
    )  # fmt: skip


@measure("phi")
def fairness(c):
    """Phi: the sum over the processes of the distance of forwarded / notified from its mean."""
    some = [p.forwarded / p.notified for p in c.processes if p.notified]
    mean = sum(some) / len(some) if some else None
    return sum(abs(phi - mean) for phi in some) if some else None


@measure("mean phi")
def mean_phi(c):
    some = [p.forwarded / p.notified for p in c.processes if p.notified]
    return sum(some) / len(some) if some else None


@measure("reached")
def reached(c):
    """Of those who live and are interested, the share that was notified, on average over news."""
    live = [p for p in c.processes if not c.crashed(p)]
    shares = []
    for p in c.processes:
        for id, (t, _) in p.mine.items():
            who = [q for q in live if t in q.T]
            shares += [sum(id in q.got for q in who) / len(who)] if who else []
    return sum(shares) / len(shares) if shares else None


@measure("news per member")
def cost(c):
    """Messages with news for each notification."""
    told = sum(p.notified for p in c.processes)
    return sum(p.forwarded for p in c.processes) / told if told else None


@measure("repeats")
def repeats(c):
    """News that came again, for each notification."""
    told = sum(p.notified for p in c.processes)
    return sum(p.repeats for p in c.processes) / told if told else None


@measure("depth")
def depth(c):
    return max((level for p in c.processes for level in p.got.values()), default=0)


@measure("roles")
def roles(c):
    """Topics that a process forwards, on average."""
    return sum(len(p.L) for p in c.processes if not c.crashed(p)) / max(1, sum(not c.crashed(p) for p in c.processes))


@measure("most roles")
def most_roles(c):
    return max(len(p.L) for p in c.processes)


@measure("roles by the bound")
def bound(c):
    """1 + |T|/(k + 1) on average."""
    return sum(1 + len(p.T) / (p.k + 1) for p in c.processes) / c.n


@measure("table")
def entries(c):
    """Entries of a table, on average over the roles of all."""
    some = [len({x for slot, x in p.table[t].items() if x}) for p in c.processes for t in p.L]
    return sum(some) / len(some) if some else None


@measure("hops")
def steps(c):
    ended = sum(p.lookups for p in c.processes)
    return sum(p.hops for p in c.processes) / ended if ended else None


@measure("parasites")
def parasites(c):
    """Steps of lookups with a role that led to who is not interested, for each lookup."""
    ended = sum(p.chosen for p in c.processes)
    return sum(p.strangers for p in c.processes) / ended if ended else None


@measure("bias")
def bias(c):
    """How many forwarders there are times the sum of the squared shares that they have of the random lookups: 1 if
    all are chosen alike; what chance adds to that is taken off."""
    some = [p.chosen for p in c.processes if p.shown in p.L]
    total = sum(some)
    return len(some) * sum(x * (x - 1) for x in some) / (total * (total - 1)) if total > 1 else None


@measure("attached again")
def attached_again(c):
    """When the last child came to another parent."""
    return max(p.moved for p in c.processes)


@measure("cut off")
def cut_off(c):
    """Members that live and have no forwarder that lives and knows them."""
    roles = forwarders(c)
    return sum(
        t not in p.L and not any(q.me == p.parent.get(t) and p.me in q.C[t] for q in roles.get(t, ()))
        for p in c.processes if not c.crashed(p) for t in p.T
    )  # fmt: skip


@measure("aborts")
def aborts(c):
    return sum(p.aborts for p in c.processes)
