"""Sequential polling: the initiator asks all other processes, one after the other.

This is the simplest traversal.  The initiator is a neighbour of every other process.  It sends a token to its first
neighbour, waits until it returns, sends it to the second, and so on; it decides when all neighbours have answered.

Pseudo-code::

    the initiator:     rec := 0
                       while rec < number of neighbours:
                           send a token to neighbour number rec + 1; receive a token; rec := rec + 1
                       decide
    all others:        receive a token from q; send a token to q

It needs an initiator that is a neighbour of every other process (a complete network, or a star from its centre), and
two-way links that lose nothing; order does not matter.
Complexity: 2n - 2 messages, one after the other, and therefore up to 2n - 2 time units if none takes longer than one;
asking all at once takes the same number of messages and only two units.

Reference: G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 6.3.1.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    centre_starts,
    eventually,
    no_crashes,
    on,
    one_initiator,
    reliable,
    states,
    two_way,
)

SLEEPING, ANSWERED, POLLING, FINISHED = states(
    "sleeping", "answered", "polling", "finished",
    reads={"sleeping": "has not been asked", "answered": "has answered", "polling": "is polling"},
)


class Token(Message):
    """The question from the initiator to a neighbour, and the neighbour's answer."""


class Polling(Process):
    title = "Sequential polling"
    needs = one_initiator, centre_starts, two_way, reliable, no_crashes
    messages = "2*n - 2"

    state = SLEEPING
    rec: int = 0  # how many neighbours have answered
    asked: str | None = None  # the neighbour that is being asked

    @on(SLEEPING, INIT)
    def start(self):
        """It asks its first neighbour.

        always:
        """
        self.state = POLLING
        self.ask_next()

    @on(SLEEPING, Token)
    def answer(self, m, q):
        """It is asked and returns the token."""
        self.state = ANSWERED
        self.send(Token(), to=q)

    @on(POLLING, Token)
    def answered(self, m, q):
        """It counts the answer and asks the next neighbour.

        notes: It did not ask {peer}.
        decides: It has the last answer.
        otherwise: It counts the answer and asks the next neighbour.
        """
        if q == self.asked:
            self.rec += 1
            self.ask_next()
        else:
            self.unexpected(m, q)

    @on(ANY, Token)
    def unexpected(self, m, q):
        """It has received a second token, which is possible only after a fault."""
        self.note(f"unexpected token from {q}")

    def ask_next(self):
        if self.rec < len(self.neighbours):
            self.asked = self.neighbours[self.rec]
            self.send(Token(), to=self.asked)
        else:
            self.asked = None
            self.decide("everybody has answered")
            self.state = FINISHED


@always("there is at most one token, and none when all have answered")
def one_token(c):
    return len(c.in_transit) <= any(p.state == POLLING for p in c.processes)


@always("the number of answers is the initiator's count, or one more")
def counted(c):
    answers = sum(p.state == ANSWERED for p in c.processes)
    return all(answers - p.rec in (0, 1) for p in c.processes if p.state in (POLLING, FINISHED))


@eventually("the initiator has asked every process")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, ANSWERED) for p in c.processes)
