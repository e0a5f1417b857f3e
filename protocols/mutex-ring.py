"""Token ring: mutual exclusion by one token that goes round a ring; its holder may enter the critical section.

The token goes round the ring for ever.  A process that wants the resource waits until the token arrives, and keeps it
while in the critical section.

Pseudo-code (Le Lann)::

    INIT:                send Token to next
    any, Token:          if this process wants the resource: become held (and keep the token), else send Token to next
    held, Use:           become released; send Token to next

It needs a one-way ring, one initiator (which creates the token), and links that lose nothing; the order does not
matter, since there is only one message.  A process first wants the resource some time after its first receipt of the
token; if it is ``keen`` it wants the resource again and again, otherwise when it receives the command Want, but never
more than ``entries`` times.  So that a run can end, the initiator removes the token after a round in which no process
was busy, that is, entered or had entries left (unless no process is ``keen``: then the token goes round for ever).
Complexity: one message for an entry when all processes want to enter all the time, any number when none does; at least
n * (entries + 1) in all.  A process that wants to enter waits for at most n - 1 others.

Reference: G. Le Lann, Distributed systems: towards a formal approach, IFIP Congress 1977; A. S. Tanenbaum and
M. van Steen, Distributed Systems, 3rd edition, section 6.3.
"""

from lydian import (
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    eventually,
    no_crashes,
    on,
    one_initiator,
    one_way_ring,
    parameter,
    reliable,
    states,
)

RELEASED, WANTED, HELD = states(
    "released", "wanted", "held",
    reads={"released": "is idle", "wanted": "waits for the token", "held": "is in the critical section"},
)


class Token(Message):
    """The token, which is the right to enter."""

    busy: bool  # whether a process has entered in this round or may still want to


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


class TokenRing(Process):
    title = "Token ring"
    needs = one_way_ring, one_initiator, reliable, no_crashes
    messages = ">= n*(entries + 1)"

    state = RELEASED
    known: bool = False  # whether the token has been here
    entered: int = 0

    entries = parameter(
        3, minimum=0, help="the most times that a process enters the critical section",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process next wants the resource")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    keen = parameter(True, help="whether processes want the resource on their own, or only when a user asks")

    @on(RELEASED, INIT)
    def begin(self):
        """It creates the token and sends it round the ring.

        always:
        """
        self.get(Token(True))

    @on((RELEASED, WANTED), Token)
    def get(self, m):
        """It enters the critical section if it wants the resource; otherwise it passes the token on.

        becomes held: It wants the resource and now has the token, so it enters the critical section.
        otherwise: It does not want the resource and passes the token on.
        """
        if not self.known:
            self.known = True
            self.start_thinking()
        if self.state == WANTED:
            self.enter()
        else:
            self.pass_on(m.busy)

    @on(HELD, Token)
    def second(self, m):
        """It already has a token, so this is a second one, which is possible only after a fault.

        always:
        """
        self.note("there is a second token")
        self.pass_on(m.busy)

    @on(RELEASED, (Think, Want))
    def want(self):
        """It wants the resource.

        notes: It has entered the critical section as often as it may.
        otherwise: It wants the resource.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
        else:
            self.state = WANTED

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and passes the token on.

        always:
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.pass_on(True)
        self.start_thinking()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def pass_on(self, busy):
        mine = not self.keen or self.entered < self.entries
        if not self.initiator:
            self.send(Token(busy or mine), to=self.neighbours[0])
        elif busy or mine:  # a new round
            self.send(Token(mine), to=self.neighbours[0])

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


@always("there is at most one token")
def one_token(c):
    return len(c.in_transit) + sum(p.state == HELD for p in c.processes) <= 1


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))
