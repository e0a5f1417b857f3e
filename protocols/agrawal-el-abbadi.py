"""Agrawal and El Abbadi: mutual exclusion by quorums that are paths of a tree, and that avoid crashed processes.

Processes compete for a resource that only one of them may have.  A process that wants it needs the permissions of a
quorum; any two quorums have a member in common, although processes crash.

The processes form a binary tree by their names, like a heap: the children of the process in place i are in the places
2i + 1 and 2i + 2.  A quorum is a path from the root to a leaf.  A member that has crashed is replaced by two paths, one
from each of its children to a leaf; so a quorum has log n members without crashes, and more if crashes are near the
root.

Pseudo-code (quorum(i): for the subtree of place i)::

    quorum(i):                 if the process in place i has not crashed: it, and the quorum of a child, if it has one
                               else the quorums of all its children; none if it is a leaf, or if one of these is missing
    released, Think:           become wanted; ask the next member
    ask the next member:       if I have the permissions of a whole quorum: become held
                               else send Request to the member with the lowest place that has not granted it
    any, Request from q:       if my permission is free: send Grant to q, else put q into my queue
    wanted, Grant from q:      q has granted; ask the next member
    held, Use:                 become released; send Release to all members
    any, Release from q:       my permission is free again, for the first process in my queue
    any, q has crashed:        remove it from my queue, and free my permission if q has it;
                               if I wait for its permission: choose another quorum; send Release to members that do not
                               belong to it or have a higher place than one that is missing; ask the next member

Members are asked one after the other, in the order of their places: processes therefore never wait for each other in a
cycle, and need none of Maekawa's messages for this.  (The paper leaves open how permissions are collected.)

It needs a complete network with two-way FIFO links that lose nothing, distinct names, and a detector of crashes.  Each
initiator wants the resource again and again, and any other process when it receives the command Want; none enters more
than ``entries`` times.
Complexity: without crashes 3 messages for each member of a path, at most 3 log2(n + 1) rounded up, for an entry.  With
crashes a quorum has up to (n + 1)/2 members.

Reference: D. Agrawal and A. El Abbadi, An efficient and fault-tolerant solution for distributed mutual exclusion, ACM
Transactions on Computer Systems 9 (1991).
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
    complete,
    detector,
    eventually,
    fifo,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
    two_way,
)

RELEASED, WANTED, HELD, STUCK = states(
    "released", "wanted", "held", "stuck",
    reads={"released": "is idle", "wanted": "wants the resource", "held": "is in the critical section",
           "stuck": "knows no quorum any more"},
)  # fmt: skip


class Request(Message):
    """The request for the receiver's permission."""


class Grant(Message):
    """The sender's permission."""


class Release(Message):
    """The return of the receiver's permission, or the withdrawal of a request."""


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Gone(Timer):
    """The connection to process q has broken: it has crashed."""

    q: str


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


