"""Content-based routing: brokers lease the routes to the clients that want a notification.

Brokers in a tree remember which notifications to send where, and delete entries that are not renewed, so every error
disappears.

Each client belongs to one broker and renews its subscription every ``renewal``; the brokers' clocks overrun every
``lease``.  An entry consists of a filter (all numbers from low to high), its destination, and a flag; a notification is
a number.

Pseudo-code (T: the table; D, S: a neighbour or a local client; onward: all neighbours, or the parent alone)::

    n from S:           send n once to each destination but S that has a matching entry
    clock overruns:     delete the entries with flag 0; set all other flags to 0
    SUB (id, F) from D:    remove the entry id from T; put (id, F, D) with flag 1 into T; forward it
    UNSUB (id, F) from D:  remove D's entries for F from T; forward it
    forward to each H onward, H not D:
      flooding          never (and every n goes to all neighbours)
      simple            always
      identity          unless T has an identical filter from outside {D, H}; for SUB only those with flag 1 count
      covering          as identity; nor SUB if a filter from outside {D, H} properly covers F, whatever its flag
      merging           filters that touch are one filter towards H, renewed with the first of its parts in each period

It needs a tree with two-way links and names, in which all processes start.  With ``hierarchical`` names rise from the
root downwards, notifications always go up, and subscriptions go up only.  Links must be FIFO so that no UNSUB overtakes
or is overtaken.  Without faults nothing is lost if lease > renewal + d * longest delay (d: links on the longest path);
after any faults, tables are correct 2 * lease + d * longest delay after the last one, with covering
3 * lease + d * longest delay.
The paper is read as follows.  Its lease > renewal + d * (longest - shortest delay) is sufficient for simple routing
only, because clocks in phase take no account of delays.  Simple routing withdraws by id, because other clients may have
the same filter.  A proper cover does not hold back an UNSUB, because the filter that it covers may have been sent
before it arrived.  If a cover or a merged filter is withdrawn, the remaining filters are subscribed at once.  Clocks
run for ``periods`` leases, so that a run ends; a crash that loses the memory also removes the clients; a clock that is
corrupted overruns now.
Complexity: flooding takes m messages for each notification; a SUB takes at most m, and in the limit of many clients
routing by identity takes one for each link, filter and lease.

Reference: G. Mühl, M. A. Jaeger, K. Herrmann, T. Weis, A. Ulbrich, L. Fiege, Self-stabilizing Publish/Subscribe
Systems: Algorithms and Evaluation, Euro-Par 2005, Lecture Notes in Computer Science 3648, pages 664 to 674.
"""

from lydian import ANY, INIT, Process, everybody_starts, named, natural, on, parameter, tree, two_way, variable

from . import properties
from .filters import covered, covers, entry, merged
from .messages import (
    EMPTY,
    FRESH,
    STALE,
    Expire,
    Notify,
    Overrun,
    Publish,
    Renew,
    Spoil,
    Sub,
    Subscribe,
    Unsub,
    Unsubscribe,
)


