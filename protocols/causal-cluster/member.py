"""A process: what it keeps, and how it begins."""

from lydian import ANY, INIT, Process, on, variable

from .messages import COORDINATOR, MEMBER, Round


def name(j, s):
    """An event in words: number s of entry j."""
    return f"{j}.{s}"


def maximum(a, b):
    return [max(x, y) for x, y in zip(a, b, strict=True)]


class Member(Process):
    state = MEMBER
    # PrCast
    # what goes out with the next step: (item, hops so far)
    pool: dict[str, tuple[tuple[int, tuple[int, ...], str] | tuple[str, int, str, float], int]] = {}
    history: set[str] = set()  # all that PrCast has brought
    running: bool = False  # whether its steps go on
    # causal delivery
    T: list[int] = variable(lambda p: [0] * p.entries)  # how far it is with each entry
    seq: int = 0  # the last number of its own entry
    H: dict[str, tuple[int, tuple[int, ...], str]] = {}  # events heard that wait
    R: dict[str, tuple[int, tuple[int, ...], str]] = {}  # events recovered that wait
    asked: set[str] = set()  # events that it has asked for
    # events it keeps for those who miss them: (event, until when)
    sent: dict[str, tuple[tuple[int, tuple[int, ...], str], float]] = {}
    origin: dict[int, str] = {}  # who created the last event of an entry
    past: list[int] = variable(lambda p: [0] * p.entries)  # for the checks: the maximum of what it delivered
    wrong: list[str] = []  # for the checks: what it delivered that precedes something delivered before
    got: list[str] = []  # events delivered
    skipped: list[str] = []  # events given up
    made: int = 0  # events created
    # the ring
    entry: int | None = None  # e: the own entry
    next: int | None = None  # that of the successor
    succ: str | None = None
    pred: str | None = None
    view: dict[int, str] = {}  # Cview: entry -> its owner
    since: dict[int, float] = {}  # entry -> from when the news of it are
    departed: float = 0.0  # when it asked to leave
    last: list[int] = variable(lambda p: [0] * p.entries)  # the last number of each entry, as far as it knows
    L: list[str] = []  # the predecessors, nearest first
    told_succ: list[str] = []  # R: what the successor has acknowledged
    telling: list[str] = []  # what it was told and has not acknowledged yet
    busy: str | None = None  # whose ACK it waits for before it serves anybody
    busy_for: int = 0  # since how many rounds
    queue: list[tuple] = []  # who waits to join or to leave: (who, the request)
    before: tuple = ()  # succ and next before the last grant
    going: bool = False  # whether it wants to leave
    acks: set[str] = set()  # whose ACK it waits for before it is free to go
    # failures
    now: int = 0  # the number of this round
    counted: list[str] = []  # L at the beginning of this round
    near: list[str] = []  # the next 2k+1 successors
    alive: set[str] = set()  # who sent ALIVE in this round
    beyond: list[tuple] = []  # those behind the successor that it can still ask: (entry, name)
    candidate: tuple = ()  # whom it has asked: (entry, name)
    coming: str | None = None  # who may be its predecessor soon
    lost: list[tuple] = []  # whom it excludes: (entry, name)
    quorum: int = 0
    agreed: set[str] = set()  # who agrees to the exclusion
    between: list[int] = []  # E: the entries that are being excluded
    temp: int = 0  # for how many rounds it is temporary
    blocked: dict[int, int] = {}  # entry -> until which round news of it mean nothing
    gave_up: int = 0  # how often it left because it heard from too few
    excluded: int = 0  # how many owners it excluded

    @on(ANY, INIT)
    def begin(self):
        """It takes its place, if it is one of the first coordinators.

        becomes coordinator: It is one of the first coordinators: it owns entry {entry}, and its successor is {succ}.
        otherwise: It owns no entry at first, so it is a plain member.
        """
        n, first = self.entries, self.everybody[: min(self.core, len(self.everybody), self.entries)]
        if self.clock == 0:  # who comes back from a crash with nothing is a plain member
            places = [i if self.packed else i * n // len(first) for i in range(len(first))]
            self.view = dict(zip(places, first, strict=True))
            if self.me in first:
                at = first.index(self.me)
                self.entry, self.next = places[at], places[(at + 1) % len(first)]
                self.succ, self.pred = first[(at + 1) % len(first)], first[at - 1]
                self.L = self.cut(first[at - 1 :: -1] + first[:at:-1] if at else first[:0:-1])
                self.told_succ = self.known()
                self.state = COORDINATOR
                self.set_timer(Round(), after=self.round)
