"""Children and the forwarders that are their parents."""

from lydian import ANY, natural, on

from .member import Member
from .messages import Abort, ChildRepair, IsChild, IsParent, Join, LeaveChild, Promote, Reassign, RouteParent
from .places import nearness


class Children(Member):
    """Children."""

    @on(ANY, Join)
    def join(self, m, q):
        """It takes the child if it knows no closer forwarder.

        sends IsChild and sends Promote: It takes {peer} as a child; as it has too many, it promotes one of them.
        sends IsChild: It knows no forwarder that is closer to {peer}, so it takes {peer} as a child.
        changes early: It is about to get its own place in the topic, so it will answer {peer} later.
        sends Abort: It is leaving, does not forward the topic, or a neighbour is closer, so {peer} must look up again.
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
        """Promote the child that forwards least if there are too many children."""
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
        """Its parent has too many children, so it becomes a forwarder itself.

        sends LeaveChild: It no longer wants the topic, and informs {peer}.
        changes plan: Process {peer} has too many children or is leaving, so it will forward the topic itself, in its
            turn.
        sends Split: Process {peer} has too many children or is leaving, so it asks {peer} for its own place on the
            circle.
        changes urge: It cannot begin now, but remembers that it must forward the topic.
        otherwise: It already forwards the topic, or knows that it must.
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
        """Reassign children that are closer to a neighbour; they stay here until they confirm the move."""
        groups = {}
        for c, (place, *_) in self.C[t].items():
            best = self.closest(t, (self.L[t][0], t, place, c))
            if best != self.L[t]:
                groups.setdefault(best[3], []).append(c)
        for q, some in groups.items():
            self.tell(q, Reassign(t, tuple(some)))

    @on(ANY, Reassign)
    def reassign(self, m, q):
        """It receives children that are closer to it than to their parent, or whose parent leaves.

        sends IsChild and says instead=none: It takes those children for which it knows no closer forwarder.
        sends IsChild: Their parent leaves, so it takes those children for which it knows no closer forwarder.
        sends Reassign: Another forwarder is closer to the children, or has replaced it, so it must take them.
        changes early: It is about to get its own place in the topic, so it defers this.
        otherwise: It already has these children, is itself the child, or cannot take them.
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
        """A forwarder offers to be its parent: it accepts and informs its old parent, or it refuses.

        changes parent and sends LeaveChild: Process {peer} replaces its parent or is closer, so {peer} is its parent
            now.
        changes parent: It had no parent in the topic, so {peer} is its parent now.
        changes stamps: Process {peer} is already its parent there, and confirms it.
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
        """A child leaves.

        changes C: Process {peer} is no longer its child in the topic.
        otherwise: Process {peer} is not among its children there, or has become one again since, so this is out of
            date.
        """
        if self.C.get(m.topic, {}).get(q, (0, 0, 10**10))[2] <= m.stamp:
            del self.C[m.topic][q]
        self.promoted.get(m.topic, set()).discard(q)
        self.show()

    @on(ANY, ChildRepair)
    def child_repair(self, m):
        """It checks that its parent is the right one; without an answer last time, it uses any table.

        nothing: It no longer has a parent in the topic, so it does not ask.
        sends RouteParent: It has heard from its parent, so it asks a forwarder to find the one that is now closest.
        sends IsParent: It has not heard from its parent since its request, so it looks for its parent by any route.
        """
        t = m.topic
        if t not in self.parent:
            return
        if self.clock + self.repair <= self.upkeep:
            self.set_timer(ChildRepair(t), after=self.repair)
        if self.rec_ok[t]:
            self.tell(self.random.choice(self.F[t]), RouteParent(t))
        else:
            self.far = {}  # they may lead to a crashed process
            m = IsParent(self.me, self.location(t), cargo=(len(self.L), self.parent[t]))
            some = [q for s in sorted(self.F) for q in self.F[s] if q != self.parent[t]]
            if self.L or not some:
                self.pass_on(m)
            else:
                self.tell(self.random.choice(some), m)
        self.rec_ok[t] = False

    @on(ANY, RouteParent)
    def route_parent(self, m, q):
        """It searches for another process's parent within the role.

        sends IsChild: It knows no forwarder that is closer to {peer}, so {peer} is to become its child.
        sends Reassign: A neighbour on the circle is closer to {peer}, so it asks this neighbour to take {peer}.
        sends IsParent: It forwards the request along the circle to the forwarder closest to {peer}.
        sends Abort: The request ends here, at a role of another topic, so {peer} must look for its place again.
        nothing: It no longer forwards the topic, so it does not answer.
        """
        if m.topic in self.L:
            self.pass_on(IsParent(q, self.location(m.topic, q), m.topic, cargo=(0,)))
