"""Causal broadcast (Birman, Schiper, Stephenson): no answer before its question.

Everybody posts to everybody, and whoever delivers an answer has delivered before it what it answers.

A post carries how many posts of each process its author had delivered.  Whoever lacks one of these holds the post
back until it has come.  Who starts posts at once; everybody answers the first post of somebody else that it delivers.

Pseudo-code (v[q]: how many posts of q were delivered; v[me] counts my own)::

    broadcast:                    v[me] := v[me] + 1; send Post(v) to all others; deliver it
    Post(w) from q:               hold it; then, as long as there is a held Post(w) of some q with
                                  w[q] = v[q] + 1 and w[k] <= v[k] for all k /= q:
                                      deliver it; v[q] := v[q] + 1

With ``rule = "none"`` everything is delivered when it comes, and the order goes wrong.

Needs a complete network whose links lose nothing, with names, and somebody who starts; order and delays do not matter.
Complexity: n - 1 messages for each broadcast, n numbers in each; at most 2n posts are made here, each starter's and
one answer of each process.

Reference: K. Birman, A. Schiper and P. Stephenson, Lightweight causal and atomic group multicast, ACM Transactions on
Computer Systems 9 (1991); Coulouris, Dollimore, Kindberg and Blair, Distributed Systems, 5th edition, section 15.4.3.
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
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
)

CLEAR, HOLDING = states(
    "clear", "holding",
    reads={"clear": "holds nothing back", "holding": "holds posts back"},
)


class Post(Message):
    """Something for everybody, with what its author had delivered before; its own number with it."""

    v: dict[str, int]


class CausalBroadcast(Process):
    title = "Causal broadcast"
    needs = complete, named, some_initiator, reliable, no_crashes
    messages = "<= 2*n*(n - 1)"

    state = CLEAR
    v: dict[str, int] = {}  # process -> how many of its posts I have delivered
    held: list[tuple[str, dict[str, int]]] = []  # posts that came too early, with their authors
    log: list[str] = []  # what I delivered, in my order: "author.number"
    answered: bool = False

    rule = parameter("causal", choices=("causal", "none"), help="what a post waits for before it is delivered")

    @on(ANY, INIT)
    def start(self):
        """It posts something.

        always:
        """
        self.broadcast()

    @on(ANY, Post)
    def receive(self, m, q):
        """A post comes; it and those that waited for it are delivered, or it is held back."""
        self.held.append((q, m.v))
        while (ready := next((post for post in self.held if self.in_turn(*post)), None)) is not None:
            self.held.remove(ready)
            self.accept(*ready)
        self.state = HOLDING if self.held else CLEAR

    def in_turn(self, q, w):
        if self.rule == "none":
            return True
        return all(w[k] <= self.v.get(k, 0) + (k == q) for k in w) and w[q] == self.v.get(q, 0) + 1

    def accept(self, q, w):
        self.v[q] = max(self.v.get(q, 0), w[q])
        self.log.append(f"{q}.{w[q]}")
        self.deliver(f"{q}.{w[q]}")
        if not self.answered and q != self.me:
            self.answered = True
            self.broadcast()

    def broadcast(self):
        w = {**self.v, self.me: self.v.get(self.me, 0) + 1}
        for r in self.neighbours:
            self.send(Post(w), to=r)
        self.accept(self.me, w)


@always("what its author had delivered before it posted is delivered before the post")
def causal(c):
    for p in c.processes:
        for at, post in enumerate(p.log):
            author = c.process(post.rsplit(".", 1)[0])
            if post not in author.log:
                return False  # nobody has posted this
            if not set(author.log[: author.log.index(post)]) <= set(p.log[:at]):
                return False
    return True


@always("nothing is delivered twice")
def once(c):
    return all(len(set(p.log)) == len(p.log) for p in c.processes)


@eventually("everybody has delivered everything")
def all_delivered(c):
    return all(not p.held and set(p.log) == {post for q in c.processes for post in q.log} for p in c.processes)
