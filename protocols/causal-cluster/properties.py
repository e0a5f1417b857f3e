"""The properties of a run: what always holds, and what holds at the end."""

from lydian import always, at_end, eventually

from .messages import COORDINATOR, EXCLUDING, TEMPORARY


def owners(c):
    """Return the processes that own an entry; a process that is leaving no longer owns one."""
    return [p for p in c.processes if p.state in (COORDINATOR, EXCLUDING, TEMPORARY) and not c.crashed(p)]


@always("no process delivers an event that precedes one delivered before, or delivers an event twice")
def causal(c):
    return not any(p.wrong for p in c.processes)


@always("no entry of T ever decreases")
def never_back(c):
    return all(a >= b for p in c.processes for a, b in zip(p.T, p.past, strict=True))


@always("no entry has two live owners")
def one_owner(c):
    own = [p.entry for p in owners(c)]
    return len(set(own)) == len(own)


@always("no entry is administered twice")
def disjoint(c):
    some = [i for p in owners(c) for i in p.administered()]
    return len(set(some)) == len(some)


@eventually("every entry is administered, unless an exclusion is in progress or there is no coordinator")
def cover(c):
    here = owners(c)
    if not here or any(p.state != COORDINATOR for p in here):
        return True
    return len({i for p in here for i in p.administered()}) == here[0].entries


@eventually("some process can change objects")
def core_lives(c):
    return bool(owners(c))


@at_end("no event waits at the end")
def nothing_waits(c):
    return not any(p.H or p.R for p in c.processes if not c.crashed(p))
