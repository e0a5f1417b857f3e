"""Uniform reliable broadcast: a message is delivered when a majority has it.

If any process delivers a message, even one that crashes afterwards, all correct processes deliver it.

A process that receives a message for the first time forwards it to all others; each copy is also the acknowledgement
that its sender has the message.  It delivers the message when more than half of all processes, itself included, have
acknowledged it: one of them is correct, and its copies reach every correct process.

Pseudo-code (ack[text]: the processes that have the message, as far as I know)::

    broadcast(text):                 ack[text] := {me}; send Data(text) to all others
    Data(text) from q:               if it is new: ack[text] := {me}; send Data(text) to all others
                                     add q to ack[text]
                                     if ack[text] has more than n/2 members and text is not delivered: deliver text

An initiator broadcasts one message when it starts.

Needs a complete network with reliable links and names, and at least one initiator; fewer than half of the processes
crash, and order and delays do not matter.  No failure detector is needed.
Complexity: n (n - 1) messages and two steps for each broadcast.

Reference: C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd
edition, 2011, algorithm 3.5 (Majority-Ack Uniform Reliable Broadcast).
"""

from lydian import (
    ANY,
    CRASHES,
    INIT,
    Message,
    Process,
    always,
    at_most,
    complete,
    eventually,
    named,
    on,
    reliable,
    some_initiator,
    states,
)

WAITING, HOLDING, DELIVERED = states(
    "waiting", "holding", "delivered",
    reads={
        "waiting": "has received nothing",
        "holding": "holds a message back",
        "delivered": "has delivered all that it has received",
    },
)


class Data(Message):
    """The message that is broadcast, and the acknowledgement that the sender of this copy has it."""

    text: str


class UniformBroadcast(Process):
    title = "Uniform reliable broadcast"
    needs = complete, named, some_initiator, reliable, at_most("(n - 1) // 2", CRASHES)
    messages = "<= n*n*(n - 1)"

    state = WAITING
    posts: list[str] = []  # what I have broadcast
    ack: dict[str, set[str]] = {}  # message -> the processes that have it, as far as I know
    log: list[str] = []  # what I have delivered, in this order

    @on(ANY, INIT)
    def start(self):
        """It broadcasts a message.

        always:
        """
        self.posts.append(f"hello from {self.me}")
        self.acknowledge(self.posts[-1], self.me)

    @on(ANY, Data)
    def receive(self, m, q):
        """It notes that the sender has the message, and delivers it once a majority has it.

        delivers and sends Data: The message is new: it forwards it, and delivers it, because a majority has it.
        delivers: A majority of the processes now has the message: it delivers it.
        sends Data: The message is new: it forwards it, and waits until a majority has it.
        otherwise: It notes that {peer} has the message.
        """
        self.acknowledge(m.text, q)

    def acknowledge(self, text, q):
        if text not in self.ack:
            self.ack[text] = {self.me}
            for r in self.neighbours:
                self.send(Data(text), to=r)
        self.ack[text].add(q)
        if 2 * len(self.ack[text]) > len(self.neighbours) + 1 and text not in self.log:
            self.log.append(text)
            self.deliver(text)
        self.state = DELIVERED if len(self.log) == len(self.ack) else HOLDING


@eventually("validity: a correct process delivers each message that it broadcasts")
def validity(c):
    return all(set(p.posts) <= set(c.delivered[p]) for p in c.correct)


@eventually("uniform agreement: a message that any process delivers is delivered by all correct processes")
def uniform_agreement(c):
    said = {text for each in c.delivered.values() for text in each}
    return all(said <= set(c.delivered[p]) for p in c.correct)


@always("no duplication: no process delivers a message twice")
def no_duplication(c):
    return all(len(set(said)) == len(said) for said in c.delivered.values())


@always("no creation: only messages that were broadcast are delivered")
def no_creation(c):
    posts = {text for p in c.processes for text in p.posts}
    return all(posts.issuperset(said) for said in c.delivered.values())


@always("a majority has each message that is delivered")
def majority(c):
    return all(2 * sum(text in q.ack for q in c.processes) > c.n for p in c.honest for text in p.log)
