"""Byzantine generals, OM(m): each lieutenant passes on what it was told, together with its path.

A commander gives an order; all loyal lieutenants obey the same order, which is the commander's if it is loyal itself.

OM(0): the commander sends its order, and each lieutenant believes it.  OM(m): each lieutenant passes the order it has
received on to the others, as the commander of an OM(m - 1) among them, and finally takes the majority of the orders
that it believes all of them were given.  A message carries its path, the list of these commanders.

Pseudo-code (C: the commander; said[path]: the order that came along a path, RETREAT if none did)::

    C:                                      send (order, [C]) to all lieutenants; obey order
    p gets (v, path) from the last in path: said[path] := v
                                            if path has at most m names: send (v, path + p) to all who are not in it
    after m + 1 rounds, at p:               obey believed([C])
    believed(path):                         if path has m + 1 names: said[path]
                                            else the majority of said[path] and believed(path + r) for all r that are
                                            neither p nor in path; RETREAT if there is none

The depth of the recursion, m, is called ``depth`` here, because m is the number of links.  The commander is the first
process in the order of names.  Missing messages are detected by time: a round lasts ``round`` units, longer than any
delay, and a lieutenant decides m + 1 rounds after the beginning.  The sender of a message cannot be forged; a message
whose path is impossible (its last name is not the sender, or its first is not the commander ...) is treated as missing.

Needs a complete network with reliable links and names, and all processes as initiators; n >= 3m + 1 for up to m
traitors, and delays shorter than a round.
Complexity: m + 1 rounds; (n - 1) + (n - 1)(n - 2) + ... + (n - 1)(n - 2)...(n - m - 1) messages.

Reference: L. Lamport, R. Shostak and M. Pease, The Byzantine generals problem, ACM Transactions on Programming
Languages and Systems 4 (1982), algorithm OM(m) with oral messages; N. Lynch, Distributed Algorithms, section 6.3.
"""

from lydian import (
    INIT,
    LIARS,
    Message,
    Process,
    Timer,
    always,
    at_end,
    at_most,
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
    synchronous,
)

IDLE, WAITING, ATTACKING, RETREATING = states(
    "idle", "waiting", "attacking", "retreating",
    reads={"idle": "is idle", "waiting": "is waiting", "attacking": "attacks", "retreating": "retreats"},
)
ATTACK, RETREAT = "attack", "retreat"


class Order(Message):
    """'The commander says ...', or 'the first in the path says that the next says that ...'."""

    order: str
    path: tuple[str, ...]


class AllSaid(Timer):
    """The end of all rounds: a message that has not arrived was not sent."""


class ByzantineGenerals(Process):
    title = "Byzantine generals, OM(m)"
    needs = (
        complete, named, everybody_starts, reliable, at_most("depth", LIARS, given="n > 3*depth"),
        synchronous("round"),
    )  # fmt: skip
    messages = "(n - 1)*(1 + (depth >= 1)*(n - 2)*(1 + (depth >= 2)*(n - 3)*(1 + (depth >= 3)*(n - 4))))"

    state = IDLE
    commander: str | None = None  # the process that gives the order
    leads: bool = False  # whether I am the commander
    said: dict[tuple[str, ...], str] = {}  # path -> the order that came along it
    decision: str | None = None

    depth = parameter(1, minimum=0, maximum=3, help="m, the depth of the recursion: that many traitors do no harm")
    order = parameter(ATTACK, choices=(ATTACK, RETREAT), help="the order that the commander gives")
    round = parameter(2.0, minimum=0.0, help="how long a round lasts; longer than any delay")

    @on(IDLE, INIT)
    def start(self):
        """It gives its order if it is the commander; otherwise it waits for all messages.

        sends Order: It is the commander and gives its order.
        otherwise: It is not the commander: it waits for all messages.
        """
        self.commander = min((self.me, *self.neighbours), key=natural)
        self.leads = self.commander == self.me
        if self.leads:
            for r in self.neighbours:
                self.send(Order(self.order, (self.me,)), to=r)
            self.obey(self.order)
        else:
            self.state = WAITING
            self.set_timer(AllSaid(), after=(self.depth + 1) * self.round)

    @on((WAITING, ATTACKING, RETREATING), INIT)
    def started(self):
        """It has already begun."""

    @on(WAITING, Order)
    def hear(self, m, q):
        """It records what the sender says, and passes it on to all processes that are not in the path.

        notes: The path in the message is impossible, so it is ignored.
        sends Order: It records what {peer} says, and passes it on to all processes that are not in the path.
        changes said: It records what {peer} says; the path has its full length, so it is not passed on.
        nothing: It has received this message before.
        """
        if not self.possible(m.path, q):
            self.note(f"{q} names a path that cannot be")
        elif m.path not in self.said:
            self.said[m.path] = m.order
            if len(m.path) <= self.depth:
                for r in self.neighbours:
                    if r not in m.path:
                        self.send(Order(m.order, (*m.path, self.me)), to=r)

    @on((IDLE, ATTACKING, RETREATING), Order)
    def too_late(self, m, q):
        """It ignores the message, which only a traitor or a slow process sends now."""

    @on(WAITING, AllSaid)
    def conclude(self):
        """It has received all messages: it obeys the order that it believes to be given."""
        self.obey(self.believed((self.commander,)))

    @on((IDLE, ATTACKING, RETREATING), AllSaid)
    def no_question(self):
        """It is not waiting, which happens only after a fault."""

    def believed(self, path):
        order = self.said.get(path, RETREAT)
        if len(path) == self.depth + 1:
            return order
        votes = [order, *(self.believed((*path, r)) for r in self.neighbours if r not in path)]
        return ATTACK if 2 * votes.count(ATTACK) > len(votes) else RETREAT

    def possible(self, path, q):
        return (
            0 < len(path) <= self.depth + 1
            and (path[0], path[-1]) == (self.commander, q)
            and len(set(path)) == len(path)
            and set(path) <= set(self.neighbours)
        )

    def obey(self, order):
        self.state = ATTACKING if order == ATTACK else RETREATING
        self.decision = order
        self.decide(order)


def lieutenants(c):
    """Return the loyal lieutenants that have decided."""
    return [p for p in c.correct if p.decision is not None and not p.leads]


@always("all loyal lieutenants obey the same order")
def same(c):
    return len({p.decision for p in lieutenants(c)}) <= 1


@always("if the commander is loyal, every loyal lieutenant obeys its order")
def obedience(c):
    return all(p.decision == p.order or c.process(p.commander) not in c.correct for p in lieutenants(c))


@at_end("all loyal generals have decided")
def termination(c):
    return all(p.decision is not None for p in c.correct)
