"""Safra: a token counts messages until no process is working and no work is in transit.

Processes give each other work in any pattern; a circulating token detects when all of it is done.

Each process counts the messages it has sent minus those it has received, and becomes black when it receives work.  The
token waits at a process until the process is passive, adds its count, becomes black if the process is black, and leaves
the process white.  If the token returns white to a white initiator and the counts add up to zero, all work is done;
otherwise it starts another round.  The work is that of dijkstra-scholten; the token follows the order of the names.

Pseudo-code (EWD 998; Tel, algorithm 8.7)::

    send Work:                       count := count + 1
    receive Work:                    count := count - 1; become black; become active
    passive, with Token(sum, colour):
        initiator:                   if colour and I are white and sum + count = 0:  announce termination
                                     else send Token(0, white) to next; become white
        any other process:           send Token(sum + count, black if I am black, else colour) to next; become white

Needs a complete network with names, two-way links that neither lose nor duplicate messages, and one initiator; order
does not matter.  Complexity: n messages for each round.  One full round follows the end of the work, after at most one
that began earlier; before that, the number of rounds depends on the duration of the work, which here sends 2m(hops + 1)
messages.

Reference: E. W. Dijkstra, Shmuel Safra's version of termination detection, EWD 998 (1987); G. Tel, Introduction to
Distributed Algorithms, 2nd edition, section 8.3.2, algorithm 8.7.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    complete,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
)

PASSIVE, ACTIVE, ANNOUNCED = states(
    "passive", "active", "announced",
    reads={"passive": "is idle", "active": "is working", "announced": "has announced termination"},
)


class Work(Message):
    """A piece of work; says how often it is still to be passed on."""

    hops: int


class Token(Message):
    """The circulating token: the sum of the counts so far, and whether this round has failed."""

    sum: int
    black: bool


class Done(Timer):
    """The end of the work that a process is doing."""


class Safra(Process):
    title = "Safra's termination detection"
    needs = complete, named, one_initiator, reliable, no_crashes
    messages = ">= 2*m*(hops + 1) + n"

    state = PASSIVE
    count: int = 0  # work sent minus work received
    black: bool = False  # whether I have received work since the token left me
    token: bool = False  # whether the token waits here
    sum: int = 0  # the contents of the token that waits here:
    vain: bool = False  # its sum, and whether it is black
    spread: bool = False  # whether I have given work to all others, or am about to
    todo: list[tuple[str, int]] = []  # work that I give away when I am done: receiver, hops

    hops = parameter(2, minimum=0, maximum=50, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(PASSIVE, INIT)
    def start(self):
        """It starts to work and creates the token, which is black because no process has been visited.

        always:
        """
        self.token, self.vain = True, True
        self.work()

    @on(ANY, INIT)
    def too_late(self):
        """It does nothing, because a token already exists."""

    @on((PASSIVE, ACTIVE), Work)
    def receive(self, m):
        """It receives work and becomes black.

        while active: It receives work and becomes black.
        """
        self.count -= 1
        self.black = True
        self.work(m)

    @on(ANNOUNCED, Work)
    def wrong(self, m, q):
        """It receives work although it has announced termination, which happens only after a fault."""
        self.note(f"work from {q} after termination was announced")

    @on(ACTIVE, Done)
    def done(self):
        """It finishes its work, gives away the work that follows, and becomes passive.

        sends Work and sends Token: It finishes its work, gives away the work that follows, and passes the token
            on.
        sends Work: It finishes its work and gives away the work that follows.
        sends Token: It finishes its work; no work follows, and it passes the token on.
        becomes passive: It finishes its work; no work follows.
        """
        for r, hops in self.todo:
            self.send(Work(hops), to=r)
        self.count += len(self.todo)
        self.todo = []
        self.state = PASSIVE
        self.pass_on()

    @on((PASSIVE, ANNOUNCED), Done)
    def nothing_done(self):
        """It was not working, which happens only after a fault."""

    @on(ANY, Token)
    def take(self, m):
        """It receives the token, which waits until the process is passive.

        sends Token: It is not working, so it passes the token on.
        decides: The sum is 0, and no work was received since the token left: all work is done.
        while active: It is working, so the token waits here.
        always: It receives the token.
        """
        self.token, self.sum, self.vain = True, m.sum, m.black
        if self.state == PASSIVE:
            self.pass_on()

    def pass_on(self):
        if not self.token:
            return
        if not self.initiator:
            self.leave(self.sum + self.count, self.vain or self.black)
        elif self.vain or self.black or self.sum + self.count != 0:
            self.leave(0, False)
        else:
            self.state = ANNOUNCED
            self.decide("terminated")

    def leave(self, sum, black):
        ring = sorted((self.me, *self.neighbours), key=natural)
        self.send(Token(sum, black), to=ring[(ring.index(self.me) + 1) % len(ring)])
        self.token, self.black = False, False

    def work(self, m=None):
        if not self.spread:
            self.spread = True
            self.todo += [(r, self.hops) for r in self.neighbours]
        if m is not None and m.hops > 0:
            self.todo.append((self.random.choice(self.neighbours), m.hops - 1))
        if self.state != ACTIVE:
            self.state = ACTIVE
            self.set_timer(Done(), after=self.duration)


@always("termination is announced only when no process is working and no work is in transit")
def safe(c):
    return all(p.state != ANNOUNCED for p in c.processes) or not (
        any(p.state == ACTIVE for p in c.processes) or any(type(t.message) is Work for t in c.in_transit)
    )


@always("all work in transit is counted")
def counted(c):
    return sum(p.count for p in c.processes) >= sum(type(t.message) is Work for t in c.in_transit)


@always("there is never a second token")
def one_token(c):
    return sum(p.token for p in c.processes) + sum(type(t.message) is Token for t in c.in_transit) <= 1


@always("the sum of a white token is correct and all behind it are idle, unless those ahead make the round fail")
def honest_round(c):
    """Return True if the invariant of EWD 998 holds: the round will fail, or its sums are correct so far."""
    held = [(p, p.sum, p.vain) for p in c.processes if p.token]
    held += [(t.receiver, t.message.sum, t.message.black) for t in c.in_transit if type(t.message) is Token]
    if not held:
        return True
    place, total, black = held[0]
    ring = sorted(c.processes, key=lambda p: natural(p.me))
    first = next((i for i, p in enumerate(ring) if p.initiator), 0)
    ring = ring[first + 1 :] + ring[: first + 1]  # the initiator comes last
    behind, ahead = ring[: ring.index(place)], ring[ring.index(place) :]
    fails = black or any(p.black for p in ahead) or total + sum(p.count for p in ahead) > 0
    return fails or (all(p.state == PASSIVE for p in behind) and total == sum(p.count for p in behind))


@eventually("the initiator learns that all work is done")
def announced(c):
    return sorted(p.state for p in c.processes if p.state != PASSIVE) == [ANNOUNCED]
