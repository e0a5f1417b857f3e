"""Synchroniser gamma: beta within clusters, alpha between them.

A synchronous algorithm runs on a network with arbitrary delays; a process never gets more than one pulse ahead of a
neighbour.

Each cluster has a tree with a leader.  Safety is reported up the tree as in beta; the leader announces to its cluster
that it is safe, and the announcement also crosses one preferred link to each neighbouring cluster.  A process whose
subtree has this announcement from all clusters at the other ends of its preferred links is ready, and reports this;
when all are ready, the leader starts the next pulse.
The clusters are formed first: each initiator leads one, a process that joins the tree ``radius`` links below its leader
is at its border, and the next process leads a new cluster.  A pair of clusters prefers the link whose names come first.
The synchronous algorithm is FloodMax, as in synchroniser alpha: after k pulses each process knows the highest name
within distance k.

Pseudo-code (Awerbuch; children are those within the cluster)::

    begin pulse i:                  send Value(best, i) to all neighbours; become unsafe
    any, Value(b, i) from q:        send Ack to q; keep b for the end of pulse i
    unsafe, all Acks and the Safe of all children have arrived:
                                    become safe; send Safe to the parent; for a leader, the cluster is safe
    safe, ClusterSafe from the parent: the cluster is safe
    the cluster is safe:            send ClusterSafe to the children and on all preferred links; become calm
    calm, ClusterSafe on all preferred links and Ready of all children:
                                    become ready; send Ready to the parent; a leader begins the next pulse
    ready, Pulse:                   begin the next pulse
    begin the next pulse:           best := highest of best and all b of pulse i; i := i + 1; send Pulse to the
                                    children; if i < pulses begin pulse i, else become done

Needs a connected network with two-way reliable links, names, and any number of initiators; order and delays do not
matter.  In this version the clusters are parts of the tree of the first messages, cut every ``radius`` links, instead
of Awerbuch's layers, which grow by a factor; radius 0 is alpha, and one cluster is beta with a second wave on its tree.
Complexity: with l clusters and e preferred links, 4m + 4(n - l) + 2e messages in each pulse, 2m of them the algorithm's
own, and 2m + 2(n - l) for the clusters; a pulse takes at most 4 radius + 3 maximum delays.

Reference: B. Awerbuch, Complexity of network synchronization, Journal of the ACM 32 (1985); G. Tel, Introduction to
Distributed Algorithms, 2nd edition, section 12.3.2; FloodMax: N. Lynch, Distributed Algorithms, section 4.1.2.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
    two_way,
)

SLEEPING, JOINING, UNSAFE, SAFE, CALM, READY, DONE = states(
    "sleeping", "joining", "unsafe", "safe", "calm", "ready", "done",
    reads={
        "sleeping": "is asleep",
        "joining": "is joining a cluster",
        "unsafe": "is waiting for acknowledgements or children",
        "safe": "is safe and is waiting for its cluster",
        "calm": "is in a safe cluster and is waiting for others",
        "ready": "is ready and is waiting for its leader",
    },
)


class Join(Message):
    """'I am in this cluster, as a child of parent, depth links below the leader.'"""

    cluster: str
    parent: str | None
    depth: int


class Borders(Message):
    """'My subtree has these links to other clusters'; sent up the tree."""

    links: dict[str, tuple[str, str]]


class Prefer(Message):
    """'These links are preferred, and pulse 0 begins'; sent down the tree."""

    links: list[tuple[str, str]]


class Value(Message):
    """The algorithm's own message: 'this is the highest name that I know'."""

    best: str
    pulse: int


class Ack(Message):
    """'I have received your value.'"""


class Safe(Message):
    """'All the values that my subtree sent in this pulse have arrived'; sent up the tree."""


class ClusterSafe(Message):
    """'All the values that my cluster sent in this pulse have arrived'; sent down and across preferred links."""

    pulse: int


class Ready(Message):
    """'The clusters next to my subtree are safe'; sent up the tree."""


class Pulse(Message):
    """'The next pulse begins'; sent down the tree."""


