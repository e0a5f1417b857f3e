"""What always holds, and what holds in the end."""

from lydian import always, at_end, eventually

from .messages import COORDINATOR, EXCLUDING, TEMPORARY


def owners(c):
    """Those who own an entry: who leaves has none any more."""
    return [p for p in c.processes if p.state in (COORDINATOR, EXCLUDING, TEMPORARY) and not c.crashed(p)]


@always("nobody delivers an event that precedes what it delivered before, and none twice")
def causal(c):
    return not any(p.wrong for p in c.processes)


@always("what was delivered stays known: no entry of T falls back")
def never_back(c):
    return all(a >= b for p in c.processes for a, b in zip(p.T, p.past, strict=True))


@always("no entry has two owners who live")
def one_owner(c):
    own = [p.entry for p in owners(c)]
    return len(set(own)) == len(own)


@always("no entry is administered twice")
def disjoint(c):
    some = [i for p in owners(c) for i in p.administered()]
    return len(set(some)) == len(some)


@eventually("every entry is administered, unless somebody is being excluded or nobody coordinates")
def cover(c):
    here = owners(c)
    if not here or any(p.state != COORDINATOR for p in here):
        return True
    return len({i for p in here for i in p.administered()}) == here[0].entries


@eventually("somebody can change objects")
def core_lives(c):
    return bool(owners(c))


@at_end("in the end nothing waits")
def nothing_waits(c):
    return not any(p.H or p.R for p in c.processes if not c.crashed(p))
