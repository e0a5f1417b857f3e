"""Optimistic causal delivery: events that wait, are recovered or are given up."""

from lydian import ANY, on

from .member import Member, maximum, name
from .messages import COORDINATOR, EXCLUDING, TEMPORARY, AckRecover, Change, GiveUp, Recover, Terminate


class Delivery(Member):
    """Optimistic causal delivery."""

    @on((COORDINATOR, EXCLUDING, TEMPORARY), Change)
    def change(self):
        """It changes an object, and tells everybody.

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
        """PrCast brings an event."""
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
        """Deliver what has become ready, and forget what is obsolete."""
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
        """What precedes an event and is not there."""
        j, t, _ = e
        some = [(i, s) for i in range(len(t)) for s in range(self.T[i] + 1, t[i] + (i != j))]
        return [(i, s) for i, s in some if name(i, s) not in self.H and name(i, s) not in self.R]

    @on(ANY, Terminate)
    def recover(self, m):
        """An event has waited long enough for PrCast: it asks for what is missing, or goes on without.

        nothing: The event no longer waits: it has been delivered or given up.
        sends Recover: The event has waited long enough for gossip, so it asks for what is missing.
        delivers: The event has waited long enough for gossip, so it goes on without what is missing.
        sets GiveUp: It has nothing new to ask for, or no process to ask, so it only waits a little longer.
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
        """What is still missing is given up: what is there of it is delivered in causal order, then the event.

        nothing: The event no longer waits: it has been delivered or given up.
        delivers: What is missing is given up: what is here of it is delivered in causal order, then the event.
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
        """Somebody misses an event of mine; it gets it if it is still there.

        sends AckRecover: {peer} misses an event that it still keeps, so {peer} gets it.
        otherwise: {peer} misses an event that it does not keep, so {peer} gets no answer.
        """
        if name(m.j, m.s) in self.sent:
            self.send(AckRecover(self.sent[name(m.j, m.s)][0]), to=q)

    @on(ANY, AckRecover)
    def recovered(self, m, q):
        """A missing event comes after all.

        delivers: The missing event comes after all, and is delivered.
        changes R: The missing event comes after all, but has to wait for another one that precedes it.
        nothing: The event comes too late, or a second time: it means nothing now.
        """
        e = m.event
        if self.ready(e):
            self.give(e)
            self.drain()
        elif not self.obsolete(e):
            self.R[name(e[0], e[1][e[0]])] = e
