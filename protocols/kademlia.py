"""Kademlia: lookups by the XOR metric, each step of which at least halves the distance to the key.

Each process has an identifier, a number.  A process wants to find the processes that are closest to a key, although it
knows only a few others.

The distance of two numbers is their exclusive or.  A process knows up to ``k`` contacts for each distance between 2^i
and 2^(i+1), its i-th bucket: many that are close, and some far away.  To look up a key, it asks the closest contacts
that it knows; each answers with the closest ones that it knows itself; and so on, until the ``k`` closest of all have
answered.  Each process has a contact that is closer to the key, by one more bit, unless it is the closest itself; so
about log n steps are enough.

Pseudo-code (found: the contacts that I know for this lookup, the closest to the key first)::

    look up key:                 found := the k closest of my contacts; ask
    ask:                         while fewer than ``alpha`` questions are open, and one of the first k in found has not
                                     been asked: send Find(key) to the first of these
                                 if none is open: the first in found is the result
    Find(key) from q:            send Contacts(the k closest to key that I know) to q
    Contacts(c) from q:          add those that are new to found; ask
    no answer from q in time:    remove q from found; ask

At the beginning each bucket contains ``k`` processes chosen at random, or all if there are fewer, as if all had joined
long ago.  An initiator looks up a random key when it starts, ``lookups`` times; any process looks one up when it
receives the command Lookup.

Needs names, processes that may send to any other whose name they know, reliable links, and messages that take less
than half the patience; processes may crash.
Complexity: two messages for each contact that is asked, O(k log n) of the n processes on average, in O(log n) steps.

Reference: P. Maymounkov and D. Mazieres, Kademlia: a peer-to-peer information system based on the XOR metric, IPTPS
2002.
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
    measure,
    named,
    natural,
    on,
    overlay,
    parameter,
    reliable,
    states,
    variable,
)
from lydian.circle import identifier

IDLE, LOOKING, FOUND = states(
    "idle", "looking", "found",
    reads={"looking": "is looking up a key", "found": "has found the closest process"},
)  # fmt: skip


class Find(Message):
    """The question of which contacts of the receiver are closest to a key."""

    key: int


class Contacts(Message):
    """The contacts of the sender that are closest to the key."""

    key: int
    contacts: list[str]


class Patience(Timer):
    """The end of the time for which a process waits for the answer of q."""

    q: str


class Lookup(Command):
    """The user's wish to find the process that is closest to a key."""

    key: int


def buckets(p):
    """Return up to k contacts for each distance between two powers of two, chosen at random."""
    there = {}
    for q in p.everybody:
        if q != p.me:
            i = (identifier(q, p.bits) ^ identifier(p.me, p.bits)).bit_length()
            there.setdefault(str(i), []).append(q)
    return {i: sorted(p.random.sample(there[i], min(p.k, len(there[i]))), key=natural) for i in sorted(there, key=int)}


