"""A process: what it keeps."""

from lydian import Process

from .messages import CALM


def name(j, s):
    """An event in words: number s of entry j."""
    return f"{j}.{s}"


class Member(Process):
    state = CALM
    T: list[int] = []  # how far it is with each entry
    H: dict[str, tuple[int, tuple[int, ...], float]] = {}  # events heard that wait
    R: dict[str, tuple[int, tuple[int, ...], float]] = {}  # events recovered that wait
    asked: set[str] = set()  # events that it has asked for
    seq: int = 0  # how many events it created
    # events it keeps for those who miss them: (event, until when)
    sent: dict[str, tuple[tuple[int, tuple[int, ...], float], float]] = {}
    # what goes out with the next round: (event, hops so far)
    pool: dict[str, tuple[tuple[int, tuple[int, ...], float], int]] = {}
    history: dict[str, bool] = {}  # the last events that PrCast has brought
    out: tuple = ()  # the message that is on the line
    running: bool = False  # whether its rounds go on
    left: int = 0  # rounds in which it may still create events
    length: float = 0.0  # how long its last round took
    past: list[int] = []  # for the checks: the maximum of all timestamps that it delivered
    wrong: list[str] = []  # for the checks: what it delivered that precedes something delivered before
    got: list[str] = []  # events delivered
    skipped: list[str] = []  # events given up
    got_after: float = 0.0  # how long after their creation, added up
    heard: set[str] = set()  # for the measures: events that PrCast brought, its own among them
    heard_after: float = 0.0  # how long after their creation, added up
    again: int = 0  # how often PrCast brought one again, since the history had forgotten it
    worked: float = 0.0  # for the measures: until when it created events
    size: float = 0.0  # for the measures: the bits of its messages, where ``rate`` counts them; each of a round once
    parcels: int = 0  # for the measures: how many those are
    saved: int = 0  # events that recovery brought
