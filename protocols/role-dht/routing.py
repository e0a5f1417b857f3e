"""Lookups on their way to the closest forwarder."""

from lydian import ANY, on
from lydian.circle import distance

from .member import Member
from .messages import Abort, Found, Gone, IsParent, Lookup, MyAddress, Post, Request
from .places import M, nearness, number


class Routing(Member):
    """Routing."""

    @on(ANY, (Lookup, Request, IsParent, Post))
    def route(self, m, q):
        """It forwards this to a process that is closer, or answers it.

        sends Found(owner=none): It knows of no circle, so it tells the requester to begin one.
        changes chosen and sends Event or Post: It is closest to the target of this publication, and spreads it.
        changes chosen and delivers: It is closest to the target of this publication, and only delivers it.
        changes chosen: No location that it knows is closer to the point, so the route ends here.
        sends Found: No location that it knows is closer to the point, so it answers the requester.
        sends IsChild and sends Promote: The requester becomes its child; as it has too many, it promotes one of them.
        sends IsChild: It knows no forwarder that is closer to the requester, so it takes the requester as a child.
        sends Reassign: A neighbour on the circle is closer to the requester, and must take it as a child.
        sends Abort: The lookup ends here, at a role of another topic, so the requester must look for its place again.
        sends MyAddress: It is closest to the random point, so it sends the requester an address for its view.
        changes lookups: No location that it knows is closer to the point, so the route ends here.
        changes early: It does not yet know a process that may know a route, so it defers this message.
        while outside or child and sends Lookup or IsParent or Post: It forwards no topic itself, so it passes this
            message on.
        while forwarder and says role=0: It knows a location that is closer to the target, and sends this message
            there.
        sends Lookup or Request or IsParent or Post: It forwards this message to a process that is
            closer to the target, or that should know a route to it.
        sets Itself: It sends the result to itself.
        otherwise: It no longer knows a forwarder of the topic, so the route ends here.
        """
        lost = m.role and m.role not in self.once
        self.strangers += bool(lost)
        if m.to and m.to not in self.L and m.to not in self.parent:
            self.tell(q, Gone(self.location(m.to)))
        self.learn_from(m)
        self.pass_on(m, bool(lost))

    @on(ANY, Gone)
    def forget(self, m, q):
        """Forget a shortcut that has become invalid."""
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
            own = min((self.L[t] for t in mine), key=lambda q: distance(number(q), number(point), M**2))
            best = min(some, key=lambda q: distance(number(q), number(point), M**2))
            closer = distance(number(best), number(point), M**2) < distance(number(own), number(point), M**2)
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
        """Pass this to a process that forwards; this one does not."""
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
            if type(m) is Lookup and m.cargo and m.cargo[0]:  # other messages here are for a circle that does not exist
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
        """Handle a message whose route ends here, because no process is closer."""
        t, q, here = m.target[1], m.asker, own[1] == m.target[1]
        cargo = m.cargo[:-1] if m.cargo[-1:] == ("last",) else m.cargo  # the mark of the last step to the right
        free = type(m) in (Request, Post) or cargo[:1] == (0,)  # whether the point was chosen at random
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
        """Return whether to forward a random lookup because its arc is longer than a short one."""
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
        """Learn a shortcut to another sector."""
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
