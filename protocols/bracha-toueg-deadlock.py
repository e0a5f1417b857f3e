"""Bracha-Toueg: a blocked process finds out whether it is deadlocked by pretending that all possible grants are made.

A blocked process waits for N of the M processes that it has asked.  Some process wants to know whether it can ever go
on, if each process that is not blocked grants its requests, and each process that then goes on grants those that it
has received.

The detection begins with a wave along the requests, which notifies every process for which the first one waits,
directly or not.  A process that is not blocked then grants all requests that it has received; a process that has all
the grants that it needs is free, and does the same.  No request is really granted: this is a calculation on a
snapshot.  A notification is answered when all below it are, and a grant when all that follow from it are; so the first
process knows when the calculation is over.  If it is not free then, it is deadlocked.

Pseudo-code (out: those that I have asked; in: those that have asked me; needed: how many grants I still need)::

    notify:                  notified := true; send Notify to all in out; if needed = 0: grant
                             wait for Done from all in out, and for the end of this grant
    grant:                   free := true; send Grant to all in in; wait for Ack from all of them
    Notify from q:           if not notified: notify; send Done to q after its end, else send Done to q
    Grant from q:            if needed > 0: needed := needed - 1; if needed = 0 now: grant; send Ack to q after its end
                             else send Ack to q
    the process that detects: notify; after its end it is deadlocked unless it is free

Waiting does not prevent a process from answering other messages.  The requests: each process is blocked with the
probability ``blocked``, and then asks ``asks`` neighbours chosen at random, of which it needs ``needed``; or as in
``graph``, such as "0: 1 of 1 2; 1: 2 of 0 3", where processes that do not occur are not blocked.  The process with the
lowest name begins the detection after ``patience``, when all requests have arrived.

Needs a complete network with reliable links and names, processes that all start and do not crash, and messages that
take less than ``patience``.
Complexity: besides the requests, at most 4 messages for each of them: Notify and Done, Grant and Ack.

Reference: G. Bracha and S. Toueg, Distributed deadlock detection, Distributed Computing 2 (1987); W. Fokkink,
Distributed Algorithms: An Intuitive Approach, chapter 5 (deadlock detection).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    complete,
    eventually,
    everybody_starts,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    synchronous,
)

RUNNING, BLOCKED, FREE, DEADLOCKED = states(
    "running", "blocked", "free", "deadlocked",
    reads={"running": "is not blocked", "blocked": "is blocked", "free": "is free to go on",
           "deadlocked": "knows that it is deadlocked"},
)  # fmt: skip


class Request(Message):
    """The request for a grant, which makes its sender wait."""


class Notify(Message):
    """'I wait for you, and want to know whether I am deadlocked.'"""


class Done(Message):
    """The answer to Notify: all that follows from it is over."""


class Grant(Message):
    """The grant of a request, as a part of the calculation."""


class Ack(Message):
    """The answer to Grant: all that follows from it is over."""


class Detect(Timer):
    """The moment at which the detection begins."""


class BrachaTouegDeadlock(Process):
    title = "Bracha-Toueg deadlock detection"
    needs = complete, named, everybody_starts, reliable, no_crashes, synchronous("patience")
    messages = "<= 10*m"

    state = RUNNING
    asked: list[str] = []  # those that I have asked: out
    asked_by: list[str] = []  # those that have asked me: in
    quota: int = 0  # how many grants I needed at the beginning
    needed: int = 0  # how many grants I still need
    first: bool = False  # whether I began the detection
    notified: bool = False
    notifier: str | None = None  # the process that receives my Done
    granter: str | None = None  # the process that receives my Ack
    dones: int = 0  # how many Dones are missing
    acks: int = 0  # how many Acks are missing

    blocked = parameter(0.7, minimum=0.0, maximum=1.0, help="the probability that a process is blocked")
    asks = parameter(2, minimum=1, maximum=20, help="how many neighbours a blocked process asks")
    needs_of_them = parameter(1, minimum=1, maximum=20, help="how many of them must grant")
    graph = parameter("", help='the requests, such as "0: 1 of 1 2; 1: 2 of 0 3"; empty: random ones')
    patience = parameter(3.0, minimum=0.0, maximum=1000.0, help="the time after which the detection begins")

    @on(RUNNING, INIT)
    def start(self):
        """It is blocked and sends its requests, or is not blocked.

        becomes blocked: It asks {asked}, is blocked, and needs {needed:grant|grants}.
        otherwise: It is not blocked.
        """
        self.quota, self.asked = self.requests()
        self.needed = self.quota
        if self.needed:
            self.state = BLOCKED
            self.send(Request(), to=self.asked)
        if all(natural(self.me) < natural(q) for q in self.neighbours):
            self.set_timer(Detect(), after=self.patience)

    @on((BLOCKED, FREE, DEADLOCKED), INIT)
    def begun_already(self):
        """It has sent its requests already."""

    @on(ANY, Request)
    def requested(self, m, q):
        """It records that process {peer} waits for it."""
        self.asked_by.append(q)

    @on(ANY, Detect)
    def detect(self):
        """It begins the detection.

        decides: It is not blocked, and no process has to be asked.
        sends Notify: It begins the detection, and notifies all that it has asked.
        otherwise: It begins the detection, and makes all grants that are possible.
        """
        self.first = True
        self.notify()

    @on(ANY, Notify)
    def hear(self, m, q):
        """It notifies all that it has asked; if it is not blocked, it makes grants.

        sends Notify: It is notified for the first time, and notifies all that it has asked.
        sends Grant: It is not blocked, so it grants all requests that it has received.
        otherwise: It answers: it has been notified already, or nothing follows from this.
        """
        if self.notified:
            self.send(Done(), to=q)
        else:
            self.notifier = q
            self.notify()

    @on(ANY, Grant)
    def granted(self, m, q):
        """It needs one grant fewer.

        sends Grant: It has all the grants that it needs: it is free, and grants all requests that it has received.
        becomes free: It has all the grants that it needs: it is free.
        otherwise: It needs {needed:more grant|more grants}.
        """
        if self.needed == 0:
            self.send(Ack(), to=q)
            return
        self.needed -= 1
        if self.needed > 0:
            self.send(Ack(), to=q)
        else:
            self.granter = q
            self.grant()

    @on(ANY, Done)
    def done(self, m, q):
        """All that follows from its notification of process {peer} is over.

        becomes deadlocked: The detection is over, and it is not free: it is deadlocked.
        decides: The detection is over: it is free.
        otherwise: All that follows from its notification of process {peer} is over.
        """
        self.dones -= 1
        self.look()

    @on(ANY, Ack)
    def acknowledged(self, m, q):
        """All that follows from its grant to process {peer} is over.

        becomes deadlocked: The detection is over, and it is not free: it is deadlocked.
        decides: The detection is over: it is free.
        otherwise: All that follows from its grant to process {peer} is over.
        """
        self.acks -= 1
        self.look()

    def requests(self):
        """Return how many grants I need, and from which processes."""
        if self.graph:
            for entry in self.graph.split(";"):
                name, _, rest = entry.partition(":")
                number, _, names = rest.partition(" of ")
                if name.strip() == self.me:
                    asked = [q for q in self.neighbours if q in names.split()]
                    return min(int(number), len(asked)), asked
            return 0, []
        if not self.neighbours or self.random.random() >= self.blocked:
            return 0, []
        asked = sorted(self.random.sample(self.neighbours, min(self.asks, len(self.neighbours))), key=natural)
        return min(self.needs_of_them, len(asked)), asked

    def notify(self):
        self.notified = True
        self.dones = len(self.asked)
        self.send(Notify(), to=self.asked)
        if self.needed == 0 and self.state == RUNNING:
            self.grant()
        else:
            self.look()

    def grant(self):
        if self.state == BLOCKED:
            self.state = FREE
        self.acks = len(self.asked_by)
        self.send(Grant(), to=self.asked_by)
        self.look()

    def look(self):
        """Send the answers that have become possible; a process that is not blocked makes its grants while notified."""
        if self.acks == 0 and self.granter is not None:
            self.send(Ack(), to=self.granter)
            self.granter = None
        over = self.notified and self.dones == 0 and (self.acks == 0 or self.quota > 0)
        if over and self.notifier is not None:
            self.send(Done(), to=self.notifier)
            self.notifier = None
        elif over and self.first:
            self.first = False
            if self.needed > 0:
                self.state = DEADLOCKED
            self.decide("deadlock" if self.needed > 0 else "free")


def can_go_on(c):
    """Return the processes that can go on if all possible grants are made."""
    free, more = set(), {p.me for p in c.processes if p.quota == 0}
    while more:
        free |= more
        more = {p.me for p in c.processes if sum(q in free for q in p.asked) >= p.quota} - free
    return free


@always("only processes that can go on are free")
def sound(c):
    free = can_go_on(c)
    return all(p.me in free for p in c.processes if p.state == FREE)


@always("a process that announces a deadlock cannot go on, and one that announces that it is free can")
def right(c):
    free = can_go_on(c)
    return all((said == "free") == (c.name(p) in free) for p, said in c.decided.items())


@at_end("each process that was notified is free if it can go on")
def complete_calculation(c):
    free = can_go_on(c)
    return all(p.state in (RUNNING, FREE) for p in c.processes if p.notified and p.me in free)


@eventually("the process that began the detection learns the result")
def learned(c):
    return len(c.decided) == 1
