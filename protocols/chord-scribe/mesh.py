"""HyParView, and broadcast by flooding along it."""

from lydian import ANY, Layer, on, parameter

from .messages import (
    Broadcast,
    Broken,
    Connect,
    Disconnect,
    EnterMesh,
    Flood,
    ForwardJoin,
    Heard,
    Join,
    Neighbour,
    NeighbourReply,
    Ping,
    Shuffle,
    ShuffleReply,
    ShuffleTime,
    ToPeers,
)
from .upkeep import Kept


class Flooding(Layer):
    seen: dict[str, int] = {}  # publisher -> the numbers that have arrived from it, one bit each

    @on(ANY, Broadcast)
    def broadcast(self, r):
        """The broadcast begins here.

        always:
        """
        self.once(r.id, r.topic, r.m, None)

    @on(ANY, Flood)
    def flood(self, m, q):
        """It forwards the broadcast to all neighbours but the sender, the first time only."""
        self.once(m.id, m.topic, m.m, q)

    def once(self, id, topic, m, q):
        who, number = id.rsplit("/", 1)
        if not self.seen.get(who, 0) >> int(number) & 1:
            self.seen[who] = self.seen.get(who, 0) | 1 << int(number)
            self.ask(ToPeers(Flood(id, topic, m), q))
            self.tell(Heard(id, topic, m))


