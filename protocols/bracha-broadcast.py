"""Bracha's reliable broadcast: all correct processes deliver the same value, even if the sender lies.

Either every correct process delivers one and the same value, or none delivers any; up to f processes are Byzantine.

A process echoes the value that it receives from the sender.  When most processes have echoed the same value, it
declares itself ready for this value; two correct processes are never ready for different values.  It also becomes ready
when f + 1 processes are, for one of them is correct: therefore all correct processes deliver if one does.

Pseudo-code (all counts include the process's own messages)::

    the sender:                                         send Send(x) to all
    Send(x) from the sender, the first one:             send Echo(x) to all
    more than (n + f)/2 Echo(x), and not yet ready:     send Ready(x) to all
    more than f Ready(x), and not yet ready:            send Ready(x) to all
    more than 2f Ready(x), and not yet delivered:       deliver x

Of several echoes from one process only the first counts, and likewise of its readies.  The sender is the process with
the lowest name, and all processes know this; the receiver of a message knows from which process it comes.

Needs a complete network with reliable links and names; the sender starts; n > 3f for up to f Byzantine processes; order
and delays do not matter.
Complexity: three steps and (n - 1)(2n + 1) messages if all processes are correct.

Reference: G. Bracha, Asynchronous Byzantine agreement protocols, Information and Computation 75 (1987); C. Cachin,
R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd edition, 2011, algorithm
3.18 (Authenticated Double-Echo Broadcast).
"""

from lydian import (
    ANY,
    INIT,
    LIARS,
    Message,
    Process,
    always,
    at_end,
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

WAITING, ECHOED, READY, DELIVERED = states(
    "waiting", "echoed", "ready", "delivered",
    reads={
        "waiting": "is waiting for the sender",
        "echoed": "has echoed a value",
        "ready": "is ready to deliver",
        "delivered": "has delivered a value",
    },
)


class Send(Message):
    """The value of the sender."""

    x: str


class Echo(Message):
    """'The sender has sent me x.'"""

    x: str


class Ready(Message):
    """'I am ready to deliver x.'"""

    x: str


@need("the first starts", "the process with the lowest name starts, and no other")
def first(network):
    lowest = min(network.processes, key=natural)
    return None if network.initiators == (lowest,) else f"let process {lowest} start, and no other process"


@need("four processes", "there are at least four processes")
def four(network):
    return None if network.n >= 4 else "one liar needs at least four processes, for example complete:4"


class BrachaBroadcast(Process):
    title = "Bracha's reliable broadcast"
    needs = complete, named, first, four, reliable, at_most("f", LIARS, given="n > 3*f")
    messages = "<= (n - 1)*(2*n + 1)"

    state = WAITING
    sent: str | None = None  # the sender: the value that I broadcast
    echoed: bool = False
    ready: bool = False
    echoes: dict[str, str] = {}  # process -> the value that it has echoed
    readies: dict[str, str] = {}  # process -> the value for which it is ready
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
    def count_echo(self, m, q):
        """It counts an echo, the first one of each process.

        sends Ready: More than (n + f)/2 processes have echoed this value: it is ready for it.
        otherwise: It has counted {echoes:echo|echoes}.
        """
        self.echoes.setdefault(q, m.x)
        self.weigh(m.x)

    @on(ANY, Ready)
    def count_ready(self, m, q):
        """It counts a process that is ready, and delivers the value once more than 2f are.

        delivers: More than 2f processes are ready for this value: it delivers it.
        sends Ready: More than f processes are ready for this value: it is ready, too.
        otherwise: It has counted {readies:process|processes} as ready.
        """
        self.readies.setdefault(q, m.x)
        self.weigh(m.x)

    def echo(self, x):
        self.echoed = True
        if self.state == WAITING:
            self.state = ECHOED
        self.echoes[self.me] = x
        self.send_all(Echo(x))
        self.weigh(x)

    def weigh(self, x):
        n = len(self.neighbours) + 1
        echoes = list(self.echoes.values()).count(x)
        readies = list(self.readies.values()).count(x)
        if not self.ready and (2 * echoes > n + self.f or readies > self.f):
            self.ready = True
            self.state = READY
            self.readies[self.me] = x
            self.send_all(Ready(x))
            readies += 1
        if readies > 2 * self.f and self.value is None:
            self.state = DELIVERED
            self.value = x
            self.deliver(x)

    def send_all(self, m):
        for q in self.neighbours:
            self.send(m, to=q)


@always("agreement: no two correct processes deliver different values")
def agreement(c):
    return len({p.value for p in c.correct} - {None}) <= 1


@always("integrity: if the sender is correct, correct processes deliver only its value, and at most once")
def integrity(c):
    sent = {p.sent for p in c.processes if p.sent is not None and not p.faulty}
    return all(len(c.delivered[p]) <= 1 and (not sent or sent.issuperset(c.delivered[p])) for p in c.correct)


@always("no two correct processes are ready for different values")
def one_ready(c):
    return len({p.readies[p.me] for p in c.correct if p.ready}) <= 1


@eventually("validity: if the sender is correct, every correct process delivers its value")
def validity(c):
    sent = {p.sent for p in c.correct if p.sent is not None}
    return all(p.value in sent for p in c.correct if sent)


@at_end("totality: if one correct process delivers a value, all correct processes do")
def totality(c):
    return len({p.value is None for p in c.correct}) <= 1
