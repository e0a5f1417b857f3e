"""Itai-Rodeh: processes without names elect a leader by choosing random numbers until one of them is alone.

The processes of an anonymous one-way ring elect one of them, with probability 1.

No deterministic algorithm can do this: identical processes could stay in identical states for ever.  On each level the
remaining candidates choose an identifier at random and send it round the ring as in Chang-Roberts; a token counts its
steps, so that a candidate recognises its own after n of them.  A token that has met an equal number on its way is no
longer unique; the candidates with the highest number then choose again, one level higher.

Pseudo-code (Tel, section 9.3, with the highest for the lowest; pairs are compared level first)::

    sleeping, INIT or first message:  level := 1; id := random 1..n; send Token(level, id, 1, true); become candidate
    candidate, Token(l, i, hops, unique):
        if hops = n:                      if unique send Ready and become leader, else level := level + 1,
                                          id := random 1..n, send Token(level, id, 1, true)
        else if (l, i) = (level, id):     send Token(l, i, hops + 1, false)
        else if (l, i) > (level, id):     send Token(l, i, hops + 1, unique); become lost
        else:                             drop it
    lost, Token(l, i, hops, unique):      if hops < n send Token(l, i, hops + 1, unique)
    lost, Ready:                          send Ready; done

It needs a one-way ring (the only neighbour is the next process) in which all processes know n (``size``); names are
not used, and order and delays do not matter.  All processes are woken.
Complexity: O(n log n) messages on average; no bound is certain.  A level costs at most n*n messages, and on average
there are at most e*n/(n - 1) levels; the probability of more than 20 n*n + n messages is below 1/100,000.

Reference: A. Itai and M. Rodeh, Symmetry breaking in distributed networks, Information and Computation 88 (1990),
first FOCS 1981; G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 9.3; W. Fokkink and J. Pang,
Variations on Itai-Rodeh leader election, Journal of Universal Computer Science 12 (2006).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    eventually,
    no_crashes,
    on,
    one_way_ring,
    parameter,
    reliable,
    some_initiator,
    states,
)

SLEEPING, CANDIDATE, LOST, LEADER = states(
    "sleeping", "candidate", "lost", "leader",
    reads={"sleeping": "is asleep", "candidate": "is a candidate", "lost": "has lost", "leader": "is the leader"},
)


class Token(Message):
    """A random number on its way round the ring: its level, its steps so far, and whether it is unique so far."""

    level: int
    id: int
    hops: int
    unique: bool


class Ready(Message):
    """The announcement to all processes that there is a leader."""


class ItaiRodeh(Process):
    title = "Itai-Rodeh"
    needs = one_way_ring, some_initiator, reliable, no_crashes
    messages = "<= 20*n*n + n"

    state = SLEEPING
    level: int = 0
    id: int = 0  # the last random number
    ready: bool = False  # whether it knows that there is a leader

    size = parameter(6, minimum=2, help="the number of processes, which all processes know")

    @on(SLEEPING, INIT)
    def start(self):
        """It wakes up and chooses an identifier at random."""
        self.state = CANDIDATE
        self.draw()

    @on(ANY, INIT)
    def awake(self):
        """It ignores this, as a token has already woken it."""

    @on(SLEEPING, Token)
    def wake(self, m):
        """It is woken by its first token, chooses an identifier at random and compares the two.

        always:
        """
        self.start()
        self.compare(m)

    @on(CANDIDATE, Token)
    def compare(self, m):
        """It compares a token with its own number; when its own token returns, it has won or chooses again.

        becomes leader: Its own token has returned, and no other process chose the same number: it has won.
        becomes lost: The token's number is higher than its own, so this process forwards the token.
        changes level: Its own token has returned, but another process chose the same number: it chooses again.
        sends Token: The token's number equals its own, so this process forwards the token, marked as not unique.
        nothing: The token's number is lower than its own, so the token goes no further.
        """
        if m.hops == self.size:
            if m.unique:
                self.state = LEADER
                self.ready = True
                self.decide("leader")
                self.send(Ready(), to=self.neighbours[0])
            else:
                self.draw()
        elif (m.level, m.id) == (self.level, self.id):
            self.send(Token(m.level, m.id, m.hops + 1, False), to=self.neighbours[0])
        elif (m.level, m.id) > (self.level, self.id):
            self.state = LOST
            self.pass_on(m)

    @on(LOST, Token)
    def pass_on(self, m):
        """It has lost and forwards tokens, except its own, which has made its n steps.

        sends Token: It has lost and forwards the token.
        otherwise: This is its own token, which has made all its steps and goes no further.
        """
        if m.hops < self.size:
            self.send(Token(m.level, m.id, m.hops + 1, m.unique), to=self.neighbours[0])

    @on(LEADER, Token)
    def drop(self, m):
        """It is the leader, and all slower tokens end here."""

    @on((SLEEPING, CANDIDATE, LOST), Ready)
    def hear(self, m):
        """It learns that there is a leader and informs the next process."""
        self.ready = True
        self.send(m, to=self.neighbours[0])

    @on(LEADER, Ready)
    def told(self, m):
        """The announcement has gone round the ring and goes no further."""

    def draw(self):
        self.level += 1
        self.id = self.random.randint(1, self.size)
        self.send(Token(self.level, self.id, 1, True), to=self.neighbours[0])


@always("every process knows the true number of processes")
def size_is_true(c):
    return all(p.size == c.n for p in c.processes)


@always("there is at most one leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("at least one process is not beaten")
def hope(c):
    return any(p.state != LOST for p in c.processes)


@eventually("there is a leader, and every process knows that there is one")
def elected(c):
    return [p.state for p in c.processes if p.state != LOST] == [LEADER] and all(p.ready for p in c.processes)
