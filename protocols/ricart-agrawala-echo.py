"""Ricart-Agrawala by echoes: mutual exclusion on any connected network; requests are Echo waves.

Processes of any connected network compete for a resource that only one of them may have.  Each request travels as an
Echo wave, and a process with an older request holds the echo back.

This is Ricart-Agrawala without a complete network: the wave of a request reaches every process, and its
acknowledgements are the permissions, collected on the way back.

Pseudo-code (t, ts: pairs of clock and name, compared in this order; pending(t): neighbours that have not acknowledged
wave t; mine first: held, or wanted and ts < t)::

    released, Think:             clock := clock + 1; ts := (clock, me); become wanted;
                                 open the wave ts to all neighbours
    any, new Request(t) from q:  clock := max(clock, clock of t) + 1; parent(t) := q;
                                 open the wave t to all neighbours but q; look at all waves
    any, old Request(t) from q:  send Ack(t) to q
    any, Ack(t) from q:          remove q from pending(t); look at all waves
    held, Use:                   become released; look at all waves
    look at all waves:           for each open wave t with nothing pending: if t = ts, become held; else, unless mine
                                 first, close it and send Ack(t) to parent(t)

It needs a connected network with two-way links that lose nothing, distinct names, and no crashes; delays and order do
not matter.  Each initiator wants the resource again and again, and any other process when it receives the command Want;
none enters more than ``entries`` times.  The clock of the paper is called ``time`` here.  (The paper assumes a complete
network; the wave is that of Echo with acknowledged duplicates.)
Complexity: 4m - 2n + 2 messages for an entry, whatever the load and the delays.

Reference: G. Ricart and A. K. Agrawala, An optimal algorithm for mutual exclusion in computer networks, Communications
of the ACM 24 (1981); for the wave, E. J. H. Chang, Echo algorithms, IEEE Transactions on Software Engineering 8 (1982).
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    connected,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    two_way,
)

RELEASED, WANTED, HELD = states(
    "released", "wanted", "held",
    reads={"released": "is idle", "wanted": "wants the resource", "held": "is in the critical section"},
)


class Request(Message):
    """The request to enter, which each process forwards; ``ts`` is its Lamport time and the name of its author."""

    ts: tuple[int, str]


class Ack(Message):
    """The permission of the sender and its whole subtree for request ``ts``."""

    ts: tuple[int, str]


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


class RicartAgrawalaEcho(Process):
    title = "Ricart-Agrawala by echoes"
    needs = connected, two_way, named, reliable, no_crashes
    messages = "<= (4*m - 2*n + 2)*n*entries"

    state = RELEASED
    time: int = 0  # the logical clock
    ts: tuple[int, str] | None = None  # the stamp of its own request
    latest: dict[str, int] = {}  # for each process, the clock of its latest known request
    parent: dict[str, str] = {}  # for each open wave of another process, the neighbour that brought it
    pending: dict[str, list[str]] = {}  # for each open wave, neighbours that have not acknowledged
    entered: int = 0
    sent: int = 0

    entries = parameter(
        3, minimum=0, help="the most times that a process enters the critical section",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process next wants the resource")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")

    @on(RELEASED, INIT)
    def begin(self):
        """It will want the resource after a while.

        sets Think: It will want the resource after a while.
        """
        self.start_thinking()

    @on(RELEASED, (Think, Want))
    def want(self):
        """It stamps its request and sends it out as a wave.

        notes: It has entered the critical section as often as it may.
        always: It stamps its request and sends it out as a wave.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
            return
        self.state = WANTED
        self.time += 1
        self.ts = (self.time, self.me)
        self.open_wave(self.ts, self.neighbours)

    @on(ANY, Request)
    def asked(self, m, q):
        """It forwards a new wave and acknowledges a known one at once.

        sends Ack: It knows this wave or has no other neighbour, so it acknowledges at once.
        sends Request: This wave is new: process {peer} becomes its parent in it, and the wave is forwarded.
        otherwise: This wave is new and ends here; its own request is older, so it holds the wave back.
        """
        time, starter = m.ts
        if time <= self.latest.get(starter, 0):
            self.tell(Ack(m.ts), q)
            return
        self.time = max(self.time, time) + 1
        self.parent[starter] = q
        self.open_wave(m.ts, [r for r in self.neighbours if r != q])

    @on(ANY, Ack)
    def acknowledged(self, m, q):
        """It needs one acknowledgement fewer.

        notes: It was not waiting for this acknowledgement.
        always: It needs one acknowledgement fewer.
        """
        time, starter = m.ts
        if time == self.latest.get(starter) and q in self.pending.get(starter, []):
            self.pending[starter].remove(q)
            self.look_at_all_waves()
        else:
            self.note(f"unexpected acknowledgement from {q}")

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and acknowledges the waves that it has held back.

        always: It leaves the critical section and acknowledges the waves that it has held back.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.ts = None
        self.look_at_all_waves()
        if self.initiator:
            self.start_thinking()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def open_wave(self, ts, to):
        self.latest[ts[1]] = ts[0]
        self.pending[ts[1]] = list(to)
        for r in to:
            self.tell(Request(ts), r)
        self.look_at_all_waves()

    def look_at_all_waves(self):
        for starter in [p for p, missing in self.pending.items() if not missing]:
            ts = (self.latest[starter], starter)
            if starter == self.me:
                del self.pending[starter]
                self.enter()
            elif not self.mine_first(ts):
                del self.pending[starter]
                self.tell(Ack(ts), self.parent.pop(starter))

    def mine_first(self, ts):
        return self.state == HELD or (self.state == WANTED and older(self.ts, ts))

    def tell(self, m, q):
        self.send(m, to=q)
        self.sent += 1

    def start_thinking(self):
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)


def older(a, b):
    """Return whether the request stamped a precedes the one stamped b; the lower name breaks ties."""
    return (a[0], natural(a[1])) < (b[0], natural(b[1]))


@always("at most one process is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@always("a process in the critical section asked before all that wait")
def oldest(c):
    holders = [p for p in c.processes if p.state == HELD]
    return all(older(p.ts, q.ts) for p in holders for q in c.processes if q.state == WANTED)


@always("no clock is behind its own request")
def clocks(c):
    return all(p.ts is None or p.time >= p.ts[0] for p in c.processes)


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("all waves are over, and each took 4m - 2n + 2 messages")
def count(c):
    entries = sum(p.entered for p in c.processes)
    cost = 4 * c.network.m - 2 * c.n + 2
    return not any(p.pending for p in c.processes) and sum(p.sent for p in c.processes) == cost * entries
