"""Optimistic causal delivery: events that wait, are recovered or are given up."""

from lydian import ANY, on

from .member import Member, maximum, name
from .messages import COORDINATOR, EXCLUDING, TEMPORARY, AckRecover, Change, GiveUp, Recover, Terminate


class Delivery(Member):
    """Optimistic causal delivery."""

    @on((COORDINATOR, EXCLUDING, TEMPORARY), Change)
    def change(self):
        """It changes an object, and sends the event to all processes.

        always:
        """
        self.seq = max(self.seq, self.last[self.entry]) + 1
        self.last[self.entry] = self.seq
        t = self.T.copy()
        t[self.entry] = self.seq
        e = self.entry, tuple(t), self.me
        self.made += 1
        self.give(e)
        self.drain()
        self.prcast(e)

    def receive(self, e):
        """Handle an event that PrCast brings."""
        j, t, creator = e
        self.origin[j] = creator
        self.last = maximum(self.last, t)
        if self.ready(e):
            self.give(e)
            self.drain()
        elif not self.obsolete(e) and name(j, t[j]) not in self.R:
            self.H[name(j, t[j])] = e
            self.set_timer(Terminate(j, t[j]), after=(self.hops + 2) * self.step)

    def obsolete(self, e):
        return e[1][e[0]] <= self.T[e[0]]

    def ready(self, e):
        j, t, _ = e
        return t[j] == self.T[j] + 1 and all(t[i] <= self.T[i] for i in range(len(t)) if i != j)

    def give(self, e):
        """Deliver an event."""
        j, t, _ = e
        if t[j] <= self.past[j]:
            self.wrong.append(name(j, t[j]))
        for i in range(len(t)):
            self.skipped += [name(i, s) for s in range(self.T[i] + 1, t[i] + (i != j))]
        self.past = maximum(self.past, t)
        self.T = list(t) if self.clock_rule == "printed" else maximum(self.T, t)
        if e[2] == self.me:
            self.sent[name(j, t[j])] = e, self.clock + 3 * ((self.hops + 2) * self.step + 2 * self.delta)
        self.got.append(name(j, t[j]))
        self.deliver(name(j, t[j]))

    def drain(self):
        """Deliver the events that have become ready, and drop the obsolete ones."""
        going = True
        while going:
            going = False
            for waiting in (self.H, self.R):
                for id, e in list(waiting.items()):
                    if self.obsolete(e):
                        del waiting[id]
                    elif self.ready(e):
                        del waiting[id]
                        self.give(e)
                        going = True
        self.asked = {id for id in self.asked if int(id.split(".")[1]) > self.T[int(id.split(".")[0])]}

    def missing(self, e):
        """Return the events that precede e and have not arrived."""
        j, t, _ = e
        some = [(i, s) for i in range(len(t)) for s in range(self.T[i] + 1, t[i] + (i != j))]
        return [(i, s) for i, s in some if name(i, s) not in self.H and name(i, s) not in self.R]

    @on(ANY, Terminate)
    def recover(self, m):
        """It has waited long enough for gossip, and asks for the missing events or continues without them.

        nothing: The event no longer waits: it has been delivered or given up.
        sends Recover: The event has waited long enough for gossip, so it asks for the missing events.
        delivers: The event has waited long enough for gossip, so it continues without the missing events.
        sets GiveUp: It has no new event to ask for, or no process to ask, so it waits a little longer.
        """
        e = self.H.get(name(m.j, m.s))
        if e is None:
            return
        if not self.recovery:
            self.give_up(m)
            return
        for i, s in self.missing(e):
            who = self.origin.get(i, self.view.get(i))
            if name(i, s) not in self.asked and who not in (None, self.me):
                self.asked.add(name(i, s))
                self.send(Recover(i, s), to=who)
        self.set_timer(GiveUp(m.j, m.s), after=2 * self.delta)

    @on(ANY, GiveUp)
    def give_up(self, m):
        """It gives up the missing events, delivers those that have arrived in causal order, and then the event.

        nothing: The event no longer waits: it has been delivered or given up.
        delivers: It gives up the missing events; it delivers those that have arrived in causal order, then the event.
        """
        e = self.H.get(name(m.j, m.s))
        if e is None:
            return
        before = [f for f in (*self.H.values(), *self.R.values()) if f[1][f[0]] <= e[1][f[0]]]
        for f in sorted(before, key=lambda f: sum(f[1])):
            if not self.obsolete(f):
                self.give(f)
        self.drain()

    @on(ANY, Recover)
    def answer(self, m, q):
        """It sends the missing event to {peer} if it still keeps it.

        sends AckRecover: It still keeps the event that {peer} misses, so it sends the event.
        otherwise: It no longer keeps the event that {peer} misses, so it does not answer.
        """
        if name(m.j, m.s) in self.sent:
            self.send(AckRecover(self.sent[name(m.j, m.s)][0]), to=q)

    @on(ANY, AckRecover)
    def recovered(self, m, q):
        """A missing event arrives after all.

        delivers: The missing event arrives after all, and is delivered.
        changes R: The missing event arrives after all, but must wait for another one that precedes it.
        nothing: The event arrives too late, or for the second time, so it is ignored.
        """
        e = m.event
        if self.ready(e):
            self.give(e)
            self.drain()
        elif not self.obsolete(e):
            self.R[name(e[0], e[1][e[0]])] = e
