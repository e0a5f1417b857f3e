"""Gallager, Humblet and Spira's minimum spanning tree: fragments merge over their cheapest outgoing links.

Each process begins as a fragment of level 0.  The processes of a fragment together find its cheapest outgoing link and
send a request to connect over it.  Two fragments of the same level that have chosen the same link merge, and this link
becomes the core of a fragment of the next level; a fragment of a lower level is absorbed by one of a higher level.  To
keep the cost low, a fragment never waits for one of a higher level.

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

Needs a connected network with names, two-way FIFO links, and an initiator; any number may wake spontaneously.  This
version breaks ties between equal weights by the names of the two ends, smaller first, as the paper suggests; a message
that must wait is not put back into a queue but reconsidered when the level, the state or a branch has changed.
Complexity: at most 5n log2(n) + 2m messages: a link is rejected once, by two messages, and on each of at most log2(n)
levels a process receives at most one Initiate and one Accept and sends at most one successful Test, one Report, and one
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
    reads={"sleeping": "is asleep", "find": "is searching for an outgoing link", "found": "has completed its search"},
)  # SN
INFINITE = (float("inf"), "", "")


class Connect(Message):
    """'This is our cheapest outgoing link: let us become one fragment over it.'"""

    level: int


class Initiate(Message):
    """'This is now our fragment'; ``state`` says whether to look for its cheapest outgoing link."""

    level: int
    fragment: tuple
    state: str


class Test(Message):
    """'I belong to this fragment; do you belong to another?'"""

    level: int
    fragment: tuple


class Accept(Message):
    """'I belong to another fragment.'"""


class Reject(Message):
    """'I belong to your fragment.'"""


class Report(Message):
    """'The cheapest outgoing link of our fragment on my side has this weight.'"""

    weight: tuple


class ChangeRoot(Message):
    """'The cheapest outgoing link of our fragment is on your side: send a request to connect over it.'"""


class GHS(Process):
    title = "Minimum spanning tree of Gallager, Humblet and Spira"
    needs = connected, named, two_way, fifo, some_initiator, reliable, no_crashes
    messages = "<= 5*n*log2(n) + 2*m"

    state = SLEEPING
    branch: set[str] = set()  # SE(j) = Branch
    rejected: set[str] = set()  # SE(j) = Rejected
    level: int = 0  # LN
    fragment: tuple | None = None  # FN: the weight of the fragment's core
    find_count: int = 0  # number of Reports still missing
    best_edge: str | None = None
    best_wt: tuple = INFINITE
    test_edge: str | None = None
    in_branch: str | None = None  # the neighbour towards the core
    core: str | None = None  # at the two ends of the core: the other end
    later: list = []  # messages that must wait, each with its sender

    def w(self, j):
        """Return the weight of the link to j, made unique by the names of its ends."""
        return (self.weight(j), *sorted((self.me, j)))

    @on(SLEEPING, INIT)
    def wakeup(self):
        """It forms a fragment of its own and sends a request to connect over its cheapest link.

        decides: It has no neighbour: the tree is complete.
        otherwise: It forms a fragment of its own and sends a request to connect over its cheapest link.
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
        """It has already been woken by a neighbour."""

    @on(SLEEPING, Connect)
    def woken_to_connect(self, m, j):
        """It is woken by the request of a neighbour to connect.

        always:
        """
        self.wakeup()
        self.connect(m, j)

    @on((FIND, FOUND), Connect)
    def connect(self, m, j):
        """It absorbs a lower fragment, merges with an equal one that chose the same link, or defers its answer.

        changes branch: The fragment of {peer} has a lower level and is absorbed.
        sends Initiate: Both fragments have chosen this link, so they merge into one of the next level.
        otherwise: The fragment of {peer} must wait: its level is not lower, and this fragment has not chosen the
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
        """It joins another fragment, informs the processes behind it, and looks for an outgoing link if asked to.

        sends Test: It joins another fragment and looks for an outgoing link.
        sends Initiate: It joins another fragment and informs the processes behind it.
        otherwise: It joins another fragment.
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
        """It is woken by a neighbour that asks for its fragment.

        always:
        """
        self.wakeup()
        self.answer(m, j)

    @on((FIND, FOUND), Test)
    def answer(self, m, j):
        """It answers whether the fragments differ; a fragment of a higher level must wait, since this may change.

        sends Accept: The two processes belong to different fragments: the link leads out.
        sends Reject: The two processes belong to the same fragment: the link is rejected.
        changes later: The other fragment has a higher level: the answer must wait.
        otherwise: The two processes belong to the same fragment; it tries the next link.
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
        """It has found the cheapest link of its own that leads out of the fragment.

        always: The link to {peer} leads out of the fragment.
        """
        self.test_edge = None
        if self.w(j) < self.best_wt:
            self.best_edge, self.best_wt = j, self.w(j)
        self.report()

    @on(FIND, Reject)
    def refused(self, m, j):
        """It rejects a link inside the fragment and tries the next one.

        sends Test: The link to {peer} is inside the fragment; it tries the next one.
        otherwise: The link to {peer} is inside the fragment, and no other is left to try.
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
        """It learns the cheapest outgoing link on one side; the two ends of the core compare theirs.

        decides: No link leads out of the fragment: the tree is complete.
        changes later: It has not yet found its own cheapest outgoing link, so the report must wait.
        sends ChangeRoot: Its side of the core has the cheaper outgoing link: the root moves there.
        sends Connect: Its own link is the cheapest outgoing link of the fragment.
        changes best_wt: This is the cheapest outgoing link so far.
        otherwise: This outgoing link is not cheaper than the one it knows.
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
        """It forwards the request towards the cheapest outgoing link, or asks to connect over this link.

        sends ChangeRoot: The cheapest outgoing link is farther on: it forwards the request.
        otherwise: The cheapest outgoing link is its own: it sends a request to connect over it.
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
        """It does not expect this message, which arrives only after a fault."""
        self.note(f"unexpected {type(m).__name__} from {j}")

    def look_again(self):
        waiting, self.later = self.later, []
        for m, j in waiting:
            {Connect: self.connect, Test: self.answer, Report: self.reported}[type(m)](m, j)


def cheapest_tree(c):
    """Return the minimum spanning tree, as Kruskal's algorithm finds it: pairs of names, smaller first."""
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
    """Return the links that one end considers a branch, and those that both ends do."""
    claims = [tuple(sorted((p.me, j))) for p in c.processes for j in sorted(p.branch)]
    return set(claims), {link for link in claims if claims.count(link) == 2}


@always("every branch belongs to the minimum spanning tree")
def safe(c):
    return branches(c)[0] <= cheapest_tree(c)


@always("a fragment of level L has at least 2^L processes")
def large_enough(c):
    names = [(p.level, p.fragment) for p in c.processes if p.fragment is not None]
    return all(2**level <= c.n for level, _ in names)


@eventually("both ends of the last core know that no link leads out")
def finished(c):
    ends = [p for p in c.processes if p.core is not None and p.level == max(q.level for q in c.processes)]
    return c.n == 1 or (len(ends) == 2 and all(p.state == FOUND and p.best_wt == INFINITE for p in ends))


@at_end("the branches form the minimum spanning tree at both ends, and all other links are rejected")
def complete(c):
    rest = [j for p in c.processes for j in p.neighbours if j not in p.branch and j not in p.rejected]
    return branches(c)[1] == cheapest_tree(c) and not rest
