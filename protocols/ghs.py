"""Gallager, Humblet and Spira's minimum spanning tree: fragments grow, find their cheapest way out, and merge.

Every process begins as a fragment of level 0.  The processes of a fragment together find the cheapest link that leads
out of it, and ask over it to be connected.  Two fragments of one level that chose the same link merge over it, and it
becomes the core of a fragment of the next level; a fragment of a lower level is absorbed by one of a higher level.  So
that all cost little, a fragment never waits for one of a higher level.

Pseudo-code, numbered as in the paper (w: weight of a link, j: the link a message came on; SE(j) is Basic unless j is
in branch or in rejected)::

    (1,2) INIT, wakeup:     m := link of least weight; SE(m) := Branch; LN := 0; SN := Found; find_count := 0;
                            send Connect(0) on m
    (3) Connect(L):         if asleep: wakeup;  if L < LN: SE(j) := Branch; send Initiate(LN, FN, SN) on j;
                                if SN = Find: find_count += 1
                            else if SE(j) = Basic: wait;  else send Initiate(LN + 1, w(j), Find) on j
    (4) Initiate(L, F, S):  LN, FN, SN := L, F, S; in_branch := j; best_edge := nil; best_wt := infinity;
                            send Initiate(L, F, S) on all other branches, if S = Find counting them in find_count;
                            if S = Find: test
    (5) test:               if there are basic links: test_edge := the cheapest; send Test(LN, FN) on it
                            else: test_edge := nil; report
    (6) Test(L, F):         if asleep: wakeup;  if L > LN: wait;  else if F != FN: send Accept on j
                            else: if SE(j) = Basic: SE(j) := Rejected;
                                  if test_edge != j: send Reject on j; else: test
    (7) Accept:             test_edge := nil; if w(j) < best_wt: best_edge := j; best_wt := w(j);  report
    (8) Reject:             if SE(j) = Basic: SE(j) := Rejected;  test
    (9) report:             if find_count = 0 and test_edge = nil: SN := Found; send Report(best_wt) on in_branch
    (10) Report(w):         if j != in_branch: find_count -= 1; if w < best_wt: best_wt := w; best_edge := j;  report
                            else if SN = Find: wait;  else if w > best_wt: change_root
                            else if w = best_wt = infinity: halt
    (11) change_root:       if best_edge in branch: send Change-root on it
                            else: send Connect(LN) on best_edge; SE(best_edge) := Branch
    (12) Change-root:       change_root

Needs a connected network with names, two-way FIFO links, and an initiator; any number may wake by themselves.  The
reading taken: equal weights are told apart by the names of the two ends, smaller first, as the paper suggests; what
has to wait is looked at again when the level, the state or a branch has changed, instead of going through the queue.
Complexity: at most 5n log2(n) + 2m messages: a link is rejected once, by two messages, and on each of at most log2(n)
levels a process gets at most one Initiate and one Accept and sends at most one Test that succeeds, one Report, and one
Change-root or Connect.

Reference: R. G. Gallager, P. A. Humblet, P. M. Spira, A distributed algorithm for minimum-weight spanning trees, ACM
TOPLAS 5 (1983).
"""

from lydian import (
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    fifo,
    named,
    no_crashes,
    on,
    reliable,
    some_initiator,
    states,
    two_way,
)

SLEEPING, FIND, FOUND = states(
    "sleeping", "find", "found",
    reads={"sleeping": "is asleep", "find": "looks for the way out", "found": "has found the way out"},
)  # SN
INFINITE = (float("inf"), "", "")


class Connect(Message):
    """'Over this link, the cheapest that leads out of us, let us be one fragment.'"""

    level: int


class Initiate(Message):
    """'This is our fragment now; ``state`` says whether to look for the cheapest link out of it.'"""

    level: int
    fragment: tuple
    state: str


class Test(Message):
    """'I am in this fragment; are you in another?'"""

    level: int
    fragment: tuple


class Accept(Message):
    """'I am in another fragment.'"""


class Reject(Message):
    """'I am in your fragment.'"""


class Report(Message):
    """'The cheapest link out of our fragment, on my side, has this weight.'"""

    weight: tuple


class ChangeRoot(Message):
    """'The cheapest link out of our fragment is on your side: ask over it to be connected.'"""


