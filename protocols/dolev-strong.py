"""Dolev-Strong: agreement on the value of a sender by signatures, however many processes lie.

All correct processes decide on the same value, and on the sender's if it is correct; up to f processes are Byzantine,
and f may be any number.

A value counts in round r only with the signatures of r different processes, the sender first.  A process that accepts a
value signs it and passes it on; if a value is accepted in round f + 1, one of its f + 1 signers is correct and has
passed it on before.  So after f + 1 rounds all correct processes have accepted the same values.

Pseudo-code (chain: the names of the processes that have signed x, in order)::

    INIT, at the sender:    send x, signed, to all
    round r = 1 .. f + 1:   for each x that arrives with r signatures, of different processes and the sender first:
                                if x is new: accept x; if r <= f: sign x and send it to all who have not signed it
    after round f + 1:      decide x if exactly one value is accepted, else the default

A signature cannot be forged.  The sender of a message is known, so what q sends counts as signed by q: the receiver
adds its name to the chain.  The names before it are sealed by a number that depends on the value and on all of them; a
liar that changes either cannot compute it.  The sender is the process with the lowest name.

Needs a complete network with reliable links and names, rounds, and all processes as initiators; up to f Byzantine
processes for any f.
Complexity: f + 1 rounds and (n - 1)^2 messages if all processes are correct and f > 0; each process passes on at most
two values, so there are never more than (n - 1)(2n - 3) messages of correct processes.

Reference: D. Dolev and H. R. Strong, Authenticated algorithms for Byzantine agreement, SIAM Journal on Computing 12
(1983).
"""

from lydian import (
    ANY,
    INIT,
    LIARS,
    ROUND,
    Message,
    Process,
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
    rounds,
    states,
)
from lydian.circle import fnv1a, mixed

IDLE, RELAYING, DECIDED = states(
    "idle", "relaying", "decided",
    reads={"idle": "is idle", "relaying": "collects signed values", "decided": "has decided"},
)
YES, NO = "yes", "no"


class Signed(Message):
    """The value x, signed by the processes of the chain and by the sender of the message."""

    x: str
    chain: tuple[str, ...]
    seal: int


def seal(x, chain):
    """Return the number that proves that all processes of the chain have signed x."""
    return mixed(fnv1a(f"{x} {' '.join(chain)}"))


class DolevStrong(Process):
    title = "Dolev-Strong"
    needs = complete, named, everybody_starts, reliable, rounds, at_most("f", LIARS)
    messages = "(n - 1)*(1 + (f >= 1)*(n - 2))"

    state = IDLE
    sent: str | None = None  # the sender: its value
    accepted: dict[str, tuple[str, ...]] = {}  # value that I have accepted -> the processes that had signed it
    decision: str | None = None

    f = parameter(1, minimum=0, help="how many processes may be Byzantine")
    x = parameter(YES, choices=(YES, NO), help="the value of the sender")

    @on(ANY, INIT)
    def start(self):
        """It sends its signed value to all if it is the sender; otherwise it waits.

        sends Signed: It is the sender: it signs its value and sends it to all.
        otherwise: It is not the sender, and waits for its value.
        """
        self.state = RELAYING
        if self.me == self.sender():
            self.sent = self.x
            self.accepted[self.x] = (self.me,)
            for q in self.neighbours:
                self.send(Signed(self.x, (), 0), to=q)
        self.want_round()

    @on(ANY, ROUND)
    def collect(self, received):
        """It accepts the values that have enough signatures, signs them and passes them on; at the end it decides.

        decides: The last round is over: it decides.
        sends Signed: It accepts a value with enough signatures, signs it and passes it on.
        changes accepted: It accepts a value with enough signatures.
        otherwise: It accepts no new value in this round.
        """
        if self.state == DECIDED:
            return
        for m, q in received:
            chain = (*m.chain, q)
            if m.x not in self.accepted and len(self.accepted) < 2 and self.valid(m, chain):
                self.accepted[m.x] = chain
                for r in self.neighbours if self.round <= self.f else ():
                    if r not in chain:
                        self.send(Signed(m.x, chain, seal(m.x, chain)), to=r)
        if self.round <= self.f:
            self.want_round()
        else:
            self.state = DECIDED
            self.decision = next(iter(self.accepted)) if len(self.accepted) == 1 else NO
            self.decide(self.decision)

    def valid(self, m, chain):
        signed_once = len(set(chain)) == len(chain) == self.round and self.me not in chain
        return signed_once and chain[0] == self.sender() and (not m.chain or m.seal == seal(m.x, m.chain))

    def sender(self):
        return min((self.me, *self.neighbours), key=natural)


@always("agreement: no two correct processes decide differently")
def agreement(c):
    return len({c.decided[p] for p in c.correct if p in c.decided}) <= 1


@always("validity: if the sender is correct, correct processes decide its value")
def validity(c):
    sent = {p.sent for p in c.correct if p.sent is not None}
    return all(c.decided[p] in sent for p in c.correct if sent and p in c.decided)


@always("if the sender is correct, no correct process accepts a value that it has not signed")
def unforgeable(c):
    sent = {p.sent for p in c.correct if p.sent is not None}
    return all(set(p.accepted) <= sent for p in c.correct if sent)


@at_end("termination: all correct processes have decided")
def termination(c):
    return all(p in c.decided for p in c.correct)
