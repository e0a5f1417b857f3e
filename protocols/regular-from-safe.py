"""A regular register from a safe one: the writer does not write a value that the register already has.

A read of a safe register that overlaps a write may return any value.  For a register of one bit this matters only if
the write does not change it: then both "the value before" and "the value written" are the same bit, and the read may
return the other one.  So the writer remembers the last value, and omits such writes.

Pseudo-code (old: a variable of the writer, false at first)::

    Write(v):   if v <> old: write v to bit; old := v
    Read:       return what a read of bit returns

It needs processes with names and one writer, which is an initiator, and no crashes.  A user gives a process its next
command only after the response to the last one.
Complexity: one access for a read, at most one for a write.  The register is regular, not atomic: two reads that overlap
the same write may first return the new value and then the old one.  With ``omit = False`` the writer writes every
value, and the register is not even regular.

Reference: L. Lamport, On interprocess communication, Distributed Computing 1 (1986), construction 3; M. Herlihy and
N. Shavit, The Art of Multiprocessor Programming, section 4.2.
"""

from lydian import (
    ANY,
    Command,
    Process,
    always,
    at_end,
    named,
    no_crashes,
    on,
    one_initiator,
    parameter,
    program,
    safe,
    states,
    wait,
)  # fmt: skip

IDLE, READING, WRITING = states("idle", "reading", "writing")


class Write(Command):
    """Write the value; only the writer gets this command."""

    value: bool


class Read(Command):
    """Read the register."""


class RegularFromSafe(Process):
    title = "A regular register from a safe one"
    needs = one_initiator, named, no_crashes
    messages = "0"

    bit = safe(False, values=(False, True))
    omit: bool = parameter(True, help="whether the writer omits writes that do not change the value")

    state = IDLE
    wanted: list[bool | None] = []  # the operations that the user wants: a value to write, or None for a read
    old: bool = False  # the last value that I have written

    @on(ANY, Write)
    def ask_to_write(self, m):
        """The user wants to write; only the writer does."""
        if self.initiator:
            self.wanted.append(m.value)

    @on(ANY, Read)
    def ask_to_read(self):
        """The user wants to read."""
        self.wanted.append(None)

    def command(self):
        """Return True if the user has given a command."""
        return len(self.wanted) > 0

    @program
    def run(self):
        while True:
            yield wait(self.command)
            value = self.wanted.pop(0)
            if value is None:
                self.state = READING
                value = yield self.bit.read()
                self.respond(value)
            else:
                self.state = WRITING
                if value != self.old or not self.omit:
                    yield self.bit.write(value)
                self.old = value
                self.respond()
            self.state = IDLE


def allowed(read, history):
    """Return the values that a regular register may return to this read."""
    writes = [each for each in history if each.name == "Write"]
    before = [each for each in writes if each.before(read)]
    during = [each for each in writes if not each.before(read) and not read.before(each)]
    return [before[-1].value if before else False, *(each.value for each in during)]


@always("every read returns the last value written before it, or one that is being written during it")
def regular_reads(c):
    reads = [each for each in c.history if each.name == "Read" and each.outcome == "ok"]
    return all(each.result in allowed(each, c.history) for each in reads)


@at_end("every operation has its response")
def all_responded(c):
    return all(each.outcome == "ok" for each in c.history)
