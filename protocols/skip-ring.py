"""Publish/subscribe on a skip ring: a supervisor only hands out labels, and the subscribers do all the rest.

The label of a subscriber is its place on a circle.  From any variables, any database and any messages under way the
subscribers of a topic become a ring sorted by label, with shortcuts.  Publications are flooded over both; besides,
neighbours compare the hashes of their tries for ever, so that who comes late, or lost something, gets all of them.

The x-th label l(x), x = 0, 1, 2 ..., is 0, 1, 01, 11, 001, 011, 101, 111, 0001 ...: x in binary, its first digit moved
to the end; l(0) = 0.  r(y) = 0.y in binary is its place, from 0 to 1.  c is a pair of a label and a name.

Pseudo-code (algorithm BuildSR; S: the supervisor, v: a subscriber, u: me)::

    supervisor
      timeout:            next := next + 1 mod n; answer(who has l(next))
      SUBSCRIBE v:        if v is unknown, it gets l(n); answer(v)        GETCONF v: answer(v)
      UNSUBSCRIBE v:      who has l(n - 1) gets the label of v, and an answer; SETDATA(nothing) to v
      before each:        labels of crashed and of impossible entries are given to those with the largest ones
      answer(v):          SETDATA(its predecessor, its label, its successor), or SETDATA(nothing) if v is unknown
    subscriber without a label
      timeout:            REMOVE to left, right, ring; forget them; SUBSCRIBE if it wants to
      told of v:          REMOVE to v
    subscriber with a label
      timeout:            CHECK left, right, ring; shortcuts := those that the ring neighbours' labels say;
                          GETCONF u with probability 1/2 if it looks minimal, else 1/(2^k k^2), k = |label|;
                          INTRO_SC its two neighbours of level k to each other
      CHECK, INTRODUCE c: LIN: linearize(c).  CYC: the farther of c and ring is ring, the nearer is linearized
      LINEARIZE c:        store c if it is nearer than left (right), else pass it on to left (right)
      SETDATA(p, y, s):   label := y; left, right, ring := p, s; GETCONF for all that are displaced
    publications (in a trie: leaves are keys, inner nodes their longest common prefixes, with the hash of the hashes of
    their children)
      publish p:          insert p; PUBLISH_NEW p to left, right, ring and shortcuts
      PUBLISH_NEW p:      if p is new, insert it, and pass it on to all of these
      publish-timeout:    CHECK_TRIE(root) to left, right or ring
      CHECK_TRIE nodes:   where a hash differs, CHECK_TRIE(both children) back; where the node is missing,
                          CHECK_AND_PUBLISH(what I have below it, the prefix that is missing) back
      CHECK_AND_PUBLISH:  as CHECK_TRIE; and PUBLISH all that begin with the prefix

Needs an overlay: everybody may send to everybody by name, and the first by name is S, which everybody knows.  Nothing
is lost.  Messages may overtake each other.  S alone learns of crashes, from its failure detector, after a while.
Readings: ``wants``, for who has unsubscribed has no label, and would subscribe again; REMOVE, not a pair without a
label, answers a CHECK; GETCONF of somebody unknown does not register him; equal labels are for S to settle, since
handled on both sides, as printed, they multiply (``equals``); whom SETDATA displaces is reported to S (``displaced``
has two other readings); inner hashes are those of hashes, not of labels, as the formula has it (``hashes``); successor
and predecessor of who moves are found after the move.  Timers run for ``intervals``; if the ring stands by
then, the run comes to rest.
Complexity: a ring of n has 2n - 3 links, at most 2 log n - 1 for one process, diameter log n.  S sends 1 message for a
SUBSCRIBE, 2 for an UNSUBSCRIBE, and gets 1 to 1.323 GETCONF an interval, whatever n (the paper says less than 1; it
counts one label of length 1, and there are two).  A publication takes 4n - 6 messages.

Reference: M. Feldmann, C. Kolb, C. Scheideler, T. Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems,
IPDPS 2018, sections 2 to 5, algorithms 1 to 5.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    detector,
    eventually,
    everybody_starts,
    measure,
    named,
    on,
    overlay,
    parameter,
    states,
    variable,
)

OUTSIDE, UNLABELLED, DOUBTFUL, PLACED, SETTLED, LEAVING, SUPERVISOR = states(
    "outside", "unlabelled", "doubtful", "placed", "settled", "leaving", "supervisor",
    reads={
        "outside": "wants no news",
        "unlabelled": "wants a label",
        "doubtful": "has a label of its own",
        "placed": "lacks neighbours",
        "settled": "knows its neighbours",
        "leaving": "wants to leave",
        "supervisor": "is the supervisor",
    },
)
NOWHERE = (OUTSIDE, UNLABELLED)
INSIDE = (DOUBTFUL, PLACED, SETTLED, LEAVING)
SUBSCRIBERS = (*NOWHERE, *INSIDE)
READERS = (UNLABELLED, *INSIDE)
LIN, CYC = "LIN", "CYC"
EMPTY = "empty"  # the hash of an empty trie


class Subscribe(Message):
    """'who wants a label.'"""

    who: str


class Unsubscribe(Message):
    """'who wants to go.'"""

    who: str


class GetConf(Message):
    """'Tell who its label and its neighbours.'"""

    who: str


class SetData(Message):
    """'This is your label, and these are your neighbours'; without a label: 'Forget all you know.'"""

    label: str = ""
    pred_label: str = ""
    pred: str = ""
    succ_label: str = ""
    succ: str = ""


class Check(Message):
    """'I have this label, and believe that you have that one.'"""

    label: str
    believed: str
    flag: str = LIN


class Introduce(Message):
    """'who has this label, and may be your neighbour.'"""

    label: str
    who: str
    flag: str = LIN


class Linearize(Message):
    """'who has this label, and is nearer to you than to me.'"""

    label: str
    who: str


class Remove(Message):
    """'I have no label; forget me.'"""


class IntroSc(Message):
    """'who has this label, and may be your shortcut.'"""

    label: str
    who: str


class PublishNew(Message):
    """'This is new.'"""

    key: str
    text: str
    hops: int = 1  # the way it has come; for the measure only


class Publish(Message):
    """'You do not have these.'"""

    publications: tuple[tuple[str, str], ...] = ()


class CheckTrie(Message):
    """'My trie has these nodes, with these hashes.'"""

    nodes: tuple[tuple[str, str], ...] = ()


class CheckAndPublish(Message):
    """'My trie has these nodes; and send me what begins with the prefix.'"""

    nodes: tuple[tuple[str, str], ...] = ()
    prefix: str = ""


class Timeout(Timer):
    """It is time to look after the ring."""


class Crashed(Timer):
    """The failure detector says that somebody has crashed."""

    who: str


class PublishTimeout(Timer):
    """It is time to compare tries."""


class Join(Command):
    """Its user wants what is published."""


class Leave(Command):
    """Its user does not want it any more."""


class Say(Command):
    """Its user publishes something."""

    content: str = "news"


def l(x):  # noqa: E743 - the paper's name
    """The label number x."""
    return format(x, "b")[1:] + "1" if x else "0"


def idx(label):
    """The number of a label; infinite for what is none."""
    if label == "0":
        return 0
    return int("1" + label[:-1], 2) if label[-1:] == "1" and not label.strip("01") else float("inf")


def r(label):
    """The place of a label on the circle, from 0 to 1.  Labels are ordered by it as they are as texts."""
    return 0.0 if label.strip("01") else int(label or "0", 2) / 2 ** len(label)


def canon(place):
    """The label of a place on the circle."""
    label = ""
    while place:
        label += str(int(2 * place))
        place = 2 * place % 1
    return label or "0"


def chain(label, cur):
    """The shortcuts of ``label`` on the side where its neighbour has the label ``cur``, the nearest first."""
    found = []
    while label and len(label) < len(cur):  # who has no label yet has no shortcuts
        cur = canon((2 * r(cur) - r(label)) % 1)
        found.append(cur)
    return found


def shortcuts_of(label, beside):
    """The labels of the shortcuts that belong to a label with these ring neighbours."""
    some = dict.fromkeys(y for cur in beside for y in chain(label, cur))
    return [y for y in some if y != label and y not in beside]


def h(text):
    """A hash of 32 bits, in eight digits: Fowler, Noll and Vo's, and its bits mixed once more."""
    x = 14695981039346656037
    for letter in text:
        x = (x ^ ord(letter)) * 1099511628211 % 2**64
    x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD % 2**64
    return format(x ^ x >> 33, "016x")[:8]


