"""Causal broadcast (Birman, Schiper, Stephenson): no answer is delivered before its question.

Each process broadcasts posts; a process that delivers an answer has already delivered the post that it answers.

A post carries the number of posts of each process that its author had delivered.  A process that lacks one of these
holds the post back until the missing one arrives.  An initiator posts immediately; each process answers the first post
of another process that it delivers.

Pseudo-code (v[q]: number of posts of q that were delivered; v[me] counts its own posts)::

    broadcast:                    v[me] := v[me] + 1; send Post(v) to all others; deliver it
    Post(w) from q:               hold it; then, as long as there is a held Post(w) of some q with
                                  w[q] = v[q] + 1 and w[k] <= v[k] for all k /= q:
                                      deliver it; v[q] := v[q] + 1

With ``rule = "none"`` each post is delivered on arrival, and causal order may be violated.

Needs a complete network with reliable links and names, and at least one initiator; order and delays do not matter.
Complexity: n - 1 messages for each broadcast, n numbers in each; at most 2n posts are made here: one by each initiator
and one answer by each process.

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
    """A post to all processes; carries the number of posts its author had delivered, and the post's own number."""

    v: dict[str, int]


class CausalBroadcast(Process):
    title = "Causal broadcast"
    needs = complete, named, some_initiator, reliable, no_crashes
    messages = "<= 2*n*(n - 1)"

    state = CLEAR
    v: dict[str, int] = {}  # process -> how many of its posts I have delivered
    held: list[tuple[str, dict[str, int]]] = []  # posts that arrived too early, with their authors
    log: list[str] = []  # the posts that I have delivered, in this order: "author.number"
    answered: bool = False

    rule = parameter("causal", choices=("causal", "none"), help="which posts a post waits for before it is delivered")

    @on(ANY, INIT)
    def start(self):
        """It broadcasts a post.

        always:
        """
        self.broadcast()

    @on(ANY, Post)
    def receive(self, m, q):
        """It delivers the post and any held posts that waited for it, or holds the post back."""
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


@always("a process delivers a post only after all posts that its author had delivered before it")
def causal(c):
    for p in c.processes:
        for at, post in enumerate(p.log):
            author = c.process(post.rsplit(".", 1)[0])
            if post not in author.log:
                return False  # this was never posted
            if not set(author.log[: author.log.index(post)]) <= set(p.log[:at]):
                return False
    return True


@always("no post is delivered twice")
def once(c):
    return all(len(set(p.log)) == len(p.log) for p in c.processes)


@eventually("each process has delivered every post")
def all_delivered(c):
    return all(not p.held and set(p.log) == {post for q in c.processes for post in q.log} for p in c.processes)
