"""Lazy reliable broadcast: a process forwards a message only if the sender has crashed.

If one correct process delivers a message, all correct processes do; without crashes, nothing is forwarded.

Pseudo-code (crashed: the processes that the failure detector has reported)::

    broadcast(text):                          deliver text; send Data(text, me) to all others
    Data(text, s), not yet delivered:         deliver text; if s is in crashed: send Data(text, s) to all others
    the detector reports the crash of s:      add s to crashed; for each text of s that was delivered:
                                              send Data(text, s) to all others

An initiator broadcasts one message when it starts.  A process watches a sender once it has delivered a message from it;
the detector reports a crash ``delay`` units after it.

Needs a complete network with reliable links and names, at least one initiator, and a perfect failure detector: every
crash is reported eventually, and no process is reported that has not crashed.  Any number of processes may crash; order
and delays do not matter.
Complexity: n - 1 messages for each broadcast if the sender does not crash, at most n (n - 1) if it does.

Reference: C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd
edition, 2011, algorithm 3.2 (Lazy Reliable Broadcast).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    complete,
    detector,
    eventually,
    named,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
)

WAITING, DELIVERED, FORWARDED = states(
    "waiting", "delivered", "forwarded",
    reads={
        "waiting": "has delivered nothing",
        "delivered": "has delivered a message",
        "forwarded": "has forwarded a message of a crashed process",
    },
)


class Data(Message):
    """The message that is broadcast, and its original sender."""

    text: str
    sender: str


class Crash(Timer):
    """The report of the failure detector that process q has crashed."""

    q: str


class LazyReliableBroadcast(Process):
    title = "Reliable broadcast, lazy"
    needs = complete, named, some_initiator, reliable, detector
    messages = "<= n*(n - 1)"

    state = WAITING
    posts: list[str] = []  # what I have broadcast
    log: list[str] = []  # what I have delivered, in this order
    of: dict[str, list[str]] = {}  # sender -> its messages that I have delivered
    crashed: set[str] = set()  # the processes that the detector has reported

    delay = parameter(3.0, minimum=0.0, help="time after which the detector reports a crash")

    @on(ANY, INIT)
    def start(self):
        """It broadcasts a message.

        always:
        """
        self.posts.append(f"hello from {self.me}")
        self.accept(self.posts[-1])
        self.send_all(Data(self.posts[-1], self.me))

    @on(ANY, Data)
    def receive(self, m, q):
        """It delivers a message that is new to it, and forwards it if its sender is known to have crashed.

        delivers and sends Data: The message is new, and its sender has crashed: it delivers and forwards it.
        delivers: The message is new: it delivers it, and watches its sender.
        nothing: It has delivered this message before and ignores the copy.
        """
        if m.text not in self.log:
            self.accept(m.text)
            self.of.setdefault(m.sender, []).append(m.text)
            if m.sender in self.crashed:
                self.forward(m.sender)
            elif m.sender != self.me:
                self.watch(m.sender, Crash(m.sender), after=self.delay)

    @on(ANY, Crash)
    def notice(self, m):
        """It learns that a sender has crashed, and forwards the messages of this sender.

        always:
        """
        self.crashed.add(m.q)
        self.forward(m.q)

    def forward(self, sender):
        self.state = FORWARDED
        for text in self.of[sender]:
            self.send_all(Data(text, sender))

    def accept(self, text):
        if self.state == WAITING:
            self.state = DELIVERED
        self.log.append(text)
        self.deliver(text)

    def send_all(self, m):
        for q in self.neighbours:
            self.send(m, to=q)


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


@always("no process forwards a message of a process that has not crashed")
def lazy(c):
    return all(c.crashed(c.process(q)) for p in c.honest for q in p.crashed)