class AgrawalElAbbadi(Process):
    title = "Agrawal and El Abbadi"
    needs = complete, two_way, named, fifo, reliable, detector
    messages = "<= 3*n*entries*ceil((n + 1)/2)"

    state = RELEASED
    quorum: list[str] = []  # the members of my quorum, in the order of their places
    grants: set[str] = set()  # those that have granted me their permission
    asked: str | None = None  # the member that I have asked and that has not granted it
    given: str | None = None  # the process that has my permission
    queue: list[str] = []  # the processes that wait for it
    down: set[str] = set()  # the processes that have crashed, as far as I know
    entered: int = 0

    entries = parameter(
        3,
        minimum=0,
        help="the most times that a process enters the critical section",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process next wants the resource")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    patience = parameter(3.0, minimum=0.0, help="the time until a crash is noticed")

    @on(RELEASED, INIT)
    def begin(self):
        """It will want the resource after a while.

        sets Think: It will want the resource after a while.
        """
        self.start_thinking()

    @on(RELEASED, (Think, Want))
    def want(self):
        """It chooses a quorum and asks the first member.

        notes: It has entered the critical section as often as it may.
        becomes stuck: So many processes have crashed that no quorum is left.
        becomes held: It is the only member of its quorum, and enters the critical section.
        otherwise: It chooses the quorum {quorum} and asks its members one after the other.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
            return
        self.state = WANTED
        self.choose_quorum()

    @on(ANY, Request)
    def requested(self, m, q):
        """It grants its permission, or lets the process wait.

        sends Grant: Its permission is free: it grants it to process {peer}.
        otherwise: Process {given} has its permission, so process {peer} must wait.
        """
        if q not in self.down:
            self.watch(q, Gone(q), after=self.patience)
            self.queue.append(q)
            self.serve()

    @on(ANY, Grant)
    def granted(self, m, q):
        """It has the permission of process {peer}.

        becomes held: It has the permissions of its whole quorum, and enters the critical section.
        sends Request: It has the permission of process {peer}, and asks the next member.
        sends Release: It no longer needs this permission, and returns it.
        otherwise: It has the permission of process {peer}.
        """
        if self.state == WANTED and q == self.asked:
            self.got(q)
        else:
            self.tell(Release(), q)

    @on(ANY, Release)
    def released(self, m, q):
        """Its permission is free again, or a request has been withdrawn.

        sends Grant: Its permission is free again, and it grants it to the first process that waits.
        otherwise: Its permission is free again, or a request has been withdrawn.
        """
        self.free(q)

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and returns all permissions.

        always: It leaves the critical section and returns all permissions.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.give_back(self.quorum)
        if self.initiator:
            self.start_thinking()

    @on(ANY, Gone)
    def gone(self, m):
        """It learns that a process has crashed: it frees its own permission, and replaces the process in its quorum.

        becomes stuck: It learns of another crash: no quorum is left.
        sends Grant: It learns of a crash: its permission is free again, and it grants it to the first that waits.
        sends Request: It learns of a crash, and replaces the process in its quorum: {quorum}.
        otherwise: It learns of a crash.
        """
        self.down.add(m.q)
        self.free(m.q)
        if self.state == WANTED and m.q == self.asked:
            self.choose_quorum()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED, STUCK), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    @on(STUCK, (INIT, Think, Want))
    def no_use(self):
        """It knows no quorum any more."""

    def choose_quorum(self):
        names = sorted((self.me, *self.neighbours), key=natural)
        places = self.path(names, 0)
        if places is None:
            self.give_back(self.quorum)
            self.state, self.quorum = STUCK, []
            return
        before, self.quorum = self.quorum, [names[i] for i in sorted(places)]
        missing = next((i for i, q in enumerate(self.quorum) if q not in self.grants), len(self.quorum))
        self.give_back([q for q in before if q not in self.quorum[:missing] and q in self.grants])
        self.next_member()

    def path(self, names, i):
        """Return the places of a quorum for the subtree of place i, or None if there is none."""
        below = [k for k in (2 * i + 1, 2 * i + 2) if k < len(names)]
        if names[i] not in self.down:
            found = [each for each in (self.path(names, k) for k in below) if each is not None]
            if not below or found:
                return [i, *(self.random.choice(found) if found else [])]
            return None
        found = [self.path(names, k) for k in below]
        return None if not below or None in found else [k for each in found for k in each]

    def next_member(self):
        self.asked = next((q for q in self.quorum if q not in self.grants), None)
        if self.asked is None:
            self.enter()
        else:
            if self.asked != self.me:
                self.watch(self.asked, Gone(self.asked), after=self.patience)
            self.tell(Request(), self.asked)

    def got(self, q):
        self.grants.add(q)
        self.next_member()

    def give_back(self, members):
        for q in members:
            self.grants.discard(q)
            self.tell(Release(), q)

    def serve(self):
        if self.given is None and self.queue:
            self.given = self.queue.pop(0)
            self.tell(Grant(), self.given)

    def free(self, q):
        if self.given == q:
            self.given = None
        elif q in self.queue:
            self.queue.remove(q)
        self.serve()

    def tell(self, m, q):
        """Send m to q; a message to itself is handled at once."""
        if q != self.me:
            self.send(m, to=q)
        elif type(m) is Request:
            self.queue.append(q)
            self.serve()
        elif type(m) is Grant:
            self.got(q)
        else:
            self.free(q)

    def start_thinking(self):
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)


@always("at most one process that has not crashed is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD and not c.crashed(p) for p in c.processes) <= 1


@always("a process in the critical section has the permissions of all members that have not crashed")
def permitted(c):
    return all(
        c.crashed(c.process(q)) or c.process(q).given == p.me
        for p in c.processes
        if p.state == HELD and not c.crashed(p)
        for q in p.quorum
    )


@eventually("every request is served, unless no quorum is left")
def served(c):
    return all(p.state != WANTED for p in c.correct)


@at_end("nothing is in transit, and no correct process has a permission")
def silent(c):
    return not c.in_transit and all(p.given is None or c.crashed(p) for p in c.processes)
