"""Dijkstra's token ring with messages: each remembers what its left neighbour last told it.

In place of a look at the left counter there is a copy of it, a cache.  Who changes its counter tells its right
neighbour, and so does everybody from time to time, for a message or a cache may be wrong.

Pseudo-code (C_i the cache of P_i for the counter X_(i-1); additions modulo K)::

    I may speak:              the leader P_1: X_1 = C_1;   P_i, i > 1: X_i <> C_i
    I may speak:              start talk
    talk is over:             if I still may: change X_i (the leader adds 1, the others copy C_i); send APPLES(X_i)
    every refresh:            send APPLES(X_i)
    APPLES(x) received:       C_i := x

Needs a ring, one initiator (the leader) and FIFO links: an old message that overtakes a newer one would bring an old
value back, again and again.  The caches and the messages under way are further members of the ring, so K >= 2 n at
least, and more while much is under way.  Nobody is asleep: a rule winds up the clock of whoever has none.
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
    """'So many apples are in my basket.'"""

    x: int


class Talk(Timer):
    """It has spoken long enough."""


class Refresh(Timer):
    """It is time to tell the right neighbour once more."""


class KStateMessages(Process):
    title = "Dijkstra's token ring with messages"
    needs = ring, one_initiator, fifo, no_crashes
    messages = ">= n"

    state = LISTENING
    x: int = variable(0, minimum=0, maximum="k - 1 if k > 0 else 2*n")
    cache: int = variable(0, minimum=0, maximum="k - 1 if k > 0 else 2*n")
    wound_up: int = variable(0, minimum=0, maximum=0)  # whether its clock goes: whatever strikes it stops the clock
    talking: int = variable(0, minimum=0, maximum=0)  # whether its speech will come to an end

    k = parameter(24, minimum=0, help="how many values a counter has, at least 2 n; 0: no bound")
    refresh = parameter(5.0, minimum=0.1, help="time after which the counter is told again")
    shortest = parameter(1.0, minimum=0.0, help="shortest time to speak")
    longest = parameter(3.0, minimum=0.0, help="longest time to speak")

    def may_speak(self):
        return (self.x == self.cache) == self.initiator

    @when(lambda self: not self.wound_up)
    def wind_up(self):
        """Its clock begins to go."""
        self.wound_up = 1
        self.set_timer(Refresh(), after=self.refresh)

    @when(lambda self: self.may_speak() and not self.talking)
    def speak(self):
        """It has the token and speaks."""
        self.state, self.talking = SPEAKING, 1
        self.set_timer(Talk(), after=self.random.uniform(self.shortest, self.longest))

    @when(lambda self: self.state == SPEAKING and not self.talking and not self.may_speak())
    def fall_silent(self):
        """It speaks and knows not why: a fault has made it do so."""
        self.state = LISTENING

    @on((LISTENING, SPEAKING), Talk)
    def pass_on(self):
        """It has spoken; if it still may, it changes its counter and tells its right neighbour.

        sends Apples: It has spoken: it changes its counter and tells its right neighbour.
        otherwise: It has spoken, and may not pass the token on any more.
        """
        self.state, self.talking = LISTENING, 0
        if self.may_speak():
            following = self.cache + 1 if self.initiator else self.cache
            self.x = following % self.k if self.k else following
            self.send(Apples(self.x), to=self.right)

    @on((LISTENING, SPEAKING), Refresh)
    def tell_again(self):
        """It tells its right neighbour once more, for the message or the cache may have been wrong."""
        self.send(Apples(self.x), to=self.right)
        self.set_timer(Refresh(), after=self.refresh)

    @on((LISTENING, SPEAKING), Apples)
    def hear(self, m, q):
        """It remembers what its left neighbour has; what comes from elsewhere is none of its business.

        changes cache: It remembers what its left neighbour has.
        otherwise: This tells it nothing new.
        """
        if q == self.left:
            self.cache = m.x


def members(c):
    """Counters, messages under way and caches in the order of the ring, from the leader's counter to its cache."""
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
    """How many may speak, or will for a message that is under way."""
    found = members(c)
    return sum(found[i] != found[i - 1] for i in range(1, len(found))) + (found[0] == found[-1])


@always("a token is at a process or on its way")
def some_token(c):
    return tokens(c) >= 1


@eventually("there is exactly one token, at a process or on its way")
def one_token(c):
    return tokens(c) == 1
