"""FIFO broadcast: the messages of a sender are delivered in the order in which it broadcast them.

The messages are numbered and sent by reliable broadcast, the layer below; each process delivers those of a sender by
their numbers, and holds a message back until all earlier ones of the same sender have arrived.

Pseudo-code (next[s]: the number of the message of s that is delivered next)::

    broadcast(text):              sent := sent + 1; reliably broadcast (me, sent, text)
    (s, number, text) arrives:    hold it; while a message (s, next[s], text) is held:
                                      deliver text; next[s] := next[s] + 1

    the layer below: eager reliable broadcast, which passes each message on once and hands it up once

An initiator broadcasts ``posts`` messages when it starts.  With ``rule = "none"`` each message is delivered on arrival.

Needs a complete network with reliable links and names, and at least one initiator; any number of processes may crash,
and links need not be FIFO.
Complexity: n (n - 1) messages for each broadcast, all of them of the layer below.

Reference: C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd
edition, 2011, algorithm 3.12 (Broadcast with Sequence Number), over algorithm 3.3.
"""

from lydian import (
    ANY,
    INIT,
    Indication,
    Layer,
    Message,
    Process,
    Request,
    always,
    complete,
    eventually,
    named,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
)

CLEAR, HOLDING = states(
    "clear", "holding",
    reads={"clear": "holds nothing back", "holding": "holds messages back"},
)


class Data(Message):
    """A message of reliable broadcast: the original sender, the number of its message, and the text."""

    sender: str
    number: int
    text: str


class Send(Request):
    """Broadcast the message reliably."""

    data: Data


class Arrived(Indication):
    """The message has arrived for the first time."""

    data: Data


class Reliable(Layer):
    """Eager reliable broadcast: forward each message once."""

    known: set[tuple[str, int]] = set()  # sender and number of the messages that have arrived

    @on(ANY, Send)
    def begin(self, r):
        """It sends the message to all others, and hands it up.

        always:
        """
        self.take(r.data)

    @on(ANY, Data)
    def receive(self, m, q):
        """It forwards a message that is new to it, and hands it up; it ignores a copy.

        delivers: The message is new: it forwards it and delivers it; all earlier ones of this sender were delivered.
        sends Data: The message is new: it forwards it, but holds it back until an earlier one has arrived.
        nothing: It has received this message before and ignores the copy.
        """
        if (m.sender, m.number) not in self.known:
            self.take(m)

    def take(self, m):
        self.known.add((m.sender, m.number))
        for q in self.neighbours:
            self.send(m, to=q)
        self.tell(Arrived(m))


class FifoBroadcast(Process):
    title = "FIFO broadcast"
    needs = complete, named, some_initiator, reliable
    layers = (Reliable,)
    messages = "<= posts*n*n*(n - 1)"

    state = CLEAR
    sent: int = 0  # how many messages I have broadcast
    next: dict[str, int] = {}  # sender -> the number of its message that I deliver next
    held: list[tuple[str, int, str]] = []  # messages that wait: sender, number, text
    log: list[str] = []  # what I have delivered, in this order: "sender.number"

    posts = parameter(3, minimum=1, maximum=20, help="how many messages an initiator broadcasts")
    rule = parameter("fifo", choices=("fifo", "none"), help="whether a message waits for earlier ones of its sender")

    @on(ANY, INIT)
    def start(self):
        """It broadcasts its messages, one after the other.

        always:
        """
        for _ in range(self.posts):
            self.sent += 1
            self.ask(Send(Data(self.me, self.sent, f"{self.me}.{self.sent}")))

    @on(ANY, Arrived)
    def hold(self, r):
        """It holds the message until it is the next one of its sender."""
        self.held.append((r.data.sender, r.data.number, r.data.text))
        while (ready := next((each for each in self.held if self.in_turn(*each)), None)) is not None:
            self.held.remove(ready)
            sender, number, text = ready
            self.next[sender] = number + 1
            self.log.append(text)
            self.deliver(text)
        self.state = HOLDING if self.held else CLEAR

    def in_turn(self, sender, number, text):
        return self.rule == "none" or number == self.next.get(sender, 1)


@eventually("validity: a correct process delivers each message that it broadcasts")
def validity(c):
    return all(f"{p.me}.{k + 1}" in c.delivered[p] for p in c.correct for k in range(p.sent))


@eventually("agreement: a message that one correct process delivers is delivered by all correct processes")
def agreement(c):
    return len({frozenset(c.delivered[p]) for p in c.correct}) <= 1


@always("no duplication: no process delivers a message twice")
def no_duplication(c):
    return all(len(set(said)) == len(said) for said in c.delivered.values())


@always("FIFO: a process delivers the messages of a sender in the order in which they were broadcast, without a gap")
def fifo_order(c):
    for said in c.delivered.values():
        due = {}  # sender -> the number of messages of it so far
        for text in said:
            sender, _, number = text.rpartition(".")
            due[sender] = due.get(sender, 0) + 1
            if int(number) != due[sender]:
                return False
    return True
