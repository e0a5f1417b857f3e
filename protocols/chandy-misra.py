"""Chandy-Misra: the forks of the dining philosophers, dirty and clean.

Philosophers think, get hungry and eat; between any two neighbours lies one fork, and who eats needs all of its forks.

A fork that was eaten with is dirty; its holder gives it away, cleaned, when asked, unless he eats.  A clean fork is
kept until its holder has eaten.  So who has eaten lets all his neighbours go first, and nobody starves.

Pseudo-code (for each neighbour q: fork[q], dirty[q], and token[q], the right to ask q for the fork; next step, after
every event, for each q: if token[q], fork[q], dirty[q] and I do not eat: send Fork to q.  If I am hungry, token[q] and
not fork[q]: send Ask to q.  If I am hungry and have all forks: eat, all are dirty)::

    INIT:                       for each neighbour q: if me < q then fork[q], dirty[q] else token[q]
    thinking, Think:            become hungry; next step
    any, Ask from q:            token[q] := true; next step
    any, Fork from q:           fork[q] := true, dirty[q] := false; next step
    eating, Use:                become thinking; next step

Needs two-way links that lose nothing and keep the order, distinct names, and no crashes; everybody starts.  On a
complete network it is mutual exclusion.  Who is ``keen`` gets hungry again and again, others when told Want; nobody
eats more than ``entries`` times.
Complexity: at most 2 deg(p) messages for a meal of p, none if nobody has asked for its forks since the last one.

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
    """'Give me our fork.'"""


class Fork(Message):
    """The fork between the two, clean."""


class Think(Timer):
    """It wants the resource (again)."""


class Use(Timer):
    """It has used the resource long enough."""


class Want(Command):
    """Its user wants the resource now."""


class Leave(Command):
    """Its user gives the resource back early."""


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
    forks: set[str] = set()  # with whom the shared fork lies on my side
    dirty: set[str] = set()  # which of these are dirty
    tokens: set[str] = set()  # whom I may ask for the fork; with the fork: who has asked me
    entered: int = 0

    entries = parameter(
        3, minimum=0, help="how often a process enters the critical section at most",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process wants the resource (again)")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    keen = parameter(True, help="whether processes want the resource by themselves, or only for their users")

    @on(THINKING, INIT)
    def begin(self):
        """Each fork lies, dirty, at the lower of its two; the higher may ask for it.

        always:
        """
        self.forks = {q for q in self.neighbours if natural(self.me) < natural(q)}
        self.dirty = set(self.forks)
        self.tokens = set(self.neighbours) - self.forks
        self.start_thinking()

    @on(THINKING, (Think, Want))
    def get_hungry(self):
        """It asks for the forks that it lacks, and eats when it has all.

        notes: It has eaten as often as it may.
        becomes eating: It has all forks and eats.
        becomes hungry: It gets hungry and asks for the forks that it lacks.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has eaten as often as it may")
            return
        self.state = HUNGRY
        self.next_step()

    @on(ANY, Ask)
    def asked(self, m, q):
        """It gives a dirty fork at once, a clean one when it has eaten.

        while hungry and sends Fork: It gives a dirty fork away though it is hungry itself.
        while hungry: It is hungry, and {peer} has to wait until it has eaten.
        """
        self.tokens.add(q)
        self.next_step()

    @on(ANY, Fork)
    def get(self, m, q):
        """It gets a clean fork, and keeps it until it has eaten.

        becomes eating: The last fork that it lacked is here: it eats.
        while hungry: A clean fork: it is kept until the meal; {forks:fork is|forks are} here.
        otherwise: It gets a clean fork, and keeps it until it has eaten.
        """
        self.forks.add(q)
        self.dirty.discard(q)
        self.next_step()

    @on(EATING, (Use, Leave))
    def leave(self):
        """It has eaten; all its forks are dirty, and go to those who have asked.

        sends Fork: It has eaten; its forks are dirty, and go to those who have asked.
        otherwise: It has eaten; its forks are dirty, and nobody has asked for one.
        """
        self.cancel_timer(Use)
        self.state = THINKING
        self.next_step()
        self.start_thinking()

    @on((HUNGRY, EATING), (INIT, Think, Want))
    def already(self):
        """It is hungry or eats already."""

    @on((THINKING, HUNGRY), (Use, Leave))
    def nothing_to_leave(self):
        """It does not eat."""

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


@always("nobody yields to itself in a circle")
def acyclic(c):
    """p goes before q if p has the clean fork, or it is under way to p, or q has it, dirty."""
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


@eventually("every hungry one eats")
def served(c):
    return all(p.state != HUNGRY for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, nobody eats")
def silent(c):
    return not c.in_transit and all(p.state != EATING for p in c.processes if not c.crashed(p))
