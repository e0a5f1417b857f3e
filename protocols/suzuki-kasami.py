"""Suzuki-Kasami: the token knows who has been served, everybody knows who has asked.

Processes compete for a resource that only the holder of the one token may use; who wants it asks everybody for the
token.

Each process numbers its requests.  The token carries the number of the last request of each process that was served,
and a queue; who leaves the critical section puts everybody into the queue whose number is one ahead.

Pseudo-code (rn: the highest number known of each process; ln, queue: travel with the token)::

    INIT:                            the process with the lowest name makes the token
    released, Think, with token:     become held
    released, Think, without:        rn[me] := rn[me] + 1; send Request(rn[me]) to all others; become wanted
    any, Request(number) from q:     rn[q] := max(rn[q], number);
                                     if I have the token, am not held, and rn[q] = ln[q] + 1: send Token to q
    wanted, Token:                   become held
    held, Use:                       ln[me] := rn[me]; append to the queue each q with rn[q] = ln[q] + 1 not in it;
                                     become released; if the queue is not empty: send Token to its first

Needs a complete network with two-way links that lose nothing, distinct names, and no crashes; order and delays do not
matter (the numbers tell old requests).  Everybody starts; who is ``keen`` wants the resource again and again, others
when told Want; nobody more than ``entries`` times.  The queue is filled in the order of the names, beginning behind
the holder, so nobody is passed over.
Complexity: n messages for an entry (n - 1 requests and the token), none for who has the token already.

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
    """'I should like the token', for the so-manyth time."""

    number: int


class Token(Message):
    """The right to enter, with what has been served and who is next."""

    ln: dict[str, int]
    queue: list[str]


class Think(Timer):
    """It wants the resource (again)."""


class Use(Timer):
    """It has used the resource long enough."""


class Want(Command):
    """Its user wants the resource now."""


class Leave(Command):
    """Its user gives the resource back early."""


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
    token: bool = False  # whether I have it; then ln and queue are those of the token
    rn: dict[str, int] = {}  # the highest number that I know of each process
    ln: dict[str, int] = {}  # the number of the last request of each process that was served
    queue: list[str] = []  # who gets the token next
    entered: int = 0
    dear: int = 0  # entries for which I had to ask
    sent: int = 0

    entries = parameter(
        3, minimum=0, help="how often a process enters the critical section at most",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process wants the resource (again)")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    keen = parameter(True, help="whether processes want the resource by themselves, or only for their users")

    @on(RELEASED, INIT)
    def begin(self):
        """The lowest makes the token; all will want it after a while.

        sets Think: The lowest makes the token; all will want it after a while.
        """
        self.token = all(natural(self.me) < natural(q) for q in self.neighbours)
        self.start_thinking()

    @on(RELEASED, (Think, Want))
    def want(self):
        """It enters if it has the token, and else asks everybody for it.

        notes: It has been in the critical section as often as it may.
        becomes held: It has the token and enters.
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
        """It remembers the number; if the token lies here unused, and the request is new, it sends the token.

        sends Token: The token is here unused, and the request is new: it sends the token.
        otherwise: It remembers the number of the request.
        """
        self.rn[q] = max(self.rn.get(q, 0), m.number)
        if self.token and self.state == RELEASED and self.unserved(q):
            self.pass_on(q)

    @on(WANTED, Token)
    def get(self, m, q):
        """It has the token and enters."""
        self.token, self.ln, self.queue = True, dict(m.ln), list(m.queue)
        self.enter()

    @on((RELEASED, HELD), Token)
    def unexpected(self, m, q):
        """It has not asked for a token; it happens only when something was broken."""
        self.note(f"unexpected token from {q}")

    @on(HELD, (Use, Leave))
    def leave(self):
        """It marks its request as served, lets new ones join the queue, and sends the token to its first.

        sends Token: It marks its request as served, and sends the token to the first in the queue.
        otherwise: It marks its request as served and keeps the token: no process waits.
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
        """It wants the resource or has it already."""

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


@always("there is never more than one token, and who is in the critical section has it")
def one_token(c):
    tokens = sum(p.token for p in c.processes) + sum(type(t.message) is Token for t in c.in_transit)
    return tokens <= 1 and all(p.token for p in c.processes if p.state == HELD)


@eventually("everybody who asks gets it")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, nobody is left in the critical section")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("an entry takes n messages, or none where the token was already")
def count(c):
    return sum(p.sent for p in c.processes) == c.n * sum(p.dear for p in c.processes)
