"""The upper layer: optimistic causal delivery."""

from lydian import ANY, on

from .member import Member, name
from .messages import CALM, RECOVERING, WAITING, AckRecover, GiveUp, Recover, Terminate, Update


class Delivery(Member):
    """The upper layer: optimistic causal delivery."""

    def entries(self):
        return min(self.updaters or len(self.everybody), len(self.everybody))

    def own(self):
        """Return its own entry, or None if it has none."""
        mine = self.everybody.index(self.me) if self.me in self.everybody[: self.entries()] else None
        if not self.T:
            self.T, self.past = [0] * self.entries(), [0] * self.entries()
        return mine

    @on(ANY, Update)
    def update(self):
        """It changes an object if it is an updater.

        delivers: It changes an object, and will send the event to the others.
        otherwise: It is not one of the updaters, so it changes nothing.
        """
        if self.own() is not None:
            self.create()
            self.show()

    def create(self):
        j = self.own()
        self.seq += 1
        t = self.T.copy()
        t[j] = self.seq
        e = j, tuple(t), self.clock
        self.history[name(j, self.seq)] = True
        self.heard.add(name(j, self.seq))
        self.give(e)
        self.drain()
        self.prcast(e, 0)

    def terminate(self):
        return (self.hops + self.spare) * (self.length or self.step)

    def obsolete(self, e):
        j, t, _ = e
        return t[j] <= self.T[j]

    def ready(self, e):
        j, t, _ = e
        return t[j] == self.T[j] + 1 and all(t[i] <= self.T[i] for i in range(len(t)) if i != j)

    def receive(self, e):
        """Handle an event that the layer below brings."""
        self.own()
        j, t, born = e
        id = name(j, t[j])
        if id not in self.heard:
            self.heard.add(id)
            self.heard_after += self.clock - born
        if self.obsolete(e):
            return
        if self.ready(e):
            self.give(e)
            self.drain()
        elif id not in self.H and id not in self.R:
            self.H[id] = e
            self.set_timer(Terminate(j, t[j]), after=self.terminate())

    def give(self, e):
        """Deliver an event."""
        j, t, born = e
        id = name(j, t[j])
        if t[j] <= self.past[j]:
            self.wrong.append(id)
        for i in range(len(t)):
            self.skipped += [name(i, s) for s in range(self.T[i] + 1, t[i] + (i != j))]
        self.past = [max(a, b) for a, b in zip(self.past, t, strict=True)]
        self.T = list(t) if self.clock_rule == "printed" else [max(a, b) for a, b in zip(self.T, t, strict=True)]
        if j == self.own() or self.ask == "anybody":
            self.sent[id] = e, self.clock + self.memory * (self.terminate() + 2 * self.delta)
        self.got.append(id)
        self.got_after += self.clock - born
        self.deliver(id)

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
        self.asked = {id for id in self.asked if not self.passed(id)}

    def passed(self, id):
        j, s = map(int, id.split("."))
        return s <= self.T[j]

    def missing(self, e):
        """Return the events that precede e and have not arrived."""
        j, t, _ = e
        return [
            (i, s)
            for i in range(len(t))
            for s in range(self.T[i] + 1, t[i] + (i != j))
            if name(i, s) not in self.H and name(i, s) not in self.R
        ]

    @on(ANY, Terminate)
    def recover(self, m):
        """It has waited long enough for gossip, and asks for the missing events or continues without them.

        nothing: The event no longer waits: it has been delivered or given up.
        sends Recover: The event has waited long enough: it asks for the missing events.
        delivers: The event has waited long enough: it continues without the missing events.
        sets GiveUp: It has no new event to ask for, or no process to ask, so it waits a little longer.
        """
        e = self.H.get(name(m.j, m.s))
        if e is None:
            return
        if not self.recovery:
            self.give_up(m)
            return
        for i, s in self.missing(e):
            if name(i, s) not in self.asked:
                self.asked.add(name(i, s))
                q = self.everybody[i] if self.ask == "origin" else self.member()
                if q != self.me:  # with T as printed, its own events may be missing
                    self.send(Recover(i, s), to=q)
        self.set_timer(GiveUp(m.j, m.s), after=2 * self.delta)
        self.show()

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
        self.show()

    @on(ANY, Recover)
    def answer(self, m, q):
        """It sends the missing event to {peer} if it still keeps it.

        sends AckRecover: It still keeps the event that {peer} misses, so it sends the event.
        otherwise: It no longer keeps the event that {peer} misses.
        """
        kept = self.sent.get(name(m.j, m.s))
        if kept is not None and kept[1] >= self.clock:
            self.send(AckRecover(kept[0]), to=q)

    @on(ANY, AckRecover)
    def recovered(self, m, q):
        """A missing event arrives after all.

        delivers: The missing event arrives after all, and is delivered.
        changes saved: The missing event arrives after all; another event that it needs is still missing.
        nothing: The event arrives too late: it has been delivered or given up.
        """
        self.own()
        e = m.event
        if not self.obsolete(e):
            self.saved += 1
            if self.ready(e):
                self.give(e)
                self.drain()
            else:
                self.R[name(e[0], e[1][e[0]])] = e
        self.show()

    def show(self):
        self.own()
        self.state = CALM if not self.H and not self.R else RECOVERING if self.asked else WAITING
