"""Primary-backup replication: a register on two servers survives the crash of one; a view server says which is primary.

Clients send their requests to the primary.  It passes each write on to the backup, and answers only when the backup has
it.  If the primary crashes, the view server makes the backup the primary of the next view; clients then repeat their
open requests, and each server remembers which requests are done, so that none is executed twice.

Pseudo-code::

    view server:  at the beginning: send Who to all;  Here from q: it is the primary, the backup or a spare server
                  a server has crashed: the backup or a spare one takes its place;  send View to all
    client:       a command, or a View while it waits: send Request to the primary
                  Reply: return its value to the user
    primary:      Request, one after the other: execute it;  if there is a backup and the request is a write:
                      send Update to the backup and wait for Updated;  send Reply
    backup:       Update: store the value;  send Updated

It needs a complete network with two-way links that lose nothing, names, a failure detector that makes no mistakes (the
view server uses it), a view server that does not crash, and one server that survives.  The view server is the only
initiator.  A user gives a client its next command only after the response to the last one.
Complexity: four messages for a write, two for a read.  With ``wait = False`` the primary answers before the backup has
the write, and its crash may lose a write that a client believes to be done.

Reference: P. Alsberg and J. Day, A principle for resilient sharing of distributed resources, ICSE 1976; N. Budhiraja,
K. Marzullo, F. Schneider and S. Toueg, The primary-backup approach, in: S. Mullender (editor), Distributed Systems, 2nd
edition, 1993.
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
    linearizable,
    named,
    on,
    one_initiator,
    parameter,
    register,
    reliable,
    states,
    two_way,
)

WATCHING, SPARE, BACKUP, PRIMARY, READY, WAITING = states(
    "watching", "spare", "backup", "primary", "ready", "waiting",
    reads={
        "watching": "is watching the servers", "spare": "is a spare server", "backup": "is the backup",
        "primary": "is the primary", "waiting": "is waiting for a reply",
    },
)  # fmt: skip


class Write(Command):
    """Write the value."""

    value: int


class Read(Command):
    """Read the register."""


class Who(Message):
    """'Who is a server?'"""


class Here(Message):
    """'I am a server.'"""


class View(Message):
    """'These are the primary and the backup of this view.'"""

    number: int
    primary: str | None
    backup: str | None


class Request(Message):
    """'Write this value', or, without a value, 'which value do you have?'"""

    number: int
    value: int | None


class Reply(Message):
    """'Your request is done; this is the value.'"""

    number: int
    value: int | None


class Update(Message):
    """'This is the value now, and these are the last requests of all clients.'"""

    value: int | None
    done: dict[str, int]


class Updated(Message):
    """'I have stored it.'"""


class Gone(Timer):
    """The server has crashed."""

    server: str


class ViewServer(Process, processes=1):
    state = WATCHING
    view: int = 0
    servers: list[str] = []  # those that have not crashed: the primary, the backup, spare ones

    @on(WATCHING, INIT)
    def ask(self):
        """It asks for the servers."""
        self.send(Who(), to=self.neighbours)

    @on(WATCHING, Here)
    def admit(self, m, q):
        """It admits a server, and watches it from now on."""
        self.servers.append(q)
        self.watch(q, Gone(q), after=1.0)
        if len(self.servers) <= 2:
            self.announce()

    @on(WATCHING, Gone)
    def replace(self, t):
        """It replaces a server that has crashed."""
        self.servers.remove(t.server)
        self.announce()

    def announce(self):
        self.view += 1
        primary, backup = (*self.servers, None, None)[:2]
        self.send(View(self.view, primary, backup), to=self.neighbours)


class Server(Process, processes="replicas"):
    title = "Primary-backup replication"
    needs = complete, two_way, named, reliable, detector, one_initiator
    messages = "<= 3*(n - 1) + replicas + 2 + 4*operations"

    replicas: int = parameter(2, minimum=1, help="how many processes are servers")
    operations: int = parameter(4, minimum=0, help="the largest number of operations, for the formula")
    wait: bool = parameter(True, help="whether the primary waits for the backup before it answers a write")

    state = SPARE
    value: int | None = None
    done: dict[str, int] = {}  # client -> the number of its last request that is done
    view: int = 0
    partner: str | None = None  # the backup, at the primary
    behind: bool = False  # whether the backup has not yet confirmed the last update
    requests: list[tuple[str, int, int | None]] = []  # those that are not answered, at the primary

    @on(ANY, Who)
    def answer(self, m, q):
        """It is a server."""
        self.send(Here(), to=q)

    @on(ANY, View)
    def change(self, m):
        """It takes its place in the new view."""
        if m.number < self.view:
            return
        self.view = m.number
        if m.primary == self.me:
            if m.backup != self.partner:
                self.partner, self.behind = m.backup, False
                self.update()
            self.state = PRIMARY
            self.proceed()
        elif m.backup == self.me:
            self.state = BACKUP

    @on((SPARE, BACKUP), Request)
    def too_early(self, m):
        """The client knows the new view before the server does."""
        self.defer()

    @on(PRIMARY, Request)
    def accept(self, m, q):
        """The primary executes requests one after the other."""
        self.requests.append((q, m.number, m.value))
        if len(self.requests) == 1:
            self.execute()
            self.proceed()

    @on((SPARE, BACKUP), Update)
    def store(self, m, q):
        """The backup stores the value."""
        self.value, self.done = m.value, m.done
        self.send(Updated(), to=q)

    @on(PRIMARY, Update)
    def too_late(self):
        """The former primary has crashed before it could answer, and the client repeats its request."""

    @on(PRIMARY, Updated)
    def confirmed(self, m, q):
        """The backup has the value."""
        if q == self.partner:
            self.behind = False
            self.proceed()

    def execute(self):
        """Execute the first request, unless it has been executed before."""
        client, number, value = self.requests[0]
        if value is not None and self.done.get(client, 0) < number:
            self.value = value
            self.done[client] = number
            self.update()

    def update(self):
        if self.partner is not None:
            self.behind = self.wait
            self.send(Update(self.value, self.done), to=self.partner)

    def proceed(self):
        """Answer requests until an update has to be confirmed."""
        while self.requests and not self.behind:
            client, number, _ = self.requests.pop(0)
            self.send(Reply(number, self.value), to=client)
            if self.requests:
                self.execute()


class Client(Process):
    state = READY
    primary: str | None = None
    view: int = 0
    number: int = 0  # of the last request
    wanted: int | None = None  # the value that it writes, or None if it reads

    @on(ANY, Who)
    def silent(self):
        """It is not a server."""

    @on(ANY, View)
    def learn(self, m):
        """It learns which server is the primary, and repeats its open request."""
        if m.number > self.view:
            changed = m.primary != self.primary
            self.view, self.primary = m.number, m.primary
            if changed and self.state == WAITING:
                self.ask()

    @on(READY, Write)
    def write(self, m):
        """The user wants to write."""
        self.begin(m.value)

    @on(READY, Read)
    def read(self):
        """The user wants to read."""
        self.begin(None)

    @on(WAITING, Reply)
    def finish(self, m):
        """The operation is complete."""
        if m.number == self.number:
            self.respond(m.value if self.wanted is None else None)
            self.state = READY

    @on(READY, Reply)
    def repeated(self):
        """A second reply changes nothing."""

    def begin(self, value):
        self.number += 1
        self.wanted = value
        self.state = WAITING
        self.ask()

    def ask(self):
        if self.primary is not None:
            self.send(Request(self.number, self.wanted), to=self.primary)


atomic_register = linearizable(register())


@always("at most one server that has not crashed is the primary")
def one_primary(c):
    return sum(p.state == PRIMARY and not c.crashed(p) for p in c.role("server")) <= 1


@at_end("every operation of a client that has not crashed has its response")
def all_responded(c):
    alive = {c.name(p) for p in c.correct}
    return all(each.outcome == "ok" for each in c.history if each.process in alive) or not servers_left(c)


def servers_left(c):
    return any(not c.crashed(p) for p in c.role("server"))
