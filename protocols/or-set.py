"""Observed-remove set: a replicated set in which a removal affects only the additions that it has observed.

Each process may add elements to its copy of the set and remove them at any time, without asking the others; the copies
are to become equal.  If one process adds an element while another removes it, the addition wins.

Each addition has a tag that no other addition has.  A removal collects the tags of the element that the process knows
at this moment, and only these: an addition that it has not observed is not affected.  The state is a set of pairs
(element, tag) and a set of removed tags; both only grow, and a merge is the union.

Pseudo-code (adds: the pairs; gone: the removed tags; left: how many messages are still to be sent)::

    add(e):                    add (e, a new tag) to adds; left := repeats * number of neighbours
    remove(e):                 add each tag with (e, tag) in adds to gone; left := repeats * number of neighbours
    left > 0, each time unit:  send Tags(adds, gone) to the next neighbour; left := left - 1
    Tags(a, g):                add a to adds, g to gone; if something is new: left := repeats * number of neighbours
    value:                     every e with (e, tag) in adds for some tag that is not in gone

Each initiator adds and removes elements again and again, by the toss of a coin; any other process does so when it
receives the command Add or Remove.  No process does so more than ``changes`` times.  With ``removal = "value"`` a
process removes the element itself instead of the tags.  The vector ``seen`` counts the operations that the state
contains; only the properties read it.

Needs a connected network with names; links may reorder and duplicate messages.  Because a process stops gossiping,
links must be reliable.
Complexity: at most ``repeats`` messages on each direction of each link for each change; removed tags are kept for
ever.

Reference: M. Shapiro, N. Preguica, C. Baquero and M. Zawirski, A comprehensive study of convergent and commutative
replicated data types, INRIA RR-7506, 2011, specification 15 (OR-set, here state-based); A. Bieniusa et al., An
optimized conflict-free replicated set, INRIA RR-8083, 2012, which does without the removed tags.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    connected,
    named,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
)

QUIET, GOSSIPING = states("quiet", "gossiping", reads={"quiet": "has nothing new to send", "gossiping": "is gossiping"})
LETTERS = "abcdefghij"


class Tags(Message):
    """The state of the sender: its additions with their tags, the removed tags, and how many operations these are."""

    adds: set[tuple[str, str]]
    gone: set[str]
    seen: dict[str, int]


class Next(Timer):
    """The time of its next operation."""


class Gossip(Timer):
    """The time of its next message."""


class Add(Command):
    """The user's wish to add an element."""

    element: str = "a"


class Remove(Command):
    """The user's wish to remove an element."""

    element: str = "a"


