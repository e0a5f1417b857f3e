"""Total order by agreement (Skeen, ISIS): all processes propose a place, and the highest is chosen.

Each process broadcasts posts, and all processes deliver the same posts in the same order, without a sequencer.

A process that receives a post proposes a number higher than all it has seen, and the author fixes the highest of all
proposals.  A post is delivered when its number is final and no other post can precede it.  Equal numbers are ordered
by the names of their proposers.  An initiator posts immediately; each process answers the first post of another process
that it delivers.

Pseudo-code (a place is a pair: number, proposer)::

    broadcast:                      send Ask(id) to all others; propose a place to itself
    Ask(id) from q:                 largest := largest + 1; queue id at (largest, me), not final; send Propose to q
    Propose(id, place):             if all have proposed: send Final(id, highest place) to all others; fix it itself
    Final(id, place):               queue id at place, final; largest := max(largest, its number)
    then always:                    while the first in the queue is final:  deliver it

Needs a complete network with reliable links and names, and at least one initiator; order and delays do not matter.
Complexity: 3(n - 1) messages and three delays for each broadcast; at most 2n posts are made here: one by each initiator
and one answer by each process.

Reference: D. Skeen, unpublished (1982); K. Birman and T. Joseph, Reliable communication in the presence of failures,
ACM Transactions on Computer Systems 5 (1987); Coulouris et al., Distributed Systems, 5th edition, figure 15.14.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    complete,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    reliable,
    some_initiator,
    states,
)

CLEAR, HOLDING = states(
    "clear", "holding",
    reads={"clear": "holds nothing back", "holding": "is waiting for final places"},
)


class Ask(Message):
    """A post to all processes; asks each receiver to propose a place."""

    id: str


class Propose(Message):
    """A proposed place, which is free at the sender."""

    id: str
    number: int


class Final(Message):
    """The final place of a post: its number, and the process that proposed it."""

    id: str
    number: int
    by: str


class TotalOrderIsis(Process):
    title = "Total order by agreement"
    needs = complete, named, some_initiator, reliable, no_crashes
    messages = "<= 6*n*(n - 1)"

    state = CLEAR
    posted: int = 0  # how many posts I have made
    largest: int = 0  # the largest number that I have proposed or seen
    proposals: dict[str, list[tuple[int, str]]] = {}  # my posts whose place is open -> the places proposed
    queue: dict[str, tuple[int, str, bool]] = {}  # post -> number, proposer, whether it is final
    log: list[str] = []  # the posts that I have delivered, in this order
    answered: bool = False

    @on(ANY, INIT)
    def start(self):
        """It broadcasts a post."""
        self.broadcast()

    @on(ANY, Ask)
    def propose(self, m, q):
        """It proposes the next number that it has not seen."""
        self.enter(m.id)
        self.send(Propose(m.id, self.largest), to=q)

    @on(ANY, Propose)
    def collect(self, m, q):
        """It collects a proposal for a post of its own; when all have arrived, it fixes the highest.

        sends Final: All proposals for its post have arrived: it fixes the highest and sends it to all.
        notes: It was not waiting for this proposal.
        otherwise: Process {peer} proposes a place for its post; other proposals are still missing.
        """
        if m.id not in self.proposals:
            self.note(f"unexpected proposal from {q}")
            return
        self.proposals[m.id].append((m.number, q))
        if len(self.proposals[m.id]) == len(self.neighbours) + 1:
            number, by = max(self.proposals.pop(m.id), key=place)
            for r in self.neighbours:
                self.send(Final(m.id, number, by), to=r)
            self.fix(m.id, number, by)

    @on(ANY, Final)
    def settle(self, m):
        """It learns the final place of a post.

        while clear: It learns the final place of a post.
        """
        self.fix(m.id, m.number, m.by)

    def broadcast(self):
        self.posted += 1
        id = f"{self.me}.{self.posted}"
        for r in self.neighbours:
            self.send(Ask(id), to=r)
        self.enter(id)
        self.proposals[id] = [(self.largest, self.me)]

    def enter(self, id):
        self.largest += 1
        self.queue[id] = (self.largest, self.me, False)
        self.state = HOLDING

    def fix(self, id, number, by):
        self.largest = max(self.largest, number)
        self.queue[id] = (number, by, True)
        while self.queue and self.queue[first := min(self.queue, key=lambda id: place(self.queue[id]))][2]:
            del self.queue[first]
            self.log.append(first)
            self.deliver(first)
            if not self.answered and not first.startswith(f"{self.me}."):
                self.answered = True
                self.broadcast()
        self.state = HOLDING if self.queue else CLEAR


def place(entry):
    """Return the sort key of a place: its number, then its proposer."""
    return entry[0], natural(entry[1])


@always("all processes deliver in the same order")
def same(c):
    longest = max(c.delivered.values(), key=len)
    return all(said == longest[: len(said)] for said in c.delivered.values())


@always("a post is delivered only if it was broadcast, and only once")
def integrity(c):
    posted = {f"{p.me}.{k + 1}" for p in c.processes for k in range(p.posted)}
    return all(set(said) <= posted and len(set(said)) == len(said) for said in c.delivered.values())


@eventually("each process has delivered every post")
def all_delivered(c):
    return all(len(p.log) == sum(q.posted for q in c.processes) for p in c.processes)
