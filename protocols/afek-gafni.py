"""Afek-Gafni: candidates of a complete network capture processes one by one, until one owns a majority.

The network is complete; one of the processes that start becomes the leader, with few messages.

A candidate captures the other processes one by one; its level is the number of processes that it owns, including
itself.  To capture a process that has an owner, it must first beat the owner, by level and then by identifier; a
candidate that loses a comparison stops competing.  A candidate of level k owns k processes, so at most n/k candidates
reach level k; one that owns more than n/2 processes wins.

Pseudo-code ((level, id) of candidates are compared level first; judge: a candidate refuses a weaker attacker, and
otherwise stops competing and accepts; a process that does not compete accepts)::

    sleeping, INIT:                    level := 1; become candidate; attack
    attack:                            if level > n/2 become leader and send Leader to all neighbours,
                                       else send Capture(level, me) to another neighbour
    Capture from q, owner = me:        judge; send Accept or Refuse to q; if accepted owner := q
    Capture(l, id) from q, owner = w:  send Challenge(l, id) to w and wait; further Captures queue
    Challenge(l, id) from q:           judge; send Verdict(id, accepted) to q
    Verdict(id, accepted):             send Accept or Refuse to id; if accepted owner := id; take the next of the queue
    candidate, Accept:                 level +:= 1; attack
    candidate, Refuse:                 stop competing

It needs a complete network and distinct names; order and delays do not matter; any processes may start.  (This is the
idea shared by Humblet and by Afek and Gafni; here a process asks its owner itself, and meanwhile keeps later attackers
waiting.  Afek and Gafni refine it further, to 2n log2 n + O(n) messages in linear time.)
Complexity: at most n/k attacks are made at level k, with at most 4 messages each, and n - 1 messages announce the
leader: fewer than 4n(1 + ln(n/2)) + n - 1, about 2.8 n log2 n.

Reference: Y. Afek and E. Gafni, Time and message bounds for election in synchronous and asynchronous complete
networks, SIAM Journal on Computing 20 (1991); P. Humblet, Selecting a leader in a clique in O(N log N) messages, CDC
1984; first O(n log n): E. Korach, S. Moran and S. Zaks, PODC 1984; N. Santoro, Design and Analysis of Distributed
Algorithms, section 3.6.1.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
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

SLEEPING, CANDIDATE, PASSIVE, LEADER = states(
    "sleeping", "candidate", "passive", "leader",
    reads={
        "sleeping": "is asleep",
        "candidate": "is a candidate",
        "passive": "is passive",
        "leader": "is the leader",
    },
)


class Capture(Message):
    """The attempt of candidate ``id``, which has ``level``, to capture the receiver."""

    level: int
    id: str


class Challenge(Message):
    """The question to the sender's owner whether the attacker ``id`` is stronger."""

    level: int
    id: str


class Verdict(Message):
    """The owner's answer, which says whether the attacker ``id`` has beaten it."""

    id: str
    accepted: bool


class Accept(Message):
    """The answer that the attacker now owns the sender."""


class Refuse(Message):
    """The answer that the attacker has been beaten."""


class Leader(Message):
    """The announcement that the sender owns more than half of all processes and is the leader."""


class AfekGafni(Process):
    title = "Afek-Gafni"
    needs = complete, named, some_initiator, reliable, no_crashes
    messages = "<= 4*n*(1 + log(max(n/2, 1))) + n - 1"

    state = SLEEPING
    level: int = 0  # the number of processes that it owns, including itself
    targets: list[str] = []  # its neighbours in the order in which it attacks them
    owner: str | None = None  # the process that has captured it
    attackers: list[tuple[int, str]] = []  # with their levels; they wait until the owner has judged the first
    leader: str | None = None

    @on(SLEEPING, INIT)
    def start(self):
        """It competes, owns itself and attacks a neighbour chosen at random.

        always:
        """
        self.state = CANDIDATE
        self.level = 1
        self.targets = self.random.sample(self.neighbours, len(self.neighbours))
        self.attack()

    @on(ANY, INIT)
    def too_late(self):
        """It has been captured already, so it no longer competes."""

    @on(ANY, Capture)
    def captured(self, m, q):
        """It judges the attack itself if it has no owner; otherwise the attacker must beat its owner first.

        sends Verdict or Accept or Refuse: It has no owner, so it judges the attack itself.
        changes attackers: It has an owner, which the attacker must beat first.
        """
        if self.owner is None:
            self.answer(q, self.judge(m))
        else:
            self.attackers.append((m.level, q))
            if len(self.attackers) == 1:
                self.challenge()

    @on(ANY, Challenge)
    def challenged(self, m, q):
        """It compares itself with the attacker of a process that it owns.

        always:
        """
        self.send(Verdict(m.id, self.judge(m)), to=q)

    @on(ANY, Verdict)
    def judged(self, m, q):
        """It passes its owner's verdict on to the attacker, and then deals with the next attacker.

        sends Challenge: It passes its owner's verdict on to the attacker and deals with the next attacker.
        otherwise: It passes its owner's verdict on to the attacker.
        """
        self.attackers = self.attackers[1:]
        self.answer(m.id, m.accepted)
        if self.attackers:
            self.challenge()

    @on(CANDIDATE, Accept)
    def one_more(self, m, q):
        """It owns one more process and attacks the next."""
        self.level += 1
        self.attack()

    @on(CANDIDATE, Refuse)
    def beaten(self, m, q):
        """It has met a stronger candidate and stops competing."""
        self.state = PASSIVE

    @on((SLEEPING, PASSIVE, LEADER), (Accept, Refuse))
    def no_use(self, m, q):
        """It no longer competes."""

    @on(ANY, Leader)
    def hear(self, m, q):
        """It learns which process is the leader."""
        self.state = PASSIVE
        self.leader = q
        self.decide(q)

    def attack(self):
        if 2 * self.level > len(self.neighbours) + 1:
            self.state = LEADER
            self.leader = self.me
            self.decide(self.me)
            for r in self.neighbours:
                self.send(Leader(), to=r)
        else:
            self.send(Capture(self.level, self.me), to=self.targets[self.level - 1])

    def judge(self, m):
        if self.state in (CANDIDATE, LEADER) and (self.level, natural(self.me)) > (m.level, natural(m.id)):
            return False
        self.state = PASSIVE
        return True

    def answer(self, q, accepted):
        if accepted:
            self.owner = q
        self.send(Accept() if accepted else Refuse(), to=q)

    def challenge(self):
        level, q = self.attackers[0]
        self.send(Challenge(level, q), to=self.owner)


@always("there is at most one leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("at most n/k processes have reached level k")
def sparse(c):
    levels = [p.level for p in c.processes]
    return all(sum(each >= k for each in levels) <= c.n / k for k in range(1, max(levels) + 1))


@eventually("every process knows the leader")
def elected(c):
    leaders = [p.me for p in c.processes if p.state == LEADER]
    return len(leaders) == 1 and all(p.leader == leaders[0] for p in c.processes)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
