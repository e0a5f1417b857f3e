"""Tables, which make routes short."""

from lydian import ANY, on

from .member import Member
from .messages import Claim
from .places import after


class Tables(Member):
    """Tables: the forwarder 2^(i + 1) places away is the one 2^i places from that 2^i places away."""

    def renew(self, t):
        """Update the entries of the table after a change of the circle."""
        left, right = self.left[t], self.right[t]
        own, some = self.L[t], self.table[t]
        left = left if left[1] == t and left != own else None
        right = right if right[1] == t and right != own else None
        for slot, back, q in (("F", "E", left), ("E", "F", right)):
            if some.get(f"at {slot}", 0) != q:
                some[f"at {slot}"] = q
                if q is None:
                    self.put(t, slot, own)
                else:
                    self.claim(t, back, q, ask=True)
        self.ends(t)

    def ends(self, t):
        own, some = self.L[t], self.table[t]
        self.put(t, "R0", some["at E"] or (some["F"] if some.get("F") not in (None, own) else None))
        self.put(t, "L0", some["at F"] or (some["E"] if some.get("E") not in (None, own) else None))

    def put(self, t, slot, value):
        some = self.table[t]
        if some.get(slot) == value:
            return
        some[slot] = value
        if slot in ("F", "E"):
            to = some.get("at E" if slot == "F" else "at F")
            if to:
                self.claim(t, slot, to)
            if some.get("at E", 0) != 0 and some.get("at F", 0) != 0:
                self.ends(t)
            return
        back = ("L" if slot[0] == "R" else "R") + slot[1:]
        if some.get(back):
            self.claim(t, slot, some[back])
        if value is None:
            self.put(t, f"{slot[0]}{int(slot[1:]) + 1}", None) if f"{slot[0]}{int(slot[1:]) + 1}" in some else None
        else:
            self.claim(t, back, value, ask=True)

    def claim(self, t, slot, to, ask=False):
        self.numbers += 1
        self.tell(to[3], Claim(t, slot, self.table[t].get(slot) or (), self.numbers, ask))

    @on(ANY, Claim)
    def hear(self, m, q):
        """It receives an entry of another table, and updates its own.

        changes table: Process {peer} is in its table, so it updates its own entries accordingly.
        sends Claim: Its own table stays as it is; process {peer} requests an entry in return, and it sends one.
        changes heard: The entry of {peer} does not change its own table.
        changes early: It is about to get its own place in the topic, so it defers this.
        otherwise: It ignores this: it does not forward the topic, {peer} is not in its table, or this is out of date.
        """
        t, some = m.topic, self.table.get(m.topic)
        if some is None:
            if self.doing and self.doing[1] == t:
                self.early.append((m, q))
            return
        own, slot, value = self.L[t], m.slot, m.value or None
        teller = some.get(f"at {slot}") if slot in ("F", "E") else some.get(slot)
        last = self.heard.get((t, slot), ("", 0))
        if teller and teller[3] == q and (last[0] != q or last[1] < m.number):
            self.heard[t, slot] = q, m.number
            if slot in ("F", "E"):
                self.put(t, slot, value)
            else:
                if value and (value == own or (after(own, value) <= after(own, teller)) == (slot[0] == "R")):
                    value = None
                self.put(t, f"{slot[0]}{int(slot[1:]) + 1}", value)
        if m.ask:
            back = {"F": "E", "E": "F"}.get(slot) or ("L" if slot[0] == "R" else "R") + slot[1:]
            if some.get(back):
                self.claim(t, back, self.location(t, q))
        self.show()