class GHS(Process):
    title = "Minimum spanning tree of Gallager, Humblet and Spira"
    needs = connected, named, two_way, fifo, some_initiator, reliable, no_crashes
    messages = "<= 5*n*log2(n) + 2*m"

    state = SLEEPING
    branch: set[str] = set()  # SE(j) = Branch
    rejected: set[str] = set()  # SE(j) = Rejected
    level: int = 0  # LN
    fragment: tuple | None = None  # FN: the weight of the fragment's core
    find_count: int = 0  # how many Reports are still to come
    best_edge: str | None = None
    best_wt: tuple = INFINITE
    test_edge: str | None = None
    in_branch: str | None = None  # the neighbour towards the core
    core: str | None = None  # at the two ends of the core: the other end
    later: list = []  # what has to wait: pairs of a message and its sender

    def w(self, j):
        """The weight of the link to j; no two links have the same."""
        return (self.weight(j), *sorted((self.me, j)))

    @on(SLEEPING, INIT)
    def wakeup(self):
        """It is a fragment by itself, and asks over its cheapest link to be connected.

        decides: It has no neighbour: the tree is complete.
        otherwise: It is a fragment by itself, and asks over its cheapest link to be connected.
        """
        self.state = FOUND
        if self.neighbours:
            m = min(self.neighbours, key=self.w)
            self.branch.add(m)
            self.send(Connect(level=0), to=m)
        else:
            self.decide("the tree is complete")

    @on((FIND, FOUND), INIT)
    def awake(self):
        """It was woken by a neighbour before."""

    @on(SLEEPING, Connect)
    def woken_to_connect(self, m, j):
        """A neighbour wakes it, and asks to be connected.

        always:
        """
        self.wakeup()
        self.connect(m, j)

    @on((FIND, FOUND), Connect)
    def connect(self, m, j):
        """A lower fragment is absorbed; one of the same level merges, if this one chose the link too; else it waits.

        changes branch: The fragment of {peer} has a lower level and is absorbed.
        sends Initiate: Both fragments chose this link, so they merge into one of the next level.
        otherwise: The fragment of {peer} must wait: its level is not lower, and this one has not chosen the
            link.
        """
        if m.level < self.level:
            self.branch.add(j)
            self.send(Initiate(level=self.level, fragment=self.fragment, state=self.state), to=j)
            if self.state == FIND:
                self.find_count += 1
        elif j not in self.branch:
            self.later.append((m, j))
        else:
            self.send(Initiate(level=self.level + 1, fragment=self.w(j), state=FIND), to=j)

    @on((FIND, FOUND), Initiate)
    def initiate(self, m, j):
        """It belongs to another fragment now, tells those behind it, and looks for a way out if asked to.

        sends Test: It belongs to another fragment now, and looks for a way out.
        sends Initiate: It belongs to another fragment now, and tells those behind it.
        otherwise: It belongs to another fragment now.
        """
        self.level, self.fragment, self.state = m.level, m.fragment, FIND if m.state == FIND else FOUND
        self.in_branch = j
        self.core = j if m.fragment == self.w(j) else None
        self.best_edge, self.best_wt = None, INFINITE
        for i in sorted(self.branch - {j}):
            self.send(m, to=i)
            if self.state == FIND:
                self.find_count += 1
        if self.state == FIND:
            self.test()
        self.look_again()

    def test(self):
        basic = [j for j in self.neighbours if j not in self.branch and j not in self.rejected]
        self.test_edge = min(basic, key=self.w, default=None)
        if self.test_edge is None:
            self.report()
        else:
            self.send(Test(level=self.level, fragment=self.fragment), to=self.test_edge)

    @on(SLEEPING, Test)
    def woken_to_answer(self, m, j):
        """A neighbour wakes it, and asks for its fragment.

        always:
        """
        self.wakeup()
        self.answer(m, j)

    @on((FIND, FOUND), Test)
    def answer(self, m, j):
        """A fragment of a higher level waits for the answer: who knows whether this one will belong to it by then.

        sends Accept: The two belong to different fragments: the link leads out.
        sends Reject: The two belong to the same fragment: the link leads nowhere new.
        changes later: The other fragment has a higher level: the answer must wait.
        otherwise: The two belong to the same fragment; the next link is tried.
        """
        if m.level > self.level:
            self.later.append((m, j))
        elif m.fragment != self.fragment:
            self.send(Accept(), to=j)
        else:
            self.reject(j)
            if self.test_edge != j:
                self.send(Reject(), to=j)
            else:
                self.test()

    @on(FIND, Accept)
    def accepted(self, m, j):
        """This link leads out of the fragment.

        always: The link to {peer} leads out of the fragment.
        """
        self.test_edge = None
        if self.w(j) < self.best_wt:
            self.best_edge, self.best_wt = j, self.w(j)
        self.report()

    @on(FIND, Reject)
    def refused(self, m, j):
        """This link does not lead out of the fragment; the next one is tried.

        sends Test: The link to {peer} lies inside the fragment; the next one is tried.
        otherwise: The link to {peer} lies inside the fragment, and there is none left to try.
        """
        self.reject(j)
        self.test()

    def reject(self, j):
        if j not in self.branch:
            self.rejected.add(j)

    def report(self):
        if self.find_count == 0 and self.test_edge is None:
            self.state = FOUND
            self.send(Report(weight=self.best_wt), to=self.in_branch)
            self.look_again()

    @on((FIND, FOUND), Report)
    def reported(self, m, j):
        """The cheapest way out on that side; the two ends of the core compare theirs.

        decides: No way leads out any more: the tree is complete.
        changes later: It has not found its own cheapest way out yet, so the report must wait.
        sends ChangeRoot: Its side of the core has the cheaper way out: the root moves there.
        sends Connect: Its own link is the cheapest way out of the fragment.
        changes best_wt: This is the cheapest way out so far.
        otherwise: This way out is not cheaper than the one it knows.
        """
        if j != self.in_branch:
            self.find_count -= 1
            if m.weight < self.best_wt:
                self.best_edge, self.best_wt = j, m.weight
            self.report()
        elif self.state == FIND:
            self.later.append((m, j))
        elif m.weight > self.best_wt:
            self.change_root()
        elif m.weight == self.best_wt == INFINITE:
            self.decide("the tree is complete")

    @on(FOUND, ChangeRoot)
    def change_root(self):
        """The way out is over this process: it passes that on, or asks over the link to be connected.

        sends ChangeRoot: The cheapest way out is farther on: it passes the word on.
        otherwise: The cheapest way out is its own link: it asks over it to be connected.
        """
        if self.best_edge in self.branch:
            self.send(ChangeRoot(), to=self.best_edge)
        else:
            self.send(Connect(level=self.level), to=self.best_edge)
            self.branch.add(self.best_edge)
            self.look_again()

    @on(SLEEPING, (Initiate, Accept, Reject, Report, ChangeRoot))
    @on(FOUND, (Accept, Reject))
    @on(FIND, ChangeRoot)
    def unexpected(self, m, j):
        """Nobody asked for this; it happens only when something was broken."""
        self.note(f"unexpected {type(m).__name__} from {j}")

    def look_again(self):
        waiting, self.later = self.later, []
        for m, j in waiting:
            {Connect: self.connect, Test: self.answer, Report: self.reported}[type(m)](m, j)


