"""Election on a ring: the candidate with the highest name becomes the leader, and every process learns its name.

Complete the actions below and add those that are missing. Keep the name of this file and the state ``leader``.
"""

from lydian import (  # noqa: F401
    INIT,
    Message,
    Process,
    named,
    natural,
    no_crashes,
    on,
    one_way_ring,
    reliable,
    some_initiator,
    states,
)

ASLEEP, CANDIDATE, LOST, LEADER = states(
    "asleep", "candidate", "lost", "leader",
    reads={"asleep": "is asleep", "candidate": "is a candidate", "lost": "has lost", "leader": "is the leader"},
)  # fmt: skip


class Token(Message):
    """The name of a candidate, on its way round the ring."""

    name: str


class Elected(Message):
    """The name of the leader, on its way round the ring."""

    name: str


class Election(Process):
    title = "Election on a ring"
    needs = one_way_ring, named, some_initiator, reliable, no_crashes

    state = ASLEEP
    # Declare variables here, with their types and initial values, if you need any.

    @on(ASLEEP, INIT)
    def start(self):
        """It competes: it sends its own name (self.me) to the next process (self.right)."""
        raise NotImplementedError("start: what does a candidate send?")

    @on(CANDIDATE, Token)
    def compare(self, m):
        """It compares the name in the token with its own: natural(m.name) > natural(self.me)."""
        raise NotImplementedError("compare: a higher name, a lower name, or its own?")
