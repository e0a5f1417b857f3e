"""Unsubscribing: another process must take over the role."""

from lydian import ANY, on

from .member import Member
from .messages import Again, Leave, LeaveChild, MakeChild, Replace, TakeOver, Unsubscribe


class Leaving(Member):
    """Leaving."""

    @on(ANY, Unsubscribe)
    def unsubscribe(self, m):
        """It is no longer interested in the topic.

        sends LeaveChild: It no longer wants the topic, so it informs its parent there that it leaves.
        changes plan: It no longer wants the topic, and will give up its place there in its turn.
        sends Leave: It no longer wants the topic, so it asks its neighbour on the left to skip it.
        sends Promote: It is the only forwarder of the topic, so a child must become one before it can leave.
        changes L: It was alone on the circle and had no children, so the circle ceases to exist.
        changes delayed: It no longer wants the topic, but the gap to its right is changing, so it will leave later.
        changes doing: It no longer wants the topic, and begins to leave.
        changes T: It no longer wants the topic, and has no place there to give up.
        otherwise: It did not want the topic, so nothing changes.
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
        """It wants to be a child in a topic that it forwards.

        changes plan: Another process forwards the topic, too, so it will stop forwarding it in its turn.
        sends Leave: Another process forwards the topic, too, so it asks its neighbour on the left to skip it.
        changes delayed: The gap to its right is being changed, so it will try to leave a little later.
        changes doing: Another process forwards the topic, too, so it begins to leave.
        otherwise: It does not forward the topic, or is its only forwarder, so nothing changes.
        """
        if m.topic in self.L and self.others(m.topic):
            self.plan.append(("leave", m.topic, ()))
            self.go_on()

    @on(ANY, TakeOver)
    def take_over(self, m):
        """It wants to forward the topic in place of its parent, which becomes a child.

        changes plan: It is a child there, and will take over from its parent in its turn.
        sends Split: It is a child there, so it asks its parent for a place on the circle, in order to replace it.
        otherwise: It has no parent in the topic to take over from.
        """
        if m.topic in self.parent:
            self.plan.append(("replace", m.topic, self.location(m.topic, self.parent[m.topic])))
            self.go_on()

    @on(ANY, Replace)
    def replaced(self, m, q):
        """Another process now forwards the topic in its place.

        changes plan: Process {peer} forwards the topic in its place, so it will stop forwarding it in its turn.
        sends Leave: Process {peer} forwards the topic in its place, so it asks its neighbour on the left to skip it.
        changes delayed: The gap to its right is being changed, so it will try to leave a little later.
        changes doing: Process {peer} forwards the topic in its place, so it begins to leave.
        otherwise: It does not forward the topic, or knows no other forwarder, so nothing changes.
        """
        if m.topic in self.L and self.others(m.topic):
            self.plan.append(("leave", m.topic, ()))
            self.go_on()
        self.show()

    def others(self, t):
        return [each for each in (self.left[t], self.right[t]) if each[1] == t and each != self.L[t]]

    def leave(self, t):
        """Ask the left neighbour to skip it; a process alone with children first makes one of them forward."""
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
