"""Eager reliable broadcast: each process forwards a message when it delivers it for the first time.

If one correct process delivers a message, all correct processes do, even if the sender crashes while it sends.

Pseudo-code::

    broadcast(text):                   deliver text; send Data(text) to all others
    Data(text), not yet delivered:     deliver text; send Data(text) to all others
    Data(text), delivered before:      ignore it

An initiator broadcasts one message when it starts.  No process needs to know which processes have crashed.

Needs a complete network with reliable links and names, and at least one initiator; any number of processes may crash,
and order and delays do not matter.
Complexity: n (n - 1) messages for each broadcast: every process sends every message once to every other process.  One
step without crashes; with crashes at most n steps, one for each process that crashes while it forwards.

Reference: C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd
edition, 2011, algorithm 3.3 (Eager Reliable Broadcast); V. Hadzilacos and S. Toueg, A modular approach to
fault-tolerant broadcasts and related problems, Cornell University, TR 94-1425, 1994.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    complete,
    eventually,
    named,
    on,
    reliable,
    some_initiator,
    states,
)

WAITING, DELIVERED = states(
    "waiting", "delivered",
    reads={"waiting": "has delivered nothing", "delivered": "has delivered a message"},
)


class Data(Message):
    """The message that is broadcast, from its sender or from a process that forwards it."""

    text: str


class EagerReliableBroadcast(Process):
    title = "Reliable broadcast, eager"
    needs = complete, named, some_initiator, reliable
    messages = "<= n*n*(n - 1)"

    state = WAITING
    posts: list[str] = []  # what I have broadcast
    log: list[str] = []  # what I have delivered, in this order

    @on(ANY, INIT)
    def start(self):
        """It broadcasts a message.

        always:
        """
        self.posts.append(f"hello from {self.me}")
        self.accept(self.posts[-1])

    @on(ANY, Data)
    def receive(self, m, q):
        """It delivers a message that is new to it, and forwards it to all others.

        delivers: The message is new: it delivers it and forwards it to all others.
        nothing: It has delivered this message before and ignores the copy.
        """
        if m.text not in self.log:
            self.accept(m.text)

    def accept(self, text):
        self.state = DELIVERED
        self.log.append(text)
        self.deliver(text)
        for q in self.neighbours:
            self.send(Data(text), to=q)


@eventually("validity: a correct process delivers each message that it broadcasts")
def validity(c):
    return all(set(p.posts) <= set(c.delivered[p]) for p in c.correct)


@eventually("agreement: a message that one correct process delivers is delivered by all correct processes")
def agreement(c):
    return len({frozenset(c.delivered[p]) for p in c.correct}) <= 1


@always("no duplication: no process delivers a message twice")
def no_duplication(c):
    return all(len(set(said)) == len(said) for said in c.delivered.values())


@always("no creation: only messages that were broadcast are delivered")
def no_creation(c):
    posts = {text for p in c.processes for text in p.posts}
    return all(posts.issuperset(said) for said in c.delivered.values())
