"""Heartbeats along the circle, and the reaction to silence."""

from lydian import ANY, on
from lydian.circle import between

from .member import Member
from .messages import Heartbeat, LeftIs, Ping, Pong
from .places import after


class Crashes(Member):
    """Crashes."""

    @on(ANY, Heartbeat)
    def beat(self):
        """It asks the next process on the circle whether it is alive, and checks leases.

        sends LeftIs: The next process has not answered three times, so it links to the one behind it.
        changes right: The circle to its right changes, because a process there takes too long.
        changes C: A child has been silent for too long, so it is no longer counted as a child.
        changes busy: A change to its right takes too long, so it can serve the next one.
        sends Ping: It asks the next process on the circle whether it is alive.
        while forwarder: It is its own neighbour on the circle, so it need not ask.
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
        """Skip a crashed process: the one after it is next."""
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
        """It confirms that it is alive.

        changes left: Its left neighbour is silent, or {peer} is nearer, so {peer} is its left neighbour now.
        sends Pong and changes odd: Process {peer} seems to be its left neighbour; it will accept that when {peer} asks
            again.
        sends Pong: It is alive, and reports its left and right neighbours to {peer}.
        otherwise: It no longer forwards there, so it does not answer.
        """
        own = self.L.get(m.to)
        if own is not None:
            later = (self.right[m.to], *self.later[m.to])[:4]
            self.tell(q, Pong(m.who[1], self.left[m.to], later))
            if self.left[m.to] == m.who:
                self.pinged[m.to] = self.clock
            silent = self.left[m.to][3] != self.me and self.clock - self.pinged[m.to] > 4 * self.heartbeat
            nearer = between(m.who, self.left[m.to], own)
            if (nearer or silent) and self.twice((m.to, "left"), m.who):
                self.left[m.to] = m.who
                self.pinged[m.to] = self.clock
                self.renew(m.to)
                self.hand_over(m.to)

    @on(ANY, Pong)
    def pong(self, m, q):
        """The next process is alive, or reports one that is nearer.

        changes right: It hears for the second time of a process nearer than {peer}, which is now the next.
        changes odd: Process {peer} is alive, but reports a nearer process; it will accept that when it hears it again.
        changes waiting: Process {peer} is alive, as expected.
        otherwise: It no longer waits for this answer.
        """
        t = m.topic
        if t in self.L and t in self.waiting and self.waiting[t][0][3] == q:
            del self.waiting[t]
            self.later[t] = m.later
            nearer = between(m.left, self.L[t], self.right[t]) and t not in self.busy
            if nearer and self.twice((t, "right"), m.left):
                self.right[t] = m.left
                self.renew(t)
                self.hand_over(t)

    def twice(self, what, x):
        """Return whether it hears this for the second time; the first time it may be out of date."""
        before, self.odd[what] = self.odd.get(what), x
        return before == x
