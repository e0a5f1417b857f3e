"""Chord: processes on a circle, and routes to the owner of a key."""

from lydian import ANY, on, parameter
from lydian.circle import between, distance, identifier, up_to

from .messages import (
    Carry,
    EnterRing,
    Find,
    FixFingers,
    Found,
    JoinAgain,
    Lookup,
    Lost,
    Moved,
    Notify,
    Route,
    Routed,
    Stabilize,
    StabRep,
    StabReq,
)
from .upkeep import Kept

# ------------------------------------------------------------------------- the circle


def place(name, bits, named, salt=0):
    """Return the place of a name on the circle: its hash (FNV-1a, well mixed, for SHA-256), or its number."""
    return int(name) % 2**bits if named and name.isdigit() else identifier(name, bits, salt)


class Chord(Kept):
    id: int = 0
    joined: bool = False
    contact: str | None = None
    pred: str | None = None
    succ: str | None = None
    finger: dict[int, str] = {}  # i -> owner of id + 2**(i - 1), where it is neither itself nor succ
    next: int = 0  # the finger that was updated last
    succ_list: list[str] = []  # the processes behind succ
    answers: int = 0  # number of lookups that were answered
    hops: int = 0  # number of hops to the owner that these took
    longest: int = 0  # number of hops of the longest
    keys: dict[str, float] = {}  # names on their way to their owners -> where on the circle, 0 to 1, for the animation
    took: dict[int, int] = {}  # hops -> number of messages to the owner of a name that arrived after this many

    bits = parameter(24, minimum=3, maximum=64, help="B: the circle has 2**B places")
    named = parameter(False, help="whether names that are numbers are their own places, for display")
    salt = parameter(0, minimum=0, help="choice of the hash, which determines all places")
    stabilize = parameter(2.0, minimum=0.01, help="time from one stabilisation to the next")
    fix_fingers = parameter(1.0, minimum=0.01, help="time from one finger to the next")
    spare = parameter(3, minimum=1, help="r: number of successors known besides succ")
    picture = parameter(True, help="whether to keep places and hops of keys, for the animation")

    def at(self, name):
        return place(name, self.bits, self.named, self.salt)

    @on(ANY, EnterRing)
    def enter(self, r):
        """It asks its contact for its successor, or forms a ring of its own."""
        self.id, self.succ, self.contact = self.at(self.me), self.me, r.contact
        if r.contact is None:
            self.ready()
        else:
            self.ask_contact()

    @on(ANY, JoinAgain)
    def ask_contact(self):
        """Send the request, and schedule its repetition."""
        self.send(Find(self.id, self.me, 0), to=self.contact)
        self.set_timer(JoinAgain(), after=8.0)

    def ready(self):
        self.joined = True
        self.cancel_timer(JoinAgain)
        self.again(FixFingers(), self.fix_fingers)
        self.look()

    @on(ANY, Find)
    def find(self, m):
        """It answers the request if its successor is the owner; otherwise it forwards the request.

        sends Found: The key lies no farther than this process's successor, which therefore owns it, so the process
            answers.
        sends Find: The key lies beyond this process's successor, so the request is forwarded to a process nearer to the
            key.
        while outside: It is not on the ring yet, so it does not answer.
        changes: Its own request has returned, and it now knows that its successor owns the key.
        otherwise: It is not on the ring yet, or the request is its own and the answer is known.
        """
        if not self.joined:
            return  # the requester will ask again
        if up_to(m.key, self.id, self.at(self.succ)):
            self.answer(m.asker, Found(m.finger, self.succ, m.hops + 1))
        else:
            self.send(Find(m.key, m.asker, m.finger, m.hops + 1), to=self.hop(m.key))

    def answer(self, asker, found):
        if asker == self.me:
            self.found(found)
        else:
            self.send(found, to=asker)

    @on(ANY, Found)
    def found(self, m):
        """It learns its successor, the owner of the place of a finger, or the owner of a name.

        sends StabReq: It now knows its successor, so it is on the ring, and asks which predecessor that process has.
        says finger=0: It does not need this answer: it is already on the ring, or is itself named as the owner.
        changes: It learns which process owns the place of a finger, or a name that its client looks up.
        otherwise: No finger changes: it already has this owner, or the owner is its successor or itself.
        """
        if m.finger < 0:
            self.answers, self.hops, self.longest = self.answers + 1, self.hops + m.hops, max(self.longest, m.hops)
        elif m.finger == 0:
            if not self.joined and m.owner != self.me:
                self.follow(m.owner)
                self.ready()
        else:
            self.point(m.finger, m.owner)

    @on(ANY, Stabilize)
    def look(self):
        """It asks its successor for the predecessor of that process.

        changes and sends StabReq: It has only itself as successor, so it takes its predecessor instead, and asks it.
        sends StabReq: It asks its successor for the successor's predecessor, in case a process has joined between
            them.
        otherwise: It has no successor but itself and no predecessor, so it has no process to ask.
        """
        if self.succ == self.me and self.pred is not None:
            self.follow(self.pred)
        if self.succ != self.me:
            self.send(StabReq(), to=self.succ)
        self.again(Stabilize(), self.stabilize)

    @on(ANY, StabReq)
    def tell_it(self, m, q):
        """It reports its predecessor and its successors."""
        self.send(StabRep(self.pred, tuple([self.succ, *self.succ_list][: self.spare])), to=q)

    @on(ANY, StabRep)
    def compare(self, m, q):
        """It adopts a process in between as its successor, and notifies its successor.

        says pred=none and sends Notify: Process {peer}, its successor, has no predecessor, so it offers itself.
        sends Notify and changes: The report of {peer} corrects its successor or its list of processes behind that.
        sends Notify: Process {peer} knows no process between the two, so {peer} stays its successor and is notified.
        otherwise: Process {peer} is no longer its successor, so it ignores this answer.
        """
        if q != self.succ:
            return
        self.succ_list = [r for r in m.succ_list if r != self.me]
        if m.pred is not None and m.pred != self.me and between(self.at(m.pred), self.id, self.at(self.succ)):
            self.succ_list = [self.succ, *self.succ_list][: self.spare]
            self.follow(m.pred)
        self.send(Notify(), to=self.succ)

    @on(ANY, Notify)
    def hear(self, m, q):
        """It checks whether the sender is its predecessor.

        sends Carry: Process {peer} is its predecessor now; it no longer owns a topic's key, so it subscribes towards
            the owner.
        changes: It knew of no process as near as {peer} on one side or on both: process {peer} becomes its neighbour
            there.
        otherwise: Process {peer} is already its predecessor, or is not as near as its current predecessor.
        """
        if self.pred is None or between(self.at(q), self.at(self.pred), self.id):
            self.pred = q
            self.watch(q, Lost(q), after=self.latency)
            self.tell(Moved())
        if self.succ == self.me:
            self.follow(q)

    @on(ANY, FixFingers)
    def fix(self):
        """It looks for the owner of the place of the next finger.

        sends Find: The place of the next finger lies beyond this process's successor, so it asks which process owns
            that place.
        otherwise: The place of the next finger lies no farther than this process's successor, which therefore owns that
            place.
        """
        self.next = self.next % self.bits + 1
        key = (self.id + 2 ** (self.next - 1)) % 2**self.bits
        if up_to(key, self.id, self.at(self.succ)):
            self.point(self.next, self.succ)
        else:
            self.send(Find(key, self.me, self.next), to=self.hop(key))
        self.again(FixFingers(), self.fix_fingers)

    @on(ANY, Route)
    def route(self, r):
        """Keep the message if it is the owner; otherwise forward it, and report to which process."""
        if self.owns(r.name, self.pred):
            self.deliver_it(r, True, None, None)
        else:
            hop = self.hop(self.at(r.name))
            self.send(Carry(r.name, r.m, r.hops + 1), to=hop)
            self.deliver_it(r, False, hop, None)

    @on(ANY, Lookup)
    def lookup(self, r):
        """Look up the owner of a name, which may be this process itself."""
        if self.owns(r.name, self.pred):
            self.found(Found(-1, self.me, 0))
        else:
            self.find(Find(self.at(r.name), self.me, -1))

    @on(ANY, Carry)
    def carry(self, m, q):
        """A routed message arrived; the layer above decides whether it continues.

        always:
        """
        self.deliver_it(m, self.owns(m.name, self.pred or q), None, q)

    def deliver_it(self, m, owner, sent_to, came_from):
        if self.picture and m.name not in self.keys:
            self.keys[m.name] = self.at(m.name) / 2**self.bits
        if owner and self.picture:
            self.took[m.hops] = self.took.get(m.hops, 0) + 1
        self.tell(Routed(m.name, m.m, owner, sent_to, came_from, m.hops))

    def owns(self, name, pred):
        return self.succ == self.me or (pred is not None and up_to(self.at(name), self.at(pred), self.id))

    @on(ANY, Lost)
    def lose(self, m):
        """A process has crashed: it tests predecessor and successor independently, as they may be the same.

        changes: A process has crashed that was among its pointers on the ring, so it removes that one.
        otherwise: A process has crashed that was no longer among its pointers on the ring.
        """
        q = m.q
        self.finger = {i: r for i, r in self.finger.items() if r != q}
        self.succ_list = [r for r in self.succ_list if r != q]
        if self.pred == q:
            self.pred = None
        if self.succ == q:
            self.follow(next(iter([*self.succ_list, *self.finger.values(), self.me])))
            self.succ_list = [r for r in self.succ_list if r != self.succ]

    def hop(self, key):
        """Return closest_preceding, or the successor."""
        if up_to(key, self.id, self.at(self.succ)):
            return self.succ
        before = [q for q in self.finger.values() if between(self.at(q), self.id, key)]
        return max(before, key=lambda q: distance(self.id, self.at(q), 2**self.bits), default=self.succ)

    def follow(self, q):
        self.succ = q
        if q != self.me:
            self.watch(q, Lost(q), after=self.latency)

    def point(self, i, q):
        self.finger.pop(i, None)
        if q not in (self.me, self.succ):
            self.finger[i] = q
            self.watch(q, Lost(q), after=self.latency)
