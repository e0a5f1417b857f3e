"""Bully: the highest process that has not crashed becomes the leader.

The network is complete, and each process knows all names.  A process that notices that the leader has failed asks all
higher processes.

If no answer arrives in time, it concludes that all higher processes have crashed, and announces itself as the leader.
A process that is asked by a lower one answers, and asks all processes higher than itself.

Pseudo-code (Garcia-Molina; hold an election: send Election to all higher processes; if there is none, or none answers
within the timeout, become leader and send Coordinator to all lower processes)::

    idle, INIT (the leader has failed):  hold an election; become electing
    idle, Election from q:        send Answer to q; hold an election; become electing
    electing or waiting, Election from q:   send Answer to q
    leader, Election from q:      send Coordinator to q
    electing, Answer:             become waiting
    waiting, no Coordinator within twice the timeout:   hold an election; become electing
    any, Coordinator from a higher q:       leader := q; become idle
    any, Coordinator from a lower q:        hold an election; become electing

It needs a complete network, distinct names (compared in their natural order) and bounded times: a message and its
answer together never take longer than the timeout.  Processes may crash; messages to a crashed process are lost.
(Garcia-Molina's reorganisation is omitted; that the leader answers with Coordinator is our interpretation.)
Complexity: n - 1 messages if the highest process starts; n*n - 1 if the lowest does and all messages take equally long:
n(n-1)/2 Election, the same number of answers and n - 1 Coordinator.  With other delays, a process that already knows
the leader may be asked by one that does not, and holds another election; no run with more than n*n*n messages is known.

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
    synchronous,
)

IDLE, ELECTING, WAITING, LEADER = states(
    "idle", "electing", "waiting", "leader",
    reads={
        "idle": "is idle",
        "electing": "waits for an answer",
        "waiting": "waits for a leader",
        "leader": "is the leader",
    },
)


class Election(Message):
    """The question to a higher process whether it is alive."""


class Answer(Message):
    """The answer to a lower process that the sender is alive and holds an election itself."""


class Coordinator(Message):
    """The announcement that the sender is the leader."""


class NoAnswer(Timer):
    """The time within which a higher process that is alive must have answered."""


class NoCoordinator(Timer):
    """The time after an answer within which a higher process must have become the leader."""


class Bully(Process):
    needs = complete, named, some_initiator, reliable, synchronous("timeout / 2")
    messages = "<= n*n*n"

    state = IDLE
    leader: str | None = None

    timeout = parameter(4.0, minimum=0.0, help="the longest time that a message and its answer may take together")

    @on(IDLE, INIT)
    def hold_election(self):
        """It asks all higher processes; if there is none, it announces itself as the leader.

        becomes leader: No process is higher, so it announces itself as the leader.
        otherwise: It asks all higher processes.
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
        """It answers the lower process and asks all processes higher than itself.

        sends Election: It answers the lower process and asks all processes higher than itself.
        becomes leader: It answers the lower process; as no other process is higher, it announces itself as the leader.
        """
        self.send(Answer(), to=q)
        self.hold_election()

    @on((ELECTING, WAITING), Election)
    def answer(self, m, q):
        """It answers; it has already asked all higher processes."""
        self.send(Answer(), to=q)

    @on(LEADER, Election)
    def still_here(self, m, q):
        """It is the leader and says so."""
        self.send(Coordinator(), to=q)

    @on(ELECTING, Answer)
    def leave_it(self, m, q):
        """It learns that a higher process is alive; that process, or one higher still, will become the leader."""
        self.state = WAITING
        self.cancel_timer(NoAnswer)
        self.set_timer(NoCoordinator(), after=2 * self.timeout)

    @on((IDLE, WAITING, LEADER), Answer)
    def enough(self, m, q):
        """It needs only one answer and ignores this one."""

    @on(ELECTING, NoAnswer)
    def take_the_lead(self):
        """It has no answer from any higher process, so it announces itself as the leader to all lower processes.

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
        """It asks again, as the processes that answered must have crashed.

        always:
        """
        self.hold_election()

    @on((IDLE, WAITING, LEADER), NoAnswer)
    @on((IDLE, ELECTING, LEADER), NoCoordinator)
    def stale(self):
        """It is no longer waiting and ignores the timer."""

    @on(ANY, Coordinator)
    def follow(self, m, q):
        """It follows a higher leader; if the leader is lower than itself, it holds an election.

        sends: The new leader is lower than itself, so it holds an election.
        becomes leader: The new leader is lower than itself, and no process is higher, so it announces itself as the
            leader.
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


@always("no process follows a lower one")
def upwards(c):
    return all(p.leader is None or natural(p.leader) >= natural(p.me) for p in c.processes)


@eventually("all processes alive follow the highest of them")
def elected(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    highest = max((p.me for p in alive), key=natural, default=None)
    return all(p.leader == highest for p in alive)
