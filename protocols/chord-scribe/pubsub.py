"""Publish/subscribe: each topic by its tree or by flooding."""

from lydian import ANY, Layer, on, parameter

from .messages import (
    Arrived,
    Broadcast,
    Chosen,
    Disseminate,
    Drop,
    Enter,
    EnterMesh,
    EnterRing,
    Heard,
    News,
    Reached,
    Readers,
    Say,
    Want,
)


class PubSub(Layer):
    topics: list[str] = []  # topics that the client reads
    flooded: dict[str, bool] = {}  # how a topic is spread, where that has been chosen
    version: dict[str, int] = {}  # number of the latest choice for each topic
    choices: int = 0  # number of its own choices
    got: dict[str, int] = {}  # publisher -> the numbers that have arrived from it, one bit each
    twice: int = 0  # number of repeated receptions

    way = parameter("structured", choices=("structured", "unstructured", "both", "popular"),
                    help="how publications are spread")  # fmt: skip
    popular = parameter(8, minimum=1, help="number of readers from which a topic is flooded, with way = popular")

    @on(ANY, Enter)
    def enter(self, r):
        """It joins through the layers below."""
        if self.way != "unstructured":
            self.ask(EnterRing(r.contact))
        if self.way != "structured":
            self.ask(EnterMesh(r.contact))

    @on(ANY, Want)
    def want(self, r):
        """It subscribes to another topic."""
        if r.topic not in self.topics:
            self.topics.append(r.topic)
            if self.way != "unstructured":
                self.ask(Disseminate("sub", r.topic))

    @on(ANY, Drop)
    def drop(self, r):
        """It unsubscribes from a topic."""
        if r.topic in self.topics:
            self.topics.remove(r.topic)
            if self.way != "unstructured":
                self.ask(Disseminate("unsub", r.topic))

    @on(ANY, Say)
    def say(self, r):
        """It sends a publication the way of its topic; it sends a choice both ways."""
        if not r.text:
            self.choose(r.topic, r.id, r.flooded)
        elif self.way == "unstructured" or self.flooded.get(r.topic):
            self.ask(Broadcast(r.id, r.topic, News(r.text)))
        else:
            self.ask(Disseminate("pub", r.topic, r.id, News(r.text)))

    @on(ANY, Readers)
    def counted(self, r):
        """The root floods a topic once many processes read it, and stops when fewer than half as many do."""
        flooded = self.flooded.get(r.topic, False)
        if self.way == "popular" and (r.readers >= self.popular if not flooded else 2 * r.readers < self.popular):
            self.choices += 1
            self.choose(r.topic, f"{self.me} chooses/{self.choices}", not flooded)

    def choose(self, topic, id, flooded):
        if self.way in ("both", "popular"):
            m = Chosen(flooded, self.version.get(topic, 0) + 1)
            self.ask(Disseminate("pub", topic, id, m))
            self.ask(Broadcast(id, topic, m))

    @on(ANY, (Arrived, Heard))
    def arrived(self, r):
        """It passes each publication that the client reads to it, once."""
        if isinstance(r.m, Chosen):
            if r.m.version > self.version.get(r.topic, 0):
                self.version[r.topic], self.flooded[r.topic] = r.m.version, r.m.flooded
            return
        if r.topic in self.topics:
            who, number = r.id.rsplit("/", 1)
            if self.got.get(who, 0) >> int(number) & 1:
                self.twice += 1
            else:
                self.got[who] = self.got.get(who, 0) | 1 << int(number)
                self.tell(Reached(r.topic, r.id, r.m.text))