class SynchroniserGamma(Process):
    title = "Synchroniser gamma"
    needs = connected, two_way, named, some_initiator, reliable, no_crashes
    messages = "<= 2*m + 2*(n - 1) + pulses*(6*m + 2*(n - 1))"

    state = SLEEPING
    cluster: str | None = None  # its leader
    parent: str | None = None
    depth: int = 0  # its distance from the leader in the tree
    children: set[str] = set()
    clusters: dict[str, str] = {}  # neighbour -> its cluster
    reported: set[str] = set()  # children whose borders are known
    borders: dict[str, tuple[str, str]] = {}  # other cluster -> the first of the links to it
    preferred: set[str] = set()  # neighbours across preferred links
    pulse: int = 0
    best: str | None = None  # the highest name I know
    heard: list[str] = []  # the values of this pulse,
    early: list[str] = []  # and those of neighbours that are one pulse ahead
    unacked: set[str] = set()  # neighbours whose acknowledgements are missing
    safe: set[str] = set()  # children that are safe in this pulse,
    ready: set[str] = set()  # and those that are ready
    beyond: dict[str, int] = {}  # neighbour across a preferred link -> the last pulse in which its cluster was safe

    radius = parameter(1, minimum=0, maximum=1000, help="largest distance of a member of a cluster from its leader")
    pulses = parameter(6, minimum=1, maximum=1000, help="number of pulses of the synchronous algorithm")

    @on(SLEEPING, INIT)
    def start(self):
        """It leads a cluster and informs its neighbours.

        always:
        """
        self.join(self.me, None, 0)

    @on(ANY, INIT)
    def awake(self):
        """It already belongs to a cluster."""

    @on(SLEEPING, Join)
    def adopt(self, m, q):
        """It joins the cluster of the sender, or leads a new one if that has its full radius.

        sends: It joins a cluster and informs its neighbours.
        """
        if m.depth < self.radius:
            self.join(m.cluster, q, m.depth + 1)
        else:
            self.join(self.me, None, 0)
        self.learn(m, q)

    @on(JOINING, Join)
    def learn(self, m, q):
        """It learns to which cluster a neighbour belongs, and whether it is a child.

        always: It learns to which cluster a neighbour belongs, and whether it is a child.
        """
        self.clusters[q] = m.cluster
        if m.parent == self.me:
            self.children.add(q)
        if m.cluster != self.cluster:
            self.border(m.cluster, tuple(sorted((self.me, q), key=natural)))
        self.report()

    @on(JOINING, Borders)
    def merge(self, m, q):
        """It learns which links lead from the subtree of this child to other clusters.

        always:
        """
        self.reported.add(q)
        for cluster, link in m.links.items():
            self.border(cluster, link)
        self.report()

    @on(JOINING, Prefer)
    def choose(self, m):
        """It learns the preferred links that the leader has chosen, and begins pulse 0."""
        self.preferred = {q for link in m.links if self.me in link for q in link if q != self.me}
        self.tell(self.children, m)
        self.begin()

    @on((JOINING, UNSAFE, SAFE, CALM, READY, DONE), Value)
    def hear(self, m, q):
        """It acknowledges the value and stores it until the pulse ends.

        notes: It acknowledges the value, which arrives too late for its pulse.
        otherwise: It acknowledges the value and stores it until the pulse ends.
        """
        self.send(Ack(), to=q)
        if m.pulse < self.pulse:
            self.note(f"the value of {q} comes too late for pulse {m.pulse}")
        elif m.pulse == self.pulse:
            self.heard.append(m.best)
        else:
            self.early.append(m.best)

    @on(UNSAFE, Ack)
    def acknowledged(self, m, q):
        """It learns that one of its values has arrived."""
        self.unacked.discard(q)
        self.close()

    @on(UNSAFE, Safe)
    def child_safe(self, m, q):
        """It learns that the subtree of this child is safe."""
        self.safe.add(q)
        self.close()

    @on((JOINING, UNSAFE, SAFE, CALM, READY, DONE), ClusterSafe)
    def cluster_safe(self, m, q):
        """It learns that its own cluster or a neighbouring one is safe.

        becomes calm: Its own cluster is safe: it waits for the neighbouring ones.
        otherwise: It learns that a cluster is safe.
        """
        if q != self.parent:
            self.beyond[q] = max(m.pulse, self.beyond.get(q, 0))
            self.close()
        elif self.state == SAFE:
            self.calm()

    @on(CALM, Ready)
    def child_ready(self, m, q):
        """It learns that the clusters next to the subtree of this child are safe."""
        self.ready.add(q)
        self.close()

    @on(READY, Pulse)
    def go_on(self, m):
        """It begins the next pulse: its cluster and all neighbouring ones are safe."""
        self.next_pulse()

    @on(ANY, (Join, Borders, Prefer, Value, Ack, Safe, ClusterSafe, Ready, Pulse))
    def unexpected(self, m, q):
        """It does not wait for this message, which arrives only after a fault."""
        self.note(f"unexpected message from {q}")

    def join(self, cluster, parent, depth):
        self.state = JOINING
        self.best = self.me
        self.cluster, self.parent, self.depth = cluster, parent, depth
        self.tell(self.neighbours, Join(cluster, parent, depth))
        self.report()

    def border(self, cluster, link):
        self.borders[cluster] = min(link, self.borders.get(cluster, link), key=lambda ends: [*map(natural, ends)])

    def report(self):
        if len(self.clusters) == len(self.neighbours) and self.children <= self.reported:
            if self.parent is None:
                self.choose(Prefer(list(self.borders.values())))
            else:
                self.send(Borders(self.borders), to=self.parent)

    def begin(self):
        self.state = UNSAFE
        self.unacked = set(self.neighbours)
        self.tell(self.neighbours, Value(self.best, self.pulse))
        self.close()

    def close(self):
        if self.state == UNSAFE and not self.unacked and self.children <= self.safe:
            self.state = SAFE
            if self.parent is None:
                self.calm()
            else:
                self.send(Safe(), to=self.parent)
        elif self.state == CALM and self.children <= self.ready and self.all_beyond():
            self.state = READY
            if self.parent is None:
                self.next_pulse()
            else:
                self.send(Ready(), to=self.parent)

    def calm(self):
        self.state = CALM
        self.tell(self.children | self.preferred, ClusterSafe(self.pulse))
        self.close()

    def all_beyond(self):
        return all(self.beyond.get(q, -1) >= self.pulse for q in self.preferred)

    def next_pulse(self):
        self.best = max([self.best, *self.heard], key=natural)
        self.heard, self.early = self.early, []
        self.safe, self.ready = set(), set()
        self.pulse += 1
        self.tell(self.children, Pulse())
        if self.pulse < self.pulses:
            self.begin()
        else:
            self.state = DONE
            self.decide(self.best)

    def tell(self, whom, m):
        for r in self.neighbours:
            if r in whom:
                self.send(m, to=r)


