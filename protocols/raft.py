"""Raft: a leader, elected for a term, replicates its log at all processes.

The commands of users become entries of a log that all processes keep; an entry is committed once a majority has it, and
committed entries are never lost.

A process that hears from no leader for a random time becomes a candidate in a new term.  Each process votes once in a
term, and only for a candidate whose log is at least as up to date as its own; so a leader has every entry that was
committed before its term.

Pseudo-code (a higher term in any message: term := it; voted_for := none; become follower)::

    follower or candidate, election timeout:   term := term + 1; vote for myself; become candidate;
                                               send RequestVote(term, index and term of my last entry) to all
    any, RequestVote from q:     grant it if it is of my term, I have voted for no other process, and its last entry has
                                 a higher term than mine, or the same and at least the same index
    candidate, votes of a majority:            become leader; beat immediately
    leader, Write(x) from its user:            append (term, x) to my log
    leader, beat:                send AppendEntries(term, prev, entries from next_index[q] on, commit) to every q
    any, AppendEntries from q:   refuse if it is of an older term, or my log has no entry prev of that term
                                 else follow q; delete conflicting entries; append new ones; apply committed ones
    leader, success of q:        match_index[q] := what q has; next_index[q] := the one after; commit every entry up to
                                 one of my own term that a majority has
    leader, refusal of q:        next_index[q] := next_index[q] - 1

Needs a complete network with names, two-way links and at least one initiator; the other processes wake up when they
receive a message.  Links may lose, duplicate and reorder messages; processes may crash and recover with term, voted_for
and log (here with all variables, as if they had only been slow).  Entries are sent with the next beat; a process that
does not lead refuses commands and names the leader.  So that a run ends, a process sends at most ``beats`` beats in all
(0: without bound) and is a candidate at most ``campaigns`` times; with its last beat the leader tells the others to
rest.  Snapshots and membership changes are left out.
Complexity: 2(n - 1) messages for an election and for each beat; at most 2n(n - 1)(campaigns + beats).

Reference: D. Ongaro and J. Ousterhout, In search of an understandable consensus algorithm, USENIX ATC 2014, figure 2.
"""

