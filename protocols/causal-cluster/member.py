"""The variables of a process, and how it begins."""

from lydian import ANY, INIT, Process, on, variable

from .messages import COORDINATOR, MEMBER, Round


def name(j, s):
    """Return the name of event number s of entry j."""
    return f"{j}.{s}"


def maximum(a, b):
    return [max(x, y) for x, y in zip(a, b, strict=True)]


class Member(Process):
    state = MEMBER
    # PrCast
    # what is sent in the next step: (item, hops so far)
    pool: dict[str, tuple[tuple[int, tuple[int, ...], str] | tuple[str, int, str, float], int]] = {}
    history: set[str] = set()  # everything that PrCast has brought
    running: bool = False  # whether its steps continue
    # causal delivery
    T: list[int] = variable(lambda p: [0] * p.entries)  # the last number delivered or given up of each entry
    seq: int = 0  # the last number of its own entry
    H: dict[str, tuple[int, tuple[int, ...], str]] = {}  # events received by gossip that wait
    R: dict[str, tuple[int, tuple[int, ...], str]] = {}  # events recovered that wait
    asked: set[str] = set()  # events that it has requested
    # events kept for processes that miss them: (event, until when)
    sent: dict[str, tuple[tuple[int, tuple[int, ...], str], float]] = {}
    origin: dict[int, str] = {}  # creator of the last event of each entry
    past: list[int] = variable(lambda p: [0] * p.entries)  # for the checks: the maximum of all timestamps delivered
    wrong: list[str] = []  # for the checks: events delivered that precede an event delivered before
    got: list[str] = []  # events delivered
    skipped: list[str] = []  # events given up
    made: int = 0  # number of events created
    # the ring
    entry: int | None = None  # e: its own entry
    next: int | None = None  # the entry of its successor
    succ: str | None = None
    pred: str | None = None
    view: dict[int, str] = {}  # Cview: entry -> its owner
    since: dict[int, float] = {}  # entry -> time of the latest news about it
    departed: float = 0.0  # when it asked to leave
    last: list[int] = variable(lambda p: [0] * p.entries)  # the last number of each entry that it knows of
    L: list[str] = []  # the predecessors, nearest first
    told_succ: list[str] = []  # R: the predecessors that the successor has acknowledged
    telling: list[str] = []  # the predecessors reported to it and not acknowledged yet
    busy: str | None = None  # process whose ACK it waits for before it serves another request
    busy_for: int = 0  # number of rounds for which it has waited
    queue: list[tuple] = []  # waiting requests to join or leave: (process, request)
    before: tuple = ()  # succ and next before the last grant
    going: bool = False  # whether it wants to leave
    acks: set[str] = set()  # processes whose ACK it needs before it is free to leave
    # failures
    now: int = 0  # number of this round
    counted: list[str] = []  # L at the beginning of this round
    near: list[str] = []  # its next 2k+1 successors
    alive: set[str] = set()  # processes that sent ALIVE in this round
    beyond: list[tuple] = []  # processes behind the successor that it can still ask: (entry, name)
    candidate: tuple = ()  # the process that it has asked: (entry, name)
    coming: str | None = None  # process that may soon be its predecessor
    lost: list[tuple] = []  # processes that it excludes: (entry, name)
    quorum: int = 0
    agreed: set[str] = set()  # processes that agree to the exclusion
    between: list[int] = []  # E: the entries being excluded
    temp: int = 0  # number of rounds for which it is still temporary
    blocked: dict[int, int] = {}  # entry -> round until which news about it is ignored
    gave_up: int = 0  # number of times that it left because it heard from too few others
    excluded: int = 0  # number of owners that it excluded

    @on(ANY, INIT)
    def begin(self):
        """It takes its place if it is one of the first coordinators.

        becomes coordinator: It is one of the first coordinators: it owns entry {entry}, and its successor is {succ}.
        otherwise: It owns no entry at first, so it is a plain member.
        """
        n, first = self.entries, self.everybody[: min(self.core, len(self.everybody), self.entries)]
        if self.clock == 0:  # a process that recovers from a crash with empty memory is a plain member
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
