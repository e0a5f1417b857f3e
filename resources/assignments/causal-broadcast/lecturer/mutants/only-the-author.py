"""It waits for the earlier posts of the same author, but not for those that the author had read."""

from lydian import ANY, Command, Message, Process, complete, named, no_crashes, on, reliable, states

CLEAR, HOLDING = states(
    "clear", "holding",
    reads={"clear": "holds no post back", "holding": "is holding posts back"},
)  # fmt: skip


class Say(Command):
    """A user wants to post this text."""

    text: str


class Post(Message):
    """A post; ``v`` counts the posts of each process that the author has delivered, this one included."""

    text: str
    v: dict[str, int]


class CausalBroadcast(Process):
    title = "Causal broadcast"
    needs = complete, named, reliable, no_crashes

    state = CLEAR
    v: dict[str, int] = {}  # process -> how many of its posts I have delivered
    held: list[tuple[str, str, dict[str, int]]] = []  # posts that came too early: author, text, v

    @on(ANY, Say)
    def say(self, m):
        """It delivers the post of its user, and sends it to all other processes."""
        self.accept(self.me, m.text)
        for r in self.neighbours:
            self.send(Post(m.text, self.v), to=r)

    @on(ANY, Post)
    def receive(self, m, q):
        """It delivers the post and the held posts that waited for it, or holds the post back."""
        self.held.append((q, m.text, m.v))
        while (ready := next((post for post in self.held if self.in_turn(post)), None)) is not None:
            self.held.remove(ready)
            self.accept(ready[0], ready[1])
        self.state = HOLDING if self.held else CLEAR

    def in_turn(self, post):
        author, _, w = post
        return w[author] == self.v.get(author, 0) + 1

    def accept(self, author, text):
        self.v[author] = self.v.get(author, 0) + 1
        self.deliver(text)
