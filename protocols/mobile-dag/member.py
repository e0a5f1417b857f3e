"""A process: what it keeps, and where its links lead."""

from lydian import Process

from .messages import OUTSIDE


class Member(Process):
    state = OUTSIDE
    val: int = 0
    lid: int = 0
    N: set[str] = set()  # neighbours to which the link is up
    cv: dict[str, int] = {}  # their val, as far as it knows
    cl: dict[str, int] = {}  # their lid
    out: set[str] = set()  # those to which the link leads
    input: list = []  # items heard and not passed on yet
    local: list = []  # items published and not sent yet
    seen: set[int] = set()  # identifiers of all items it had
    waiting: set[int] = set()  # those of input and local
    unknown: set[str] = set()  # neighbours that did not say yet, at the beginning, whether they are members
    away: set[str] = set()  # neighbours that are out of reach
    forming: set[str] = set()  # those to which it wants a link
    asked: set[str] = set()  # those whose answer it waits for
    answers: dict[str, tuple] = {}  # val, lid and neighbours of those who said yes
    frozen: set[str] = set()  # those for whom it keeps its val
    deferred: set[str] = set()  # those whom it answers after its turn
    closing: set[str] = set()  # those that did not say yet that they know that the link is down
    going: bool = False  # whether it wants to leave
    turns: int = 0
    copies: int = 0  # how many items it sent, one for each neighbour
    told: int = 0  # how many items it handed to its user
    changes: int = 0  # how many links it got or lost since the beginning
    cuts: int = 0  # how many of them it lost
    since: float = -1.0  # when it came into the layer, -1 if it never was there
    mine: dict[int, float] = {}  # what it published, and when

    def below(self, x, y):
        return x < y if self.mode in ("heights", "ordinary") else y == (x + 1) % self.counters

    def leads(self, q):
        """Whether the link to q leads from here to q."""
        return self.below(self.cv[q], self.val) or (self.cv[q] == self.val and self.cl[q] < self.lid)

    def is_sink(self):
        """Whether all links lead here."""
        near = self.among(self.N)
        here = (self.below(self.val, self.cv[q]) or (self.val == self.cv[q] and self.lid < self.cl[q]) for q in near)
        return bool(near) and all(here)

    def among(self, some):
        return [q for q in self.neighbours if q in some]
