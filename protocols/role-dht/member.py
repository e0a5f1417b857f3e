"""A process: what it keeps, and how its roles talk to each other."""

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
    once: set[int] = set()  # topics it ever was interested in
    L: dict[int, tuple] = {}  # topics it forwards -> its location there
    left: dict[int, tuple] = {}  # Q: the location to the left and to the right of each of its own, on the circle
    right: dict[int, tuple] = {}
    later: dict[int, tuple] = {}  # those to the right of that, in case it crashes
    table: dict[int, dict] = {}  # topic -> F and E: first and last forwarder; R0, R1 ..., L0, L1 ...: 1, 2, 4 ... away
    far: dict[int, tuple] = {}  # some locations in other sectors, one for each order of distance
    C: dict[int, dict] = {}  # topic -> child -> (its hash, the topics it forwards, a number, when its lease is over)
    parent: dict[int, str] = {}
    stamps: dict[int, int] = {}  # the number under which the parent knows it
    F: dict[int, list] = {}  # alternative forwarders
    rec_ok: dict[int, bool] = {}
    V: dict[int, list] = {}  # gossip views
    heir: dict[int, str] = {}  # who forwards what it does not forward any more
    wish: set[int] = set()  # topics in which it must find its place
    urge: set[int] = set()  # topics in which it must be a forwarder
    asked: dict[int, int] = {}  # topic -> the number of the lookup that runs
    found: dict[int, tuple[tuple[int, int, int, str], int, int, int]] = {}
    plan: list = []  # operations to do: (what, topic, with whom)
    delayed: list = []  # those for which it is not yet time
    doing: tuple = ()
    # topic -> for whom the gap to the right of it is being changed, and since when
    busy: dict[int, tuple[tuple[int, int, int, str], float]] = {}
    queue: dict[int, list] = {}  # topic -> who waits for that
    promoted: dict[int, set] = {}
    waiting: dict[int, tuple] = {}  # pings without an answer, and how many
    pinged: dict[int, float] = {}  # when the one to the left asked last
    odd: dict[tuple, tuple] = {}  # what would not fit to the circle, heard once
    early: list = []  # what cannot be answered yet
    inbox: list = []  # what it told itself
    heard: dict[tuple, tuple] = {}
    host: str | None = None  # who invited it
    door: str | None = None  # somebody on the circle
    ended: bool = False  # whether it was the last on the circle
    seen: set[tuple] = set()
    got: dict[str, int] = {}  # news that it was notified of -> how many steps they came
    since: dict[int, float] = {}  # topic -> since when it has its place there
    mine: dict[str, tuple] = {}  # its own news -> (topic, time)
    numbers: int = 0
    forwarded: int = 0
    notified: int = 0
    repeats: int = 0  # news that came again
    most: int = 0  # to how many forwarders at most it sent the same news
    chosen: int = 0  # how many random lookups ended here
    lookups: int = 0  # lookups that ended here
    hops: int = 0  # and the steps that these took
    strangers: int = 0  # steps of lookups with a role that led to processes without it
    aborts: int = 0
    moved: float = 0.0  # when it last came to another parent
    place: float = 0.0  # where it stands in the sector, from 0 to 1
    hierarchy_of: dict[str, list[str]] = {}  # topic -> the closest topics below it, where there is a hierarchy

    def tell(self, q, m):
        """To somebody, or to itself in another role."""
        if q != self.me:
            self.send(m, to=q)
        else:
            self.inbox.append((m, q))
            self.set_timer(Itself(), after=0.0)

    @on(ANY, Itself)
    def inside(self):
        """What one of its roles told another.

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
