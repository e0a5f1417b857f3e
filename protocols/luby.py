"""Luby: a maximal independent set by random choices.

Processes choose a set such that no two neighbours are in it and no other process could join.

In each phase each undecided process chooses a random number, and a process whose number is greater than those of all
undecided neighbours joins the set; its neighbours are out.  The others start the next phase.  A process without
undecided neighbours joins.  The synchronous rounds of the book become three exchanges: in each a process sends one
message to every undecided neighbour and waits for one from each.  Verdict is also sent by processes that have not won;
Stays says whether a process is still undecided.

Pseudo-code (Lynch, LubyMIS; live are the undecided neighbours)::

    begin a phase:                  if live is empty join the set, else
                                    number := random 1..sides; send Draw(number) to live; become drawing
    drawing, Draw of all live:      wins := number > all of theirs; send Verdict(wins) to live
                                    if wins join the set, else become comparing
    comparing, Verdict of all live: remove the winners from live; send Stays(there were none) to live
                                    if there was a winner stay out, else become staying
    staying, Stays of all live:     remove from live those that do not stay; begin a phase

Needs a connected network with two-way reliable links, and any number of initiators; a first Draw wakes the others.
Names are not used; order and delays do not matter.  If two numbers are equal, neither wins, and both processes choose
again.
Complexity: if ``sides`` is large, on average at least half of the links between undecided processes are removed in each
phase, so there are O(log n) phases, at most log2(m) + 2 on average; a phase costs at most 6m messages.  No bound is
certain; the probability of more than log2(m) + 17 phases is less than one in a hundred thousand.

Reference: M. Luby, A simple parallel algorithm for the maximal independent set problem, SIAM Journal on Computing 15
(1986); N. Lynch, Distributed Algorithms, section 4.5; the halving for plain numbers: Y. Metivier, J. M. Robson,
N. Saheb-Djahromi and A. Zemmari, An optimal bit complexity randomized distributed MIS algorithm, Distributed
Computing 23 (2011).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
    two_way,
)

SLEEPING, DRAWING, COMPARING, STAYING, IN, OUT = states(
    "sleeping", "drawing", "comparing", "staying", "in", "out",
    reads={
        "sleeping": "is asleep",
        "drawing": "is waiting for the numbers of its neighbours",
        "comparing": "is waiting for verdicts",
        "staying": "has no neighbour that won",
        "in": "is in the set",
        "out": "is outside the set",
    },
)
UNDECIDED = (DRAWING, COMPARING, STAYING)


class Draw(Message):
    """'This is my random number.'"""

    number: int


class Verdict(Message):
    """'My number is the highest and I join the set', or 'it is not'."""

    wins: bool


class Stays(Message):
    """'I am still undecided', or 'I am out'."""

    stays: bool


class Luby(Process):
    title = "Luby's independent set"
    needs = connected, two_way, some_initiator, reliable, no_crashes
    messages = "<= 6*m*(log2(m + 1) + 17)"

    state = SLEEPING
    phase: int = 0
    number: int | None = None  # the number that I have chosen in this phase
    live: set[str] = set()  # neighbours that are undecided, as far as I know
    draws: dict[str, int] = {}  # undecided neighbour -> its number in this phase
    verdicts: dict[str, bool] = {}
    stays: dict[str, bool] = {}

    sides = parameter(1000, minimum=1, maximum=1000000, help="the largest number that a process may choose")

    @on(SLEEPING, INIT)
    def start(self):
        """It wakes up, with all its neighbours undecided.

        always:
        """
        self.live = set(self.neighbours)
        self.begin()

    @on(ANY, INIT)
    def awake(self):
        """It has already been woken by a number."""

    @on(SLEEPING, Draw)
    def wake(self, m, q):
        """It is woken by the first number, and chooses one of its own."""
        self.start()
        self.drawn(m, q)

    @on(UNDECIDED, Draw)
    def drawn(self, m, q):
        """It stores the number of a neighbour until it has those of all.

        while drawing and sends Verdict: It chose {number}, and now knows the numbers of all undecided neighbours.
        while comparing or staying: It stores the number of a neighbour until it has those of all.
        """
        self.draws[q] = m.number
        self.close()

    @on(UNDECIDED, Verdict)
    def judged(self, m, q):
        """It stores the verdict of a neighbour until it has those of all.

        while comparing and sends Stays: It now knows whether any of its neighbours has won.
        while drawing or staying: It stores the verdict of a neighbour until it has those of all.
        """
        self.verdicts[q] = m.wins
        self.close()

    @on(UNDECIDED, Stays)
    def stayed(self, m, q):
        """It learns whether a neighbour is still undecided.

        becomes drawing: It now knows which neighbours are still undecided: the next phase begins.
        while comparing or drawing: It learns whether a neighbour is still undecided.
        """
        self.stays[q] = m.stays
        self.close()

    @on((IN, OUT), (Verdict, Stays))
    def decided(self):
        """It has already decided; nothing can change this."""

    @on(ANY, (Draw, Verdict, Stays))
    def unexpected(self, m, q):
        """It does not wait for this message, which arrives only after a fault."""
        self.note(f"unexpected message from {q}")

    def begin(self):
        self.phase += 1
        if not self.live:
            self.finish(IN)
        else:
            self.number = self.random.randint(1, self.sides)
            self.state = DRAWING
            self.tell(Draw(self.number))
            self.close()

    def close(self):
        if self.state == DRAWING and self.live <= set(self.draws):
            wins = all(self.number > self.draws[q] for q in self.live)
            self.draws = {}
            self.tell(Verdict(wins))
            if wins:
                self.finish(IN)
            else:
                self.state = COMPARING
        if self.state == COMPARING and self.live <= set(self.verdicts):
            winners = {q for q in self.live if self.verdicts[q]}
            self.verdicts = {}
            self.live -= winners
            self.tell(Stays(not winners))
            if winners:
                self.finish(OUT)
            else:
                self.state = STAYING
        if self.state == STAYING and self.live <= set(self.stays):
            self.live = {q for q in self.live if self.stays[q]}
            self.stays = {}
            self.begin()

    def finish(self, state):
        self.state = state
        self.live, self.draws, self.verdicts, self.stays = set(), {}, {}, {}
        self.decide(state)

    def tell(self, m):
        for r in self.neighbours:
            if r in self.live:
                self.send(m, to=r)


def chosen_beside(c, p):
    return any(c.across(p, q).state == IN for q in p.neighbours)


@always("no two neighbours are in the set")
def independent(c):
    return not any(p.state == IN and chosen_beside(c, p) for p in c.processes)


@always("each process that is out has a neighbour in the set")
def dominated(c):
    return all(p.state != OUT or chosen_beside(c, p) for p in c.processes)


@eventually("each process is in or out")
def decided(c):
    return all(p.state in (IN, OUT) for p in c.processes)


@at_end("the set is maximal: no process could join it")
def maximal(c):
    return all(p.state == IN or chosen_beside(c, p) for p in c.processes)
