"""A process: what it keeps."""

from lydian import Process

from .messages import ASLEEP


class Member(Process):
    state = ASLEEP
    topics_of: set[int] = set()  # the topics in whose layers it is
    joining: set[int] = set()  # those whose layers it is about to join
    going: set[int] = set()  # those whose layers it wants to leave
    leaving: set[int] = set()  # those whose layers it left, and not all neighbours know it
    holding: set[int] = set()  # topics in whose layers it is privileged
    val: dict[int, int] = {}  # topic -> its counter in that layer
    lid: dict[int, int] = {}
    N: dict[int, list] = {}  # topic -> the neighbours to which it has a link in the layer
    cv: dict[tuple, int] = {}  # (topic, neighbour) -> val, as far as it knows
    cl: dict[tuple, int] = {}
    old: dict[tuple, set] = {}  # (topic, neighbour) -> what it had when the link came up, if later than the beginning
    unknown: dict[int, int] = {}  # topic -> how many neighbours did not say yet whether they are interested
    input: dict[int, list] = {}  # topic -> items to pass on
    seen: set[tuple] = set()  # (topic, identifier) of all items it had
    turns: dict[int, int] = {}
    forming: dict[int, set] = {}  # topic -> those to which it wants a link
    asked: dict[int, set] = {}  # those whose answer it waits for
    answers: dict[int, dict] = {}  # val, lid and neighbours of those who said yes
    frozen: dict[int, set] = {}  # those for whom it keeps its val
    deferred: dict[int, list] = {}  # those whom it answers after its turn
    closing: dict[int, set] = {}  # those that did not say yet that they know that the link is down
    ever: set[int] = set()  # the topics in whose layers it ever was
    stayed: set[int] = set()  # those in whose layers it is from the beginning
    changes: dict[int, int] = {}  # how many links it got or lost since the beginning
    joins: int = 0  # how often it came into a layer since the beginning
    told: int = 0  # how many items it handed to its user
    mine: set[tuple] = set()  # (topic, identifier) of what it published
