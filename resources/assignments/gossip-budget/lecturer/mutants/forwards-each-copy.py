"""A process forwards every copy that it receives."""

from lydian import ANY, INIT, Command, Message, Process, Timer, connected, everybody_starts, on, states, two_way

CURIOUS, INFORMED = states(
    "curious", "informed",
    reads={"curious": "has not heard the rumour", "informed": "has heard the rumour"},
)  # fmt: skip

FANOUT = 2  # to how many neighbours a process pushes the rumour
PATIENCE = 10.0  # when a process that has not heard the rumour begins to ask
PAUSE = 3.0  # how long it waits for an answer before it asks another neighbour


class Tell(Command):
    """A user tells this process the rumour."""

    text: str


class Rumour(Message):
    """The rumour."""

    text: str


class Ask(Message):
    """'Is there a rumour?'"""


class Later(Timer):
    """The time at which a process that has not heard the rumour asks for it."""


class Gossip(Process):
    title = "Gossip on a budget"
    needs = connected, two_way, everybody_starts

    state = CURIOUS
    text: str = ""  # the rumour

    @on(ANY, INIT)
    def start(self):
        """It starts, and will ask if it hears nothing."""
        if self.state == CURIOUS:
            self.set_timer(Later(), after=PATIENCE)

    @on(CURIOUS, Tell)
    def told(self, m):
        """Its user tells it the rumour."""
        self.learn(m.text, self.neighbours)

    @on((CURIOUS, INFORMED), Rumour)
    def hear(self, m, q):
        """It hears the rumour for the first time, from its neighbour q."""
        self.learn(m.text, [r for r in self.neighbours if r != q])

    def learn(self, text, others):
        self.state = INFORMED
        if not self.text:
            self.deliver(text)
        self.text = text
        self.cancel_timer(Later)
        for r in self.random.sample(others, min(FANOUT, len(others))):
            self.send(Rumour(text), to=r)

    @on(CURIOUS, Later)
    def ask(self):
        """It has not heard the rumour for a long time: it asks a random neighbour."""
        self.send(Ask(), to=self.random.choice(self.neighbours))
        self.set_timer(Later(), after=PAUSE)

    @on(INFORMED, Ask)
    def answer(self, m, q):
        """It knows the rumour, and tells it to the neighbour that asks."""
        self.send(Rumour(self.text), to=q)

    @on(CURIOUS, Ask)
    def cannot_answer(self, m, q):
        """It does not know the rumour either."""

    @on(INFORMED, (Tell, Later))
    def known(self):
        """It knows the rumour already."""
