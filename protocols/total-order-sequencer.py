"""Total order by a sequencer: one process numbers all posts.

Each process broadcasts posts, and all processes deliver the same posts in the same order.

The process with the highest name gives each post the next number and sends this number to all others.  A post is
delivered when its number has arrived and all posts with smaller numbers are delivered.  An initiator posts immediately;
each process answers the first post of another process that it delivers.

Pseudo-code::

    broadcast:                   send Post(id) to all others; treat it as received
    Post(id):                    hold id; the sequencer also sends Order(id, s) to all others; s := s + 1; close
    Order(id, number):           order[number] := id; close
    close:                       while order[next] is held:  deliver it; next := next + 1

Needs a complete network with reliable links and names, and at least one initiator; order and delays do not matter.
Complexity: 2(n - 1) messages for each broadcast; at most 2n posts are made here: one by each initiator and one answer
by each process.  One process determines the whole order: it is the bottleneck, and if it crashes no further post is
delivered.
Reference: M. F. Kaashoek, A. S. Tanenbaum, S. F. Hummel and H. E. Bal, An efficient reliable broadcast protocol,
Operating Systems Review 23 (1989), method BB; Coulouris, Dollimore, Kindberg and Blair, Distributed Systems,
5th edition, figure 15.13.
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
    natural,
    no_crashes,
    on,
    reliable,
    some_initiator,
    states,
)

CLEAR, HOLDING = states(
    "clear", "holding",
    reads={"clear": "holds nothing back", "holding": "holds posts back"},
)


class Post(Message):
    """A post to all processes."""

    id: str


class Order(Message):
    """The number of a post in the order in which all processes deliver."""

    id: str
    number: int


class TotalOrderSequencer(Process):
    title = "Total order by a sequencer"
    needs = complete, named, some_initiator, reliable, no_crashes
    messages = "<= 4*n*(n - 1)"

    state = CLEAR
    posted: int = 0  # how many posts I have made
    held: set[str] = set()  # posts that wait to be delivered
    order: dict[int, str] = {}  # number -> post
    next: int = 0  # number of the post that I deliver next
    s: int = 0  # the number that the sequencer assigns next
    log: list[str] = []  # the posts that I have delivered, in this order
    answered: bool = False

    @on(ANY, INIT)
    def start(self):
        """It broadcasts a post.

        always:
        """
        self.broadcast()

    @on(ANY, Post)
    def receive(self, m):
        """It holds the post until the sequencer has assigned it a number.

        delivers and sends Order: As the sequencer, it assigns the post the next number and delivers it.
        delivers: It knows the number of the post already, and delivers it: it is the next one.
        otherwise: It holds the post until its number is known and all earlier posts are delivered.
        """
        self.hold(m.id)
        self.close()

    @on(ANY, Order)
    def place(self, m):
        """It learns the number of a post."""
        self.order[m.number] = m.id
        self.close()

    def broadcast(self):
        self.posted += 1
        id = f"{self.me}.{self.posted}"
        for r in self.neighbours:
            self.send(Post(id), to=r)
        self.hold(id)
        self.close()

    def hold(self, id):
        self.held.add(id)
        if self.me == max((self.me, *self.neighbours), key=natural):
            self.order[self.s] = id
            for r in self.neighbours:
                self.send(Order(id, self.s), to=r)
            self.s += 1

    def close(self):
        while self.order.get(self.next) in self.held:
            id = self.order[self.next]
            self.held.remove(id)
            self.log.append(id)
            self.deliver(id)
            self.next += 1
            if not self.answered and not id.startswith(f"{self.me}."):
                self.answered = True
                self.broadcast()
        self.state = HOLDING if self.held else CLEAR


@always("all processes deliver in the same order")
def same(c):
    longest = max(c.delivered.values(), key=len)
    return all(said == longest[: len(said)] for said in c.delivered.values())


@always("a post is delivered only if it was broadcast, and only once")
def integrity(c):
    posted = {f"{p.me}.{k + 1}" for p in c.processes for k in range(p.posted)}
    return all(set(said) <= posted and len(set(said)) == len(said) for said in c.delivered.values())


@eventually("each process has delivered every post")
def all_delivered(c):
    return all(len(p.log) == sum(q.posted for q in c.processes) for p in c.processes)
