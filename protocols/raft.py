"""Raft: a leader, elected for a term, writes the same log everywhere.

The commands of users become entries of a log that all processes keep; an entry is committed once a majority has it, and
what is committed is never lost.

Who hears no leader for a random while stands for election in a new term.  Everybody votes once in a term, and only for
somebody whose log is at least as up to date as its own; so a leader has everything that was committed before it.

Pseudo-code (a higher term in any message: term := it; voted_for := nobody; become follower)::

    follower or candidate, election timeout:   term := term + 1; vote for myself; become candidate;
                                               send RequestVote(term, index and term of my last entry) to all
    any, RequestVote from q:     grant it if it is of my term, I have voted for nobody else, and its last entry has a
                                 higher term than mine, or the same and at least the same index
    candidate, votes of a majority:            become leader; beat at once
    leader, Write(x) from its user:            append (term, x) to my log
    leader, beat:                send AppendEntries(term, prev, entries from next_index[q] on, commit) to every q
    any, AppendEntries from q:   refuse if it is of an older term, or my log has no entry prev of that term
                                 else follow q; delete what conflicts; append what is new; apply what is committed
    leader, success of q:        match_index[q] := what q has; next_index[q] := the one after; commit every entry up to
                                 one of my own term that a majority has
    leader, refusal of q:        next_index[q] := next_index[q] - 1

Needs a complete network with names, two-way links and somebody who starts; the others wake up when they hear something.
Links may lose, repeat and reorder messages; processes may crash and recover with term, voted_for and log (here with
all variables, as if they had only been slow).  Entries travel with the next beat; a process that does not lead refuses
commands and says who does.  So that a run ends, a process beats ``beats`` times in all (0: without bound) and stands
``campaigns`` times; with its last beat the leader tells the others to rest.  Snapshots and changes of the membership
are left out.
Complexity: 2(n - 1) messages for an election and for every beat; at most 2n(n - 1)(campaigns + beats).

Reference: D. Ongaro and J. Ousterhout, In search of an understandable consensus algorithm, USENIX ATC 2014, figure 2.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    complete,
    eventually,
    named,
    on,
    parameter,
    some_initiator,
    states,
    two_way,
)

FOLLOWER, CANDIDATE, LEADER = states(
    "follower", "candidate", "leader",
    reads={"follower": "is a follower", "candidate": "is a candidate", "leader": "is a leader"},
)


class RequestVote(Message):
    """'Vote for me in this term; this is my last entry.'"""

    term: int
    last_index: int
    last_term: int


class Vote(Message):
    """'You have my vote', or not."""

    term: int
    granted: bool


class AppendEntries(Message):
    """'I lead; behind entry prev come these'; without entries it is a mere heartbeat."""

    term: int
    prev_index: int
    prev_term: int
    entries: tuple[tuple[int, str], ...]
    commit: int
    rest: bool = False


class Answer(Message):
    """'My log is like yours up to here', or 'I have no such entry prev'."""

    term: int
    success: bool
    match: int = 0


class Write(Command):
    """Its user wants this in the log."""

    x: str


class Election(Timer):
    """No leader was heard for too long."""


class Beat(Timer):
    """It is time for the leader to be heard."""


class Raft(Process):
    needs = complete, two_way, named, some_initiator
    messages = "<= 2*n*(n - 1)*(campaigns + beats)"

    state = FOLLOWER
    term: int = 0
    voted_for: str | None = None
    log: list[tuple[int, str]] = []  # entries: the term of the leader that wrote it, and the command
    commit: int = 0  # so many entries are committed, as far as I know
    leader: str | None = None  # who leads in my term, as far as I know
    votes: set[str] = set()  # candidate: who votes for me
    next_index: dict[str, int] = {}  # leader: the entry that I send next
    match_index: dict[str, int] = {}  # leader: how far the other's log is like mine
    stood: int = 0  # how often I stood for election
    beaten: int = 0  # how often I have beaten

    timeout = parameter(6.0, minimum=0.0, help="shortest election timeout; the longest is twice that")
    interval = parameter(2.0, minimum=0.0, help="time from one beat of the leader to the next")
    beats = parameter(
        25, minimum=0, help="how often a process beats as a leader, in all; 0: without bound",
        reached=lambda p: p.beaten >= p.beats > 0,
    )
    campaigns = parameter(
        25, minimum=0, help="how often a process stands for election, in all",
        reached=lambda p: p.stood >= p.campaigns,
    )

    @on(FOLLOWER, INIT)
    def start(self):
        """It waits for a leader to be heard."""
        self.wait_for_leader()

    @on((FOLLOWER, CANDIDATE), Election)
    def stand(self):
        """No leader was heard, or nobody was elected: it stands for election in a new term.

        notes: It has stood for election as often as it may.
        while candidate: Nobody was elected in time: it stands again, in term {term}.
        otherwise: It has heard no leader for too long: it stands for election in term {term}.
        """
        if self.stood == self.campaigns:
            self.note(f"it has stood for election as often as it may: campaigns = {self.campaigns}")
            return
        self.stood += 1
        self.state = CANDIDATE
        self.term += 1
        self.voted_for = self.me
        self.leader = None
        self.votes = {self.me}
        self.wait_for_leader()
        for q in self.neighbours:
            self.send(RequestVote(self.term, len(self.log), self.term_of(len(self.log))), to=q)

    @on(ANY, RequestVote)
    def asked_for_vote(self, m, q):
        """It votes once in a term, and for nobody whose log is less up to date than its own.

        changes voted_for and becomes follower: {peer} has the higher term: it steps down and votes for {peer}.
        changes voted_for: It has not voted in this term, and the log of {peer} is as up to date as its own: it
            votes for {peer}.
        sends Vote(granted=yes): It has voted for {peer} in this term already, and says so again.
        otherwise: It refuses its vote: it has voted in this term, or its own log is more up to date.
        """
        self.catch_up(m.term)
        mine = self.term_of(len(self.log)), len(self.log)
        up_to_date = (m.last_term, m.last_index) >= mine
        granted = m.term == self.term and self.voted_for in (None, q) and up_to_date
        if granted:
            self.voted_for = q
            self.wait_for_leader()
        self.send(Vote(self.term, granted), to=q)

    @on(CANDIDATE, Vote)
    def count(self, m, q):
        """One vote more, or none; with a majority it leads.

        becomes leader: A majority has voted for it: it leads term {term}.
        becomes follower: The answer has a higher term: it steps down.
        changes votes: {peer} votes for it: {votes:vote|votes}, its own included.
        says granted=no: {peer} refuses its vote.
        otherwise: This vote counts no more: it is for an earlier term, or was counted before.
        """
        self.catch_up(m.term)
        if m.granted and m.term == self.term:
            self.votes.add(q)
            if self.majority(len(self.votes)):
                self.state = LEADER
                self.leader = self.me
                self.next_index = {r: len(self.log) + 1 for r in self.neighbours}
                self.match_index = dict.fromkeys(self.neighbours, 0)
                self.cancel_timer(Election)
                self.decide(f"leader of term {self.term}")
                self.beat()

    @on(LEADER, Write)
    def write(self, m):
        """It appends the command to its log; with the next beat the others hear of it.

        always:
        """
        self.log.append((self.term, m.x))

    @on((FOLLOWER, CANDIDATE), Write)
    def not_me(self, m):
        """It does not lead: its user has to ask the leader."""
        self.note(f"refuses '{m.x}': " + (f"{self.leader} leads" if self.leader else "it knows no leader"))

    @on(LEADER, Beat)
    def beat(self):
        """It sends everybody what they miss, or just that it is alive.

        sends: It sends each follower the entries that it lacks, or just that the leader is alive.
        otherwise: It has sent as many heartbeats as it may.
        """
        if self.beats and self.beaten == self.beats:
            self.note(f"it has beaten as often as it may: beats = {self.beats}")
            return
        self.beaten += 1
        for q in self.neighbours:
            prev = self.next_index[q] - 1
            rest = self.beaten == self.beats
            entries = tuple(self.log[prev:])
            self.send(AppendEntries(self.term, prev, self.term_of(prev), entries, self.commit, rest), to=q)
        self.set_timer(Beat(), after=self.interval)

    @on(ANY, AppendEntries)
    def append(self, m, q):
        """It follows the leader of its term, and makes its log like the leader's if they agree before that.

        changes log: It follows {peer} and takes over its entries.
        becomes follower: It follows {peer}, the leader of term {term}.
        always: A message of a leader: it answers whether its log agrees.
        """
        self.catch_up(m.term)
        if m.term < self.term:
            self.send(Answer(self.term, False), to=q)
            return
        self.state = FOLLOWER
        self.leader = q
        self.wait_for_leader()
        if m.rest:
            self.cancel_timer(Election)
        if m.prev_index > len(self.log) or self.term_of(m.prev_index) != m.prev_term:
            self.send(Answer(self.term, False), to=q)
            return
        for i, entry in enumerate(m.entries, m.prev_index):
            if i < len(self.log) and self.log[i][0] != entry[0]:
                self.note(f"deletes its entries from {i + 1} on: they conflict with those of {q}")
                del self.log[i:]
            if i == len(self.log):
                self.log.append(entry)
        match = m.prev_index + len(m.entries)
        self.apply(min(m.commit, match))
        self.send(Answer(self.term, True, match), to=q)

    @on(LEADER, Answer)
    def answered(self, m, q):
        """It learns how far the other is; what a majority has is committed, if the last of it is of its own term.

        becomes follower: The answer has a higher term: it steps down.
        changes commit: A majority has the entries now: they are committed up to {commit}.
        changes match_index: It learns how far the log of {peer} agrees with its own.
        changes next_index: The log of {peer} does not agree there: it will try one entry earlier.
        nothing: The answer tells it nothing new.
        """
        self.catch_up(m.term)
        if self.state == LEADER and m.term == self.term:
            if m.success:
                self.match_index[q] = max(self.match_index[q], m.match)
                self.next_index[q] = self.match_index[q] + 1
                for i in range(len(self.log), self.commit, -1):
                    have = 1 + sum(match >= i for match in self.match_index.values())
                    if self.majority(have) and self.term_of(i) == self.term:
                        self.apply(i)
            else:
                self.next_index[q] = max(1, self.next_index[q] - 1)

    @on((FOLLOWER, LEADER), Vote)
    @on((FOLLOWER, CANDIDATE), Answer)
    def late(self, m, q):
        """It is no longer asked about that; only the term counts.

        always:
        """
        self.catch_up(m.term)

    @on((CANDIDATE, LEADER), INIT)
    @on(LEADER, Election)
    @on((FOLLOWER, CANDIDATE), Beat)
    def stale(self):
        """It is awake already; it was elected, or stepped down, in the meantime."""

    def catch_up(self, term):
        if term > self.term:
            self.term = term
            self.voted_for = None
            self.leader = None
            if self.state != FOLLOWER:
                self.state = FOLLOWER
                self.cancel_timer(Beat)
                self.wait_for_leader()

    def wait_for_leader(self):
        self.set_timer(Election(), after=self.timeout * (1 + self.random.random()) if self.timeout else 0)

    def apply(self, up_to):
        while self.commit < up_to:
            self.deliver(self.log[self.commit][1])
            self.commit += 1

    def term_of(self, index):
        return self.log[index - 1][0] if index else 0

    def majority(self, count):
        return 2 * count > len(self.neighbours) + 1


@always("election safety: a term has at most one leader")
def election_safety(c):
    known = {(p.term, p.leader) for p in c.processes if p.leader is not None}
    return len(known) == len({term for term, _ in known})


@always("log matching: logs with the same entry at the same place are the same up to it")
def log_matching(c):
    for a in (p.log for p in c.processes):
        for b in (p.log for p in c.processes):
            same = max((k + 1 for k in range(min(len(a), len(b))) if a[k][0] == b[k][0]), default=0)
            if a[:same] != b[:same]:
                return False
    return True


@always("leader completeness: a leader has everything that was committed up to its term")
def leader_completeness(c):
    leaders = [p for p in c.processes if p.state == LEADER and not c.crashed(p)]
    return all(q.term > p.term or p.log[: q.commit] == q.log[: q.commit] for p in leaders for q in c.processes)


@always("state machine safety: all apply the same commands in the same order")
def state_machine_safety(c):
    longest = max(c.processes, key=lambda p: p.commit)
    return all(p.log[: p.commit] == longest.log[: p.commit] for p in c.processes)


@eventually("all who are alive follow one leader and have applied what it has committed")
def led(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    return len({(p.term, p.leader, p.commit) for p in alive}) == 1 and any(p.state == LEADER for p in alive)