def find(keys, prefix, part=1):
    """The uppermost node of the trie of these keys whose label begins with the prefix: (label, hash), or None.

    The hash of an inner node is that of the hashes (``part`` 1), or of the labels (0), of its children.
    """
    keys = [key for key in keys if key.startswith(prefix)]
    if not keys:
        return None
    first, last = min(keys), max(keys)
    if first == last:
        return first, h(first)
    label = first[: next(i for i, bit in enumerate(first) if bit != last[i])]
    return label, h(find(keys, label + "0", part)[part] + find(keys, label + "1", part)[part])


def tally(zero=0):
    """A variable for the observer alone; a fault sets it to 0."""
    return variable(zero, minimum=zero, maximum=zero)


class SkipRing(Process):
    title = "Publish/subscribe on a skip ring"
    needs = overlay, detector, named, everybody_starts
    messages = "<= n*(24*intervals + 8*commands) + 200*n"

    state = OUTSIDE
    wants: bool = False  # whether its user wants what is published
    label: str = variable("", choices=("", "0", "1", "01", "11", "001", "011", "101", "111", "10", "0110"))
    sure: bool = False  # whether S told it this label
    left: object = None  # (label, name) of its neighbour before it
    right: object = None  # after it
    ring: object = None  # across the seam, for the first and the last on the ring
    shortcuts: dict[str, str] = {}  # label -> who has it, "" as long as nobody is known
    T: dict[str, str] = {}  # the keys of the trie -> publications
    said: int = tally()  # how many publications were made here
    had: int = tally()  # how many came into the trie since it subscribed
    depth: int = tally()  # the longest way on which a flooded publication came
    asked: int = tally()  # how often it asked for its own configuration on timeout
    changed: float = tally(0.0)  # when its label, a neighbour or a shortcut changed last
    got: float = tally(0.0)  # when a publication came last
    # the supervisor's
    database: dict[str, str] = {}  # label -> who has it
    next: int = 0  # whom it tells next without being asked
    crashed: set[str] = set()  # those whose crash was detected
    served: int = tally()  # how many requests, and timeouts, it has answered
    withdrawn: int = tally()  # how many of them were UNSUBSCRIBE
    told: int = tally()  # how many SETDATA it has sent
    operations: int = tally()  # how many SUBSCRIBE and UNSUBSCRIBE it had
    orders: int = tally()  # how many SETDATA it sent for these
    # what the animation draws
    beside: dict[str, str] = {}  # name -> the label that it is believed to have
    level1: dict[str, str] = {}
    level2: dict[str, str] = {}
    level3: dict[str, str] = {}
    odd: dict[str, str] = {}  # whom it holds though their labels are not linked in a skip ring
    edges: set[str] = set()  # the links it holds, "1>2", and for S those of SR(n)
    listed: dict[str, str] = {}  # the database that these are of
    requests: int = tally()  # how many requests S had in the interval before its last timeout
    counted: int = tally()  # what it had served by then
    shown: str = ""

    start = parameter("empty", choices=("empty", "legal", "random", "deep"), help="the beginning: nobody has a label; "
                      "the ring stands; anything anywhere; labels of 12 to 16 random bits")  # fmt: skip
    members = parameter(-1, minimum=-1, help="how many subscribe at the beginning, in the order of names; -1: all")
    stored = parameter(0, minimum=0, help="how many publications there are at the beginning")
    spread = parameter(False, help="whether every subscriber has all of these, or one subscriber each")
    interval = parameter(5.0, minimum=0.001, help="the time from one timeout to the next")
    intervals = parameter(
        20, minimum=1, help="for how many intervals timers run",
        reached=lambda p: p.clock >= (p.intervals - 1) * p.interval,
    )
    answers = parameter(1, minimum=1, help="how many subscribers S tells of their neighbours at each timeout")
    detection = parameter(True, help="whether S learns of crashes")
    latency = parameter(3.0, minimum=0.0, help="after how many intervals S learns of a crash")
    bits = parameter(16, minimum=1, maximum=32, help="m: how long the keys of publications are")
    flooding = parameter(True, help="whether new publications are flooded")
    back = parameter(True, help="whether they also go back to who sent them")
    repair = parameter(True, help="whether neighbours compare tries")
    displaced = parameter("report", choices=("report", "linearise", "forget"),
                          help="what becomes of neighbours that SETDATA displaces")  # fmt: skip
    equals = parameter("ask", choices=("ask", "both"),
                       help="what becomes of somebody with its own label: S is asked, or he belongs on both sides")
    hashes = parameter("hashes", choices=("hashes", "labels"), help="of what in its children the hash of a node is")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")
    picture = parameter(True, help="whether it keeps what the animation draws")

    # ------------------------------------------------------------------ the supervisor

    @on(SUPERVISOR, Timeout)
    def tell_next(self):
        """It tells the next subscriber, in the order of labels, its label and its neighbours.

        changes database and sends SetData: It mends its database, and tells the next subscriber its label and place.
        sends SetData: It tells the next subscriber, in the order of labels, its label and its neighbours.
        changes database: It mends its database, which has no subscriber any more.
        otherwise: Its database is empty, so it has no subscriber to tell.
        """
        self.sanitise()
        if self.picture:
            self.requests = self.served - self.counted
        for _ in range(min(self.answers, len(self.database))):
            self.next = (self.next + 1) % len(self.database)
            self.served += 1
            self.answer(self.database.get(l(self.next)))
        if self.picture:
            self.counted = self.served
        self.look()
        self.wind()

    @on(SUPERVISOR, Subscribe)
    def register(self, m, q):
        """Somebody unknown gets the next label; the answer says where it belongs.

        changes database: The subscriber has one label in the database now; the answer says which, and where it belongs.
        sends SetData: The subscriber is in the database already, so the answer only repeats where it belongs.
        """
        self.heard(q)
        before = self.told
        if m.who != self.me and m.who not in self.database.values():
            self.database[l(len(self.database))] = m.who
        self.answer(m.who)
        self.served += 1
        self.operations += 1
        self.orders += self.told - before
        self.look()

    @on(SUPERVISOR, GetConf)
    def configure(self, m, q):
        """Somebody asks for a process: it is told what the database says."""
        self.heard(q)
        self.answer(m.who)
        self.served += 1
        self.look()

    @on(SUPERVISOR, Unsubscribe)
    def strike_off(self, m, q):
        """Somebody goes; who has the last label takes over the one that is free.

        changes changed: It mends its database; the subscriber is not in it any more, and hears that.
        changes database: It strikes the subscriber off; if that leaves a gap, the process with the last label fills it.
        sends SetData: The subscriber is not in the database, and hears that.
        """
        self.heard(q)
        before = self.told
        n = len(self.database)
        free = self.dedupe(m.who)
        if free is not None:
            del self.database[free]
            if free != l(n - 1) and l(n - 1) in self.database:
                self.database[free] = self.database.pop(l(n - 1))
                self.answer(self.database[free])
        self.instruct(SetData(), m.who)
        self.served += 1
        self.withdrawn += 1
        self.operations += 1
        self.orders += self.told - before
        self.look()

    @on(SUPERVISOR, Crashed)
    def bury(self, m):
        """Somebody has crashed: his labels are free."""
        self.crashed = self.crashed | {m.who}
        self.sanitise()
        self.look()

    @on(SUPERVISOR, (SetData, PublishNew, Publish, CheckTrie, CheckAndPublish, PublishTimeout, Join, Leave, Say))
    def keep_out(self):
        """The supervisor is no subscriber."""

    def heard(self, q):
        """Whoever says something lives."""
        self.crashed = self.crashed - {q}
        self.sanitise()

    def sanitise(self):
        """The labels of n entries are l(0) to l(n - 1)."""
        some = self.everybody
        good = {y: v for y, v in self.database.items() if v in some and v != self.me and v not in self.crashed}
        missing = [l(i) for i in range(len(good)) if l(i) not in good]
        if missing or len(good) < len(self.database):
            spare = sorted(good, key=idx)[len(good) - len(missing) :]
            for y in missing:
                good[y] = good.pop(spare.pop())
            self.database = good
            self.changed = self.clock

    def dedupe(self, v):
        """The label of v, the first one if there are several; None if v is unknown."""
        mine = sorted((y for y, u in self.database.items() if u == v), key=idx)
        for y in mine[1:]:
            del self.database[y]
        return mine[0] if mine else None

    def answer(self, v):
        """Tell v its label and its neighbours on the ring, or that it is unknown."""
        label = self.dedupe(v)
        if label is None:
            self.instruct(SetData(), v)
            return
        row = sorted(self.database)
        at, n = row.index(label), len(row)
        if n == 1:
            self.instruct(SetData(label), v)
        else:
            pred, succ = row[at - 1], row[(at + 1) % n]
            self.instruct(SetData(label, pred, self.database[pred], succ, self.database[succ]), v)

    def instruct(self, m, v):
        if v and v != self.me:
            self.told += 1
            self.observe(v)
            self.send(m, to=v)

    def observe(self, v):
        if self.detection:
            self.watch(v, Crashed(v), after=self.latency * self.interval)

    # ------------------------------------------------------------------ a subscriber, and whoever is outside

    @on(ANY, INIT)
    def begin(self):
        """Everybody starts, in the configuration that the experiment wants.

        becomes supervisor: It is the first by name, so it is the supervisor.
        becomes unlabelled: Its user wants what is published, but it has no label yet.
        becomes settled or placed: It begins with its label, {label}, and with the links that belong to it.
        becomes doubtful: It begins with a label that the supervisor has not told it: {label}.
        becomes leaving: It begins with a label, {label}, though its user does not want what is published.
        stays: Its user does not want what is published, so it needs no label.
        """
        x, n = self.everybody.index(self.me) - 1, len(self.everybody) - 1
        n = n if self.members < 0 else min(n, self.members)
        self.wants = 0 <= x < n
        for j in range(self.stored if self.wants else 0):
            if self.spread or int(h(f"owner {j}"), 16) % n == x:
                self.publish(f"old {j}", False)
        if self.start == "legal":
            self.begin_legally(x, n)
        elif self.start != "empty":
            self.begin_anyhow(x, 1 if self.start == "random" else 12, 6 if self.start == "random" else 16)
        self.look()
        self.wind(self.random.random())
        if self.wants and self.repair:
            self.wind(2 * self.random.random(), PublishTimeout())

    @on(NOWHERE, Timeout)
    def ask_for_a_label(self):
        """Without a label it forgets everybody, and subscribes if it wants to.

        sends Subscribe and sends Remove: It has no label, so it leaves its neighbours and asks the supervisor for one.
        sends Subscribe: It has no label, so it asks the supervisor for one.
        sends Remove: It has no label and wants none, so it forgets its neighbours and asks them to forget it.
        otherwise: It neither has a label nor wants one.
        """
        for c in (self.left, self.right, self.ring):
            if c:
                self.tell(Remove(), c[1])
        self.forget()
        if self.wants:
            self.tell(Subscribe(self.me), self.everybody[0])
        self.look()
        self.wind()

    @on(INSIDE, Timeout)
    def look_after_the_ring(self):
        """It checks its neighbours, mends its shortcuts, asks S now and then, and introduces others to each other.

        sends Unsubscribe: Its user does not want what is published, so it asks the supervisor to let it go.
        changes left or right or ring: It knew a process in a place where that cannot belong, and takes it out of there.
        changes shortcuts: The labels of its neighbours call for other shortcuts than it had, so it changes them.
        sends Introduce: It seems to be at an end of the line, so its label goes to the other end, to close the ring.
        sends Check and sends GetConf: It checks its neighbours, and also asks the supervisor for its label and place.
        sends GetConf: It knows no neighbour that it could check, so it asks the supervisor for its label and place.
        sends IntroSc: It checks its neighbours, and introduces the two on the level of its label to each other.
        sends Check: It checks whether its neighbours have the labels that it believes.
        sends nothing: It knows no other process that it could check.
        """
        if not self.wants:
            self.tell(Unsubscribe(self.me), self.everybody[0])
        if self.ring and self.ring[0] == self.label:
            self.linearize(*self.take("ring"))
        if not self.ring and bool(self.left) != bool(self.right):
            self.tell(Introduce(self.label, self.me, CYC), (self.left or self.right)[1])
        if self.ring and self.above(self.ring) and self.left:
            self.tell(Introduce(*self.take("ring"), CYC), self.left[1])
        elif self.ring and self.below(self.ring) and self.right:
            self.tell(Introduce(*self.take("ring"), CYC), self.right[1])
        if self.ring:
            self.tell(Check(self.label, self.ring[0], CYC), self.ring[1])
        for side, wrong in (("left", self.above), ("right", self.below)):
            c = getattr(self, side)
            if c and wrong(c):
                self.linearize(*self.take(side))
            elif c:
                self.tell(Check(self.label, c[0], LIN), c[1])
        self.mend_shortcuts()
        k = len(self.label)
        minimal = not self.left and (not self.ring or self.above(self.ring))
        if self.random.random() < (0.5 if minimal else 1 / (2**k * k**2)):
            self.asked += 1
            self.report(self.me)
        self.introduce_outwards()
        self.look()
        self.wind()

    def mend_shortcuts(self):
        wanted = shortcuts_of(self.label, [c[0] for c in self.sides()])
        new = {y: self.shortcuts.get(y, "") for y in wanted}
        old, gone = self.shortcuts, [y for y in self.shortcuts if y not in new]
        if new != old:
            self.shortcuts, self.changed = new, self.clock
        for y in gone:
            self.verify(y, old[y])

    def introduce_outwards(self):
        """Its two neighbours on the level of its label get to know each other."""
        ends = [(chain(self.label, c[0]) or [c[0]])[-1] for c in self.sides()]
        known = {**self.shortcuts, **dict(c for c in (self.left, self.right, self.ring) if c)}
        some = [(y, known[y]) for y in dict.fromkeys(ends) if known.get(y)]
        if len(some) == 2 and some[0][1] != some[1][1]:
            self.tell(IntroSc(*some[0]), some[1][1])
            self.tell(IntroSc(*some[1]), some[0][1])

    @on(INSIDE, Check)
    def checked(self, m, q):
        """Somebody believes to know its label: it says the right one, or gets to know the other.

        changes left or right or ring: It now knows where {peer} belongs, and changes its neighbours to fit.
        says flag=CYC and sends Introduce: {peer} is wrong about its label or place: it corrects {peer} or passes it on.
        sends Introduce: {peer} is wrong about its label, so it tells {peer} the right one.
        sends GetConf: {peer} has the same label, so it asks the supervisor about both.
        sends Linearize: It has a neighbour on that side already, so it passes {peer} on to it.
        sends nothing: {peer} is right about its label, and its own neighbours stay as they are.
        """
        if m.believed != self.label:
            self.tell(Introduce(self.label, self.me, m.flag), q)
        else:
            self.introduce(m.label, q, m.flag)
        self.look()

    @on(INSIDE, Introduce)
    def introduced(self, m, q):
        """Somebody is introduced as a neighbour in the line, or across the seam.

        always:
        """
        self.introduce(m.label, m.who, m.flag)
        self.look()

    @on(INSIDE, Linearize)
    def passed_on(self, m, q):
        """Somebody belongs on this side: it stays here, or goes on.

        always:
        """
        self.linearize(m.label, m.who)
        self.look()

    @on(INSIDE, IntroSc)
    def meet(self, m, q):
        """Somebody may be one of its shortcuts.

        changes shortcuts and sends Check: The process becomes its shortcut; it checks the one that was there before.
        changes shortcuts: It did not know the process for this shortcut; now it does.
        changes left or right: It now knows where the process belongs, and changes its neighbours to fit.
        sends GetConf: The process has the same label, so it asks the supervisor about both.
        sends Linearize: None of its shortcuts has this label, so it passes the process on along the line.
        sends nothing: It knows this process already, or has no use for it, so its links stay as they are.
        """
        if m.who != self.me:
            if m.label in self.shortcuts:
                old = self.shortcuts[m.label]
                if old != m.who:
                    self.shortcuts[m.label], self.changed = m.who, self.clock
                    self.verify(m.label, old)
            else:
                self.linearize(m.label, m.who)
        self.look()

    @on((*NOWHERE, SUPERVISOR), Check)
    def refuse_check(self, m, q):
        """It has no label, and does not belong to the ring.

        while unlabelled or supervisor: It has no label, and does not belong to the ring.
        """
        self.tell(Remove(), q)

    @on((*NOWHERE, SUPERVISOR), (Introduce, Linearize, IntroSc))
    def refuse(self, m, q):
        """It has no label; who is named should not know it.

        always:
        """
        self.tell(Remove(), m.who)

    @on(ANY, Remove)
    def remove(self, m, q):
        """Somebody has no label: it is forgotten.

        always:
        """
        for side in ("left", "right", "ring"):
            if getattr(self, side) and getattr(self, side)[1] == q:
                self.take(side)
        for y, v in self.shortcuts.items():
            if v == q:
                self.shortcuts[y], self.changed = "", self.clock
        self.look()

    @on(SUBSCRIBERS, SetData)
    def set_data(self, m):
        """S says which label it has, and between whom it belongs.

        sends Unsubscribe: It is told its label, but its user does not want one, so it asks the supervisor to let it go.
        becomes outside: The supervisor has let it go: it forgets its label, its neighbours and what was published.
        becomes unlabelled: The supervisor does not know it, so it forgets its label and its neighbours.
        while outside or unlabelled and says label=none: It is told that it has no label, which it knew.
        changes label and sends GetConf: Its label is {label} now; it asks the supervisor about the neighbours it had.
        changes label: It is told that its label is {label}, and which neighbours it has.
        changes left or right or ring and sends GetConf: It is told other neighbours, and asks about those it had.
        changes left or right or ring: It is told other neighbours than those that it had.
        changes sure: It is told the label that it had already, {label}, so it is sure of it now.
        changes changed: It is told other neighbours, but those that it had take their places again.
        nothing: It is told what it knew already: its label and its neighbours.
        """
        if not m.label:
            self.forget()
            if not self.wants:
                self.T, self.had = {}, 0
        elif not self.wants:
            self.tell(Unsubscribe(self.me), self.everybody[0])
        else:
            old = {c[1]: c for c in (self.left, self.right, self.ring) if c and c[1] not in (m.pred, m.succ)}
            if self.label != m.label:
                self.changed = self.clock
                if self.repair:
                    self.wind(1 + self.random.random(), PublishTimeout())
            self.label, self.sure = m.label, True
            pred = (m.pred_label, m.pred) if m.pred else None
            succ = (m.succ_label, m.succ) if m.succ else None
            self.put("left", pred if pred and self.below(pred) else None)
            self.put("right", succ if succ and self.above(succ) else None)
            self.put("ring", pred if pred and self.above(pred) else succ if succ and self.below(succ) else None)
            for v, c in old.items():
                if self.displaced == "report":
                    self.report(v)
                elif self.displaced == "linearise":
                    self.linearize(*c)
        self.look()

    @on(SUBSCRIBERS, Join)
    def join(self):
        """Its user wants what is published.

        always:
        """
        self.wants = True
        self.tell(Subscribe(self.me), self.everybody[0])
        self.look()
        self.wind()

    @on(SUBSCRIBERS, Leave)
    def leave(self):
        """Its user has had enough; until S agrees it goes on answering.

        always:
        """
        self.wants = False
        self.tell(Unsubscribe(self.me), self.everybody[0])
        self.look()

    @on(SUBSCRIBERS, (Subscribe, Unsubscribe, GetConf, Crashed))
    def mistaken(self):
        """Only the supervisor keeps a database."""

    # -- the ring

    def below(self, c):
        return c[0] < self.label

    def above(self, c):
        return c[0] > self.label

    def sides(self):
        """Its neighbours on the ring, before and after it."""
        before = self.left or (self.ring if self.ring and self.above(self.ring) else None)
        after = self.right or (self.ring if self.ring and self.below(self.ring) else None)
        return [c for c in (before, after) if c]

    def linearize(self, label, v):
        if v == self.me:
            return
        for side, fits in (("left", self.below), ("right", self.above)):
            slot = getattr(self, side)
            if slot and slot[1] == v:
                if slot[0] == label:
                    return
                if fits((label, v)):
                    self.put(side, (label, v))
                    return
                self.take(side)
        if label == self.label and self.equals == "ask":  # two of one label: S knows which of them has it
            self.report(v)
            self.report(self.me)
            return
        for side, wrong in (("left", self.above), ("right", self.below)):
            slot = getattr(self, side)
            if wrong((label, v)):
                continue
            if not slot:
                self.put(side, (label, v))
            elif min(slot[0], self.label) < label < max(slot[0], self.label):
                self.tell(Linearize(*slot), v)
                self.put(side, (label, v))
            else:
                self.tell(Linearize(label, v), slot[1])

    def introduce(self, label, v, flag):
        c = (label, v)
        if v == self.me:
            return
        if self.ring and self.ring[1] == v and self.ring[0] != label:
            same = self.above(self.ring) is self.above(c) and self.below(self.ring) is self.below(c)
            self.put("ring", c if same else None)
        if flag == LIN or label == self.label:
            if self.ring != c:
                self.linearize(*c)
        elif not self.ring:
            other = self.right if self.below(c) else self.left
            if other:
                self.tell(Introduce(*c, CYC), other[1])
            else:
                self.put("ring", c)
        elif self.ring != c:
            old = self.ring
            if self.above(old) is self.above(c):
                near, far = sorted((old, c), key=lambda c: abs(r(c[0]) - r(self.label)))
                self.put("ring", far)
                self.linearize(*near)
                self.tell(Introduce(*near, LIN), far[1])
            else:
                self.put("ring", None)
                self.linearize(*old)
                self.linearize(*c)

    def verify(self, label, v):
        if v:
            self.tell(Check(self.label, label, LIN), v)

    def report(self, v):
        self.tell(GetConf(v), self.everybody[0])

    def tell(self, m, q):
        if q != self.me:
            self.send(m, to=q)

    def put(self, side, c):
        if getattr(self, side) != c:
            setattr(self, side, c)
            self.changed = self.clock

    def take(self, side):
        """What is in a slot, which is empty from now on."""
        c = getattr(self, side)
        self.put(side, None)
        return c

    def forget(self):
        for side in ("left", "right", "ring"):
            self.put(side, None)
        if self.label or self.shortcuts:
            self.changed = self.clock
        self.label, self.sure, self.shortcuts = "", False, {}

    # ------------------------------------------------------------------ publications

    @on(READERS, Say)
    def say(self, m):
        """Its user has news: they are flooded over ring and shortcuts.

        sends: Its user has news: they are flooded over ring and shortcuts.
        otherwise: Its user has news.
        """
        self.said += 1
        self.publish(f"{self.me}: {m.content} {self.said}", self.flooding)

    def publish(self, text, flood):
        tries = 0
        while (key := format(int(h(f"{text} {tries}"), 16) >> (32 - self.bits), f"0{self.bits}b")) in self.T:
            tries += 1
        self.insert(key, text)
        if flood:
            self.flood(PublishNew(key, text), None)

    @on(READERS, PublishNew)
    def learn(self, m, q):
        """Something flooded: if it is new it goes on over ring and shortcuts.

        delivers and sends PublishNew: The publication is new to it, so it delivers it and sends it on over its links.
        delivers: The publication is new to it, so it delivers it; it has no link to send it on.
        otherwise: It has this publication already, or the key is wrong.
        """
        if self.is_new(m.key):
            self.depth = max(self.depth, m.hops)
            self.insert(m.key, m.text)
            self.flood(PublishNew(m.key, m.text, m.hops + 1), None if self.back else q)

    def flood(self, m, without):
        for v in self.friends():
            if v != without:
                self.tell(m, v)

    def friends(self):
        """Everybody it is linked with."""
        return tuple(dict.fromkeys([*(c[1] for c in (self.left, self.right, self.ring) if c),
                                   *(v for v in self.shortcuts.values() if v)]))  # fmt: skip

    def is_new(self, key):
        return key not in self.T and len(key) == self.bits and not key.strip("01")

    def insert(self, key, text):
        if self.is_new(key):
            self.T[key] = text
            self.had += 1
            self.got = self.clock
            self.deliver(text)
            self.look()

    @on(READERS, PublishTimeout)
    def compare(self):
        """It shows the root of its trie to a neighbour.

        sends CheckTrie: It shows the root of its trie to a neighbour, so that they see whether their tries differ.
        otherwise: It has no neighbour to compare its trie with.
        """
        some = list(dict.fromkeys(c[1] for c in (self.left, self.right, self.ring) if c))
        if some:
            self.tell(CheckTrie((self.node(""),)), self.random.choice(some))
        self.wind(1 + self.random.random(), PublishTimeout())

    @on(READERS, CheckTrie)
    def check_trie(self, m, q):
        """It looks at nodes of a neighbour's trie and answers where they differ from its own.

        always:
        """
        self.check_nodes(m.nodes, q)

    @on(READERS, CheckAndPublish)
    def check_and_publish(self, m, q):
        """A neighbour lacks what begins with the prefix: it gets all of that.

        sends Publish: {peer} asks for what begins with a prefix, and gets all that is here of it.
        sends: It has nothing that begins with the prefix, but their tries differ elsewhere, so they go on comparing.
        otherwise: It has nothing that begins with the prefix.
        """
        self.check_nodes(m.nodes, q)
        wanted = tuple((key, text) for key, text in self.T.items() if key.startswith(m.prefix))
        if wanted:
            self.tell(Publish(wanted), q)

    @on(READERS, Publish)
    def catch_up(self, m):
        """It gets what it lacked.

        changes: It gets what it lacked.
        nothing: It gets what it had already.
        """
        for key, text in m.publications:
            self.insert(key, text)

    @on(OUTSIDE, (PublishNew, Publish, CheckTrie, CheckAndPublish, PublishTimeout, Say))
    def no_reader(self):
        """It has not subscribed."""

    def node(self, prefix):
        """The uppermost node of its trie below a prefix; the root of an empty trie has no label."""
        keys = [key for key in self.T if len(key) == self.bits]
        found = find(keys, prefix, 1 if self.hashes == "hashes" else 0)
        return found or (("", EMPTY) if not keys and not prefix else None)

    def check_nodes(self, nodes, q):
        for label, other in nodes:
            mine = self.node(label)
            if mine and mine[0] == label:
                if mine[1] not in (other, EMPTY) and len(label) < self.bits:
                    self.tell(CheckTrie((self.node(label + "0"), self.node(label + "1"))), q)
            elif mine:
                bit = "1" if mine[0][len(label)] == "0" else "0"
                self.tell(CheckAndPublish((mine,), label + bit), q)
            else:
                self.tell(CheckAndPublish((), label), q)

    # ------------------------------------------------------------------ the beginning, the end, the picture

    def begin_legally(self, x, n):
        """The ring stands."""
        names = {l(i): v for i, v in enumerate(self.everybody[1 : n + 1])}
        if x < 0:
            self.database = names
            for v in names.values():
                self.observe(v)
        elif x < n:
            self.label, self.sure = l(x), True
            self.left, self.right, self.ring, labels = slots(self.label, sorted(names), names)
            self.shortcuts = {y: names[y] for y in labels}

    def begin_anyhow(self, x, low, high):
        """Anything may be anywhere, and a message under way that nobody ever sent."""
        chance, others = self.random, [v for v in self.everybody[1:] if v != self.me]

        def label():
            return "".join(chance.choice("01") for _ in range(chance.randint(low, high)))

        if x < 0:
            for v in others:
                if low > 1 or chance.random() < 0.75:
                    self.database[label()] = chance.choice([v, v, v, chance.choice(others), ""]) if low == 1 else v
            self.next = chance.randrange(len(others) or 1)
            for v in others:
                self.observe(v)
        elif others:
            self.label = label() if low > 1 or chance.random() < 0.85 else ""
            for side in ("left", "right", "ring"):
                setattr(self, side, (label(), chance.choice(others)) if chance.random() < 0.6 else None)
            self.shortcuts = {label(): chance.choice([*others, ""]) for _ in range(chance.randint(0, 3))}
            u, v = chance.choice(others), chance.choice(others)
            forged = (Check(label(), label(), chance.choice((LIN, CYC))), Introduce(label(), v, LIN), Remove(),
                      Introduce(label(), v, CYC), Linearize(label(), v), IntroSc(label(), v),
                      SetData(label(), label(), v, label(), chance.choice(others)))  # fmt: skip
            self.tell(chance.choice(forged), u)

    def wind(self, share=1.0, timer=None):
        """Timers run for so many intervals."""
        if self.clock + share * self.interval <= self.intervals * self.interval + 1e-6:
            self.set_timer(timer or Timeout(), after=share * self.interval)

    def look(self):
        """Which state all this is."""
        some = [c for c in (self.left, self.right, self.ring) if c]
        if self.me == self.everybody[0]:
            self.state = SUPERVISOR
        elif not self.label:
            self.state = UNLABELLED if self.wants else OUTSIDE
        elif not self.wants:
            self.state = LEAVING
        elif not self.sure:
            self.state = DOUBTFUL
        elif len(self.sides()) == 2 and all(self.shortcuts.values()):
            self.state = SETTLED
        else:
            self.state = PLACED
        if self.picture:
            held = [*some, *((y, v) for y, v in self.shortcuts.items() if v)]
            right = {v for y, v in held if linked(y, self.label)}
            self.odd = {v: y for y, v in held if v not in right}
            self.beside = {v: y for y, v in some if linked(y, self.label)}
            far = [(abs(r(y) - r(self.label)), y, v) for y, v in self.shortcuts.items() if v and linked(y, self.label)]
            self.level1 = {v: y for d, y, v in far if d == 0.5}
            self.level2 = {v: y for d, y, v in far if d in (0.25, 0.75)}
            self.level3 = {v: y for d, y, v in far if d not in (0.25, 0.5, 0.75)}
            if self.state != SUPERVISOR:
                self.edges = {f"{self.me}>{v}" for _, v in held}
            self.shown = self.label + (f" · {len(self.T)}" if self.T else "")
            if self.state == SUPERVISOR:
                self.shown = f"{len(self.database)} labels"
                if self.listed != self.database:
                    self.listed, self.edges = dict(self.database), legal(self.database)


