"""A subscriber: its label, its neighbours and its shortcuts."""

from lydian import ANY, INIT, on

from .labels import chain, shortcuts_of
from .member import Member
from .messages import (
    CYC,
    INSIDE,
    LIN,
    NOWHERE,
    SUBSCRIBERS,
    SUPERVISOR,
    Check,
    Crashed,
    GetConf,
    Introduce,
    IntroSc,
    Join,
    Leave,
    Linearize,
    PublishTimeout,
    Remove,
    SetData,
    Subscribe,
    Timeout,
    Unsubscribe,
)
from .tries import h


class Subscriber(Member):
    """A process that is or may become a subscriber."""

    @on(ANY, INIT)
    def begin(self):
        """It starts in the configuration that the experiment prescribes.

        becomes supervisor: It is the first by name, so it is the supervisor.
        becomes unlabelled: Its user subscribes, but it has no label yet.
        becomes settled or placed: It begins with its label, {label}, and with the links that belong to it.
        becomes doubtful: It begins with a label that the supervisor has not assigned: {label}.
        becomes leaving: It begins with a label, {label}, although its user does not subscribe.
        stays: Its user does not subscribe, so it needs no label.
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
        """It has no label: it forgets its neighbours, and subscribes if its user wants to.

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
        """It checks its neighbours, repairs its shortcuts, occasionally asks S, and makes introductions.

        sends Unsubscribe: Its user does not subscribe, so it asks the supervisor to remove it.
        changes left or right or ring: It held a process in a place to which that cannot belong, and removes it.
        changes shortcuts: The labels of its neighbours require different shortcuts, so it changes them.
        sends Introduce: It seems to be at an end of the line, so it sends its label to the other end, to close it.
        sends Check and sends GetConf: It checks its neighbours, and also asks the supervisor for its label and place.
        sends GetConf: It knows no neighbour to check, so it asks the supervisor for its label and place.
        sends IntroSc: It checks its neighbours, and introduces the two on the level of its label to each other.
        sends Check: It checks whether its neighbours have the labels that it assumes.
        sends nothing: It knows no other process to check.
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
        """Introduce the two neighbours on the level of its label to each other."""
        ends = [(chain(self.label, c[0]) or [c[0]])[-1] for c in self.sides()]
        known = {**self.shortcuts, **dict(c for c in (self.left, self.right, self.ring) if c)}
        some = [(y, known[y]) for y in dict.fromkeys(ends) if known.get(y)]
        if len(some) == 2 and some[0][1] != some[1][1]:
            self.tell(IntroSc(*some[0]), some[1][1])
            self.tell(IntroSc(*some[1]), some[0][1])

    @on(INSIDE, Check)
    def checked(self, m, q):
        """A process checks its label: it sends the right one, or learns about the other process.

        changes left or right or ring: It now knows where {peer} belongs, and changes its neighbours to fit.
        says flag=CYC and sends Introduce: Process {peer} has a wrong label or place for it: it corrects {peer} or
            passes it on.
        sends Introduce: Process {peer} has a wrong label for it, so it sends {peer} the right one.
        sends GetConf: Process {peer} has the same label, so it asks the supervisor about both.
        sends Linearize: It already has a neighbour on that side, so it passes {peer} on to it.
        sends nothing: Process {peer} knows the right label of this process, whose neighbours remain unchanged.
        """
        if m.believed != self.label:
            self.tell(Introduce(self.label, self.me, m.flag), q)
        else:
            self.introduce(m.label, q, m.flag)
        self.look()

    @on(INSIDE, Introduce)
    def introduced(self, m, q):
        """It is introduced to a possible neighbour on the line, or across the seam.

        always:
        """
        self.introduce(m.label, m.who, m.flag)
        self.look()

    @on(INSIDE, Linearize)
    def passed_on(self, m, q):
        """It learns of a process that belongs on this side, and keeps it or passes it on.

        always:
        """
        self.linearize(m.label, m.who)
        self.look()

    @on(INSIDE, IntroSc)
    def meet(self, m, q):
        """It is introduced to a possible shortcut.

        changes shortcuts and sends Check: The process becomes its shortcut; it checks the previous one.
        changes shortcuts: It learns the process for this shortcut.
        changes left or right: It now knows where the process belongs, and changes its neighbours to fit.
        sends GetConf: The process has the same label, so it asks the supervisor about both.
        sends Linearize: None of its shortcuts has this label, so it passes the process on along the line.
        sends nothing: It already knows this process, or does not need it, so its links remain unchanged.
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
        """It has no label, so the process named should forget it.

        always:
        """
        self.tell(Remove(), m.who)

    @on(ANY, Remove)
    def remove(self, m, q):
        """A process has no label, and is forgotten.

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
        """S assigns its label and its neighbours.

        sends Unsubscribe: It receives a label, but its user does not want one, so it asks the supervisor to remove it.
        becomes outside: The supervisor has removed it: it forgets its label, its neighbours and all publications.
        becomes unlabelled: The supervisor does not know it, so it forgets its label and its neighbours.
        while outside or unlabelled and says label=none: The supervisor confirms that it has no label.
        changes label and sends GetConf: Its label is {label} now; it asks the supervisor about its former neighbours.
        changes label: It receives its label, {label}, and its neighbours.
        changes left or right or ring and sends GetConf: It receives other neighbours, and asks about its former ones.
        changes left or right or ring: It receives other neighbours.
        changes sure: The supervisor confirms its label, {label}.
        changes changed: It receives other neighbours, but its former ones regain their places.
        nothing: The supervisor confirms its label and its neighbours.
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
        """Its user subscribes.

        always:
        """
        self.wants = True
        self.tell(Subscribe(self.me), self.everybody[0])
        self.look()
        self.wind()

    @on(SUBSCRIBERS, Leave)
    def leave(self):
        """Its user unsubscribes; until S agrees, it continues to answer.

        always:
        """
        self.wants = False
        self.tell(Unsubscribe(self.me), self.everybody[0])
        self.look()

    @on(SUBSCRIBERS, (Subscribe, Unsubscribe, GetConf, Crashed))
    def mistaken(self):
        """Only the supervisor keeps a database."""
