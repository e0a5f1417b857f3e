"""Sequential polling: one process asks all the others, one after the other.

The simplest traversal there is.  The initiator knows everybody; it sends a token to its first neighbour, waits until
it comes back, then to the second, and decides when all have answered.

Pseudo-code::

    the initiator:     rec := 0
                       while rec < number of neighbours:
                           send a token to neighbour number rec + 1; receive a token; rec := rec + 1
                       decide
    all others:        receive a token from q; send a token to q

Needs an initiator that is a neighbour of everybody (a complete network, or a star from its centre), and two-way links
that lose nothing; order does not matter.
Complexity: 2n - 2 messages, one after the other, and therefore up to 2n - 2 time units if none takes longer than one;
asking all at once takes as many messages and only two units.

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
    reads={"sleeping": "has not been asked yet", "answered": "has answered", "polling": "asks all"},
)


class Token(Message):
    """The question on its way out, the answer on its way back."""


class Polling(Process):
    title = "Sequential polling"
    needs = one_initiator, centre_starts, two_way, reliable, no_crashes
    messages = "2*n - 2"

    state = SLEEPING
    rec: int = 0  # how many have answered
    asked: str | None = None  # who is being asked

    @on(SLEEPING, INIT)
    def start(self):
        """It begins to ask.

        always:
        """
        self.state = POLLING
        self.ask_next()

    @on(SLEEPING, Token)
    def answer(self, m, q):
        """It is asked, and answers."""
        self.state = ANSWERED
        self.send(Token(), to=q)

    @on(POLLING, Token)
    def answered(self, m, q):
        """An answer: the next one is asked.

        notes: It did not ask {peer}.
        decides: The last answer is here.
        otherwise: An answer: the next neighbour is asked.
        """
        if q == self.asked:
            self.rec += 1
            self.ask_next()
        else:
            self.unexpected(m, q)

    @on(ANY, Token)
    def unexpected(self, m, q):
        """A second token; it happens only when something was broken."""
        self.note(f"unexpected token from {q}")

    def ask_next(self):
        if self.rec < len(self.neighbours):
            self.asked = self.neighbours[self.rec]
            self.send(Token(), to=self.asked)
        else:
            self.asked = None
            self.decide("everybody has answered")
            self.state = FINISHED


@always("there is never a second token, and none when all have answered")
def one_token(c):
    return len(c.in_transit) <= any(p.state == POLLING for p in c.processes)


@always("as many have answered as the initiator has counted, or one more")
def counted(c):
    answers = sum(p.state == ANSWERED for p in c.processes)
    return all(answers - p.rec in (0, 1) for p in c.processes if p.state in (POLLING, FINISHED))


@eventually("the initiator has asked everybody")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, ANSWERED) for p in c.processes)
