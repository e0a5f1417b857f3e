"""Consistent broadcast: no two correct processes deliver different values, even if the sender lies.

Some correct processes may deliver nothing if the sender is Byzantine; up to f processes are.

A process echoes the value that it receives from the sender, and delivers a value that more than (n + f)/2 processes
have echoed.  Two such sets of processes have a correct process in common, and it echoes only one value.

Pseudo-code (all counts include the process's own messages)::

    the sender:                                         send Send(x) to all
    Send(x) from the sender, the first one:             send Echo(x) to all
    more than (n + f)/2 Echo(x), and not delivered:     deliver x

Of several echoes from one process only the first counts.  The sender is the process with the lowest name, and all
processes know this; the receiver of a message knows from which process it comes.

Needs a complete network with reliable links and names; the sender starts; n > 3f for up to f Byzantine processes; order
and delays do not matter.
Complexity: two steps and (n - 1)(n + 1) messages if all processes are correct.

Reference: T. K. Srikanth and S. Toueg, Simulating authenticated broadcasts to derive simple fault-tolerant algorithms,
Distributed Computing 2 (1987); C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure
Distributed Programming, 2nd edition, 2011, algorithm 3.16 (Authenticated Echo Broadcast).
"""

from lydian import (
    ANY,
    INIT,
    LIARS,
    Message,
    Process,
    always,
    at_most,
    complete,
    eventually,
    named,
    natural,
    need,
    on,
    parameter,
    reliable,
    states,
)

WAITING, ECHOED, DELIVERED = states(
    "waiting", "echoed", "delivered",
    reads={
        "waiting": "is waiting for the sender",
        "echoed": "has echoed a value",
        "delivered": "has delivered a value",
    },
)


class Send(Message):
    """The value of the sender."""

    x: str


class Echo(Message):
    """'The sender has sent me x.'"""

    x: str


@need("the first starts", "the process with the lowest name starts, and no other")
def first(network):
    lowest = min(network.processes, key=natural)
    return None if network.initiators == (lowest,) else f"let process {lowest} start, and no other process"


@need("four processes", "there are at least four processes")
def four(network):
    return None if network.n >= 4 else "one liar needs at least four processes, for example complete:4"


class ConsistentBroadcast(Process):
    title = "Consistent broadcast"
    needs = complete, named, first, four, reliable, at_most("f", LIARS, given="n > 3*f")
    messages = "<= (n - 1)*(n + 1)"

    state = WAITING
    sent: str | None = None  # the sender: the value that I broadcast
    echoed: bool = False
    echoes: dict[str, str] = {}  # process -> the value that it has echoed
    value: str | None = None  # the value that I have delivered

    f = parameter(1, minimum=0, help="how many processes may be Byzantine; fewer than a third")
    x = parameter("yes", choices=("yes", "no"), help="the value that the sender broadcasts")

    @on(ANY, INIT)
    def start(self):
        """It is the sender, and sends its value to all.

        always:
        """
        self.sent = self.x
        self.send_all(Send(self.x))
        self.echo(self.x)

    @on(ANY, Send)
    def hear(self, m, q):
        """It echoes the value of the sender, the first one that it receives.

        sends Echo: This is the first value that it receives from the sender: it echoes it.
        nothing: It ignores the message: it has echoed already, or {peer} is not the sender.
        """
        if q == min((self.me, *self.neighbours), key=natural) and not self.echoed:
            self.echo(m.x)

    @on(ANY, Echo)
    def count(self, m, q):
        """It counts an echo, the first one of each process, and delivers a value with enough of them.

        delivers: More than (n + f)/2 processes have echoed this value: it delivers it.
        otherwise: It has counted {echoes:echo|echoes}.
        """
        self.echoes.setdefault(q, m.x)
        self.weigh(m.x)

    def echo(self, x):
        self.echoed = True
        if self.state == WAITING:
            self.state = ECHOED
        self.echoes[self.me] = x
        self.send_all(Echo(x))
        self.weigh(x)

    def weigh(self, x):
        echoes = list(self.echoes.values()).count(x)
        if 2 * echoes > len(self.neighbours) + 1 + self.f and self.value is None:
            self.state = DELIVERED
            self.value = x
            self.deliver(x)

    def send_all(self, m):
        for q in self.neighbours:
            self.send(m, to=q)


@always("consistency: no two correct processes deliver different values")
def consistency(c):
    return len({p.value for p in c.correct} - {None}) <= 1


@always("integrity: if the sender is correct, correct processes deliver only its value, and at most once")
def integrity(c):
    sent = {p.sent for p in c.processes if p.sent is not None and not p.faulty}
    return all(len(c.delivered[p]) <= 1 and (not sent or sent.issuperset(c.delivered[p])) for p in c.correct)


@eventually("validity: if the sender is correct, every correct process delivers its value")
def validity(c):
    sent = {p.sent for p in c.correct if p.sent is not None}
    return all(p.value in sent for p in c.correct if sent)
