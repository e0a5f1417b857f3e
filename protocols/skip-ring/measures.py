"""What is measured in a run."""

from lydian import measure

from .properties import equal, here, legitimate, supervisor


@measure("settled")
def settled(c):
    """Number of intervals until nothing changes any more, if the ring is correct."""
    return max(p.changed for p in c.processes) / c.processes[0].interval if legitimate(c) else None


@measure("repaired")
def repaired(c):
    """Number of intervals until no process receives a publication any more, if all have the same."""
    return max(p.got for p in c.processes) / c.processes[0].interval if equal(c) else None


@measure("requests")
def requests(c):
    """Number of requests to S for a process's own configuration in each interval."""
    p = c.processes[0]
    return sum(p.asked for p in c.processes) / min(p.intervals, max(c.time, p.interval) / p.interval)


@measure("load")
def load(c):
    """Number of messages that S sends for each SUBSCRIBE and UNSUBSCRIBE."""
    s = supervisor(c)
    return s.orders / s.operations if s.operations else None


@measure("leaving")
def leaving(c):
    """Number of these messages for each UNSUBSCRIBE; for a SUBSCRIBE it is one."""
    s = supervisor(c)
    return (s.orders - s.operations + s.withdrawn) / s.withdrawn if s.withdrawn else None


def ways(c):
    return {p.me: list(p.friends()) for p in here(c)}


@measure("ends")
def ends(c):
    """Number of names that the subscribers hold: the links of the ring, counted in both directions."""
    return sum(len(some) for some in ways(c).values())


@measure("degree")
def degree(c):
    """Largest number of links of a subscriber."""
    return max((len(some) for some in ways(c).values()), default=None)


@measure("depth")
def depth(c):
    """Length of the longest path of a flooded publication."""
    return max(p.depth for p in c.processes) or None


@measure("diameter")
def diameter(c):
    """Diameter of the ring, if the ring is correct."""
    near, longest = ways(c), 0
    for p in near if legitimate(c) else ():
        known, last, steps = {p}, [p], 0
        while last := [v for u in last for v in near[u] if v not in known and not known.add(v)]:
            steps += 1
        longest = max(longest, steps)
    return longest or None
