"""Dijkstra's token ring with messages: each process stores the last counter received from its left neighbour.

Instead of reading the left counter, a process uses a copy of it, a cache.  A process that changes its counter sends it
to its right neighbour, and each process also does so periodically, because a message or a cache may be wrong.

Pseudo-code (C_i is the cache of P_i for the counter X_(i-1); additions are modulo K)::

    I may speak:              the leader P_1: X_1 = C_1;   P_i, i > 1: X_i <> C_i
    I may speak:              start talk
    talk is over:             if I still may: change X_i (the leader adds 1, the others copy C_i); send APPLES(X_i)
    every refresh:            send APPLES(X_i)
    APPLES(x) received:       C_i := x

Needs a ring, one initiator (the leader) and FIFO links: an old message that overtakes a newer one would bring an old
value back, again and again.  Caches and messages in transit act as further members of the ring, so K must be at least
2 n, and more while many messages are in transit.  No process sleeps for ever: a rule starts a missing refresh timer.
Complexity: one message for each speech and one in each period for each process, for ever; stable after O(n) rounds of
speaking, delay and refresh.

Reference: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17 (1974), first solution; S.
Dolev, A. Israeli, S. Moran, Self-stabilization of dynamic systems assuming only read/write atomicity, Distributed
Computing 7 (1993), for the caches.
"""

from lydian import (
    Message,
    Process,
    Timer,
    always,
    eventually,
    fifo,
    no_crashes,
    on,
    one_initiator,
    parameter,
    ring,
    states,
    variable,
    when,
)

LISTENING, SPEAKING = states(
    "listening", "speaking",
    reads={"listening": "is listening", "speaking": "has the token and speaks"},
)


class Apples(Message):
    """'My counter has this value.'"""

    x: int


class Talk(Timer):
    """The end of a speech."""


class Refresh(Timer):
    """The time at which the counter is sent to the right neighbour again."""


class KStateMessages(Process):
    title = "Dijkstra's token ring with messages"
    needs = ring, one_initiator, fifo, no_crashes
    messages = ">= n"

    state = LISTENING
    x: int = variable(0, minimum=0, maximum="k - 1 if k > 0 else 2*n")
    cache: int = variable(0, minimum=0, maximum="k - 1 if k > 0 else 2*n")
    wound_up: int = variable(0, minimum=0, maximum=0)  # whether the refresh timer runs; a corruption stops it
    talking: int = variable(0, minimum=0, maximum=0)  # whether the timer that ends the speech runs

    k = parameter(24, minimum=0, help="number of values of a counter, at least 2 n; 0: unbounded")
    refresh = parameter(5.0, minimum=0.1, help="time after which the counter is sent again")
    shortest = parameter(1.0, minimum=0.0, help="shortest time to speak")
    longest = parameter(3.0, minimum=0.0, help="longest time to speak")

    def may_speak(self):
        return (self.x == self.cache) == self.initiator

    @when(lambda self: not self.wound_up)
    def wind_up(self):
        """It starts its refresh timer."""
        self.wound_up = 1
        self.set_timer(Refresh(), after=self.refresh)

    @when(lambda self: self.may_speak() and not self.talking)
    def speak(self):
        """It begins to speak, because it has the token."""
        self.state, self.talking = SPEAKING, 1
        self.set_timer(Talk(), after=self.random.uniform(self.shortest, self.longest))

    @when(lambda self: self.state == SPEAKING and not self.talking and not self.may_speak())
    def fall_silent(self):
        """It stops speaking: it has no token, and only a fault has made it speak."""
        self.state = LISTENING

    @on((LISTENING, SPEAKING), Talk)
    def pass_on(self):
        """It ends its speech; if it still has the token, it changes its counter and sends it to the right.

        sends Apples: It ends its speech, changes its counter and sends it to its right neighbour.
        otherwise: It ends its speech; it no longer has the token, so it cannot pass it on.
        """
        self.state, self.talking = LISTENING, 0
        if self.may_speak():
            following = self.cache + 1 if self.initiator else self.cache
            self.x = following % self.k if self.k else following
            self.send(Apples(self.x), to=self.right)

    @on((LISTENING, SPEAKING), Refresh)
    def tell_again(self):
        """It sends its counter to its right neighbour again, in case a message or the cache was wrong."""
        self.send(Apples(self.x), to=self.right)
        self.set_timer(Refresh(), after=self.refresh)

    @on((LISTENING, SPEAKING), Apples)
    def hear(self, m, q):
        """It stores the counter of its left neighbour, and ignores messages of other processes.

        changes cache: It stores the counter of its left neighbour.
        otherwise: The message does not change its cache.
        """
        if q == self.left:
            self.cache = m.x


def members(c):
    """Return counters, messages in transit and caches along the ring, from the leader's counter to its cache."""
    p = next(p for p in c.processes if p.initiator)
    found = []
    for _ in c.processes:
        found.append(p.x)
        following = c.across(p, p.right)
        under_way = [t.message.x for t in c.in_transit if t.sender is p and t.receiver is following]
        found += [*reversed(under_way), following.cache]
        p = following
    return found


def tokens(c):
    """Return the number of processes that may speak, or will because of a message in transit."""
    found = members(c)
    return sum(found[i] != found[i - 1] for i in range(1, len(found))) + (found[0] == found[-1])


@always("a token is at a process or in transit")
def some_token(c):
    return tokens(c) >= 1


@eventually("there is exactly one token, at a process or in transit")
def one_token(c):
    return tokens(c) == 1
