"""The variables of a process, its beginning, and what it shows."""

from lydian import Process, variable

from .labels import l, legal, linked, r, slots
from .messages import (
    CYC,
    DOUBTFUL,
    LEAVING,
    LIN,
    OUTSIDE,
    PLACED,
    SETTLED,
    SUPERVISOR,
    UNLABELLED,
    Check,
    Introduce,
    IntroSc,
    Linearize,
    Remove,
    SetData,
    Timeout,
)


def tally(zero=0):
    """Return a variable for the observer only; a fault sets it to 0."""
    return variable(zero, minimum=zero, maximum=zero)


class Member(Process):
    state = OUTSIDE
    wants: bool = False  # whether its user wants publications
    label: str = variable("", choices=("", "0", "1", "01", "11", "001", "011", "101", "111", "10", "0110"))
    sure: bool = False  # whether S assigned this label
    left: object = None  # (label, name) of its neighbour before it
    right: object = None  # after it
    ring: object = None  # across the seam, for the first and the last on the ring
    shortcuts: dict[str, str] = {}  # label -> its holder, "" as long as it is unknown
    T: dict[str, str] = {}  # the keys of the trie -> publications
    said: int = tally()  # number of publications made here
    had: int = tally()  # number of publications added to the trie since it subscribed
    depth: int = tally()  # length of the longest path of a flooded publication
    asked: int = tally()  # number of requests for its own configuration on timeout
    changed: float = tally(0.0)  # time of the last change of its label, a neighbour or a shortcut
    got: float = tally(0.0)  # time of the last publication received
    # the supervisor's
    database: dict[str, str] = {}  # label -> its holder
    next: int = 0  # the subscriber that it informs next without a request
    crashed: set[str] = set()  # processes whose crash was detected
    served: int = tally()  # number of requests and timeouts that it has answered
    withdrawn: int = tally()  # number of these that were UNSUBSCRIBE
    told: int = tally()  # number of SETDATA that it has sent
    operations: int = tally()  # number of SUBSCRIBE and UNSUBSCRIBE that it received
    orders: int = tally()  # number of SETDATA sent for these
    # for the animation
    beside: dict[str, str] = {}  # name -> the label that it is assumed to have
    level1: dict[str, str] = {}
    level2: dict[str, str] = {}
    level3: dict[str, str] = {}
    odd: dict[str, str] = {}  # processes that it holds although their labels are not linked in a skip ring
    edges: set[str] = set()  # the links it holds, "1>2", and for S those of SR(n)
    listed: dict[str, str] = {}  # the database to which these belong
    requests: int = tally()  # number of requests to S in the interval before its last timeout
    counted: int = tally()  # number of requests served by then

    def begin_legally(self, x, n):
        """Begin with the complete ring."""
        names = {l(i): v for i, v in enumerate(self.everybody[1 : n + 1])}
        if x < 0:
            self.database = names
            for v in names.values():
                self.observe(v)
        elif x < n:
            self.label, self.sure = l(x), True
            self.left, self.right, self.ring, labels = slots(self.label, sorted(names), names)
            self.shortcuts = {y: names[y] for y in labels}

    def begin_anyhow(self, x, low, high):
        """Begin with arbitrary contents, and a message in transit that no process has sent."""
        chance, others = self.random, [v for v in self.everybody[1:] if v != self.me]

        def label():
            return "".join(chance.choice("01") for _ in range(chance.randint(low, high)))

        if x < 0:
            for v in others:
                if low > 1 or chance.random() < 0.75:
                    self.database[label()] = chance.choice([v, v, v, chance.choice(others), ""]) if low == 1 else v
            self.next = chance.randrange(len(others) or 1)
            for v in others:
                self.observe(v)
        elif others:
            self.label = label() if low > 1 or chance.random() < 0.85 else ""
            for side in ("left", "right", "ring"):
                setattr(self, side, (label(), chance.choice(others)) if chance.random() < 0.6 else None)
            self.shortcuts = {label(): chance.choice([*others, ""]) for _ in range(chance.randint(0, 3))}
            u, v = chance.choice(others), chance.choice(others)
            forged = (Check(label(), label(), chance.choice((LIN, CYC))), Introduce(label(), v, LIN), Remove(),
                      Introduce(label(), v, CYC), Linearize(label(), v), IntroSc(label(), v),
                      SetData(label(), label(), v, label(), chance.choice(others)))  # fmt: skip
            self.tell(chance.choice(forged), u)

    def wind(self, share=1.0, timer=None):
        """Run the timers for the given number of intervals."""
        if self.clock + share * self.interval <= self.intervals * self.interval + 1e-6:
            self.set_timer(timer or Timeout(), after=share * self.interval)

    def look(self):
        """Determine the state from the variables."""
        some = [c for c in (self.left, self.right, self.ring) if c]
        if self.me == self.everybody[0]:
            self.state = SUPERVISOR
        elif not self.label:
            self.state = UNLABELLED if self.wants else OUTSIDE
        elif not self.wants:
            self.state = LEAVING
        elif not self.sure:
            self.state = DOUBTFUL
        elif len(self.sides()) == 2 and all(self.shortcuts.values()):
            self.state = SETTLED
        else:
            self.state = PLACED
        if self.picture:
            held = [*some, *((y, v) for y, v in self.shortcuts.items() if v)]
            right = {v for y, v in held if linked(y, self.label)}
            self.odd = {v: y for y, v in held if v not in right}
            self.beside = {v: y for y, v in some if linked(y, self.label)}
            far = [(abs(r(y) - r(self.label)), y, v) for y, v in self.shortcuts.items() if v and linked(y, self.label)]
            self.level1 = {v: y for d, y, v in far if d == 0.5}
            self.level2 = {v: y for d, y, v in far if d in (0.25, 0.75)}
            self.level3 = {v: y for d, y, v in far if d not in (0.25, 0.5, 0.75)}
            if self.state != SUPERVISOR:
                self.edges = {f"{self.me}>{v}" for _, v in held}
            if self.state == SUPERVISOR and self.listed != self.database:
                self.listed, self.edges = dict(self.database), legal(self.database)
