"""Replicated growable array: texts that several processes edit, with the same order of characters everywhere.

Each process may insert characters into its copy of a text and erase them at any time, without asking the others; the
copies are to become equal.  A position such as "the third character" means something different at each process, so an
insertion names the character after which it is made.

Each character has an identifier that no other has: a Lamport time and the name of the process.  Two insertions after
the same character may arrive in either order.  A process that inserts a character therefore skips all characters with
larger identifiers that follow the given one: the latest insertion comes first.  An erased character remains as a
tombstone, because others may insert after it.  Processes gossip: after each change, a process sends all operations
that it knows to each of its neighbours in turn, in the order in which it carried them out, ``repeats`` times.

Pseudo-code (text: the characters with their identifiers, including the erased ones; log: the operations)::

    insert after character a:  x := (clock + 1, me); carry out (x, a, letter)
    erase character a:         x := (clock + 1, me); carry out (x, a, no letter)
    carry out (x, a, letter):  append it to log; clock := max(clock, time in x)
                               if there is a letter: i := the position after a;
                                   while text[i] has an identifier larger than x: i := i + 1
                                   insert the letter at i
                               else mark a as erased
                               left := repeats * number of neighbours
    left > 0, each time unit:  send Edits(log) to the next neighbour; left := left - 1
    Edits(log):                carry out each operation that is new

Each initiator types a word, letter by letter, from the beginning of the text, and then erases a random character; any
other process types and erases when it receives the command Type or Erase.  No process makes more than ``edits``
operations.  With ``order = "arrival"`` a process skips no characters.

Needs a connected network with names; links may reorder and duplicate messages.  Because a process stops gossiping,
links must be reliable.
Complexity: at most ``repeats`` messages on each direction of each link for each operation; tombstones are kept for
ever.

Reference: H.-G. Roh, M. Jeon, J.-S. Kim and J. Lee, Replicated abstract data types: building blocks for collaborative
applications, Journal of Parallel and Distributed Computing 71, 2011; H. Attiya et al., Specification and complexity of
collaborative text editing, PODC 2016.
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
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
)

QUIET, GOSSIPING = states("quiet", "gossiping", reads={"quiet": "has nothing new to send", "gossiping": "is gossiping"})
WORDS = ("cat", "dog", "hen", "fox", "owl", "bee")
START = (0, "")  # the identifier of the place before the first character


class Edits(Message):
    """All operations that the sender knows, in its order: identifier, the character that it refers to, the letter."""

    log: list[tuple[tuple[int, str], tuple[int, str], str]]


class Next(Timer):
    """The time of its next operation."""


class Gossip(Timer):
    """The time of its next message."""


class Type(Command):
    """The user's wish to insert a character at a position, counted from 0."""

    letter: str = "x"
    position: int = 0


class Erase(Command):
    """The user's wish to erase the character at a position, counted from 0."""

    position: int = 0