class Kademlia(Process):
    title = "Kademlia"
    needs = overlay, named, reliable
    messages = "<= 2*n*n*lookups"

    state = IDLE
    ident: int = variable(lambda p: identifier(p.me, p.bits))  # my identifier
    contacts: dict[str, list[str]] = {}  # number of a bucket -> contacts; filled when first needed
    key: int | None = None  # the key that I look up
    found: list[str] = []  # the contacts for this lookup, the closest first
    steps: dict[str, int] = {}  # contact -> after how many answers I learned of it
    asked: list[str] = []  # those that I have asked
    silent: list[str] = []  # those that have not answered yet
    result: str | None = None  # the closest process
    done: int = 0  # how many keys I have looked up
    length: int = 0  # the number of steps of the last lookup

    bits = parameter(12, minimum=1, maximum=30, help="the length of identifiers")
    k = parameter(2, minimum=1, maximum=50, help="how many contacts a bucket has, and how many are found")
    alpha = parameter(1, minimum=1, maximum=20, help="how many questions are open simultaneously")
    lookups = parameter(1, minimum=1, maximum=50, help="the most keys that a process looks up",
                        reached=lambda p: p.done >= p.lookups)  # fmt: skip
    patience = parameter(4.0, minimum=0.0, maximum=1000.0, help="how long a process waits for an answer")

    @on(ANY, INIT)
    def start(self):
        """It looks up a random key.

        always:
        """
        self.look_up(self.random.randrange(2**self.bits))

    @on((IDLE, FOUND), Lookup)
    def wish(self, m):
        """Its user wants to find the process that is closest to a key.

        notes: It has looked up as many keys as it may.
        otherwise: Its user wants to find the process that is closest to a key.
        """
        if self.done < self.lookups:
            self.look_up(m.key % 2**self.bits)
        else:
            self.note("it has looked up as many keys as it may")

    @on(LOOKING, Lookup)
    def busy(self):
        """It is looking up another key."""

    @on(ANY, Find)
    def answer(self, m, q):
        """It answers with the contacts that are closest to the key."""
        self.send(Contacts(m.key, self.closest(m.key)), to=q)

    @on(LOOKING, Contacts)
    def learn(self, m, q):
        """It learns contacts that are closer to the key.

        decides: The closest contacts have answered: process {result} is the closest to the key.
        sends Find: It asks the next of the closest contacts that it knows.
        otherwise: It waits for other answers.
        """
        if m.key != self.key or q not in self.silent:
            return
        self.cancel_timer(Patience(q))
        self.silent.remove(q)
        for r in m.contacts:
            if r != self.me and r not in self.steps:
                self.steps[r] = self.steps[q] + 1
                self.found.append(r)
        self.ask()

    @on((IDLE, FOUND), Contacts)
    def too_late(self, m, q):
        """It has found the closest process already."""

    @on(LOOKING, Patience)
    def give_up(self, m):
        """It stops waiting for a contact that seems to have crashed.

        decides: It stops waiting for a contact that seems to have crashed; {result} is the closest of the others.
        otherwise: It stops waiting for a contact that seems to have crashed, and asks another one.
        """
        self.silent.remove(m.q)
        if m.q in self.found:
            self.found.remove(m.q)
        self.ask()

    @on((IDLE, FOUND), Patience)
    def over(self):
        """The lookup is over."""

    def look_up(self, key):
        self.done += 1
        self.key, self.state, self.result = key, LOOKING, None
        self.found = [q for q in self.closest(key) if q != self.me]
        self.steps = dict.fromkeys(self.found, 1)
        self.asked, self.silent = [], []
        self.ask()

    def ask(self):
        self.found.sort(key=lambda q: distance(q, self.key, self.bits))
        for q in [q for q in self.found[: self.k] if q not in self.asked]:
            if len(self.silent) < self.alpha:
                self.asked.append(q)
                self.silent.append(q)
                self.send(Find(self.key), to=q)
                self.set_timer(Patience(q), after=self.patience)
        if not self.silent:
            self.state = FOUND
            self.result = min((self.me, *self.found[:1]), key=lambda q: distance(q, self.key, self.bits))
            self.length = self.steps.get(self.result, 0)
            self.decide(self.result)

    def closest(self, key):
        if not self.contacts:
            self.contacts = buckets(self)
        known = [self.me, *(q for bucket in self.contacts.values() for q in bucket)]
        return sorted(known, key=lambda q: distance(q, key, self.bits))[: self.k]


def distance(q, key, bits):
    """Return the sort key of a process: its distance from the key, then its name."""
    return identifier(q, bits) ^ key, natural(q)


@at_end("each lookup has found the process that is closest to the key, of those that have not crashed")
def right(c):
    alive = [q.me for q in c.processes if not c.crashed(q)]
    return all(
        p.result == min(alive, key=lambda q: distance(q, p.key, p.bits))
        for p in c.processes
        if p.state == FOUND and not c.crashed(p)
    )


@at_end("each lookup is over")
def over(c):
    return all(p.state != LOOKING for p in c.processes if not c.crashed(p))


@always("no process asks another one twice in a lookup")
def once(c):
    return all(len(set(p.asked)) == len(p.asked) for p in c.processes)


@measure("mean number of steps")
def steps(c):
    lengths = [p.length for p in c.processes if p.state == FOUND]
    return sum(lengths) / len(lengths) if lengths else 0.0


@measure("mean number of processes asked")
def asked(c):
    sizes = [len(p.asked) for p in c.processes if p.state == FOUND]
    return sum(sizes) / len(sizes) if sizes else 0.0
