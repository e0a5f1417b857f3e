"""What always holds, and what holds in the end."""

from lydian import always, at_end, eventually


def made(c):
    return sum(p.seq for p in c.processes)


@always("nobody delivers an event that precedes what it delivered before, and none twice")
def causal(c):
    return not any(p.wrong for p in c.processes)


@always("what was delivered stays known: no entry of T falls back")
def never_back(c):
    return all(a >= b for p in c.processes for a, b in zip(p.T, p.past, strict=True))


@at_end("in the end nothing waits")
def nothing_waits(c):
    return not any(p.H or p.R for p in c.processes if not c.crashed(p))


@eventually("everybody delivers every event")
def everything(c):
    total = made(c)
    return all(len(p.got) == total for p in c.processes if not c.crashed(p))
