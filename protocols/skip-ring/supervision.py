"""The supervisor: the assignment of labels."""

from lydian import on

from .labels import idx, l
from .member import Member
from .messages import (
    SUPERVISOR,
    CheckAndPublish,
    CheckTrie,
    Crashed,
    GetConf,
    Join,
    Leave,
    Publish,
    PublishNew,
    PublishTimeout,
    Say,
    SetData,
    Subscribe,
    Timeout,
    Unsubscribe,
)


class Supervisor(Member):
    """The supervisor."""

    @on(SUPERVISOR, Timeout)
    def tell_next(self):
        """It sends the next subscriber, in the order of labels, its label and its neighbours.

        changes database and sends SetData: It repairs its database, and sends the next subscriber its label and place.
        sends SetData: It sends the next subscriber, in the order of labels, its label and its neighbours.
        changes database: It repairs its database, which no longer has a subscriber.
        otherwise: Its database is empty, so it has no subscriber to inform.
        """
        self.sanitise()
        if self.picture:
            self.requests = self.served - self.counted
        for _ in range(min(self.answers, len(self.database))):
            self.next = (self.next + 1) % len(self.database)
            self.served += 1
            self.answer(self.database.get(l(self.next)))
        if self.picture:
            self.counted = self.served
        self.look()
        self.wind()

    @on(SUPERVISOR, Subscribe)
    def register(self, m, q):
        """An unknown process gets the next label; the answer contains its place.

        changes database: The subscriber has one label in the database now; the answer contains it, with its place.
        sends SetData: The subscriber is already in the database, so the answer only repeats its place.
        """
        self.heard(q)
        before = self.told
        if m.who != self.me and m.who not in self.database.values():
            self.database[l(len(self.database))] = m.who
        self.answer(m.who)
        self.served += 1
        self.operations += 1
        self.orders += self.told - before
        self.look()

    @on(SUPERVISOR, GetConf)
    def configure(self, m, q):
        """It answers a request with the entry in the database."""
        self.heard(q)
        self.answer(m.who)
        self.served += 1
        self.look()

    @on(SUPERVISOR, Unsubscribe)
    def strike_off(self, m, q):
        """A subscriber leaves; the holder of the last label takes over the free one.

        changes changed: It repairs its database; it informs the subscriber, which is no longer in it.
        changes database: It removes the subscriber; if that leaves a gap, the process with the last label fills it.
        sends SetData: The subscriber is not in the database, and it informs the subscriber.
        """
        self.heard(q)
        before = self.told
        n = len(self.database)
        free = self.dedupe(m.who)
        if free is not None:
            del self.database[free]
            if free != l(n - 1) and l(n - 1) in self.database:
                self.database[free] = self.database.pop(l(n - 1))
                self.answer(self.database[free])
        self.instruct(SetData(), m.who)
        self.served += 1
        self.withdrawn += 1
        self.operations += 1
        self.orders += self.told - before
        self.look()

    @on(SUPERVISOR, Crashed)
    def bury(self, m):
        """A process has crashed, and its labels are free."""
        self.crashed = self.crashed | {m.who}
        self.sanitise()
        self.look()

    @on(SUPERVISOR, (SetData, PublishNew, Publish, CheckTrie, CheckAndPublish, PublishTimeout, Join, Leave, Say))
    def keep_out(self):
        """The supervisor is not a subscriber."""

    def heard(self, q):
        """Record that the sender of a message is alive."""
        self.crashed = self.crashed - {q}
        self.sanitise()

    def sanitise(self):
        """Repair the database: the labels of n entries are l(0) to l(n - 1)."""
        some = self.everybody
        good = {y: v for y, v in self.database.items() if v in some and v != self.me and v not in self.crashed}
        missing = [l(i) for i in range(len(good)) if l(i) not in good]
        if missing or len(good) < len(self.database):
            spare = sorted(good, key=idx)[len(good) - len(missing) :]
            for y in missing:
                good[y] = good.pop(spare.pop())
            self.database = good
            self.changed = self.clock

    def dedupe(self, v):
        """Return the label of v, the first one if there are several; None if v is unknown."""
        mine = sorted((y for y, u in self.database.items() if u == v), key=idx)
        for y in mine[1:]:
            del self.database[y]
        return mine[0] if mine else None

    def answer(self, v):
        """Send v its label and its neighbours on the ring, or the answer that it is unknown."""
        label = self.dedupe(v)
        if label is None:
            self.instruct(SetData(), v)
            return
        row = sorted(self.database)
        at, n = row.index(label), len(row)
        if n == 1:
            self.instruct(SetData(label), v)
        else:
            pred, succ = row[at - 1], row[(at + 1) % n]
            self.instruct(SetData(label, pred, self.database[pred], succ, self.database[succ]), v)

    def instruct(self, m, v):
        if v and v != self.me:
            self.told += 1
            self.observe(v)
            self.send(m, to=v)

    def observe(self, v):
        if self.detection:
            self.watch(v, Crashed(v), after=self.latency * self.interval)
