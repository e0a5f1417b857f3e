"""The sender of the latest copy becomes its parent, instead of the sender of the first."""

from lydian import INIT, Message, Process, connected, no_crashes, on, one_initiator, reliable, states, two_way

NEWS = "the bridge is open"

ASLEEP, WAITING, DONE = states(
    "asleep", "waiting", "done",
    reads={"asleep": "is asleep", "waiting": "is waiting for its neighbours"},
)  # fmt: skip


class News(Message):
    """The news, which each process forwards."""

    text: str


class Echo(Message):
    """'I have the news, and so has every process that first heard it from me.'"""


class FloodingEcho(Process):
    title = "Flooding and echo"
    needs = connected, two_way, one_initiator, reliable, no_crashes

    state = ASLEEP
    parent: str | None = None  # the neighbour that sent the first copy of the news
    missing: set[str] = set()  # neighbours from which no message has arrived

    @on(ASLEEP, INIT)
    def start(self):
        """The initiator delivers the news and sends it to all its neighbours."""
        self.learn(NEWS, self.neighbours)

    @on(ASLEEP, News)
    def hear(self, m, q):
        """It receives the news for the first time; the sender becomes its parent."""
        self.parent = q
        self.learn(m.text, [r for r in self.neighbours if r != q])

    @on(WAITING, (News, Echo))
    def heard_from(self, m, q):
        """It waits for one neighbour fewer."""
        self.missing.discard(q)
        if self.parent is not None and isinstance(m, News):
            self.parent = q
        self.finish()

    def learn(self, text, others):
        self.state = WAITING
        self.deliver(text)
        self.missing = set(others)
        for r in others:
            self.send(News(text), to=r)
        self.finish()

    def finish(self):
        if not self.missing:
            self.state = DONE
            if self.parent is None:
                self.decide("all have the news")
            else:
                self.send(Echo(), to=self.parent)
