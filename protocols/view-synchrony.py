"""View synchrony: a group replaces its view when a member crashes, and flushes the old view first.

Each process knows the members of its group as a numbered view.  What is broadcast in a view is delivered in that view
or not at all, and processes that install the same two consecutive views deliver the same messages in between.  So
members that survive agree not only on which members have crashed, but also on what those have said before.

A member may crash while it broadcasts, so that only some have its last message.  Before the next view is installed,
the survivors therefore exchange what they have delivered: the first of them collects it, and sends the union of all
with the new view.  From its answer until the new view a process broadcasts and delivers nothing.

Pseudo-code (view: its number and members; log: the messages delivered in it; first: the first member not crashed)::

    user: say x:                     blocked: keep x for the next view
                                     else send Data(view, x) to all other members; deliver x
    Data(v, x) from q:               v is my view and I am not blocked: deliver x
                                     v is a later view: keep x for it;  else ignore it
    a member has crashed, I am first:  send Flush to all members not crashed
    Flush from q:                    answer no member before q any more; block;
                                     send State(view, log, the log with which the last view ended) to q
    first has State of all survivors:  V := the latest of their views, M := the union of the logs in V
                                     send View(V, its members, the log that it follows) to those that are behind;
                                     send View(V + 1, the survivors, M) to the survivors
    View(v, members, M) from the last q that was answered:
                                     deliver the rest of M; install the view; unblock; deliver what was kept

If the collector crashes too, the next survivor collects again: some have installed the new view, and their answers
contain what the others need to follow.  With ``flush = none`` the first survivor sends the new view at once.

Needs a complete network with names and reliable FIFO links, a failure detector that makes no mistakes, and processes
that all start; all but one may crash.
Complexity: n - 1 messages for a broadcast; about 3(n - 1) for a new view.

Reference: K. Birman and T. Joseph, Exploiting virtual synchrony in distributed systems, SOSP 1987; C. Cachin,
R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd ed., section 6.8.
"""

from lydian import (
    CRASHES,
    INIT,
    Command,
    Message,
    Observer,
    Process,
    Timer,
    always,
    at_end,
    at_most,
    complete,
    detector,
    everybody_starts,
    fifo,
    measure,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
    two_way,
)

ASLEEP, MEMBER, BLOCKED = states(
    "asleep", "member", "blocked",
    reads={"member": "is a member of its view", "blocked": "waits for the next view"},
)  # fmt: skip


class Say(Command):
    """The user of a process broadcasts a text to the group."""

    x: str = "x"


class Data(Message):
    """What a member broadcasts in a view."""

    view: int
    x: str


class Flush(Message):
    """'Tell me what you have delivered in your view.'"""


class State(Message):
    """The answer: my view with its members, what I delivered in it, and what was delivered in the view before."""

    view: int
    members: tuple[str, ...]
    log: tuple[str, ...]
    before: tuple[str, ...]


class View(Message):
    """'Deliver these messages of the old view, then install the new one.'"""

    view: int
    members: tuple[str, ...]
    log: tuple[str, ...]


class Crashed(Timer):
    """The moment at which the crash of q is noticed."""

    q: str


