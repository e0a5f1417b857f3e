"""The variables of a process, and the directions of its links."""

from lydian import Process

from .messages import OUTSIDE


class Member(Process):
    state = OUTSIDE
    val: int = 0
    lid: int = 0
    N: set[str] = set()  # neighbours to which the link is up
    cv: dict[str, int] = {}  # their val, as far as it is known
    cl: dict[str, int] = {}  # their lid
    out: set[str] = set()  # neighbours to which the link leads
    input: list = []  # items received and not passed on yet
    local: list = []  # items published and not sent yet
    seen: set[int] = set()  # identifiers of all its items so far
    waiting: set[int] = set()  # identifiers of the items in input and local
    unknown: set[str] = set()  # neighbours not yet known to be members or not, at the beginning
    away: set[str] = set()  # neighbours that are out of reach
    forming: set[str] = set()  # neighbours to which it wants a link
    asked: set[str] = set()  # neighbours whose answer it waits for
    answers: dict[str, tuple] = {}  # val, lid and neighbours of those that agreed
    frozen: set[str] = set()  # neighbours for which it keeps its val
    deferred: set[str] = set()  # neighbours that it will answer after its turn
    closing: set[str] = set()  # neighbours that have not yet confirmed that the link is down
    going: bool = False  # whether it wants to leave
    turns: int = 0
    copies: int = 0  # number of items that it sent, one for each neighbour
    told: int = 0  # number of items that it delivered to its user
    changes: int = 0  # number of links gained or lost since the beginning
    cuts: int = 0  # number of links lost
    since: float = -1.0  # time at which it entered the layer, -1 if it never did
    mine: dict[int, float] = {}  # the items that it published, and when

    def below(self, x, y):
        return x < y if self.mode in ("heights", "ordinary") else y == (x + 1) % self.counters

    def leads(self, q):
        """Return whether the link to q leads from here to q."""
        return self.below(self.cv[q], self.val) or (self.cv[q] == self.val and self.cl[q] < self.lid)

    def is_sink(self):
        """Return whether all links lead here."""
        near = self.among(self.N)
        here = (self.below(self.val, self.cv[q]) or (self.val == self.cv[q] and self.lid < self.cl[q]) for q in near)
        return bool(near) and all(here)

    def among(self, some):
        return [q for q in self.neighbours if q in some]
