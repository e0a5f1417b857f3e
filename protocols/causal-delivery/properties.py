"""The properties of a run: what always holds, and what holds at the end."""

from lydian import always, at_end, eventually


def made(c):
    return sum(p.seq for p in c.processes)


@always("no process delivers an event that precedes one delivered before, or delivers an event twice")
def causal(c):
    return not any(p.wrong for p in c.processes)


@always("no entry of T ever decreases")
def never_back(c):
    return all(a >= b for p in c.processes for a, b in zip(p.T, p.past, strict=True))


@at_end("no event waits at the end")
def nothing_waits(c):
    return not any(p.H or p.R for p in c.processes if not c.crashed(p))


@eventually("every process delivers every event")
def everything(c):
    total = made(c)
    return all(len(p.got) == total for p in c.processes if not c.crashed(p))
