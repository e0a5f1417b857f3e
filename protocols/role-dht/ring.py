"""The circle of forwarders, and permission to change a gap in it."""

from lydian import ANY, on
from lydian.circle import between

from .member import ACTIONS, Member
from .messages import Abort, Done, Itself, Known, Leave, LeaveChild, LeftIs, Ok, Reassign, Replace, Split
from .places import nearness


class Circle(Member):
    """The circle: the left neighbour grants each change of a gap."""

    @on(ANY, Split)
    def grant(self, m, q):
        """Another process wants a place between it and the next forwarder.

        changes right: It puts the newcomer between itself and the next, and is busy until that is done.
        changes queue: The gap to its right is being changed, so the newcomer must wait.
        changes early: It is about to get its own place in the topic, so it defers this.
        sends Split: The newcomer belongs in another gap, so it forwards the request along the circle.
        sends Abort: The circle is not as the newcomer assumes, or is changing, so it must look up again.
        sets Itself: It sends the result to itself, in another of its roles.
        otherwise: It has already put the newcomer there.
        """
        t, p = m.to, m.who
        own, right = self.L.get(t), self.right.get(t)
        if own is None:
            self.not_here(m, q)
        elif right == p:
            if self.busy.get(t, ((), 0))[0] != p:
                self.tell(p[3], Abort(p[1]))
        elif own != right and not between(p, own, right):
            back = not m.back and between(p, self.left[t], own)
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
        """The next forwarder wants to leave.

        changes right: It skips {peer} on the circle from now on, and is busy until that is done.
        changes queue: The gap to its right is being changed, so {peer} must wait.
        changes early: It is about to get its own place in the topic, so it defers this.
        sends Abort: Process {peer} is not next to it, or it is leaving itself or has left, so {peer} must try again.
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
        """Its place on the circle is granted, or it may leave; it informs the right neighbour.

        changes L: Process {peer} has put it next to itself on the circle, so it forwards the topic, and informs the
            one behind.
        changes early: It has another operation in progress, so it defers this.
        changes doing: Process {peer} skips it on the circle, so it reports the new left neighbour to the one on its
            right.
        nothing: It already has its place there.
        """
        t = m.topic
        if not self.doing:  # it had given up waiting, but the change that was granted must be carried out
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
        """It has a new left neighbour, which receives the children that are closer to it.

        changes left and sends Reassign: Its left neighbour has changed; some children must move to a closer neighbour.
        changes left: Its left neighbour on the circle has changed, and it confirms this to {peer}.
        otherwise: It knew this, has a closer left neighbour, or does not forward there; it confirms this to {peer}.
        """
        own = self.L.get(m.to)
        if own is not None and (self.left[m.to] in (m.instead, own) or between(m.who, self.left[m.to], own)):
            self.left[m.to] = m.who
            self.renew(m.to)
            self.hand_over(m.to)
        self.tell(q, Known(m.topic))
        self.show()

    @on(ANY, Known)
    def known(self, m, q):
        """The neighbours know of the change.

        changes L and sends Reassign: Process {peer} knows that it is leaving, so it stops and reassigns its children.
        changes L: Process {peer} knows that it is leaving, so it no longer forwards the topic.
        sends Replace: Process {peer} knows of it now, so its place is settled, and the forwarder that it replaces must
            stop.
        changes doing: Process {peer} knows of it now, so its place as a forwarder is settled.
        otherwise: It has no operation in progress that waits for this.
        """
        if self.doing and self.doing[1] == m.topic and len(self.doing) == 4:
            if self.doing[0] == "leave":
                self.left_behind()
            else:
                self.settled()

    def settled(self):
        """Finish becoming a forwarder."""
        what, t, q, *rest = self.doing
        for left in rest:
            self.tell(left[3], Done(left[1]))
        if what == "replace" and q[3] != self.me:
            self.tell(q[3], Replace(t))
        if t not in self.T:
            self.plan.append(("leave", t, ()))
        self.finish()

    def left_behind(self):
        """Stop forwarding; the children move to the forwarders on either side."""
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
            else:  # the other forwarders have left, too
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
        """All neighbours know of the change; the next waiting request is served, and closer children move.

        changes right: The change to its right is complete, so it serves the next waiting process.
        sends Reassign: The change to its right is complete; some of its children must move to a closer neighbour.
        changes busy: The change to its right is complete, so it can serve the next one.
        otherwise: It no longer forwards there, or is already free.
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
        """Handle the messages that could not be answered before."""
        early, self.early = self.early, []
        for m, q in early:
            self.inbox.append((m, q))
        if self.inbox:
            self.set_timer(Itself(), after=0.0)
