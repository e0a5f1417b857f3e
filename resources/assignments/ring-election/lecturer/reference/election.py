"""Election on a ring: the candidate with the highest name becomes the leader, and every process learns its name."""

from lydian import (
    ANY,
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

ASLEEP, CANDIDATE, PASSIVE, LOST, LEADER = states(
    "asleep", "candidate", "passive", "lost", "leader",
    reads={
        "asleep": "is asleep", "candidate": "is a candidate", "passive": "does not compete", "lost": "has lost",
        "leader": "is the leader",
    },
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

    @on(ASLEEP, INIT)
    def start(self):
        """It competes."""
        self.state = CANDIDATE
        self.send(Token(self.me), to=self.right)

    @on(ANY, INIT)
    def too_late(self):
        """A token has been here already, so it does not compete."""

    @on((ASLEEP, PASSIVE), Token)
    def pass_on(self, m):
        """It does not compete, and forwards the token."""
        self.state = PASSIVE
        self.send(m, to=self.right)

    @on((CANDIDATE, LOST), Token)
    def compare(self, m):
        """It forwards a higher name and stops a lower one; if its own name returns, it is the leader."""
        if natural(m.name) > natural(self.me):
            self.state = LOST
            self.send(m, to=self.right)
        elif m.name == self.me:
            self.state = LEADER
            self.decide(self.me)
            self.send(Elected(self.me), to=self.right)

    @on(LEADER, Token)
    def stop(self, m):
        """It has won already, and stops a slower token."""

    @on((PASSIVE, LOST), Elected)
    def learn(self, m):
        """It learns the name of the leader, and forwards it."""
        self.decide(m.name)
        self.send(m, to=self.right)

    @on(LEADER, Elected)
    def done(self, m):
        """Every process knows its name."""