def slots(label, row, names):
    """What left, right, ring and the shortcuts should be, where the labels of the sorted row belong to these names."""
    at, n = row.index(label), len(row)
    if n == 1:
        return None, None, None, []
    before, after = row[at - 1], row[(at + 1) % n]
    left = (before, names[before]) if at else None
    right = (after, names[after]) if at < n - 1 else None
    across = before if not at else after if at == n - 1 else ""
    return left, right, (across, names[across]) if across else None, shortcuts_of(label, [before, after])


def here(c, wants=True):
    """The subscribers who live and want to be there (or do not)."""
    return [p for p in c.processes if p.me != p.everybody[0] and p.wants is wants and not c.crashed(p)]


def supervisor(c):
    return c.process(c.processes[0].everybody[0])


def linked(y, z):
    """Whether two labels are linked in every skip ring that has both: the longer one tells how near they are."""
    apart = abs(r(y) - r(z))
    return idx(y) + idx(z) < float("inf") and min(apart, 1 - apart) == 2.0 ** -max(len(y), len(z))


def legal(names):
    """The links of the skip ring with these names at its labels, as texts "1>2"."""
    row = sorted(y for y in names if names[y])
    if len(row) < 2:
        return set()
    far = shortcuts_in(row)
    pairs = [(y, z) for i, y in enumerate(row) for z in (*sorted(far[y]), row[i - 1], row[(i + 1) % len(row)])]
    return {f"{names[y]}>{names[z]}" for y, z in pairs if names[y] != names[z]}


