"""Exponential information gathering (EIG): processes report all that they have heard, and vote on it.

Correct processes decide on the same value, although up to f Byzantine processes may send arbitrary values.

For f + 1 rounds each process passes on all it has heard: "r says that q says that p begins with x".  The reports form a
tree: the place p.q.r contains x.  From the leaves upwards, each inner place gets the value of the majority of its
children; the root gives the decision.  A place whose path ends with a correct process gets the same value everywhere,
and of the f + 1 processes on a path at least one is correct.

Pseudo-code (tree[path]: the report along a path of different processes; all counts include the process itself)::

    INIT:                      tree[()] := my value; send level 0 of the tree to all
    round r = 1 .. f + 1:      for each (path, x) from q, where path has r - 1 names and not q:  tree[path + q] := x
                               if r <= f: send level r of the tree, without the paths with my name, to all
    after round f + 1:         decide resolve(())
    resolve(path):             at a leaf: tree[path]; else the strict majority of resolve(path + q) for all q not in
                               path; the default if there is none, or if no report has come

Needs a complete network with reliable links and names, rounds, and all processes as initiators; n > 3f for up to f
Byzantine processes.
Complexity: f + 1 rounds, (f + 1) n (n - 1) messages, and trees of about n^(f + 1) reports: the messages grow
exponentially with f, which the king algorithm avoids.

Reference: A. Bar-Noy, D. Dolev, C. Dwork and H. R. Strong, Shifting gears: changing algorithms on the fly to expedite
Byzantine agreement, PODC 1987; N. Lynch, Distributed Algorithms, section 6.3.2 (EIGByz).
"""

from lydian import (
    ANY,
    INIT,
    LIARS,
    ROUND,
    Message,
    Process,
    always,
    at_end,
    at_most,
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    rounds,
    states,
)

IDLE, GATHERING, DECIDED = states(
    "idle", "gathering", "decided",
    reads={"idle": "is idle", "gathering": "gathers reports", "decided": "has decided"},
)
YES, NO = "yes", "no"


class Level(Message):
    """One level of the sender's tree: the reports along all paths of the same length."""

    reports: dict[tuple[str, ...], str]


class EIG(Process):
    title = "Exponential information gathering"
    needs = complete, named, everybody_starts, reliable, rounds, at_most("f", LIARS, given="n > 3*f")
    messages = "(f + 1)*n*(n - 1)"

    state = IDLE
    value: str | None = None  # my initial value
    tree: dict[tuple[str, ...], str] = {}  # path -> the report along it
    decision: str | None = None

    f = parameter(1, minimum=0, maximum=3, help="how many processes may be Byzantine; fewer than a third")
    inputs = parameter("0110", help="initial values: 1 (yes) or 0 (no), in the order of names; 0 for the rest")

    @on(ANY, INIT)
    def start(self):
        """It begins with its value, and sends it to all.

        always:
        """
        me = sorted((self.me, *self.neighbours), key=natural).index(self.me)
        self.value = self.tree[()] = YES if self.inputs[me : me + 1] == "1" else NO
        self.state = GATHERING
        self.pass_on(0)

    @on(ANY, ROUND)
    def gather(self, received):
        """It adds the reports of the round to its tree, and passes them on; after the last round it decides.

        decides: The last round is over: it takes the majorities from the leaves to the root, and decides.
        sends Level: It adds the reports of this round to its tree, and passes them on.
        nothing: It has decided already.
        """
        if self.state == DECIDED:
            return
        mine = {path: x for path, x in self.tree.items() if len(path) == self.round - 1 and self.me not in path}
        for q, reports in [(self.me, mine), *((q, m.reports) for m, q in received)]:
            for path, x in reports.items():
                new = (*path, q)
                if len(new) == len(set(new)) == self.round and set(path) <= {self.me, *self.neighbours}:
                    self.tree.setdefault(new, x)
        if self.round <= self.f:
            self.pass_on(self.round)
        else:
            self.state = DECIDED
            self.decision = self.resolve(())
            self.decide(self.decision)

    def pass_on(self, level):
        reports = {path: x for path, x in self.tree.items() if len(path) == level and self.me not in path}
        for q in self.neighbours:
            self.send(Level(reports), to=q)
        self.want_round()

    def resolve(self, path):
        if len(path) == self.f + 1:
            return self.tree.get(path, NO)
        votes = [self.resolve((*path, q)) for q in (self.me, *self.neighbours) if q not in path]
        return YES if 2 * votes.count(YES) > len(votes) else NO


@always("agreement: no two correct processes decide differently")
def agreement(c):
    return len({c.decided[p] for p in c.correct if p in c.decided}) <= 1


@always("validity: if all correct processes begin with one value, they decide no other")
def validity(c):
    begun = {p.value for p in c.correct}
    return len(begun) > 1 or all(c.decided[p] in begun for p in c.correct if p in c.decided)


@at_end("common places: correct processes agree on each place of the tree whose path ends with a correct process")
def common(c):
    names = [p.me for p in c.correct]
    return all(
        len({p.resolve((*path, q)) for p in c.correct}) <= 1
        for p in c.correct
        for path in p.tree
        for q in names
        if len(path) <= p.f and q not in path
    )


@at_end("termination: all correct processes have decided")
def termination(c):
    return all(p in c.decided for p in c.correct)
