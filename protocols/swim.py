"""SWIM: each process pings a random member of the group, and asks others to ping it as well before it suspects a
crash.

The members of a group want to know which of them have crashed.  If each pinged all others, the load would grow with
the square of the group; here each pings one other in each period, whatever the size of the group.

A member that does not answer in time may have crashed, or a message was lost.  The process asks ``helpers`` random
others to ping it and to pass the answer on.  If there is no answer by the end of the period, the member is suspected,
and declared dead some time later.  A member that hears that it is suspected objects, with a higher incarnation
number.  What a process knows about others is part of each of its messages, so it spreads like a rumour.

Pseudo-code (view: member -> alive, suspect or dead, with an incarnation number)::

    every ``period``:              if the last member has not answered: it is suspect
                                   send Ping to the next member of a random order that I do not know to be dead
    Ping from q:                   send Ack to q
    no Ack within ``timeout``:     send PingReq(j) to ``helpers`` random others, where j is the silent member
    PingReq(j) from q:             send Ping to j on behalf of q; when j answers: send Ack to q on behalf of j
    suspect for ``suspicion`` periods:   it is dead
    every message contains view:   alive with a higher number replaces alive and suspect; suspect with the same number
                                   replaces alive, with a higher one also suspect; dead replaces everything
    I am suspect in a view:        my incarnation := its number + 1; I am alive with this number

All parts of a view that differ from the beginning are sent; the paper limits how often each is sent.  A process begins
``periods`` periods, so that the run ends.

Needs a complete network with names, processes that all start, reliable links, and messages that take less than half
the timeout.  Lost and late messages lead to suspicions, which the processes concerned refute, unless too many are
lost.
Complexity: 2 messages for each period of a process, 4 more for each helper if the member does not answer; a crash is
noticed by some process after e/(e - 1) periods on average, and by each within 2n - 1 of its own periods.

Reference: A. Das, I. Gupta and A. Motivala, SWIM: scalable weakly-consistent infection-style process group membership
protocol, DSN 2002.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    complete,
    everybody_starts,
    measure,
    named,
    on,
    parameter,
    reliable,
    states,
    synchronous,
)

IDLE, PROBING, ASKING = states(
    "idle", "probing", "asking",
    reads={"idle": "is waiting for its next period", "probing": "is waiting for an answer",
           "asking": "is asking others to probe"},
)  # fmt: skip
ALIVE, SUSPECT, DEAD = "alive", "suspect", "dead"


class Ping(Message):
    """'Are you there?'; on behalf of another process, unless that is the sender itself."""

    number: int
    behalf: str
    view: dict[str, tuple[str, int]]


class Ack(Message):
    """'Member j is there', for the process that asked."""

    number: int
    behalf: str
    member: str
    view: dict[str, tuple[str, int]]


class PingReq(Message):
    """'Ping member j for me.'"""

    number: int
    member: str
    view: dict[str, tuple[str, int]]


class Period(Timer):
    """The beginning of a period."""


class Timeout(Timer):
    """The end of the time in which a member should answer."""

    number: int


class Expire(Timer):
    """The end of the time in which a suspected member may object."""

    member: str
    incarnation: int


class Swim(Process):
    title = "SWIM"
    needs = complete, named, everybody_starts, reliable, synchronous("timeout / 2")
    messages = "<= n*periods*(2 + 4*helpers)"

    state = IDLE
    view: dict[str, tuple[str, int]] = {}  # members that are not simply alive: status, incarnation
    incarnation: int = 0  # my own number
    order: list[str] = []  # the members that I still ping before I begin a new order
    target: str | None = None  # the member that I ping in this period
    number: int = 0  # of the period
    answered: bool = True  # whether it has answered

    periods = parameter(12, minimum=1, maximum=200, help="how many periods a process begins")
    period = parameter(10.0, minimum=0.1, maximum=1000.0, help="the time between two pings; at least three timeouts")
    timeout = parameter(3.2, minimum=0.1, maximum=1000.0, help="the time in which a member should answer")
    helpers = parameter(2, minimum=0, maximum=20, help="how many others are asked to ping a silent member")
    suspicion = parameter(2.0, minimum=0.0, maximum=50.0, help="for how many periods a suspected member may object")

    @on(ANY, INIT)
    def start(self):
        """It will ping its first member after a random part of a period.

        always:
        """
        self.set_timer(Period(), after=self.random.uniform(0, self.period))

    @on(ANY, Period)
    def probe(self):
        """It suspects the last member if there was no answer, and pings the next one.

        changes view and sends Ping: Member {target} is next; the last one has not answered, and is suspected.
        sends Ping: It pings member {target}.
        changes view: The last member has not answered, and is suspected.
        otherwise: It begins no further period.
        """
        if not self.answered and self.status(self.target) == ALIVE:
            self.learn(self.target, SUSPECT, self.view.get(self.target, (ALIVE, 0))[1])
        self.answered = True
        self.state = IDLE
        self.order = [q for q in self.order if self.status(q) != DEAD]
        if not self.order:
            self.order = [q for q in self.neighbours if self.status(q) != DEAD]
            self.random.shuffle(self.order)
        if self.number < self.periods and self.order:
            self.number += 1
            self.target = self.order.pop()
            self.answered = False
            self.state = PROBING
            self.send(Ping(self.number, self.me, self.all_i_know()), to=self.target)
            self.set_timer(Timeout(self.number), after=self.timeout)
            self.set_timer(Period(), after=self.period)

    @on(ANY, Ping)
    def answer(self, m, q):
        """It answers.

        changes incarnation: It learns that it is suspected: it objects with the incarnation {incarnation}, and answers.
        otherwise: It answers.
        """
        self.merge(m.view)
        self.send(Ack(m.number, m.behalf, self.me, self.all_i_know()), to=q)

    @on(ANY, Ack)
    def hear(self, m, q):
        """Member {peer} has answered.

        sends Ack: It passes the answer on to the process that wanted to know.
        becomes idle: The member has answered: it is alive.
        otherwise: This answer is late, or about another member.
        """
        self.merge(m.view)
        if m.behalf != self.me:
            self.send(Ack(m.number, m.behalf, m.member, self.all_i_know()), to=m.behalf)
        elif m.number == self.number and m.member == self.target:
            self.answered = True
            self.state = IDLE
            self.cancel_timer(Timeout(m.number))

    @on((PROBING, ASKING), Timeout)
    def ask_others(self, m):
        """The member has not answered in time: it asks others to ping it.

        sends PingReq: Member {target} has not answered in time: it asks others to ping it.
        otherwise: The member has not answered in time, and there is no process to be asked.
        """
        others = [q for q in self.neighbours if q != self.target and self.status(q) == ALIVE]
        chosen = self.random.sample(others, min(self.helpers, len(others)))
        if chosen:
            self.state = ASKING
            self.send(PingReq(m.number, self.target, self.all_i_know()), to=chosen)

    @on(IDLE, Timeout)
    def answered_already(self):
        """The member has answered."""

    @on(ANY, PingReq)
    def help(self, m, q):
        """It pings member {peer} asks about, on its behalf.

        always: It pings the member that process {peer} asks about.
        """
        self.merge(m.view)
        self.send(Ping(m.number, q, self.all_i_know()), to=m.member)

    @on(ANY, Expire)
    def expire(self, m):
        """The member has not objected in time.

        changes view: The suspected member has not objected in time: it is dead.
        otherwise: The member has objected in the meantime.
        """
        if self.view.get(m.member) == (SUSPECT, m.incarnation):
            self.view[m.member] = (DEAD, m.incarnation)

    def status(self, q):
        return self.view.get(q, (ALIVE, 0))[0]

    def all_i_know(self):
        return {**self.view, self.me: (ALIVE, self.incarnation)} if self.incarnation else dict(self.view)

    def merge(self, view):
        for q, (status, incarnation) in view.items():
            if q != self.me:
                self.learn(q, status, incarnation)
            elif status == SUSPECT and incarnation >= self.incarnation:
                self.incarnation = incarnation + 1

    def learn(self, q, status, incarnation):
        old, number = self.view.get(q, (ALIVE, 0))
        newer = incarnation > number or (incarnation == number and old == ALIVE and status == SUSPECT)
        if old == DEAD or not (status == DEAD or newer):
            return
        self.view[q] = (status, incarnation)
        if status == SUSPECT:
            self.set_timer(Expire(q, incarnation), after=self.suspicion * self.period)


@always("accuracy: no process declares a member dead that has not crashed")
def accuracy(c):
    return all(status != DEAD or c.crashed(c.process(q)) for p in c.correct for q, (status, _) in p.view.items())


@at_end("completeness: each correct process knows of all crashes (unless they happened too late)")
def completeness(c):
    crashed = {p.me for p in c.processes if c.crashed(p)}
    return all({q for q, (status, _) in p.view.items() if status == DEAD} >= crashed for p in c.correct)


@measure("false suspicions")
def false_suspicions(c):
    return sum(p.incarnation for p in c.processes)