def shortcuts_in(row):
    """Label -> the labels of its shortcuts in SR(n), from the rings of all levels; ``row``: the sorted labels."""
    found = {y: set() for y in row}
    for k in range(1, max(map(len, row), default=0)):
        some = [y for y in row if len(y) <= k]
        for i, y in enumerate(some):
            found[y].add(some[i - 1])
            found[some[i - 1]].add(y)
    for i, y in enumerate(row):
        found[y] -= {y, row[i - 1], row[(i + 1) % len(row)]}
    return found


@eventually("from some moment on the database, the labels, the ring and the shortcuts are those of SR(n)")
def legitimate(c):
    inside, names = here(c), supervisor(c).database
    if len(names) != len(inside) or set(names.values()) != {p.me for p in inside}:
        return False
    if any(p.label or p.left or p.right or p.ring or p.shortcuts for p in here(c, False)):
        return False
    if any(names.get(p.label) != p.me for p in inside) or any(l(x) not in names for x in range(len(inside))):
        return False
    row = sorted(names)
    far = shortcuts_in(row)
    for i, y in enumerate(row):
        p, first, last = c.process(names[y]), i == 0, i == len(row) - 1
        pred, succ = ((z, names[z]) for z in (row[i - 1], row[(i + 1) % len(row)]))
        across = None if first is last else pred if first else succ
        should = [None if first else pred, None if last else succ, across]
        if [c and tuple(c) for c in (p.left, p.right, p.ring)] != should:
            return False
        if p.shortcuts.keys() != far[y] or any(names[z] != v for z, v in p.shortcuts.items()):
            return False
    return True


