"""The variables of a process."""

from lydian import Process

from .messages import ASLEEP


class Member(Process):
    state = ASLEEP
    topics_of: set[int] = set()  # the topics in whose layers it is
    joining: set[int] = set()  # topics whose layers it is about to join
    going: set[int] = set()  # topics whose layers it wants to leave
    leaving: set[int] = set()  # topics whose layers it has left, while some neighbour does not know this
    holding: set[int] = set()  # topics in whose layers it is privileged
    val: dict[int, int] = {}  # topic -> its counter in that layer
    lid: dict[int, int] = {}
    N: dict[int, list] = {}  # topic -> the neighbours to which it has a link in the layer
    cv: dict[tuple, int] = {}  # (topic, neighbour) -> val, as far as it is known
    cl: dict[tuple, int] = {}
    old: dict[tuple, set] = {}  # (topic, neighbour) -> its items when a later link came up
    unknown: dict[int, int] = {}  # topic -> number of neighbours not yet known to be interested or not
    input: dict[int, list] = {}  # topic -> items to pass on
    seen: set[tuple] = set()  # (topic, identifier) of all its items so far
    turns: dict[int, int] = {}
    forming: dict[int, set] = {}  # topic -> neighbours to which it wants a link
    asked: dict[int, set] = {}  # neighbours whose answer it waits for
    answers: dict[int, dict] = {}  # val, lid and neighbours of those that agreed
    frozen: dict[int, set] = {}  # neighbours for which it keeps its val
    deferred: dict[int, list] = {}  # neighbours that it will answer after its turn
    closing: dict[int, set] = {}  # neighbours that have not yet confirmed that the link is down
    ever: set[int] = set()  # the topics in whose layers it ever was
    stayed: set[int] = set()  # topics in whose layers it has been from the beginning
    changes: dict[int, int] = {}  # number of links gained or lost since the beginning
    joins: int = 0  # number of times that it entered a layer since the beginning
    told: int = 0  # number of items that it delivered to its user
    mine: set[tuple] = set()  # (topic, identifier) of the items that it published