class ORSet(Process):
    title = "Observed-remove set"
    needs = connected, named, reliable, no_crashes
    messages = "<= 2*m*repeats*n*changes"

    state = QUIET
    adds: set[tuple[str, str]] = set()  # the additions that I know: element, tag
    gone: set[str] = set()  # the tags that have been removed
    shown: list[str] = []  # the elements of the set, in alphabetical order
    seen: dict[str, int] = {}  # process -> how many of its operations I know
    did: list[tuple[str, str, dict[str, int]]] = []  # my operations: what, the element, what I had seen
    left: int = 0  # how many messages I am still going to send
    turn: int = 0  # the position of the neighbour whose turn it is

    changes = parameter(3, minimum=1, maximum=50, help="the most times that a process changes the set",
                        reached=lambda p: len(p.did) >= p.changes)  # fmt: skip
    letters = parameter(3, minimum=1, maximum=10, help="how many different elements initiators add")
    pause = parameter(4.0, minimum=0.0, maximum=1000.0, help="mean time between two changes by a process")
    repeats = parameter(2, minimum=1, maximum=50, help="how often a process sends its state to each neighbour")
    removal = parameter(
        "tags",
        choices=("tags", "value"),
        help="whether a process removes the observed tags of an element, or the element",
    )

    @on(ANY, INIT)
    def start(self):
        """It will change the set after a while.

        always:
        """
        self.wait()

    @on(ANY, Next)
    def change(self):
        """It tosses a coin, and adds a random element or removes one that is in the set.

        changes adds: It adds an element: the set is now {shown}.
        changes gone: It removes an element: the set is now {shown}.
        otherwise: It has changed the set as often as it may.
        """
        if self.shown and self.random.random() < 0.5:
            self.take(self.random.choice(self.shown))
        else:
            self.put(self.random.choice(LETTERS[: self.letters]))
        self.wait()

    @on(ANY, Add)
    def add(self, m):
        """It adds an element, with a tag that no other addition has.

        notes: It has changed the set as often as it may.
        otherwise: It adds the element with a tag that no other addition has.
        """
        self.put(m.element)

    @on(ANY, Remove)
    def remove(self, m):
        """It removes the element: all of its tags that it knows.

        notes: It does nothing: the element is not in the set, or it has changed the set as often as it may.
        otherwise: It removes the element: all of its tags that it knows.
        """
        if m.element in self.shown:
            self.take(m.element)
        else:
            self.note(f"{m.element} is not in the set")

    @on(ANY, Tags)
    def receive(self, m, q):
        """It adds what process {peer} knows to its own state.

        changes seen: It learns operations from process {peer}: the set is now {shown}.
        otherwise: It knows all of this already.
        """
        if m.adds <= self.adds and m.gone <= self.gone and all(self.seen.get(r, 0) >= k for r, k in m.seen.items()):
            return
        self.adds |= m.adds
        self.gone |= m.gone
        for r, count in m.seen.items():
            self.seen[r] = max(self.seen.get(r, 0), count)
        self.changed()

    @on(GOSSIPING, Gossip)
    def gossip(self):
        """It sends its state to the next neighbour.

        becomes quiet: It sends its state for the last time, as nothing has changed for a while.
        otherwise: It sends its state to the next neighbour.
        """
        self.send(
            Tags(set(self.adds), set(self.gone), dict(self.seen)), to=self.neighbours[self.turn % len(self.neighbours)]
        )
        self.turn += 1
        self.left -= 1
        if self.left > 0:
            self.set_timer(Gossip(), after=1)
        else:
            self.state = QUIET

    @on(QUIET, Gossip)
    def nothing_new(self):
        """It has nothing new to send, so this happens only after a fault."""

    def put(self, element):
        if self.may():
            tag = f"{element}{self.me}.{len(self.did) + 1}"
            self.adds.add((element, tag))
            self.done("add", element)

    def take(self, element):
        if self.may():
            self.gone |= {tag for e, tag in self.adds if e == element} if self.removal == "tags" else {element}
            self.done("remove", element)

    def may(self):
        if len(self.did) < self.changes:
            return True
        self.note("it has changed the set as often as it may")
        return False

    def done(self, what, element):
        self.did.append((what, element, dict(self.seen)))
        self.seen[self.me] = len(self.did)
        self.changed()

    def changed(self):
        self.shown = sorted({e for e, tag in self.adds if tag not in self.gone and e not in self.gone})
        self.left = self.repeats * len(self.neighbours)
        if self.state == QUIET and self.left:
            self.state = GOSSIPING
            self.set_timer(Gossip(), after=1)

    def wait(self):
        if len(self.did) < self.changes:
            self.set_timer(Next(), after=self.random.expovariate(1 / self.pause) if self.pause else 0)


@always("a process shows an element exactly if it knows an addition that no removal it knows has observed")
def add_wins(c):
    did = {p.me: p.did for p in c.processes}
    for p in c.processes:
        known = [(q, i, *did[q][i]) for q, count in p.seen.items() for i in range(count)]
        removals = [(e, seen) for _, _, what, e, seen in known if what == "remove"]
        shown = {
            e for q, i, what, e, _ in known
            if what == "add" and not any(e == other and i < seen.get(q, 0) for other, seen in removals)
        }  # fmt: skip
        if p.shown != sorted(shown):
            return False
    return True


@always("strong eventual consistency: processes that know the same operations show the same set")
def same(c):
    shown = {}
    return all(shown.setdefault(str(sorted(p.seen.items())), p.shown) == p.shown for p in c.processes)


@at_end("convergence: all processes show the same set")
def convergence(c):
    return all(p.shown == c.processes[0].shown for p in c.processes)
