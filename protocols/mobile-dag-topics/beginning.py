"""The beginning: the layers in which each process is at first."""

from lydian import INIT, on

from .member import Member
from .messages import ASLEEP, AWAKE, MEMBER, Hello, Publish


class Beginning(Member):
    """The beginning."""

    @on(ASLEEP, INIT)
    def begin(self):
        """It chooses its topics, and informs its neighbours.

        delivers and sends Hello: It is interested in {topics_of:topic|topics}, informs its neighbours, and publishes.
        changes topics_of and sends Hello: It is interested in {topics_of:topic|topics}, and informs its neighbours.
        sends Hello: It is interested in none of the topics, and informs its neighbours.
        otherwise: It chooses its topics; it has no neighbours to inform.
        """
        self.state = MEMBER
        number = int(self.me) if self.me.isdigit() else int.from_bytes(self.me.encode(), "big")
        for t in range(1, self.topics + 1):
            if self.random.random() < self.interest:
                self.topics_of.add(t)
                self.ever.add(t)
                self.stayed.add(t)
            self.lid[t] = number + (1000 * self.random.randrange(10) if self.lids == "random" else 0)
            self.val[t], self.turns[t], self.changes[t] = 0, 0, 0
            self.N[t], self.input[t], self.deferred[t], self.answers[t] = [], [], [], {}
            self.forming[t], self.asked[t], self.frozen[t], self.closing[t] = set(), set(), set(), set()
            self.unknown[t] = len(self.neighbours)
            for q in self.neighbours:
                self.send(Hello(t, t in self.topics_of, self.lid[t]), to=q)
            self.look(t)
        if self.initiator:
            for t in sorted(self.topics_of):
                self.publish(Publish(t, f"hello {t}"))

    @on(ASLEEP, Hello)
    def wake(self, m, q):
        """Its first message wakes it.

        always:
        """
        self.begin()
        self.know(m, q)

    @on(AWAKE, Hello)
    def know(self, m, q):
        """A neighbour reports whether it is interested; if both are, there is a link in the layer of the topic.

        changes going: It knows all its neighbours now, so it can leave the layer, as it wanted to.
        sends LinkReq: It knows all its neighbours now, so it asks for links in the layer that it wants to join.
        sets Hold: It knows all its neighbours now, and all its links in this layer lead to it, so it is privileged.
        changes N: Process {peer} is interested in this topic, too, so there is a link in its layer.
        says interested=no: Process {peer} is not interested in this topic, so there is no link in its layer.
        otherwise: Process {peer} is interested in this topic, but this process is not, so there is no link.
        """
        t = m.topic
        self.unknown[t] -= 1
        if m.interested and t in self.topics_of:
            self.N[t].append(q)
            self.cv.setdefault((t, q), 0)
            self.cl[t, q] = m.lid
        if t in self.joining:
            self.ask_neighbours(t)
        self.look(t)
