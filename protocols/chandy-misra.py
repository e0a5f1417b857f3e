"""Chandy-Misra: dining philosophers with dirty and clean forks; no two neighbours eat at once and none starves.

Philosophers think, become hungry and eat.  Any two neighbours share one fork, and a philosopher needs all its forks to
eat.

A fork becomes dirty when its holder eats; a philosopher that is not eating cleans a dirty fork and gives it away when
asked.  A clean fork is kept until its holder has eaten.  So after a meal a philosopher lets all its neighbours go
first, and none starves.

Pseudo-code (for each neighbour q: fork[q], dirty[q], and token[q], the right to ask q for the fork; next step, after
every event, for each q: if token[q], fork[q], dirty[q] and not eating: send Fork to q.  If hungry, token[q] and not
fork[q]: send Ask to q.  If hungry with all forks: eat, all forks are dirty)::

    INIT:                       for each neighbour q: if me < q then fork[q], dirty[q] else token[q]
    thinking, Think:            become hungry; next step
    any, Ask from q:            token[q] := true; next step
    any, Fork from q:           fork[q] := true, dirty[q] := false; next step
    eating, Use:                become thinking; next step

It needs two-way FIFO links that lose nothing, distinct names, and no crashes; all processes start.  On a complete
network it is mutual exclusion.  A ``keen`` philosopher becomes hungry again and again, and any other when it receives
the command Want; none eats more than ``entries`` times.
Complexity: at most 2 deg(p) messages for a meal of p, none if no neighbour has asked for its forks since the last one.

Reference: K. M. Chandy and J. Misra, The drinking philosophers problem, ACM Transactions on Programming Languages and
Systems 6 (1984); N. Lynch, Distributed Algorithms, chapter 20 (other solutions).
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    eventually,
    fifo,
    named,
    natural,
    need,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    two_way,
)

THINKING, HUNGRY, EATING = states("thinking", "hungry", "eating")


class Ask(Message):
    """The request for the fork that the two processes share."""


class Fork(Message):
    """The fork that the two processes share, clean."""


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


@need("everybody starts", "every process starts by itself")
def everybody_starts(network):
    lazy = [p for p in network.processes if p not in network.initiators]
    if not lazy:
        return None
    who = f"process {lazy[0]} does" if len(lazy) == 1 else f"{len(lazy)} processes do"
    return f'{who} not start; make every process an initiator (initiators = "all")'


class ChandyMisra(Process):
    title = "Chandy-Misra"
    needs = two_way, named, fifo, everybody_starts, reliable, no_crashes
    messages = "<= 4*m*entries"

    state = THINKING
    forks: set[str] = set()  # neighbours whose shared fork is here
    dirty: set[str] = set()  # those whose fork is dirty
    tokens: set[str] = set()  # neighbours that it may ask for the fork; if the fork is here, those that have asked
    entered: int = 0

    entries = parameter(
        3, minimum=0, help="the most times that a process enters the critical section",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process next wants the resource")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    keen = parameter(True, help="whether processes want the resource on their own, or only when a user asks")

    @on(THINKING, INIT)
    def begin(self):
        """It has a dirty fork for each higher neighbour, and may ask each lower neighbour for a fork.

        always:
        """
        self.forks = {q for q in self.neighbours if natural(self.me) < natural(q)}
        self.dirty = set(self.forks)
        self.tokens = set(self.neighbours) - self.forks
        self.start_thinking()

    @on(THINKING, (Think, Want))
    def get_hungry(self):
        """It asks for the forks that it lacks, and eats when it has all its forks.

        notes: It has eaten as often as it may.
        becomes eating: It has all its forks and eats.
        becomes hungry: It asks for the forks that it lacks.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has eaten as often as it may")
            return
        self.state = HUNGRY
        self.next_step()

    @on(ANY, Ask)
    def asked(self, m, q):
        """It gives away a dirty fork at once, a clean one after its meal.

        while hungry and sends Fork: It gives away a dirty fork although it is hungry itself.
        while hungry: It is hungry and keeps the clean fork, so {peer} must wait until it has eaten.
        """
        self.tokens.add(q)
        self.next_step()

    @on(ANY, Fork)
    def get(self, m, q):
        """It receives a clean fork and keeps it until it has eaten.

        becomes eating: It has the last fork that it lacked, so it eats.
        while hungry: It keeps the clean fork until its meal; it now has {forks:fork|forks}.
        otherwise: It receives a clean fork and keeps it until it has eaten.
        """
        self.forks.add(q)
        self.dirty.discard(q)
        self.next_step()

    @on(EATING, (Use, Leave))
    def leave(self):
        """It has eaten; its forks are dirty, and it gives them to the neighbours that have asked.

        sends Fork: It has eaten; its forks are dirty, and it gives them to the neighbours that have asked.
        otherwise: It has eaten; its forks are dirty, and no neighbour has asked for one.
        """
        self.cancel_timer(Use)
        self.state = THINKING
        self.next_step()
        self.start_thinking()

    @on((HUNGRY, EATING), (INIT, Think, Want))
    def already(self):
        """It is already hungry or eating."""

    @on((THINKING, HUNGRY), (Use, Leave))
    def nothing_to_leave(self):
        """It is not eating."""

    def next_step(self):
        for q in self.neighbours:
            if q in self.tokens & self.forks & self.dirty and self.state != EATING:
                self.forks.remove(q)
                self.dirty.remove(q)
                self.send(Fork(), to=q)
            if self.state == HUNGRY and q in self.tokens and q not in self.forks:
                self.tokens.remove(q)
                self.send(Ask(), to=q)
        if self.state == HUNGRY and len(self.forks) == len(self.neighbours):
            self.eat()

    def eat(self):
        self.state = EATING
        self.entered += 1
        self.dirty = set(self.forks)
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)

    def start_thinking(self):
        if self.keen and self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)


@always("no two neighbours eat")
def exclusion(c):
    return not any(p.state == EATING and c.process(q).state == EATING for p in c.processes for q in p.neighbours)


@always("no fork is in two places")
def one_fork(c):
    places = [{p.me, q} for p in c.processes for q in p.forks]
    places += [{t.sender.me, t.receiver.me} for t in c.in_transit if type(t.message) is Fork]
    return all(places.count(place) == 1 for place in places)


@always("the order of precedence has no cycle")
def acyclic(c):
    """p precedes q if p has their fork clean, the fork is in transit to p, or q has it dirty."""
    ahead = {p.me: set() for p in c.processes}
    for p in c.processes:
        for q in p.forks:
            first, second = (q, p.me) if q in p.dirty else (p.me, q)
            ahead[first].add(second)
    for t in c.in_transit:
        if type(t.message) is Fork:
            ahead[t.receiver.me].add(t.sender.me)
    while last := [p for p in ahead if not ahead[p] & ahead.keys()]:
        for p in last:
            del ahead[p]
    return not ahead


@eventually("every hungry philosopher eats")
def served(c):
    return all(p.state != HUNGRY for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and no philosopher eats")
def silent(c):
    return not c.in_transit and all(p.state != EATING for p in c.processes if not c.crashed(p))