class ContentRouting(Process):
    title = "Content-based routing"
    needs = tree, named, two_way, everybody_starts
    messages = (
        "<= m*commands*(3 + periods*lease/renewal)*"
        "(1 + commands*(algorithm == 'covering') + commands*(algorithm == 'merging'))"
    )

    state = EMPTY
    table: dict[str, tuple] = {}  # T: id -> (low, high, destination, flag)
    index: tuple = ()  # a large T, and its filters -> the ids of their entries; built again when T changes
    wants: dict[str, tuple] = {}  # what the local clients want: name -> (low, high, whether it has renewed it)
    phase: float = variable(0.0, minimum=0, maximum="lease")  # the offset of the clock
    running: bool = False  # whether the clock runs
    spoilt: float = -1.0  # time of the last fault at this broker
    clients: int = 0  # number of clients that have arrived here
    news: int = 0  # number of notifications published here
    carried: int = 0  # notifications sent to neighbours
    told: int = 0  # subscriptions and withdrawals sent to neighbours after the warm-up
    # For the animation; no broker uses these.  Invented entries have a ? in their id, wherever they arrive.
    entries: dict[str, int] = {}  # after its last event: filter > destination -> whether it was renewed in this period
    missing: dict[str, int] = {}  # entries that a fault removed -> the number of overruns since then

    algorithm = parameter("identity", choices=("flooding", "simple", "identity", "covering", "merging"),
                          help="which subscriptions a broker forwards")  # fmt: skip
    hierarchical = parameter(False, help="whether notifications go up to the root, and subscriptions go up only")
    lease = parameter(10.0, minimum=0.001, help="pi: the time from one overrun of a clock to the next")
    renewal = parameter(5.0, minimum=0.001, help="rho: the time from one renewal of a subscription to the next")
    periods = parameter(
        4, minimum=0, help="number of leases for which clocks run and clients renew",
        reached=lambda p: p.clock >= (p.periods - 1) * p.lease,
    )
    warm_up = parameter(0, minimum=0, help="number of leases after which control traffic is measured")
    lifetime = parameter(0.0, minimum=0.0, help="mean time for which a client stays; 0: until it is told to leave")
    in_phase = parameter(True, help="whether all clocks overrun at the same times")
    flags = parameter("subscribe", choices=("subscribe", "never", "always"),
                      help="when only entries with flag 1 count: for SUB, never, or also for UNSUB")  # fmt: skip
    commands = parameter(40, minimum=0, help="largest number of commands, for the bound on messages")
    picture = parameter(True, help="whether brokers record removed entries, for the animation")

    @on(ANY, INIT)
    def start(self):
        """Its clock starts.

        changes running: Its clock starts: whenever it overruns, entries that were not renewed are deleted.
        otherwise: No lease is left for its clock, so the clock does not start.
        """
        if self.hierarchical and sum(natural(q) < natural(self.me) for q in self.neighbours) > 1:
            raise ValueError("names must rise from one root down: a broker may have only one neighbour of smaller name")
        if not self.in_phase:
            self.phase = self.random.uniform(0, self.lease)
        self.wind()

    @on(ANY, Overrun)
    def overrun(self):
        """It deletes entries that were not renewed; the others must be renewed again.

        sends Sub or Unsub: It deletes entries that were not renewed, and reports the remaining merged filters.
        becomes empty: No entry was renewed in the last lease, so none is left.
        while empty and stays: It has no entries to be renewed.
        otherwise: Entries that were not renewed are deleted; {table:entry has|entries have} to be renewed again.
        """
        if self.in_phase:
            self.phase = 0.0
        self.look()
        before = self.table
        self.table = {id: (low, high, d, 0) for id, (low, high, d, flag) in before.items() if flag}
        self.missing = {e: 1 for e, overruns in self.missing.items() if not overruns}
        for h in self.onward(None) if self.algorithm == "merging" else ():
            self.follow(before, h)
        self.show()
        self.wind()

    @on(ANY, Sub)
    def subscribed(self, m, d):
        """A neighbour takes or renews a lease; with flooding, the broker ignores it.

        sends Sub: It now has a fresh entry for {peer}, so it also updates its own subscriptions with other neighbours.
        sends nothing and changes table: It now has a fresh entry for {peer}; it need not inform other neighbours.
        nothing: It already had this fresh entry for {peer}, or needs none, as it floods every notification.
        """
        if self.algorithm != "flooding":
            self.lend(m.id, (m.low, m.high), d)

    @on(ANY, Unsub)
    def unsubscribed(self, m, d):
        """A neighbour withdraws a subscription.

        while empty: A neighbour withdraws a subscription.
        """
        self.withdraw(m.id, (m.low, m.high), d)

    @on(ANY, Notify)
    def hear(self, m, s):
        """It forwards a notification wherever an entry matches."""
        self.pass_on(m, s)

    @on(ANY, Subscribe)
    def come(self, m):
        """A client arrives and subscribes.

        says aged=yes: The client arrived long ago; it will renew its subscription soon.
        sends Sub: A client arrives and subscribes, and the broker forwards the subscription to neighbours.
        otherwise: A client arrives and subscribes; the broker need not inform its neighbours.
        """
        self.clients += 1
        id, high = f"{self.me}.{self.clients}", m.low if m.high < 0 else m.high
        if self.lifetime:
            self.set_timer(Expire(id), after=self.random.expovariate(1 / self.lifetime))
        if m.aged:  # it arrived long ago, so its next renewal is due at any time of a period
            self.wants[id] = m.low, high, None
            age = self.random.expovariate(1 / self.lifetime) if self.lifetime else self.random.uniform(0, self.renewal)
            self.set_timer(Renew(id, m.low, high), after=self.renewal - age % self.renewal)
        else:
            self.want(id, m.low, high, False)

    @on(ANY, Renew)
    def renew(self, m):
        """A client renews its subscription.

        always:
        """
        self.want(m.id, m.low, m.high, True)

    @on(ANY, (Expire, Unsubscribe))
    def go(self, m):
        """A client unsubscribes, and leaves.

        sends Unsub: The client leaves, and the broker withdraws subscriptions at neighbours.
        sends nothing and changes table: The client leaves; the broker need not inform its neighbours.
        changes wants: The client leaves; the table had no entry for it.
        nothing: It does not have this client, or no longer has one.
        """
        id = m.id or next(reversed(self.wants), "")
        if id in self.wants:
            low, high, settled = self.wants.pop(id)
            self.cancel_timer(Renew(id, low, high))
            if settled is not None:
                self.withdraw(id, (low, high), id)

    @on(ANY, Publish)
    def publish(self, m):
        """A client publishes a notification.

        always:
        """
        self.news += 1
        self.pass_on(Notify(m.value, f"{self.me}/{self.news}"), None)

    @on(ANY, Spoil)
    def spoil(self, m):
        """A fault changes its table at random, and meaningless messages are sent.

        sends: A fault changes its table at random, and it sends meaningless messages.
        otherwise: A fault changes its table at random: entries may be lost, changed or invented.
        """
        chance, self.spoilt, before = self.random, self.clock, self.table
        self.table = {id: (*e[:3], chance.randint(0, 1)) for id, e in self.table.items() if chance.random() < 0.5}
        here = {entry(e) for e in self.table.values()}
        self.missing = {words: 0 for e in before.values() if (words := entry(e)) not in here}
        for k in range(chance.randint(0, 4)):
            d = chance.choice([*self.neighbours, f"{self.me}.1"])
            self.table[f"{self.me}?{k}"] = (*self.any_filter(), d, k % 2)
        if self.running:
            self.set_timer(Overrun(), after=chance.uniform(0, self.lease))
        for q in self.neighbours:
            for k in range(m.forged):
                low, high = self.any_filter()
                self.send(chance.choice((Sub, Unsub))(f"{self.me}?{q}{k}", low, high), to=q)
        self.show()

    def any_filter(self):
        some = sorted({(low, high) for low, high, _, _ in self.table.values()})
        low = self.random.randint(0, 9)
        return self.random.choice([*some, (low, low), (low, low + 3)])

    def want(self, id, low, high, settled):
        self.wants[id] = low, high, settled
        if self.clock + self.renewal <= self.periods * self.lease:
            self.set_timer(Renew(id, low, high), after=self.renewal)
        self.lend(id, (low, high), id)

    def lend(self, id, f, d):
        self.look()
        before = dict(self.table) if self.algorithm == "merging" else {}
        self.put(id, (*f, d, 1))
        if self.missing:
            self.missing.pop(entry((*f, d)), None)
        if not self.running:
            self.wind()
        for h in self.onward(d):
            if self.algorithm == "merging":
                self.follow(before, h)
                m = next(m for m in self.parts(self.table, h) if covers(m, f))
                if m in self.parts(before, h) and not self.held(m, d, h, inside=True):
                    self.tell(Sub(f"{self.me}:{m[0]}-{m[1]}", *m), h)
            elif self.algorithm == "simple" or not self.held(f, d, h):
                self.tell(Sub(id, *f), h)
        self.show()

    def withdraw(self, id, f, d):
        self.look()
        before = dict(self.table) if self.algorithm in ("covering", "merging") else {}
        for i in (id,) if self.algorithm in ("simple", "flooding") else self.identical(f):
            if i in self.table and self.table[i][2] == d:
                self.put(i, None)
        if self.missing:
            self.missing.pop(entry((*f, d)), None)
        for h in self.onward(d):
            self.follow(before, h)
            if self.algorithm == "simple" or (self.algorithm != "merging" and not self.held(f, d, h, leaving=True)):
                self.tell(Unsub(id, *f), h)
        self.show()

    def tell(self, m, h):
        self.send(m, to=h)
        self.told += self.clock >= self.warm_up * self.lease

    def held(self, f, d, h, leaving=False, inside=False):
        """Return whether an entry from outside {d, h} makes it unnecessary to inform h."""
        flagged = self.flags == "always" if leaving else self.flags != "never"
        some = map(self.table.get, self.identical(f)) if self.algorithm == "identity" else self.table.values()
        for low, high, e, flag in some:
            if e != d and e != h:
                if ((low, high) == f or (inside and covers(f, (low, high)))) and (flag or not flagged):
                    return True
                if self.algorithm == "covering" and not leaving and (low, high) != f and covers((low, high), f):
                    return True
        return False

    def identical(self, f):
        """Return the ids of the entries for a filter, from an index if the table is large."""
        if len(self.table) < 100:
            return [id for id, e in self.table.items() if (e[0], e[1]) == f]
        if len(self.index) != 2 or self.index[0] is not self.table:
            self.index = self.table, {}
            for id, e in self.table.items():
                self.index[1].setdefault((e[0], e[1]), {})[id] = True
        return list(self.index[1].get(f, ()))

    def put(self, id, e):
        """Replace the entries of this id by one, or by none if it is None."""
        old = self.table.pop(id) if e is None else self.table.get(id)
        if e is not None:
            self.table[id] = e
        if len(self.index) == 2 and self.index[0] is self.table:
            if old is not None:
                self.index[1].get((old[0], old[1]), {}).pop(id, None)
            if e is not None:
                self.index[1].setdefault((e[0], e[1]), {})[id] = True

    def follow(self, before, h):
        """Inform h of filters that are merged differently, or no longer covered, after a change of entries."""
        if self.algorithm == "merging":
            old, new = self.parts(before, h), self.parts(self.table, h)
            for m in new:
                if m not in old:
                    self.tell(Sub(f"{self.me}:{m[0]}-{m[1]}", *m), h)
            for m in old:
                if m not in new:
                    self.tell(Unsub(f"{self.me}:{m[0]}-{m[1]}", *m), h)
        elif self.algorithm == "covering":
            told = set()
            for id, (low, high, d, _) in self.table.items():
                f = low, high
                if d != h and f not in told and covered(before, f, d, h) and not covered(self.table, f, d, h):
                    told.add(f)
                    self.tell(Sub(id, *f), h)

    def parts(self, table, h):
        return merged((low, high) for low, high, d, _ in table.values() if d != h)

    def pass_on(self, m, s):
        to = {d for low, high, d, _ in self.table.values() if low <= m.value <= high}
        if self.algorithm == "flooding":
            to |= {*self.neighbours}
        elif self.hierarchical:
            to |= {*self.onward(s)}
        for q in self.neighbours:
            if q in to and q != s:
                self.send(m, to=q)
                self.carried += 1
        clients = [client for client in self.wants if client in to]
        if clients:
            self.deliver(f"{m.id} to {', '.join(clients)}")

    def onward(self, d):
        if self.algorithm == "flooding":
            return []
        if self.hierarchical:
            return [h for h in self.neighbours[:1] if h != d and natural(h) < natural(self.me)]
        return [h for h in self.neighbours if h != d]

    def wind(self):
        """Set the clock to overrun at the same moment of every period."""
        after = self.phase - self.clock + self.lease * (1 + ((self.clock - self.phase) / self.lease + 1e-9) // 1)
        self.running = self.clock + after <= self.periods * self.lease + 1e-6
        if self.running:
            self.set_timer(Overrun(), after=after)

    def look(self):
        """Record, for the observer, entries that a fault has taken away since the last event."""
        if self.picture:
            here = {entry(e) for e in self.table.values()}
            self.missing.update((words, 0) for words in self.entries if words not in here)

    def show(self):
        self.state = EMPTY if not self.table else FRESH if any(e[3] for e in self.table.values()) else STALE
        if self.picture:
            fresh = {tuple(e[:3]) for e in self.table.values() if e[3]}
            some = sorted({tuple(e[:3]) for e in self.table.values()}, key=lambda e: (e[0], e[1], natural(e[2])))
            self.entries = {entry(e): int(e in fresh) for e in some}