@eventually("from some moment on all subscribers have the same publications")
def equal(c):
    inside = here(c)
    return all(p.T.keys() == inside[0].T.keys() for p in inside) or not inside[0].repair


@always("no subscriber loses a publication that it has had")
def kept(c):
    return all(len(p.T) >= p.had for p in c.processes)


@always("the supervisor sends one message for each request and two for each withdrawal, at most")
def light(c):
    s = supervisor(c)
    return s.told <= s.served + s.withdrawn


@always("a flooded publication goes no further than there are subscribers")
def short(c):
    return all(p.depth < c.n for p in c.processes)


@measure("settled")
def settled(c):
    """After how many intervals nothing changed any more, if all is as it should be."""
    return max(p.changed for p in c.processes) / c.processes[0].interval if legitimate(c) else None


@measure("repaired")
def repaired(c):
    """After how many intervals nobody got a publication any more, if all have the same."""
    return max(p.got for p in c.processes) / c.processes[0].interval if equal(c) else None


@measure("requests")
def requests(c):
    """How often in an interval somebody asks S for its own configuration."""
    p = c.processes[0]
    return sum(p.asked for p in c.processes) / min(p.intervals, max(c.time, p.interval) / p.interval)


@measure("load")
def load(c):
    """How many messages S sends for each SUBSCRIBE and UNSUBSCRIBE."""
    s = supervisor(c)
    return s.orders / s.operations if s.operations else None


@measure("leaving")
def leaving(c):
    """How many of these it sends for each UNSUBSCRIBE; for a SUBSCRIBE it is one."""
    s = supervisor(c)
    return (s.orders - s.operations + s.withdrawn) / s.withdrawn if s.withdrawn else None


def ways(c):
    return {p.me: list(p.friends()) for p in here(c)}


@measure("ends")
def ends(c):
    """How many names the subscribers hold: the links of the ring, counted in both directions."""
    return sum(len(some) for some in ways(c).values())


@measure("degree")
def degree(c):
    """The most links of a subscriber."""
    return max((len(some) for some in ways(c).values()), default=None)


@measure("depth")
def depth(c):
    """The longest way on which a flooded publication came."""
    return max(p.depth for p in c.processes) or None


@measure("diameter")
def diameter(c):
    """The longest of all shortest ways on the ring, if all is as it should be."""
    near, longest = ways(c), 0
    for p in near if legitimate(c) else ():
        known, last, steps = {p}, [p], 0
        while last := [v for u in last for v in near[u] if v not in known and not known.add(v)]:
            steps += 1
        longest = max(longest, steps)
    return longest or None
