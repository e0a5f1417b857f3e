"""Bully: the highest process that is alive takes the lead.

Everybody can talk to everybody and knows all names; whoever misses the leader asks those who are higher.

Who gets no answer in time takes it that all higher ones have crashed, and announces itself.  Who is asked by a lower
one answers, and asks those above itself.

Pseudo-code (Garcia-Molina; hold an election: send Election to all higher ones; if there is none, or none answers
within the timeout, become leader and send Coordinator to all lower ones)::

    idle, INIT (the leader is missing):  hold an election; become electing
    idle, Election from q:        send Answer to q; hold an election; become electing
    electing or waiting, Election from q:   send Answer to q
    leader, Election from q:      send Coordinator to q
    electing, Answer:             become waiting
    waiting, no Coordinator within twice the timeout:   hold an election; become electing
    any, Coordinator from a higher q:       leader := q; become idle
    any, Coordinator from a lower q:        hold an election; become electing

Needs a complete network, distinct names (their natural order counts) and bounded times: a message and its answer
together never take longer than the timeout.  Processes may crash; what they were sent is lost.  (Garcia-Molina's
reorganisation is left out; that the leader answers with Coordinator is our reading.)
Complexity: n - 1 messages if the highest starts; n*n - 1 if the lowest does and all messages take equally long:
n(n-1)/2 Election, as many answers and n - 1 Coordinator.  With other delays who knows the leader already may be asked
by one who does not yet, and holds another election; more than n*n*n messages have not been seen.

Reference: H. Garcia-Molina, Elections in a distributed computing system, IEEE Transactions on Computers 31 (1982);
G. Coulouris, J. Dollimore, T. Kindberg and G. Blair, Distributed Systems, 5th edition, section 15.3.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    complete,
    eventually,
    named,
    natural,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
)

IDLE, ELECTING, WAITING, LEADER = states(
    "idle", "electing", "waiting", "leader",
    reads={
        "idle": "is at rest",
        "electing": "asks those above",
        "waiting": "waits for a leader",
        "leader": "is the leader",
    },
)


class Election(Message):
    """'Is anybody up there?', to a higher process."""


class Answer(Message):
    """'I am, leave it to me', to a lower one."""


class Coordinator(Message):
    """'I am the leader.'"""


class NoAnswer(Timer):
    """Nobody above has answered in time."""


class NoCoordinator(Timer):
    """Somebody above has answered, but nobody has taken the lead."""


class Bully(Process):
    needs = complete, named, some_initiator, reliable
    messages = "<= n*n*n"

    state = IDLE
    leader: str | None = None

    timeout = parameter(4.0, minimum=0.0, help="how long an answer may take, there and back")

    @on(IDLE, INIT)
    def hold_election(self):
        """It asks all who are higher; if there is nobody, it takes the lead.

        becomes leader: Nobody is higher, so it takes the lead.
        otherwise: It asks all processes that are higher.
        """
        self.state = ELECTING
        self.leader = None
        higher = [r for r in self.neighbours if self.below(r)]
        for r in higher:
            self.send(Election(), to=r)
        if higher:
            self.set_timer(NoAnswer(), after=self.timeout)
        else:
            self.take_the_lead()

    @on(ANY, INIT)
    def under_way(self):
        """An election is under way, or it is the leader itself."""

    @on(IDLE, Election)
    def bully(self, m, q):
        """A lower one misses the leader: it answers, and asks those above itself.

        sends Election: A lower one misses the leader: it answers, and asks those above itself.
        becomes leader: A lower one misses the leader, and nobody is higher than this one: it answers, and takes the
            lead.
        """
        self.send(Answer(), to=q)
        self.hold_election()

    @on((ELECTING, WAITING), Election)
    def answer(self, m, q):
        """It answers; it has asked those above already."""
        self.send(Answer(), to=q)

    @on(LEADER, Election)
    def still_here(self, m, q):
        """It is the leader and says so."""
        self.send(Coordinator(), to=q)

    @on(ELECTING, Answer)
    def leave_it(self, m, q):
        """Somebody above is alive; that one will take the lead, or somebody higher still."""
        self.state = WAITING
        self.cancel_timer(NoAnswer)
        self.set_timer(NoCoordinator(), after=2 * self.timeout)

    @on((IDLE, WAITING, LEADER), Answer)
    def enough(self, m, q):
        """One answer is as good as several."""

    @on(ELECTING, NoAnswer)
    def take_the_lead(self):
        """Nobody above is alive: it is the leader and tells all who are lower.

        always:
        """
        self.state = LEADER
        self.leader = self.me
        self.decide(self.me)
        for r in self.neighbours:
            if not self.below(r):
                self.send(Coordinator(), to=r)

    @on(WAITING, NoCoordinator)
    def try_again(self):
        """Whoever answered must have crashed: it asks again.

        always:
        """
        self.hold_election()

    @on((IDLE, WAITING, LEADER), NoAnswer)
    @on((IDLE, ELECTING, LEADER), NoCoordinator)
    def stale(self):
        """It has stopped waiting for that."""

    @on(ANY, Coordinator)
    def follow(self, m, q):
        """A higher one leads from now; a lower one is bullied out of it.

        sends: A lower process claims the lead: it holds an election itself.
        becomes leader: A lower process claims the lead, and nobody is higher than this one: it takes the lead.
        decides: It follows {peer} from now on.
        """
        self.cancel_timer(NoAnswer)
        self.cancel_timer(NoCoordinator)
        if self.below(q):
            self.state = IDLE
            self.leader = q
            self.decide(q)
        else:
            self.hold_election()

    def below(self, r):
        return natural(r) > natural(self.me)


@always("there is at most one leader alive")
def one(c):
    return sum(p.state == LEADER for p in c.processes if not c.crashed(p)) <= 1


@always("nobody follows a lower one")
def upwards(c):
    return all(p.leader is None or natural(p.leader) >= natural(p.me) for p in c.processes)


@eventually("all who are alive follow the highest of them")
def elected(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    highest = max((p.me for p in alive), key=natural, default=None)
    return all(p.leader == highest for p in alive)