def neighbours_of(c, p):
    return [c.across(p, q) for q in p.neighbours]


@always("neighbours are at most one pulse apart")
def together(c):
    return all(abs(p.pulse - q.pulse) <= 1 for p in c.processes for q in neighbours_of(c, p))


@always("no value is in transit to a process that has left its pulse")
def in_time(c):
    return all(t.message.pulse >= t.receiver.pulse for t in c.in_transit if type(t.message) is Value)


@eventually("each process completes all pulses")
def done(c):
    return all(p.state == DONE for p in c.processes)


@at_end("each pair of neighbouring clusters has one preferred link, which both clusters know")
def one_link(c):
    across = [(p.cluster, q.cluster) for p in c.processes for q in neighbours_of(c, p) if p.cluster != q.cluster]
    chosen = [(p.cluster, c.across(p, q).cluster) for p in c.processes for q in p.preferred]
    return sorted(set(across)) == sorted(chosen)


@at_end("each process knows what it would know after the same number of pulses in a synchronous network")
def as_synchronous(c):
    known = {p: p.me for p in c.processes}
    for pulse in range(1 + max(p.pulse for p in c.processes)):
        if any(p.best != known[p] for p in c.processes if p.pulse == pulse and p.state != SLEEPING):
            return False
        known = {p: max([known[p], *(known[q] for q in neighbours_of(c, p))], key=natural) for p in c.processes}
    return True