class HyParView(Kept):
    active: list[str] = []
    passive: list[str] = []
    asked: str | None = None  # process that it has asked to be a neighbour
    refused: list[str] = []  # processes that have refused for now
    sent: list[str] = []  # names sent with the last shuffle

    most_active = parameter(4, minimum=1, help="A: maximum number of neighbours")
    most_passive = parameter(8, minimum=0, help="P: number of processes in reserve")
    arwl = parameter(6, minimum=1, help="length of the random walk of a JOIN")
    prwl = parameter(3, minimum=0, help="position on this walk at which it is added to a passive view")
    shuffle = parameter(10.0, minimum=0.01, help="time from one exchange of views to the next")
    ka = parameter(3, minimum=0, help="number of names of the active view in a shuffle")
    kp = parameter(4, minimum=0, help="number of names of the passive view")

    @on(ANY, EnterMesh)
    def enter(self, r):
        """It announces that it joins."""
        if r.contact is not None:
            self.send(Join(), to=r.contact)
            self.add_active(r.contact)
        self.again(ShuffleTime(), self.shuffle)

    @on(ANY, ToPeers)
    def to_peers(self, r):
        """Send to all neighbours but one."""
        for q in self.active:
            if q != r.besides:
                self.send(r.m, to=q)

    @on(ANY, Join)
    def join(self, m, q):
        """A process joins; its neighbours learn of it.

        always:
        """
        self.add_active(q)
        for r in self.active:
            if r != q:
                self.send(ForwardJoin(q, self.arwl), to=r)

    @on(ANY, ForwardJoin)
    def forward_join(self, m, q):
        """It forwards the announcement of a new process, or takes that as a neighbour at the end of the walk.

        sends ForwardJoin and changes: It forwards the announcement of a new process, and keeps that process in reserve.
        sends ForwardJoin: The walk is not at its end, so it forwards the announcement of a new process.
        sends Disconnect: The walk ends here: it takes the new process as a neighbour in place of another.
        sends Connect: The walk ends here, so it takes the new process as a neighbour and informs it.
        otherwise: The walk ends here, but the new process is already its neighbour, or is this process itself.
        """
        others = [r for r in self.active if r not in (q, m.new)]
        if m.ttl > 0 and len(self.active) > 1 and m.ttl == self.prwl:
            self.add_passive(m.new)
        if m.ttl > 0 and len(self.active) > 1 and others:
            self.send(ForwardJoin(m.new, m.ttl - 1), to=self.random.choice(others))
        elif m.new != self.me and m.new not in self.active:
            self.add_active(m.new)
            self.send(Connect(), to=m.new)

    @on(ANY, Connect)
    def connected(self, m, q):
        """Another process has taken this process as a neighbour.

        always:
        """
        self.add_active(q)

    @on(ANY, Disconnect)
    def disconnected(self, m, q):
        """The sender is no longer its neighbour.

        sends Neighbour: It loses {peer} as a neighbour, so it asks a process in reserve to be one.
        changes: It loses {peer} as a neighbour; it has no process in reserve to ask, or already waits for an answer.
        otherwise: Process {peer} was not its neighbour.
        """
        if q in self.active:
            self.drop(q)
            self.add_passive(q)
            self.repair()

    @on(ANY, Broken)
    def broken(self, m):
        """It forgets a crashed process; a process in reserve may take its place.

        sends Neighbour: It detects a crash and has room for a neighbour, so it asks a process in reserve to be one.
        changes: It forgets a crashed process; its places are full, it waits for an answer, or it has no other to ask.
        otherwise: A process has crashed that was no longer its neighbour or in reserve.
        """
        if m.q in self.active:
            self.drop(m.q)
        if m.q in self.passive:
            self.passive.remove(m.q)
        if self.asked == m.q:
            self.asked = None
        self.repair()

    def repair(self):
        """Ask a process in the passive view to be a neighbour, one at a time."""
        free = [q for q in self.passive if q not in self.refused]
        if self.asked is None and len(self.active) < self.most_active and free:
            self.asked = self.random.choice(free)
            self.watch(self.asked, Broken(self.asked), after=self.latency)
            self.send(Neighbour(not self.active), to=self.asked)

    @on(ANY, Neighbour)
    def asked_for(self, m, q):
        """It agrees if the request is urgent or there is room.

        sends Disconnect: The request is urgent, so it takes {peer} in place of another neighbour.
        sends NeighbourReply(accepted=no): It has no room for {peer}, and the request is not urgent, so it refuses.
        changes: It has room for another neighbour, so it takes {peer}.
        otherwise: Process {peer} is already its neighbour, so it agrees.
        """
        yes = m.high or q in self.active or len(self.active) < self.most_active
        if yes:
            self.add_active(q)
        self.send(NeighbourReply(yes), to=q)

    @on(ANY, NeighbourReply)
    def replied(self, m, q):
        """It has a new neighbour, or asks another process.

        says accepted=yes and sends Disconnect: Process {peer} agrees; all places are now taken, so it drops another.
        says accepted=yes and sends Neighbour: Process {peer} agrees to be its neighbour; it has room, so it asks one
            more.
        says accepted=yes: Process {peer} agrees to be its neighbour.
        sends Neighbour: Process {peer} refuses, so it asks another process in reserve.
        otherwise: Process {peer} refuses; it has no other to ask, no more room, or waits for another answer.
        """
        if self.asked == q:
            self.asked = None
        if m.accepted:
            self.add_active(q)
        else:
            self.refused.append(q)
        self.repair()

    @on(ANY, ShuffleTime)
    def exchange(self):
        """It sends some of both views on a random walk, and checks its neighbours.

        sends Shuffle and sends Neighbour: It sends names on a random walk; it has room, so it asks one in reserve.
        sends Shuffle: It sends names on a random walk, to learn others, and checks its neighbours with a Ping.
        sends Neighbour: It has no neighbour, so it asks a process in reserve to be one.
        otherwise: It has no neighbour; it waits for an answer, or has no process in reserve to ask.
        """
        self.refused = []
        if self.active:
            self.sent = [*self.some(self.active, self.ka), *self.some(self.passive, self.kp)]
            self.send(Shuffle(self.me, (self.me, *self.sent), self.arwl), to=self.random.choice(self.active))
            for q in self.active:
                self.send(Ping(), to=q)
        self.repair()
        self.again(ShuffleTime(), self.shuffle)

    @on(ANY, Shuffle)
    def shuffled(self, m, q):
        """It forwards the names of a random walk, or answers at its end.

        sends Shuffle: The walk is not at its end, so it forwards the names to another neighbour.
        sends ShuffleReply(known=empty): The walk ends here; its own reserve is empty, so it answers with no names.
        sends ShuffleReply and changes: The walk ends here: it answers with names in reserve and adds new ones.
        sends ShuffleReply: The walk ends here: it answers with names in reserve; the reserve remains unchanged.
        otherwise: Its own names have returned, so it learns no others.
        """
        others = [r for r in self.active if r not in (q, m.origin)]
        if m.ttl > 1 and others:
            self.send(Shuffle(m.origin, m.known, m.ttl - 1), to=self.random.choice(others))
        elif m.origin != self.me:
            mine = self.some(self.passive, len(m.known))
            self.send(ShuffleReply(tuple(mine)), to=m.origin)
            self.merge(m.known, mine)

    @on(ANY, ShuffleReply)
    def merge_reply(self, m):
        """It adds new names to the passive view."""
        self.merge(m.known, self.sent)

    @on(ANY, Ping)
    def pinged(self, m, q):
        """It checks that a neighbour is one on both sides: it takes or drops the sender.

        sends Disconnect: It has no room for {peer} as a neighbour, so it informs {peer} that they are not neighbours.
        changes: Process {peer} has it as a neighbour, and it has room, so it takes {peer} as well.
        otherwise: It has {peer} as a neighbour too, so nothing changes.
        """
        if q not in self.active:
            if len(self.active) < self.most_active:
                self.add_active(q)
            else:
                self.send(Disconnect(), to=q)

    def add_active(self, q):
        if q == self.me or q in self.active:
            return
        if len(self.active) >= self.most_active:
            old = self.random.choice(self.active)
            self.drop(old)
            self.add_passive(old)
            self.send(Disconnect(), to=old)
        if q in self.passive:
            self.passive.remove(q)
        self.active.append(q)
        self.watch(q, Broken(q), after=self.latency)

    def drop(self, q):
        self.active.remove(q)
        self.cancel_timer(Broken(q))

    def add_passive(self, q, out=()):
        if q == self.me or q in self.active or q in self.passive or not self.most_passive:
            return
        if len(self.passive) >= self.most_passive:
            gone = [r for r in out if r in self.passive] or self.passive
            self.passive.remove(self.random.choice(gone))
        self.passive.append(q)

    def merge(self, names, out):
        for q in names:
            self.add_passive(q, out)

    def some(self, names, count):
        return self.random.sample(names, min(count, len(names)))
