"""Anti-entropy: each process compares its database with that of a random process, again and again.

A database is replicated at all processes.  An update is made at one of them, and is to reach all others although no
process knows which of them have it already.

Every entry has a stamp; of two entries with the same key, the one with the larger stamp is newer.  In every exchange,
a process chooses a partner uniformly at random.  There are three ways to resolve the differences.  Push: it sends its
entries, and the partner takes those that are newer.  Pull: it asks, and takes the newer entries of the answer.
 Push-pull: it sends its entries, and the partner answers with those of its own that are newer.

Pseudo-code (database: key -> value and stamp; partner: a random process other than me)::

    every second round, push:        send Push(database) to a partner
    every second round, pull:        send Ask to a partner
    every second round, push-pull:   send Exchange(database) to a partner
    Push(d):                         take every entry of d that is newer than mine
    Ask from q:                      send Answer(database) to q
    Exchange(d) from q:              send Answer(my entries that are newer than those of d) to q
                                     take every entry of d that is newer than mine
    Answer(d):                       take every entry of d that is newer than mine

Works in rounds; an exchange takes two of them, the question and the answer.  At the beginning the first ``informed``
processes in the order of names have an entry that the first of them has written.  A process starts ``exchanges``
exchanges, so that the run ends.

Needs names, reliable links, processes that all start and do not crash, and that may send to any other process.
Complexity: n messages for an exchange of all processes with push, at most 2n with the other two ways.  An update at one
process reaches all others after O(log n) exchanges with high probability.  While few processes lack it, their share s
becomes s/e with push and s*s with pull, so the end is much faster with pull.

Reference: A. Demers et al., Epidemic algorithms for replicated database maintenance, PODC 1987, section 1.3.
"""

from lydian import (
    ANY,
    INIT,
    ROUND,
    Command,
    Message,
    Process,
    always,
    at_end,
    everybody_starts,
    measure,
    named,
    natural,
    no_crashes,
    on,
    overlay,
    parameter,
    reliable,
    rounds,
    states,
)

EMPTY, FILLED = states(
    "empty", "filled", reads={"empty": "has an empty database", "filled": "has entries in its database"}
)


class Push(Message):
    """All entries of the sender."""

    database: dict[str, tuple[str, int, str]]


class Ask(Message):
    """The question for the entries of the receiver."""


class Exchange(Message):
    """All entries of the sender, which expects those of the receiver that are newer."""

    database: dict[str, tuple[str, int, str]]


class Answer(Message):
    """Entries of the sender, for the process that asked."""

    database: dict[str, tuple[str, int, str]]


class Write(Command):
    """The user's wish to write a value under a key."""

    key: str = "k"
    value: str = "v"


class AntiEntropy(Process):
    title = "Anti-entropy"
    needs = overlay, rounds, named, everybody_starts, reliable, no_crashes
    messages = "<= 2*n*exchanges"

    state = EMPTY
    database: dict[str, tuple[str, int, str]] = {}  # key -> the value, and its stamp: a round and a process
    wrote: list[tuple[str, str, int, str]] = []  # what my user has written: key, value, stamp
    done: int = 0  # how many exchanges I have begun

    way = parameter("push-pull", choices=("push", "pull", "push-pull"), help="how two databases are compared")
    informed = parameter(1, minimum=0, help="how many processes have an entry at the beginning")
    exchanges = parameter(12, minimum=1, maximum=200, help="how many exchanges each process begins")

    @on(ANY, INIT)
    def start(self):
        """It takes part; the first processes in the order of names have an entry.

        changes database: It has an entry, and takes part in the exchanges.
        otherwise: Its database is empty; it takes part in the exchanges.
        """
        names = sorted(self.everybody, key=natural)
        if self.me == names[0] and self.informed:
            self.enter("k", "v")
        elif self.me in names[: self.informed]:
            self.take({"k": ("v", 1, names[0])})
        self.want_round()

    @on(ANY, Write)
    def write(self, m):
        """Its user writes a value: the entry is newer than the one that it replaces.

        always:
        """
        self.enter(m.key, m.value)

    @on(ANY, ROUND)
    def compare(self, received):
        """It answers questions, takes entries that are newer, and begins an exchange in every second round.

        changes database and sends: It takes newer entries, and sends messages.
        changes database: It takes entries that are newer than its own.
        sends Push: It sends its entries to a random process.
        sends Ask: It asks a random process for its entries.
        sends Exchange: It sends its entries to a random process, and expects those that are newer.
        sends Answer: It answers with its own entries.
        otherwise: It learns nothing new.
        """
        for m, q in received:
            if type(m) is Ask and self.database:
                self.send(Answer(dict(self.database)), to=q)
            elif type(m) is Exchange:
                newer = {key: mine for key, mine in self.database.items() if age(mine) > age(m.database.get(key))}
                if newer:
                    self.send(Answer(newer), to=q)
        for m, _ in received:
            if type(m) is not Ask:
                self.take(m.database)
        if self.round % 2 == 1 and self.done < self.exchanges:
            self.done += 1
            self.begin()
        if self.done < self.exchanges:
            self.want_round()

    def begin(self):
        others = [q for q in self.everybody if q != self.me]
        if not others:
            return
        partner = self.random.choice(others)
        if self.way == "pull":
            self.send(Ask(), to=partner)
        elif self.way == "push-pull":
            self.send(Exchange(dict(self.database)), to=partner)
        elif self.database:
            self.send(Push(dict(self.database)), to=partner)

    def take(self, entries):
        for key, entry in entries.items():
            if age(entry) > age(self.database.get(key)):
                self.database[key] = tuple(entry)
                self.state = FILLED

    def enter(self, key, value):
        old = self.database.get(key)
        entry = (value, max(self.round, old[1] if old else 0) + 1, self.me)
        self.database[key] = entry
        self.wrote.append((key, *entry))
        self.state = FILLED


def age(entry):
    """Return the sort key of an entry: the time and the name of its stamp; a missing one is the oldest."""
    return (0, ()) if entry is None else (entry[1], natural(entry[2]))


def newest(c):
    """Return the newest entry that was written under each key."""
    found = {}
    for key, *entry in (each for p in c.processes for each in p.wrote):
        if key not in found or age(entry) > age(found[key]):
            found[key] = tuple(entry)
    return found


@always("each entry was written by some process")
def written(c):
    wrote = {each for p in c.processes for each in p.wrote}
    return all((key, *entry) in wrote for p in c.processes for key, entry in p.database.items())


@always("no process has an entry that is older than one that it wrote itself")
def not_older(c):
    return all(age(p.database[key]) >= age(entry) for p in c.processes for key, *entry in p.wrote)


@at_end("all processes have the newest entry of each key (with high probability, if there are enough exchanges)")
def spread(c):
    return all(p.database == newest(c) for p in c.processes)


@measure("processes without the newest entries")
def behind(c):
    return sum(p.database != newest(c) for p in c.processes)
