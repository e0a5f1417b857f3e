"""Cole-Vishkin: three colours on a ring in very few rounds, however long the ring is.

Neighbours on a ring get different colours out of three in very few rounds: ten are enough for a million processes.

Initially the colour of each process is its name.  In each round, each process sends its colour to its successor, finds
the lowest bit in which its own colour differs from its predecessor's, and adopts the position of this bit and the bit
itself as its new colour.  Colours of b bits shrink to about log2 b bits, until there are six.  Then 5, 4 and 3 are
removed, one after the other: all processes shift their colours by one process, so that each knows the colours on both
sides, and a process with the colour that is removed adopts the first of 0, 1, 2 that is free.

Pseudo-code (Peleg; x is the predecessor's colour in this round)::

    every round:                    send Colour(colour) to next; wait for Colour(x) of the predecessor
    until six colours are left:     i := lowest bit in which colour and x differ; colour := 2 * i + bit i of colour
    for c = 5, 4, 3, two rounds:    before := colour; colour := x          (shift down: the successor has before now)
                                    if colour = c, colour := first of 0, 1, 2 that is neither x nor before

Needs a ring in which messages travel one way (the only neighbour is the next process), names that are numbers and
differ in their last ``bits`` bits, the value of ``bits`` known to all, and any number of initiators; a first colour
wakes the others.  Order and delays do not matter: a colour carries its round, since the predecessor may be several
rounds ahead.
Complexity: for names of b bits log* b + O(1) rounds of n messages: one round up to 3 bits, two for 4, three up to 8,
four up to 128; and six rounds from six colours to three.

Reference: R. Cole and U. Vishkin, Deterministic coin tossing with applications to optimal parallel list ranking,
Information and Control 70 (1986); A. Goldberg, S. Plotkin and G. Shannon, Parallel symmetry-breaking in sparse graphs,
SIAM Journal on Discrete Mathematics 1 (1988), for the shift; D. Peleg, Distributed Computing: A Locality-Sensitive
Approach, 2000, chapter 7.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    eventually,
    named,
    need,
    no_crashes,
    on,
    one_way_ring,
    parameter,
    reliable,
    some_initiator,
    states,
)

SLEEPING, REDUCING, SHIFTING, RECOLOURING, ZERO, ONE, TWO = states(
    "sleeping", "reducing", "shifting", "recolouring", "zero", "one", "two",
    reads={
        "sleeping": "is asleep",
        "reducing": "is shortening its colour",
        "shifting": "is shifting its colour",
        "recolouring": "is removing colours above 2",
        "zero": "has colour 0",
        "one": "has colour 1",
        "two": "has colour 2",
    },
)
COLOURED = (ZERO, ONE, TWO)


@need("numbers", "names are different whole numbers")
def numbered(network):
    wrong = [p for p in network.processes if not p.isdecimal()]
    if wrong:
        return f"the name {wrong[0]} is not a whole number; choose another network, such as numbers-ring-12"
    return None if len({int(p) for p in network.processes}) == network.n else "two names are the same number"


class Colour(Message):
    """'This is my colour in this round.'"""

    colour: int
    round: int


class ColeVishkin(Process):
    title = "Cole-Vishkin"
    needs = one_way_ring, named, numbered, some_initiator, reliable, no_crashes
    messages = "n*(7 if bits <= 3 else 8 if bits <= 4 else 9 if bits <= 8 else 10)"

    state = SLEEPING
    round: int = 0
    colour: int | None = None
    word: str = ""  # the colour in binary
    before: int | None = None  # my colour before the last shift, which my successor has now
    early: dict[int, int] = {}  # round -> the predecessor's colour in it

    bits = parameter(10, minimum=1, maximum=128, help="how many bits of a name are used; known to all processes")

    @on(SLEEPING, INIT)
    def start(self):
        """It wakes up; its name is its first colour.

        always:
        """
        self.take(int(self.me) % 2**self.bits)
        self.begin()

    @on(ANY, INIT)
    def awake(self):
        """It has already been woken by a colour."""

    @on(SLEEPING, Colour)
    def wake(self, m):
        """It is woken by the first colour."""
        self.start()
        self.hear(m)

    @on((REDUCING, SHIFTING, RECOLOURING), Colour)
    def hear(self, m):
        """It learns the colour of its predecessor; if this is the colour of its current round, the round ends."""
        self.early[m.round] = m.colour
        while self.round in self.early:
            self.finish(self.early.pop(self.round))
            self.round += 1
            self.begin()

    @on(COLOURED, Colour)
    def unexpected(self, m, q):
        """It does not wait for this colour, which arrives only after a fault."""
        self.note(f"unexpected colour from {q}")

    def begin(self):
        rest = self.round - reductions(self.bits)
        if rest == 6:
            self.state = COLOURED[min(self.colour, 2)]
            self.decide(self.colour)
        else:
            self.state = REDUCING if rest < 0 else SHIFTING if rest % 2 == 0 else RECOLOURING
            self.send(Colour(self.colour, self.round), to=self.neighbours[0])

    def finish(self, x):
        if self.state == REDUCING:
            i = lowest_bit(self.colour ^ x)
            if self.colour == x:
                self.note(f"the predecessor has the same colour, {self.word}")
            self.take(2 * i + (self.colour >> i) % 2)
        elif self.state == SHIFTING:
            self.before = self.colour
            self.take(x)
        elif self.colour == going(self.round - reductions(self.bits)):
            self.take(min({0, 1, 2} - {x, self.before}))

    def take(self, colour):
        self.colour = colour
        self.word = f"{colour:b}"


def reductions(bits):
    """Return the number of rounds in which names of this many bits become six colours."""
    rounds = 1  # from three bits to 0..5
    while bits > 3:
        bits = 1 + (bits - 1).bit_length()
        rounds += 1
    return rounds


def lowest_bit(number):
    """Return the position of the lowest bit that is 1; 0 if there is none."""
    return max((number & -number).bit_length() - 1, 0)


def going(rest):
    """Return the colour that is removed in this round after the reductions."""
    return 5 - rest // 2


def pairs(c):
    return [(p, c.across(p, p.neighbours[0])) for p in c.processes]


@always("neighbours in the same round have different colours")
def proper(c):
    return all(p.colour is None or p.round != q.round or p.colour != q.colour for p, q in pairs(c))


@always("after the reductions there are six colours")
def six(c):
    return all(p.colour < 6 for p in c.processes if p.state in (SHIFTING, RECOLOURING, *COLOURED))


@eventually("each process has one of three colours")
def coloured(c):
    return all(p.state in COLOURED and p.colour < 3 for p in c.processes)


@at_end("neighbours have different colours")
def proper_at_end(c):
    return all(p.colour != q.colour for p, q in pairs(c))
