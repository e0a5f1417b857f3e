"""Best-effort broadcast: the sender sends its message to each process, and nothing more.

If the sender does not crash, every correct process delivers its message; if it crashes while it sends, some may not.

Pseudo-code::

    broadcast(text):       for each process q: send Data(text) to q
    Data(text) from q:     deliver text

An initiator broadcasts one message when it starts.  The message of a process to itself needs no link: the process
delivers it immediately.

Needs a complete network with reliable links and names, and at least one initiator; any number of processes may crash,
and order and delays do not matter.
Complexity: n - 1 messages and one step for each broadcast.

Reference: C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd
edition, 2011, module 3.1 and algorithm 3.1 (Basic Broadcast).
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
    """The message that is broadcast."""

    text: str


class BestEffortBroadcast(Process):
    title = "Best-effort broadcast"
    needs = complete, named, some_initiator, reliable
    messages = "<= n*(n - 1)"

    state = WAITING
    posts: list[str] = []  # what I have broadcast
    log: list[str] = []  # what I have delivered, in this order

    @on(ANY, INIT)
    def start(self):
        """It broadcasts a message.

        always:
        """
        self.broadcast(f"hello from {self.me}")

    @on(ANY, Data)
    def receive(self, m, q):
        """It delivers the message.

        always:
        """
        self.accept(m.text)

    def broadcast(self, text):
        self.posts.append(text)
        self.accept(text)
        for q in self.neighbours:
            self.send(Data(text), to=q)

    def accept(self, text):
        self.state = DELIVERED
        self.log.append(text)
        self.deliver(text)


@eventually("validity: every correct process delivers each message that a correct process broadcasts")
def validity(c):
    return all(set(p.posts) <= set(c.delivered[q]) for p in c.correct for q in c.correct)


@always("no duplication: no process delivers a message twice")
def no_duplication(c):
    return all(len(set(said)) == len(said) for said in c.delivered.values())


@always("no creation: only messages that were broadcast are delivered")
def no_creation(c):
    posts = {text for p in c.processes for text in p.posts}
    return all(posts.issuperset(said) for said in c.delivered.values())
