"""Suzuki-Kasami: mutual exclusion by one token that is requested from all processes and records those served.

Processes compete for a resource that only the holder of the one token may use; a process that wants it asks all others
for the token.

Each process numbers its requests.  The token carries a queue and, for each process, the number of its last request that
was served.  A process that leaves the critical section adds to the queue each process whose latest number is one
higher.

Pseudo-code (rn: the highest number known of each process; ln, queue: travel with the token)::

    INIT:                            the process with the lowest name creates the token
    released, Think, with token:     become held
    released, Think, without:        rn[me] := rn[me] + 1; send Request(rn[me]) to all others; become wanted
    any, Request(number) from q:     rn[q] := max(rn[q], number);
                                     if it has the token, is not held, and rn[q] = ln[q] + 1: send Token to q
    wanted, Token:                   become held
    held, Use:                       ln[me] := rn[me]; append to the queue each q with rn[q] = ln[q] + 1 not in it;
                                     become released; if the queue is not empty: send Token to its first

It needs a complete network with two-way links that lose nothing, distinct names, and no crashes; order and delays do
not matter (old requests are recognised by their numbers).  All processes start; a ``keen`` process wants the resource
again and again, and any other when it receives the command Want; none enters more than ``entries`` times.  The queue is
filled in the order of names, beginning after the holder, so no process is passed over.
Complexity: n messages for an entry (n - 1 requests and the token), none for a process that already has the token.

Reference: I. Suzuki and T. Kasami, A distributed mutual exclusion algorithm, ACM Transactions on Computer Systems 3
(1985).
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
    eventually,
    named,
    natural,
    need,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    two_way,
)

RELEASED, WANTED, HELD = states(
    "released", "wanted", "held",
    reads={"released": "is idle", "wanted": "wants the token", "held": "is in the critical section"},
)


class Request(Message):
    """The sender's request for the token; ``number`` counts the sender's requests."""

    number: int


class Token(Message):
    """The token: the right to enter, the last served request of each process (``ln``), and the queue."""

    ln: dict[str, int]
    queue: list[str]


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


@need("everybody starts", "every process starts by itself")
def everybody_starts(network):
    lazy = [p for p in network.processes if p not in network.initiators]
    if not lazy:
        return None
    who = f"process {lazy[0]} does" if len(lazy) == 1 else f"{len(lazy)} processes do"
    return f'{who} not start; make every process an initiator (initiators = "all")'


class SuzukiKasami(Process):
    title = "Suzuki-Kasami"
    needs = complete, two_way, named, everybody_starts, reliable, no_crashes
    messages = "<= n*n*entries"

    state = RELEASED
    token: bool = False  # whether it has the token; if so, ln and queue are those of the token
    rn: dict[str, int] = {}  # for each process, the highest request number known
    ln: dict[str, int] = {}  # for each process, the number of its last request that was served
    queue: list[str] = []  # the processes that receive the token next
    entered: int = 0
    dear: int = 0  # entries for which it had to ask
    sent: int = 0

    entries = parameter(
        3, minimum=0, help="the most times that a process enters the critical section",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process next wants the resource")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    keen = parameter(True, help="whether processes want the resource on their own, or only when a user asks")

    @on(RELEASED, INIT)
    def begin(self):
        """It creates the token if its name is the lowest; it will want the resource after a while.

        changes token and sets Think: Its name is the lowest, so it creates the token; it will want the resource later.
        changes token: Its name is the lowest, so it creates the token.
        sets Think: Another process creates the token; this one will want the resource after a while.
        """
        self.token = all(natural(self.me) < natural(q) for q in self.neighbours)
        self.start_thinking()

    @on(RELEASED, (Think, Want))
    def want(self):
        """It enters the critical section if it has the token; otherwise it asks all others for it.

        notes: It has entered the critical section as often as it may.
        becomes held: It has the token and enters the critical section.
        otherwise: It asks all others for the token.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
        elif self.token:
            self.enter()
        else:
            self.state = WANTED
            self.dear += 1
            self.rn[self.me] = self.rn.get(self.me, 0) + 1
            for q in self.neighbours:
                self.send(Request(self.rn[self.me]), to=q)
            self.sent += len(self.neighbours)

    @on(ANY, Request)
    def asked(self, m, q):
        """It records the number; if it has the unused token and the request is new, it sends the token.

        sends Token: It has the unused token and the request is new, so it sends the token.
        otherwise: It records the number of the request.
        """
        self.rn[q] = max(self.rn.get(q, 0), m.number)
        if self.token and self.state == RELEASED and self.unserved(q):
            self.pass_on(q)

    @on(WANTED, Token)
    def get(self, m, q):
        """It has the token and enters the critical section."""
        self.token, self.ln, self.queue = True, dict(m.ln), list(m.queue)
        self.enter()

    @on((RELEASED, HELD), Token)
    def unexpected(self, m, q):
        """It has not asked for the token, so this is possible only after a fault."""
        self.note(f"unexpected token from {q}")

    @on(HELD, (Use, Leave))
    def leave(self):
        """It marks its request as served, adds new requests to the queue, and sends the token to the first process.

        sends Token: It marks its request as served and sends the token to the first process in the queue.
        otherwise: It marks its request as served and keeps the token, as no process waits for it.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.ln[self.me] = self.rn.get(self.me, 0)
        behind = sorted(self.neighbours, key=lambda q: (natural(q) < natural(self.me), natural(q)))
        self.queue += [q for q in behind if q not in self.queue and self.unserved(q)]
        if self.queue:
            self.pass_on(self.queue.pop(0))
        self.start_thinking()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def unserved(self, q):
        return self.rn.get(q, 0) == self.ln.get(q, 0) + 1

    def pass_on(self, q):
        self.send(Token(self.ln, self.queue), to=q)
        self.sent += 1
        self.token, self.ln, self.queue = False, {}, []

    def start_thinking(self):
        if self.keen and self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)


@always("at most one process is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@always("there is at most one token, and a process in the critical section has it")
def one_token(c):
    tokens = sum(p.token for p in c.processes) + sum(type(t.message) is Token for t in c.in_transit)
    return tokens <= 1 and all(p.token for p in c.processes if p.state == HELD)


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("an entry takes n messages, or none if the token was already there")
def count(c):
    return sum(p.sent for p in c.processes) == c.n * sum(p.dear for p in c.processes)