class ViewSynchrony(Process):
    title = "View synchrony"
    needs = complete, two_way, named, everybody_starts, reliable, fifo, detector, at_most("n - 1", CRASHES)
    messages = "<= n*(n - 1)*says"

    state = ASLEEP
    view: int = 0  # the number of my view
    members: tuple[str, ...] = ()
    log: tuple[str, ...] = ()  # what I have delivered in this view
    before: tuple[str, ...] = ()  # what is delivered in the view before it
    crashed: set[str] = set()  # the processes whose crash I have noticed
    answered: str | None = None  # the process whose Flush I answered last
    answers: dict[str, tuple[int, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}  # as the collector
    collecting: bool = False
    early: list[tuple[int, str]] = []  # messages of later views
    unsaid: list[str] = []  # what my user wants to say in the next view
    said: int = 0  # how often my user has spoken

    notice = parameter(2.0, minimum=0.0, maximum=1000.0, help="the time until a crash is noticed")
    says = parameter(5, minimum=0, maximum=1000, help="how often the user of a process may speak")
    flush = parameter("union", choices=("union", "none"), help="none: the new view is installed without a flush")

    @on(ASLEEP, INIT)
    def start(self):
        """It installs the first view, of all processes, and watches the others.

        always:
        """
        for q in self.neighbours:
            self.watch(q, then=Crashed(q), after=self.notice)
        self.install(1, tuple(sorted((self.me, *self.neighbours), key=natural)))

    @on(MEMBER, Say)
    def say(self, m):
        """It broadcasts to the members of its view, and delivers its message itself.

        sends: It broadcasts to the members of its view, and delivers its message itself.
        otherwise: Its user has spoken often enough.
        """
        if self.may_speak():
            self.broadcast(m.x)

    @on((ASLEEP, BLOCKED), Say)
    def keep(self, m):
        """It broadcasts this in the next view."""
        if self.may_speak():
            self.unsaid.append(m.x)

    @on(MEMBER, Data)
    def hear(self, m, q):
        """It delivers a message of its view.

        delivers: It delivers a message of its view.
        otherwise: It does not deliver this now: it belongs to another view.
        """
        if m.view == self.view:
            self.accept(m.x)
        elif m.view > self.view:
            self.early.append((m.view, m.x))

    @on((ASLEEP, BLOCKED), Data)
    def hold(self, m, q):
        """It delivers nothing until the next view; the flush contains what it needs."""
        if m.view > self.view:
            self.early.append((m.view, m.x))

    @on((MEMBER, BLOCKED), Crashed)
    def notices(self, m):
        """It notices a crash; the first survivor begins a flush.

        sends Flush: It notices a crash and is the first survivor: it asks the others what they have delivered.
        sends View: It notices a crash and is the first survivor: it sends the next view.
        otherwise: It notices a crash.
        """
        self.crashed.add(m.q)
        self.consider()

    @on((MEMBER, BLOCKED), Flush)
    def answer(self, m, q):
        """It stops delivering, and sends what it has delivered.

        sends: It stops delivering, and sends what it has delivered in its view.
        otherwise: It has answered a later process already.
        """
        if self.answered is None or natural(q) >= natural(self.answered):
            self.answered = q
            self.state = BLOCKED
            self.send(State(self.view, self.members, self.log, self.before), to=q)

    @on((MEMBER, BLOCKED), State)
    def collect(self, m, q):
        """It collects what the survivors have delivered, and sends the next view when it has all.

        sends: It has the answers of all survivors: it sends the next view with all that they have delivered.
        otherwise: It collects what the survivors have delivered.
        """
        self.answers[q] = (m.view, m.members, m.log, m.before)
        self.conclude()

    @on((MEMBER, BLOCKED), View)
    def renew(self, m, q):
        """It delivers what it missed in the old view, and installs the new one.

        otherwise: It ignores a view from a process that it no longer follows.
        """
        if m.view == self.view + 1 and (q == self.answered or self.flush == "none"):
            for x in m.log:
                if x not in self.log:
                    self.accept(x)
            self.before = m.log
            self.install(m.view, m.members)
            self.consider()

    @on(ASLEEP, (Crashed, Flush, State, View))
    def nothing(self):
        """It has not started yet."""

    def consider(self):
        """Begin a flush if a member has crashed and this process is the first survivor."""
        survivors = [q for q in self.members if q not in self.crashed]
        if len(survivors) == len(self.members) or survivors[0] != self.me:
            return
        if self.flush == "none":
            for q in survivors:
                self.send(View(self.view + 1, tuple(survivors), ()), to=q)
        elif not self.collecting:
            self.collecting, self.answers = True, {}
            for q in survivors:
                self.send(Flush(), to=q)
        else:
            self.conclude()

    def conclude(self):
        """Send the next view if all survivors have answered."""
        survivors = [q for q in self.members if q not in self.crashed]
        if not self.collecting or any(q not in self.answers for q in survivors):
            return
        self.collecting = False
        view, members, _, before = max(self.answers[q] for q in survivors)
        union = []
        for q in survivors:
            union += [x for x in self.answers[q][2] if self.answers[q][0] == view and x not in union]
        for q in survivors:
            if self.answers[q][0] < view:
                self.send(View(view, members, before), to=q)
            self.send(View(view + 1, tuple(survivors), tuple(union)), to=q)

    def install(self, view, members):
        self.view, self.members, self.log = view, members, ()
        self.state = MEMBER
        self.decide((view, *members))
        ready = [x for v, x in self.early if v == view]
        self.early = [(v, x) for v, x in self.early if v > view]
        for x in ready:
            self.accept(x)
        unsaid, self.unsaid = self.unsaid, []
        for x in unsaid:
            self.broadcast(x)

    def may_speak(self):
        self.said += 1
        return self.said <= self.says

    def broadcast(self, x):
        x = f"{self.me}: {x}"
        self.send(Data(self.view, x), to=[q for q in self.members if q != self.me])
        self.accept(x)

    def accept(self, x):
        self.log = (*self.log, x)
        self.deliver(x)


class Views(Observer):
    """What each process delivers between two views, and in which view each message is delivered."""

    view: dict[str, str] = {}  # process -> its view
    said: dict[str, list[str]] = {}  # process -> what it has delivered in its view
    between: dict[str, list[str]] = {}  # two consecutive views -> what is delivered between them
    home: dict[str, str] = {}  # message -> the view in which it was first delivered
    different: bool = False
    astray: bool = False

    def observe(self, event):
        p = event.process
        if event.kind == "decide":
            old, self.view[p] = self.view.get(p, ""), str(event.value)
            said = sorted(self.said.get(p, []))
            if old and self.between.setdefault(f"{old} {self.view[p]}", said) != said:
                self.different = True
            self.said[p] = []
        elif event.kind == "deliver":
            self.said[p].append(event.value)
            if self.home.setdefault(event.value, self.view[p]) != self.view[p]:
                self.astray = True


@always("view synchrony: processes that install the same two consecutive views deliver the same messages in between")
def synchronous_views(c):
    return not c.observer(Views).different


@always("a message is delivered only in the view in which it was broadcast")
def in_its_view(c):
    return not c.observer(Views).astray


@always("two views with the same number are the same view")
def same_views(c):
    return len({p.view for p in c.processes}) == len({(p.view, p.members) for p in c.processes})


@at_end("all survivors are in one view, which contains no other process")
def agreed(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    return all(p.members == tuple(sorted((q.me for q in alive), key=natural)) for p in alive)


@measure("views installed")
def installed(c):
    return max((p.view for p in c.processes), default=0)