class RGA(Process):
    title = "Replicated growable array"
    needs = connected, named, reliable, no_crashes
    messages = "<= 2*m*repeats*n*edits"

    state = QUIET
    text: list[tuple[int, str, str]] = []  # all characters, including the erased ones: time, name, letter
    erased: set[tuple[int, str]] = set()  # the identifiers of the erased characters
    log: list[tuple[tuple[int, str], tuple[int, str], str]] = []  # the operations that I know, in my order
    time: int = 0  # the Lamport clock
    shown: str = ""  # the text that the user sees
    word: str = ""  # what I still have to type
    last: tuple[int, str] = START  # the character after which I type
    made: int = 0  # how many operations I have made
    left: int = 0  # how many messages I am still going to send
    turn: int = 0  # the position of the neighbour whose turn it is

    edits = parameter(4, minimum=1, maximum=50, help="the most operations that a process makes",
                      reached=lambda p: p.made >= p.edits)  # fmt: skip
    pause = parameter(2.0, minimum=0.0, maximum=1000.0, help="mean time between two operations of a process")
    repeats = parameter(2, minimum=1, maximum=50, help="how often a process sends its operations to each neighbour")
    order = parameter(
        "identifiers", choices=("identifiers", "arrival"),
        help="whether an insertion skips characters with larger identifiers",
    )  # fmt: skip

    @on(ANY, INIT)
    def start(self):
        """It chooses a word, and will type it.

        always:
        """
        self.word = self.random.choice(WORDS)
        self.wait()

    @on(ANY, Next)
    def go_on(self):
        """It types the next letter of its word; after the last, it erases a random character.

        changes word: It types the next letter of its word: {shown}.
        changes erased: It erases a random character: {shown}.
        otherwise: It has made all its operations.
        """
        if self.word and self.may():
            letter, self.word = self.word[0], self.word[1:]
            self.last = self.edit(self.last, letter)
            self.wait()
        elif self.shown and self.may():
            self.edit(self.random.choice(self.visible()), "")

    @on(ANY, Type)
    def type(self, m):
        """It inserts the character.

        notes: It has made as many operations as it may.
        otherwise: It inserts the character after its neighbour on the left: {shown}.
        """
        if self.may():
            before = [START, *self.visible()]
            self.edit(before[min(max(m.position, 0), len(before) - 1)], m.letter[:1] or " ")

    @on(ANY, Erase)
    def erase(self, m):
        """It erases the character.

        notes: It does nothing: there is no such character, or it has made as many operations as it may.
        otherwise: It marks the character as erased: {shown}.
        """
        there = self.visible()
        if not 0 <= m.position < len(there):
            self.note(f"there is no character at position {m.position}")
        elif self.may():
            self.edit(there[m.position], "")

    @on(ANY, Edits)
    def receive(self, m, q):
        """It carries out the operations of process {peer} that it does not know.

        changes log: It carries out the operations of process {peer} that it does not know: {shown}.
        otherwise: It knows all of these operations.
        """
        known = {x for x, _, _ in self.log}
        for x, a, letter in m.log:
            if x not in known:
                self.carry_out(x, a, letter)

    @on(GOSSIPING, Gossip)
    def gossip(self):
        """It sends its operations to the next neighbour.

        becomes quiet: It sends its operations for the last time, as nothing has changed for a while.
        otherwise: It sends its operations to the next neighbour.
        """
        self.send(Edits(list(self.log)), to=self.neighbours[self.turn % len(self.neighbours)])
        self.turn += 1
        self.left -= 1
        if self.left > 0:
            self.set_timer(Gossip(), after=1)
        else:
            self.state = QUIET

    @on(QUIET, Gossip)
    def nothing_new(self):
        """It has nothing new to send, so this happens only after a fault."""

    def visible(self):
        return [(time, name) for time, name, _ in self.text if (time, name) not in self.erased]

    def may(self):
        if self.made < self.edits:
            return True
        self.note("it has made as many operations as it may")
        return False

    def edit(self, a, letter):
        self.made += 1
        x = (self.time + 1, self.me)
        self.carry_out(x, a, letter)
        return x

    def carry_out(self, x, a, letter):
        self.log.append((x, a, letter))
        self.time = max(self.time, x[0])
        if letter:
            i = 0 if a == START else 1 + [each[:2] for each in self.text].index(a)
            while self.order == "identifiers" and i < len(self.text) and age(self.text[i]) > age(x):
                i += 1
            self.text.insert(i, (*x, letter))
        else:
            self.erased.add(a)
        self.shown = "".join(each[2] for each in self.text if each[:2] not in self.erased)
        self.left = self.repeats * len(self.neighbours)
        if self.state == QUIET and self.left:
            self.state = GOSSIPING
            self.set_timer(Gossip(), after=1)

    def wait(self):
        if self.made < self.edits:
            self.set_timer(Next(), after=self.random.expovariate(1 / self.pause) if self.pause else 0)


def age(x):
    """Return the sort key of an identifier: the time, then the name."""
    return x[0], natural(x[1])


@always("strong eventual consistency: processes that know the same operations show the same text")
def same(c):
    shown = {}
    return all(shown.setdefault(frozenset(x for x, _, _ in p.log), p.shown) == p.shown for p in c.processes)


@always("two characters are in the same order at all processes")
def same_order(c):
    for p in c.processes:
        place = {each[:2]: i for i, each in enumerate(p.text)}
        for q in c.processes:
            there = [place[each[:2]] for each in q.text if each[:2] in place]
            if there != sorted(there):
                return False
    return True


@always("a character comes somewhere after the one after which it was inserted")
def after(c):
    for p in c.processes:
        place = {each[:2]: i for i, each in enumerate(p.text)} | {START: -1}
        if any(place[x] <= place[a] for x, a, letter in p.log if letter):
            return False
    return True


@at_end("convergence: all processes show the same text")
def convergence(c):
    return len({p.shown for p in c.processes}) == 1
