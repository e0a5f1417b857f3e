"""The variables of a process."""

from lydian import Process

from .messages import CALM


def name(j, s):
    """Return the name of event number s of entry j."""
    return f"{j}.{s}"


class Member(Process):
    state = CALM
    T: list[int] = []  # the last number delivered or given up of each entry
    H: dict[str, tuple[int, tuple[int, ...], float]] = {}  # events received by gossip that wait
    R: dict[str, tuple[int, tuple[int, ...], float]] = {}  # events recovered that wait
    asked: set[str] = set()  # events that it has requested
    seq: int = 0  # number of events that it created
    # events kept for processes that miss them: (event, until when)
    sent: dict[str, tuple[tuple[int, tuple[int, ...], float], float]] = {}
    # what is sent in the next round: (event, hops so far)
    pool: dict[str, tuple[tuple[int, tuple[int, ...], float], int]] = {}
    history: dict[str, bool] = {}  # the last events that PrCast has brought
    out: tuple = ()  # the message that is being sent
    running: bool = False  # whether its rounds continue
    left: int = 0  # rounds in which it may still create events
    length: float = 0.0  # length of its last round
    past: list[int] = []  # for the checks: the maximum of all timestamps delivered
    wrong: list[str] = []  # for the checks: events delivered that precede an event delivered before
    got: list[str] = []  # events delivered
    skipped: list[str] = []  # events given up
    got_after: float = 0.0  # time since their creation, summed up
    heard: set[str] = set()  # for the measures: events that PrCast brought, including its own
    heard_after: float = 0.0  # time since their creation, summed up
    again: int = 0  # number of events that PrCast brought again after the history had dropped them
    worked: float = 0.0  # for the measures: the time until which it created events
    size: float = 0.0  # for the measures: bits of its messages where ``rate`` counts them; each message of a round once
    parcels: int = 0  # for the measures: number of these messages
    saved: int = 0  # number of events that recovery brought