from lydian import (
    ANY,
    DOWN,
    INIT,
    Command,
    Message,
    Observer,
    Process,
    Timer,
    always,
    at_most,
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
    """'Vote for me in this term'; carries the index and the term of the sender's last entry."""

    term: int
    last_index: int
    last_term: int


class Vote(Message):
    """The answer to a request: whether the vote is granted."""

    term: int
    granted: bool


class AppendEntries(Message):
    """'I lead; these entries follow entry prev'; a heartbeat if there are no entries."""

    term: int
    prev_index: int
    prev_term: int
    entries: tuple[tuple[int, str], ...]
    commit: int
    rest: bool = False


class Answer(Message):
    """'My log agrees with yours up to match', or 'I have no such entry prev'."""

    term: int
    success: bool
    match: int = 0


class Write(Command):
    """A user's request to append x to the log."""

    x: str


class Election(Timer):
    """The end of the time for which a process waits for a leader."""


class Beat(Timer):
    """The time at which the leader sends its next heartbeat."""


class Raft(Process):
    needs = complete, two_way, named, some_initiator, at_most("(n - 1) // 2", DOWN)
    messages = "<= 2*n*(n - 1)*(campaigns + beats)"

    state = FOLLOWER
    term: int = 0
    voted_for: str | None = None
    log: list[tuple[int, str]] = []  # entries: the term of the leader that wrote it, and the command
    commit: int = 0  # number of entries that are committed, as far as I know
    leader: str | None = None  # the leader of my term, as far as I know
    votes: set[str] = set()  # candidate: processes that vote for me
    next_index: dict[str, int] = {}  # leader: process -> the entry that I send next
    match_index: dict[str, int] = {}  # leader: process -> the index up to which its log agrees with mine
    stood: int = 0  # how often I have been a candidate
    beaten: int = 0  # how many beats I have sent

    timeout = parameter(6.0, minimum=0.0, help="shortest election timeout; the longest is twice that")
    interval = parameter(2.0, minimum=0.0, help="time from one beat of the leader to the next")
    beats = parameter(
        25, minimum=0, help="how many beats a process sends as a leader, in all; 0: without bound",
        reached=lambda p: p.beaten >= p.beats > 0,
    )
    campaigns = parameter(
        25, minimum=0, help="how often a process becomes a candidate, in all",
        reached=lambda p: p.stood >= p.campaigns,
    )

    @on(FOLLOWER, INIT)
    def start(self):
        """It waits for a leader."""
        self.wait_for_leader()

    @on((FOLLOWER, CANDIDATE), Election)
    def stand(self):
        """It has heard from no leader, or no process was elected: it starts an election in a new term.

        notes: It has started as many elections as it may.
        while candidate: No process was elected in time: it starts another election, in term {term}.
        otherwise: It has heard from no leader for too long: it starts an election in term {term}.
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
        """It votes once in a term, and for no candidate whose log is less up to date than its own.

        changes voted_for and becomes follower: Process {peer} has the higher term: it steps down and votes for {peer}.
        changes voted_for: It has not voted in this term, and the log of {peer} is at least as up to date as its own: it
            votes for {peer}.
        sends Vote(granted=yes): It has already voted for {peer} in this term, and confirms its vote.
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
        """It counts a vote; with a majority it becomes the leader.

        becomes leader: A majority has voted for it: it leads term {term}.
        becomes follower: The answer has a higher term: it steps down.
        changes votes: Process {peer} votes for it: {votes:vote|votes}, its own included.
        says granted=no: Process {peer} refuses its vote.
        otherwise: This vote does not count: it is for an earlier term, or was counted before.
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
        """It appends the command to its log; its next beat sends it to the others.

        always:
        """
        self.log.append((self.term, m.x))

    @on((FOLLOWER, CANDIDATE), Write)
    def not_me(self, m):
        """It is not the leader, so it refuses: its user must ask the leader."""
        self.note(f"refuses '{m.x}': " + (f"{self.leader} leads" if self.leader else "it knows no leader"))

    @on(LEADER, Beat)
    def beat(self):
        """It sends each follower the entries that it lacks, or an empty heartbeat.

        sends: It sends each follower the entries that it lacks, or an empty heartbeat.
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
        """It follows the leader of its term, and copies its entries if the two logs agree before them.

        changes log: It follows {peer} and copies its entries.
        becomes follower: It follows {peer}, the leader of term {term}.
        always: It receives a message from a leader and reports whether its own log agrees with the leader's.
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
        """It learns how far a log agrees, and commits entries that a majority has, up to one of its own term.

        becomes follower: The answer has a higher term: it steps down.
        changes commit: A majority now has the entries: they are committed up to {commit}.
        changes match_index: It learns how far the log of {peer} agrees with its own.
        changes next_index: The log of {peer} lacks the previous entry: it will try one entry earlier.
        nothing: The answer contains nothing new.
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
        """It no longer waits for this answer; only the term matters.

        always:
        """
        self.catch_up(m.term)

    @on((CANDIDATE, LEADER), INIT)
    @on(LEADER, Election)
    @on((FOLLOWER, CANDIDATE), Beat)
    def stale(self):
        """It is already awake, or has been elected or has stepped down in the meantime."""

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


class Leaders(Observer):
    """Which processes have led, term by term, even if they lead no more."""

    of: dict[int, set[str]] = {}

    def observe(self, event):
        if event.kind == "send" and event.label == "AppendEntries":
            self.of.setdefault(event.fields["term"], set()).add(event.process)


@always("election safety: a term has at most one leader")
def election_safety(c):
    return all(len(leaders) == 1 for leaders in c.observer(Leaders).of.values())


@always("log matching: two logs with the same entry at the same index are identical up to it")
def log_matching(c):
    for a in (p.log for p in c.processes):
        for b in (p.log for p in c.processes):
            same = max((k + 1 for k in range(min(len(a), len(b))) if a[k][0] == b[k][0]), default=0)
            if a[:same] != b[:same]:
                return False
    return True


@always("leader completeness: a leader has all entries that were committed up to its term")
def leader_completeness(c):
    leaders = [p for p in c.processes if p.state == LEADER and not c.crashed(p)]
    return all(q.term > p.term or p.log[: q.commit] == q.log[: q.commit] for p in leaders for q in c.processes)


@always("state machine safety: all processes apply the same commands in the same order")
def state_machine_safety(c):
    longest = max(c.processes, key=lambda p: p.commit)
    return all(p.log[: p.commit] == longest.log[: p.commit] for p in c.processes)


@eventually("all live processes follow one leader and have applied all that it has committed")
def led(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    return len({(p.term, p.leader, p.commit) for p in alive}) == 1 and any(p.state == LEADER for p in alive)
