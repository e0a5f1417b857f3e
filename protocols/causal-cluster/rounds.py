"""Rounds of the coordinators: silent coordinators are excluded."""

from lydian import natural, on

from .member import Member
from .messages import (
    COORDINATOR,
    EXCLUDING,
    LEAVING,
    OWNERS,
    TEMPORARY,
    Ack,
    AckCoord,
    AckExclude,
    Alive,
    Count,
    Exclude,
    Free,
    NoAck,
    NoAnswer,
    ReqCoord,
    Round,
    Update,
)


class Rounds(Member):
    """Rounds, failures and exclusion."""

    def hears_enough(self):
        """Return whether enough of L sent ALIVE; processes that joined L in this round do not count yet."""
        some = [q for q in self.L if q in self.counted]
        need = len(some) if self.threshold == "2k+1" else (len(some) + 1) // 2
        return len(self.alive & set(some)) >= need

    def disconnected(self):
        self.gave_up += 1
        self.note("it hears from too few, and leaves")
        self.out()

    @on(OWNERS, Round)
    def next_round(self):
        """It leaves if it hears from too few; otherwise it tells its successors that it is alive.

        notes: It hears from too few of its predecessors, so it gives up its entry.
        while leaving and becomes member: No answers have arrived for two rounds, so it leaves without them.
        while leaving and sends Alive: It tells its successors that it is alive; it waits for answers before leaving.
        while excluding and sends Alive: It tells its successors that it is alive; the exclusion continues.
        while temporary and sets Free: It is no longer temporary: soon it may grant the excluded entries.
        while temporary: It is temporary for {temp:more round|more rounds}: excluded processes must leave first.
        sends Cleave: It wants to leave and nothing prevents it now, so it asks its predecessor {pred}.
        sends AckCjoin or Ack or Reject: No acknowledgement has arrived for two rounds, so it turns to the next request.
        sends Update: It hears from enough predecessors; it sends Alive, and reports its predecessors to {succ}.
        sends Alive: It hears from enough predecessors, and tells its successors that it is alive.
        stays: It knows no other coordinator, so it continues alone.
        """
        self.now += 1
        if not self.hears_enough():
            self.disconnected()
            return
        self.alive, self.counted, self.near = set(), self.L.copy(), []
        self.look()
        if self.state == TEMPORARY:
            self.temp -= 1
            if self.temp <= 0:
                self.set_timer(Free(), after=self.delta)
        else:
            self.tell()
        self.busy_for += 1
        if self.busy_for > 2 and self.state == LEAVING:
            self.out()
            return
        if self.busy_for > 2:
            self.busy = None
            self.serve_next()
        if self.now < self.rounds and self.state in OWNERS:
            self.set_timer(Round(), after=self.round)

    def tell(self):
        """Send UPDATE to the successor, unless it is in doubt which process that is."""
        if self.state == COORDINATOR and self.succ != self.me and self.busy is None and not self.telling:
            self.telling = self.known()
            self.send(Update(tuple(self.telling)), to=self.succ)
            self.set_timer(NoAck(), after=2 * self.delta)

    def tell_news(self):
        """Send UPDATE at once if the last report to the successor was different."""
        if self.state == COORDINATOR and self.told_succ != self.known():
            self.tell()

    @on(OWNERS, Alive)
    def lives(self, m, q):
        """It records that a predecessor is alive."""
        self.alive.add(q)

    @on(OWNERS, Update)
    def told_predecessors(self, m, q):
        """The predecessor reports the predecessors.

        changes pred: The processes between {peer} and itself have been excluded, so {peer} is its predecessor now.
        sends Ack and sends Update: Process {peer} reports its predecessors; it passes the changes on to its successor
            {succ}.
        sends Ack and changes L: Process {peer} reports that its predecessors have changed.
        sends Ack: Its predecessors are the same as before; its acknowledgement shows {peer} that it is alive.
        nothing: Process {peer} is not its predecessor, so it does not answer.
        """
        if q == self.pred or q == self.coming:
            self.pred, self.L = q, self.cut(m.R)
            self.coming = None if q == self.coming else self.coming
            self.send(Ack("Update"), to=q)
            self.tell_news()

    @on(COORDINATOR, NoAck)
    def suspect(self):
        """The successor is silent: it begins an exclusion, or gives the successor another chance.

        notes: Its successor is silent, and it knows no process behind it, so it gives up its entry.
        becomes excluding: Its successor {succ} is silent, so it asks the process behind it, in order to exclude {succ}.
        changes telling: Its successor {succ} is silent, but gets another chance.
        nothing: Its successor has changed since, so it does not wait for this acknowledgement.
        """
        if self.telling and self.random.random() < self.p_exclude:
            self.state, self.between = EXCLUDING, []
            self.beyond = [(j, q) for j, q in self.behind(self.next) if q != self.succ]
            self.try_next()
        self.telling = []

    @on(EXCLUDING, NoAnswer)
    def try_next(self):
        """It asks the next process on the ring, behind those that do not answer, for its predecessors.

        sends Exclude: No answer has arrived in time, so it asks the next process on the ring for its predecessors.
        becomes member: No process behind its successor has answered, so it gives up its entry.
        """
        if self.beyond:
            self.send(Exclude(), to=self.beyond[0][1])
            self.set_timer(NoAnswer(), after=2 * self.delta)
            self.candidate, self.beyond = self.beyond[0], self.beyond[1:]
        else:
            self.disconnected()

    @on(OWNERS, Exclude)
    def between_us(self, m, q):
        """Another process will be the predecessor if it may exclude those in between."""
        self.coming = q
        self.send(AckExclude(tuple(self.L)), to=q)

    @on(EXCLUDING, AckExclude)
    def found(self, m, q):
        """It has found the next live process; it asks whether the entries in between may be excluded.

        sends ReqCoord: The ring continues at {peer}, so it asks whether the entries between may be excluded.
        sets Count: The ring continues at {peer}, but it has no other process to ask about the exclusion.
        nothing: It has its answer already, or {peer} is not the process that it asked last.
        """
        if self.between or q != self.candidate[1]:
            return
        self.cancel_timer(NoAnswer)
        self.between = self.strictly(self.entry, self.candidate[0])
        self.lost = [(i, self.view[i]) for i in self.between if i in self.view]
        self.quorum, self.agreed = len(m.L) // 2 + 1, {self.me}
        self.forget(self.between)
        for s in sorted({*m.L, *self.told_succ} - {self.me}, key=natural):
            self.send(ReqCoord(self.entry, self.candidate[0]), to=s)
        self.set_timer(Count(), after=2 * self.delta)

    def forget(self, between):
        for i in between:
            self.blocked[i] = self.now + len(between) + 1
            self.owned(i, None, self.clock)

    @on(OWNERS, ReqCoord)
    def requested(self, m, q):
        """It agrees, unless it would be excluded itself.

        sends AckCoord: Its own entry is not affected, so it agrees, and suspends Alive to the owners concerned.
        otherwise: Its own entry would be excluded, so it does not agree.
        """
        between = self.strictly(m.after, m.before)
        if self.entry not in between:
            self.forget(between)
            self.send(AckCoord(), to=q)

    @on(EXCLUDING, AckCoord)
    def agrees(self, m, q):
        """One more process agrees."""
        self.agreed.add(q)

    @on(EXCLUDING, Count)
    def count(self):
        """It has a new successor if enough agree, and is temporary for some time; otherwise it leaves.

        notes: Only {agreed:process agrees|processes agree}, itself included, but {quorum} are needed, so it leaves.
        becomes temporary: Enough agree: process {succ} is its successor now, and it is temporary for
            {temp:round|rounds}.
        becomes coordinator: Enough agree: process {succ} is its successor now, and the excluded entries can be granted
            at once.
        becomes leaving: Enough agree: process {succ} is its successor now, and it may ask to leave.
        """
        if len(self.agreed) < self.quorum:
            self.disconnected()
            return
        self.next, self.succ = self.candidate
        self.temp = len(self.between) + (self.temp_rounds == "dist")
        self.excluded += len(self.lost)
        self.state, self.busy = TEMPORARY, None
        if self.temp <= 0:
            self.free()

    @on(TEMPORARY, Free)
    def free(self):
        """It may grant the excluded entries: any live owner among them has left.

        always:
        """
        self.state, self.between = COORDINATOR, []
        for i, who in self.lost:
            self.announce("free", i, who)
        self.serve_next()