def cheapest_tree(c):
    """The minimum spanning tree, as Kruskal finds it: pairs of names, smaller first."""
    part = {p.me: p.me for p in c.processes}

    def top(p):
        while part[p] != p:
            p = part[p]
        return p

    found = set()
    for _, a, b in sorted(p.w(j) for p in c.processes for j in p.neighbours):
        if top(a) != top(b):
            part[top(a)] = top(b)
            found.add((a, b))
    return found


def branches(c):
    """The links that one end holds for a branch, and those that both do."""
    claims = [tuple(sorted((p.me, j))) for p in c.processes for j in sorted(p.branch)]
    return set(claims), {link for link in claims if claims.count(link) == 2}


@always("every branch belongs to the minimum spanning tree")
def safe(c):
    return branches(c)[0] <= cheapest_tree(c)


@always("a fragment of level L has at least 2^L processes")
def large_enough(c):
    names = [(p.level, p.fragment) for p in c.processes if p.fragment is not None]
    return all(2**level <= c.n for level, _ in names)


@eventually("both ends of the last core know that there is no way out")
def finished(c):
    ends = [p for p in c.processes if p.core is not None and p.level == max(q.level for q in c.processes)]
    return c.n == 1 or (len(ends) == 2 and all(p.state == FOUND and p.best_wt == INFINITE for p in ends))


@at_end("the branches are the minimum spanning tree, at both ends, and all other links are rejected")
def complete(c):
    rest = [j for p in c.processes for j in p.neighbours if j not in p.branch and j not in p.rejected]
    return branches(c)[1] == cheapest_tree(c) and not rest
