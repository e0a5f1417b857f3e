"""ABD: an atomic register that all processes can read and write, although they only exchange messages.

Each process keeps a copy of the register with a stamp.  An operation asks all processes for their copies and waits for
a majority; it takes the greatest stamp.  Then it sends a copy to all processes and waits for a majority again: a write
sends its value with a greater stamp, and a read sends back what it has found.  Any two majorities have a process in
common, so no later operation misses the copy.

Pseudo-code (stamps are pairs of a number and a name, compared in this order)::

    Write(v):        send Ask to all; wait until a majority has answered; (t, i) := the greatest stamp
                     send Store(v, (t + 1, me)) to all; wait until a majority has answered
    Read:            send Ask to all; wait until a majority has answered; (v, s) := the copy with the greatest stamp
                     send Store(v, s) to all; wait until a majority has answered; return v
    Ask from q:      send Copy(my copy) to q
    Store(v, s) from q:  if s is greater than my stamp: my copy := (v, s);  send Stored to q

It needs a complete network with two-way links that lose nothing, names, and a majority of processes that do not crash.
A user gives a process its next command only after the response to the last one.
Complexity: 4(n - 1) messages and four message delays for each operation.  With ``write_back = False`` a read returns
without its second half, and a later read may then return an older value: the register is regular, not atomic.

Reference: H. Attiya, A. Bar-Noy and D. Dolev, Sharing memory robustly in message-passing systems, JACM 42 (1995);
N. Lynch and A. Shvartsman, Robust emulation of shared memory using dynamic quorum-acknowledged broadcasts, FTCS 1997,
for several writers.
"""

from lydian import (
    ANY,
    CRASHES,
    Command,
    Message,
    Process,
    at_end,
    at_most,
    complete,
    linearizable,
    named,
    natural,
    on,
    parameter,
    program,
    register,
    reliable,
    states,
    two_way,
    wait,
)  # fmt: skip

IDLE, ASKING, STORING = states(
    "idle", "asking", "storing", reads={"asking": "is asking for copies", "storing": "is storing its copy"}
)


class Write(Command):
    """Write the value."""

    value: int


class Read(Command):
    """Read the register."""


class Ask(Message):
    """'Which copy do you have?'"""

    phase: int


class Copy(Message):
    """The copy of the sender: its value and its stamp."""

    phase: int
    value: int | None
    number: int
    name: str


class Store(Message):
    """'Store this copy, unless yours has a greater stamp.'"""

    phase: int
    value: int | None
    number: int
    name: str


class Stored(Message):
    """'I have stored your copy, or one with a greater stamp.'"""

    phase: int


class ABD(Process):
    title = "ABD: a register from messages"
    needs = complete, two_way, named, reliable, at_most("(n - 1) // 2", CRASHES)
    messages = "<= 4*(n - 1)*operations"

    operations: int = parameter(4, minimum=0, help="the largest number of operations, for the formula")
    write_back: bool = parameter(True, help="whether a read stores what it has found before it returns")

    state = IDLE
    value: int | None = None  # my copy
    number: int = 0  # its stamp: a number
    name: str = ""  # and the name of its writer
    wanted: list[int | None] = []  # the operations that the user wants: a value to write, or None for a read
    phase: int = 0  # the number of my last question
    answers: dict[str, Copy | None] = {}  # who has answered it, and the copy

    @on(ANY, Write)
    def ask_to_write(self, m):
        """The user wants to write."""
        self.wanted.append(m.value)

    @on(ANY, Read)
    def ask_to_read(self):
        """The user wants to read."""
        self.wanted.append(None)

    @on(ANY, Ask)
    def show(self, m, q):
        """It answers with its copy."""
        self.send(Copy(m.phase, self.value, self.number, self.name), to=q)

    @on(ANY, Store)
    def store(self, m, q):
        """It stores the copy if it is newer than its own."""
        self.keep(m)
        self.send(Stored(m.phase), to=q)

    @on(ANY, (Copy, Stored))
    def answered(self, m, q):
        """An answer counts if it is one to the last question."""
        if m.phase == self.phase:
            self.answers[q] = m if isinstance(m, Copy) else None

    def mine(self):
        return Copy(0, self.value, self.number, self.name)

    def keep(self, m):
        if stamp(m) > stamp(self):
            self.value, self.number, self.name = m.value, m.number, m.name

    def begin(self):
        self.phase += 1
        self.answers = {}

    def command(self):
        """Return True if the user has given a command."""
        return len(self.wanted) > 0

    def majority(self):
        """Return True if a majority has answered, including this process itself."""
        return 2 * (len(self.answers) + 1) > len(self.neighbours) + 1

    @program
    def run(self):
        while True:
            yield wait(self.command)
            new = self.wanted.pop(0)
            self.state = ASKING
            self.begin()
            self.send(Ask(self.phase), to=self.neighbours)
            yield wait(self.majority)
            copy = max(self.mine(), *self.answers.values(), key=stamp)
            if new is not None:
                copy = Copy(0, new, copy.number + 1, self.me)
            if new is not None or self.write_back:
                self.state = STORING
                self.begin()
                self.keep(copy)
                self.send(Store(self.phase, copy.value, copy.number, copy.name), to=self.neighbours)
                yield wait(self.majority)
            self.respond(copy.value if new is None else None)
            self.state = IDLE


def stamp(copy):
    return copy.number, natural(copy.name)


atomic_register = linearizable(register())


@at_end("every operation of a process that has not crashed has its response")
def all_responded(c):
    alive = {c.name(p) for p in c.correct}
    return all(each.outcome == "ok" for each in c.history if each.process in alive)
