"""The supervisor: who gets which label."""

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
        """It tells the next subscriber, in the order of labels, its label and its neighbours.

        changes database and sends SetData: It mends its database, and tells the next subscriber its label and place.
        sends SetData: It tells the next subscriber, in the order of labels, its label and its neighbours.
        changes database: It mends its database, which has no subscriber any more.
        otherwise: Its database is empty, so it has no subscriber to tell.
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
        """Somebody unknown gets the next label; the answer says where it belongs.

        changes database: The subscriber has one label in the database now; the answer says which, and where it belongs.
        sends SetData: The subscriber is in the database already, so the answer only repeats where it belongs.
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
        """Somebody asks for a process: it is told what the database says."""
        self.heard(q)
        self.answer(m.who)
        self.served += 1
        self.look()

    @on(SUPERVISOR, Unsubscribe)
    def strike_off(self, m, q):
        """Somebody goes; who has the last label takes over the one that is free.

        changes changed: It mends its database; the subscriber is not in it any more, and hears that.
        changes database: It strikes the subscriber off; if that leaves a gap, the process with the last label fills it.
        sends SetData: The subscriber is not in the database, and hears that.
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
        """Somebody has crashed: his labels are free."""
        self.crashed = self.crashed | {m.who}
        self.sanitise()
        self.look()

    @on(SUPERVISOR, (SetData, PublishNew, Publish, CheckTrie, CheckAndPublish, PublishTimeout, Join, Leave, Say))
    def keep_out(self):
        """The supervisor is no subscriber."""

    def heard(self, q):
        """Whoever says something lives."""
        self.crashed = self.crashed - {q}
        self.sanitise()

    def sanitise(self):
        """The labels of n entries are l(0) to l(n - 1)."""
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
        """The label of v, the first one if there are several; None if v is unknown."""
        mine = sorted((y for y, u in self.database.items() if u == v), key=idx)
        for y in mine[1:]:
            del self.database[y]
        return mine[0] if mine else None

    def answer(self, v):
        """Tell v its label and its neighbours on the ring, or that it is unknown."""
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
