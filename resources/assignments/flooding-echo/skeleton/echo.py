"""Flooding and echo: the news reaches every process, and the initiator learns when it has.

Complete the actions below. Keep the name of this file, the constant NEWS and the variable ``parent``.
"""

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
    # Declare further variables here, with their types and initial values.

    @on(ASLEEP, INIT)
    def start(self):
        """The initiator delivers the news and sends it to all its neighbours."""
        raise NotImplementedError("start: what does the initiator do with the news?")

    @on(ASLEEP, News)
    def hear(self, m, q):
        """It receives the news for the first time, from its neighbour q."""
        raise NotImplementedError("hear: what does a process do when it first receives the news?")

    @on(WAITING, News)
    def hear_again(self, m, q):
        """It receives another copy of the news."""
        raise NotImplementedError("hear_again: what does another copy of the news tell a process?")

    @on(WAITING, Echo)
    def echoed(self, m, q):
        """It receives an echo from its child q."""
        raise NotImplementedError("echoed: when has a process heard from all its neighbours?")
