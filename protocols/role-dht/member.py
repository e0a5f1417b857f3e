"""The variables of a process, and messages between its roles."""

from lydian import ANY, Process, on

from .messages import (
    CHILD,
    FORWARDER,
    OUTSIDE,
    Abort,
    Claim,
    Done,
    Event,
    Found,
    Gone,
    Invite,
    IsChild,
    IsParent,
    Itself,
    Join,
    Known,
    Leave,
    LeaveChild,
    LeftIs,
    Lookup,
    MyAddress,
    Ok,
    Ping,
    Pong,
    Post,
    Promote,
    Reassign,
    Replace,
    Request,
    RouteParent,
    Split,
)


class Member(Process):
    state = OUTSIDE
    T: set[int] = set()  # topics of interest
    once: set[int] = set()  # topics in which it was ever interested
    L: dict[int, tuple] = {}  # topics it forwards -> its location there
    left: dict[int, tuple] = {}  # Q: the location to the left and to the right of each of its own, on the circle
    right: dict[int, tuple] = {}
    later: dict[int, tuple] = {}  # locations to the right of that, in case it crashes
    table: dict[int, dict] = {}  # topic -> F and E: first and last forwarder; R0, R1 ..., L0, L1 ...: 1, 2, 4 ... away
    far: dict[int, tuple] = {}  # some locations in other sectors, one for each order of distance
    C: dict[int, dict] = {}  # topic -> child -> (its hash, the topics it forwards, a number, the end of its lease)
    parent: dict[int, str] = {}
    stamps: dict[int, int] = {}  # the number under which the parent knows it
    F: dict[int, list] = {}  # alternative forwarders
    rec_ok: dict[int, bool] = {}
    V: dict[int, list] = {}  # gossip views
    heir: dict[int, str] = {}  # successor in a topic that it no longer forwards
    wish: set[int] = set()  # topics in which it must find its place
    urge: set[int] = set()  # topics in which it must be a forwarder
    asked: dict[int, int] = {}  # topic -> number of the lookup in progress
    found: dict[int, tuple[tuple[int, int, int, str], int, int, int]] = {}
    plan: list = []  # operations to do: (operation, topic, other process)
    delayed: list = []  # operations that are postponed
    doing: tuple = ()
    # topic -> process for which the gap to its right is being changed, and since when
    busy: dict[int, tuple[tuple[int, int, int, str], float]] = {}
    queue: dict[int, list] = {}  # topic -> processes that wait for that
    promoted: dict[int, set] = {}
    waiting: dict[int, tuple] = {}  # pings without an answer, and their number
    pinged: dict[int, float] = {}  # time of the last ping from the left neighbour
    odd: dict[tuple, tuple] = {}  # reports that contradict the circle, heard once
    early: list = []  # messages that cannot be answered yet
    inbox: list = []  # messages to itself
    heard: dict[tuple, tuple] = {}
    host: str | None = None  # process that invited it
    door: str | None = None  # a process on the circle
    ended: bool = False  # whether it was the last on the circle
    seen: set[tuple] = set()
    got: dict[str, int] = {}  # publications received -> number of their steps
    since: dict[int, float] = {}  # topic -> time since which it has its place there
    mine: dict[str, tuple] = {}  # its own publications -> (topic, time)
    numbers: int = 0
    forwarded: int = 0
    notified: int = 0
    repeats: int = 0  # number of publications received again
    most: int = 0  # largest number of forwarders to which it sent the same publication
    chosen: int = 0  # number of random lookups that ended here
    lookups: int = 0  # number of lookups that ended here
    hops: int = 0  # number of steps that these took
    strangers: int = 0  # steps of lookups with a role that led to processes without it
    aborts: int = 0
    moved: float = 0.0  # time of its last change of parent
    place: float = 0.0  # its place in the sector, from 0 to 1
    hierarchy_of: dict[str, list[str]] = {}  # topic -> the closest topics below it, where there is a hierarchy

    def tell(self, q, m):
        """Send a message to another process, or to itself in another role."""
        if q != self.me:
            self.send(m, to=q)
        else:
            self.inbox.append((m, q))
            self.set_timer(Itself(), after=0.0)

    @on(ANY, Itself)
    def inside(self):
        """One of its roles sent a message to another.

        always:
        """
        some, self.inbox = self.inbox, []
        for m, q in some:
            getattr(self, ACTIONS[type(m)])(m, q)
        self.show()

    def show(self):
        self.state = FORWARDER if self.L else CHILD if self.parent else OUTSIDE


ACTIONS = {
    Invite: "start", Lookup: "route", Request: "route", IsParent: "route", Post: "route", Found: "answer", Join: "join",
    Split: "grant", Leave: "let_go", Ok: "granted", Abort: "abort", LeftIs: "meet", Known: "known", Done: "free_again",
    Replace: "replaced", Promote: "promoted_to", Reassign: "reassign", IsChild: "is_child", LeaveChild: "lose",
    RouteParent: "route_parent", Claim: "hear", MyAddress: "address", Event: "get", Ping: "ping", Pong: "pong",
    Gone: "forget",
}  # fmt: skip
