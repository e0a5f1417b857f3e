"""Tell two others: each process that hears a rumour tells two others, chosen at random, and then keeps silent.

Rumours spread like this among people, and news among computers when no process knows which others have it already.

Pseudo-code (known: whether I know the rumour; told: the processes that I have told)::

    ignorant, INIT or Rumour:   become telling; set timer Call
    telling, Call:              q := a random process that I have not told; send Rumour to q; add q to told
                                if told has k processes then become silent else set timer Call
    telling, Tell(q):           the same for the q that my user names, if I have not told it
    telling or silent, Rumour:  ignore it

Needs a complete network with names and reliable links.  A caller does not know which processes have heard the rumour,
so calls are wasted, and with k = 2 about one process in five of a large network never hears it: the share s that does
satisfies s = 1 - e^(-k s).
Complexity: k messages for each process that hears the rumour, at most k n; about log n time units.

Reference: A. Demers et al., Epidemic algorithms for replicated database maintenance, PODC 1987 (rumour mongering with
a counter, without feedback).
"""

from lydian import (
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    complete,
    named,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
)

IGNORANT, TELLING, SILENT = states(
    "ignorant", "telling", "silent",
    reads={"ignorant": "has heard nothing", "telling": "tells others", "silent": "knows the rumour and is silent"},
)


class Rumour(Message):
    """The rumour."""


class Call(Timer):
    """The time of its next call."""


class Tell(Command):
    """The user's wish to tell a certain process."""

    to: str


class TellTwo(Process):
    title = "Tell two others"
    needs = complete, named, reliable, some_initiator
    messages = "<= k*n"

    state = IGNORANT
    told: list[str] = []  # the processes that it has told

    k = parameter(2, minimum=1, help="how many others a process tells")

    @on(IGNORANT, (INIT, Rumour))
    def hear(self):
        """It hears the rumour, and will tell others.

        always: It hears the rumour for the first time, and will tell others.
        """
        self.state = TELLING
        self.set_timer(Call(), after=1)

    @on((TELLING, SILENT), (INIT, Rumour))
    def known(self):
        """It knows the rumour already."""

    @on(TELLING, Call)
    def call(self):
        """It tells a process that it has not told yet.

        becomes silent: It tells {told} altogether, and is silent from now on.
        otherwise: It tells one process, and will tell another.
        """
        self.tell(self.random.choice([q for q in self.neighbours if q not in self.told]))

    @on(TELLING, Tell)
    def choose(self, m):
        """Its user names the process that it tells.

        sends Rumour and becomes silent: It tells the process that its user names, and is silent from now on.
        sends Rumour: It tells the process that its user names.
        otherwise: It has told this process already, or there is no such process.
        """
        if m.to in self.neighbours and m.to not in self.told:
            self.cancel_timer(Call)
            self.tell(m.to)

    @on((IGNORANT, SILENT), Tell)
    def cannot(self):
        """It knows no rumour, or has told enough."""

    @on((IGNORANT, SILENT), Call)
    def over(self):
        """It has told enough, so this happens only after a fault."""

    def tell(self, q):
        self.send(Rumour(), to=q)
        self.told.append(q)
        if len(self.told) >= min(self.k, len(self.neighbours)):
            self.state = SILENT
        else:
            self.set_timer(Call(), after=1)


@always("no process tells more others than it should, or the same one twice")
def enough(c):
    return all(len(p.told) == len(set(p.told)) <= p.k for p in c.processes)


@always("a process tells others only if it knows the rumour")
def honest(c):
    return all(p.state != IGNORANT or not p.told for p in c.processes)


@at_end("every process that knows the rumour has told as many others as it should")
def silent(c):
    return all(p.state != TELLING for p in c.processes if not c.crashed(p))
