"""Itai-Rodeh: processes without names throw dice until one is alone.

The processes of an anonymous one-way ring elect one of them, with probability 1.

No algorithm without chance can do this: processes that look alike would go on looking alike.  On each level the
remaining candidates draw an identifier and send it round the ring as in Chang-Roberts; a token counts its steps, so a
candidate knows its own when it has made n.  A token that met an equal draw on its way is no longer unique; the
candidates that drew the highest then draw again, one level higher.

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

Needs a ring in which messages go one way (the only neighbour is the next one), and that all know n (``size``); names
are not used, order and delays do not matter.  It wakes up everybody.
Complexity: O(n log n) messages on average; no bound is certain.  A level costs at most n*n, and there are on average
at most e*n/(n - 1) levels; more than 20 n*n + n messages are less likely than one in a hundred thousand.

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
    """A draw on its way round the ring: its level, how many steps it made, and whether it met no equal one."""

    level: int
    id: int
    hops: int
    unique: bool


class Ready(Message):
    """'There is a leader', told to everybody."""


class ItaiRodeh(Process):
    title = "Itai-Rodeh"
    needs = one_way_ring, some_initiator, reliable, no_crashes
    messages = "<= 20*n*n + n"

    state = SLEEPING
    level: int = 0
    id: int = 0  # my last draw
    ready: bool = False  # whether I know that there is a leader

    size = parameter(6, minimum=2, help="the number of processes, which all of them know")

    @on(SLEEPING, INIT)
    def start(self):
        """It wakes up and draws an identifier."""
        self.state = CANDIDATE
        self.draw()

    @on(ANY, INIT)
    def awake(self):
        """A token has woken it already."""

    @on(SLEEPING, Token)
    def wake(self, m):
        """The first token wakes it: it draws as well, and compares.

        always:
        """
        self.start()
        self.compare(m)

    @on(CANDIDATE, Token)
    def compare(self, m):
        """Higher draws beat it, lower ones end here, equal ones lose their uniqueness; its own decides the level.

        becomes leader: Its own token comes back, and no other process drew the same number: it has won.
        becomes lost: The token has a higher draw: it has lost, and passes the token on.
        changes level: Its own token comes back, but another process drew the same number: it draws again.
        sends Token: The token has the same draw as its own: it goes on, marked as not unique.
        nothing: The token has a lower draw and ends here.
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
        """It has lost and passes tokens on, but for its own, which has made its n steps.

        sends Token: It has lost and passes the token on.
        otherwise: This token of its own has made all its steps and ends here.
        """
        if m.hops < self.size:
            self.send(Token(m.level, m.id, m.hops + 1, m.unique), to=self.neighbours[0])

    @on(LEADER, Token)
    def drop(self, m):
        """It is the leader, and slower tokens end here."""

    @on((SLEEPING, CANDIDATE, LOST), Ready)
    def hear(self, m):
        """It learns that there is a leader and tells the next one."""
        self.ready = True
        self.send(m, to=self.neighbours[0])

    @on(LEADER, Ready)
    def told(self, m):
        """Everybody has heard."""

    def draw(self):
        self.level += 1
        self.id = self.random.randint(1, self.size)
        self.send(Token(self.level, self.id, 1, True), to=self.neighbours[0])


@always("everybody knows the true number of processes")
def size_is_true(c):
    return all(p.size == c.n for p in c.processes)


@always("there is at most one leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("somebody is not beaten")
def hope(c):
    return any(p.state != LOST for p in c.processes)


@eventually("there is a leader, and everybody knows that there is one")
def elected(c):
    return [p.state for p in c.processes if p.state != LOST] == [LEADER] and all(p.ready for p in c.processes)
