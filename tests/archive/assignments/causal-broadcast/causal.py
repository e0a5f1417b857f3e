"""Causal broadcast without numbers: each post carries the texts of all posts that it depends on."""

from lydian import ANY, Command, Message, Process, complete, on


class Say(Command):
    text: str


class Post(Message):
    text: str
    after: set[str]


class Chat(Process):
    needs = complete

    read: list[str] = []
    waiting: dict[str, set[str]] = {}

    @on(ANY, Say)
    def write(self, m):
        past = set(self.read)
        self.show(m.text)
        for friend in self.neighbours:
            self.send(Post(m.text, past), to=friend)

    @on(ANY, Post)
    def arrives(self, m, q):
        self.waiting[m.text] = set(m.after)
        progress = True
        while progress:
            progress = False
            for text, needed in sorted(self.waiting.items()):
                if needed <= set(self.read):
                    del self.waiting[text]
                    self.show(text)
                    progress = True

    def show(self, text):
        self.read.append(text)
        self.deliver(text)
