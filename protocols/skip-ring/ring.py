"""The ring: neighbours ordered by their labels."""

from .labels import r
from .member import Member
from .messages import CYC, LIN, Check, GetConf, Introduce, Linearize


class Ring(Member):
    """The ring."""

    def below(self, c):
        return c[0] < self.label

    def above(self, c):
        return c[0] > self.label

    def sides(self):
        """Return its neighbours on the ring, before and after it."""
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
        if label == self.label and self.equals == "ask":  # two with one label: S knows which of them has it
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
        """Return the contents of a slot, and empty the slot."""
        c = getattr(self, side)
        self.put(side, None)
        return c

    def forget(self):
        for side in ("left", "right", "ring"):
            self.put(side, None)
        if self.label or self.shortcuts:
            self.changed = self.clock
        self.label, self.sure, self.shortcuts = "", False, {}
