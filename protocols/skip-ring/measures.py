"""What is measured of a run."""

from lydian import measure

from .properties import equal, here, legitimate, supervisor


@measure("settled")
def settled(c):
    """After how many intervals nothing changed any more, if all is as it should be."""
    return max(p.changed for p in c.processes) / c.processes[0].interval if legitimate(c) else None


@measure("repaired")
def repaired(c):
    """After how many intervals nobody got a publication any more, if all have the same."""
    return max(p.got for p in c.processes) / c.processes[0].interval if equal(c) else None


@measure("requests")
def requests(c):
    """How often in an interval somebody asks S for its own configuration."""
    p = c.processes[0]
    return sum(p.asked for p in c.processes) / min(p.intervals, max(c.time, p.interval) / p.interval)


@measure("load")
def load(c):
    """How many messages S sends for each SUBSCRIBE and UNSUBSCRIBE."""
    s = supervisor(c)
    return s.orders / s.operations if s.operations else None


@measure("leaving")
def leaving(c):
    """How many of these it sends for each UNSUBSCRIBE; for a SUBSCRIBE it is one."""
    s = supervisor(c)
    return (s.orders - s.operations + s.withdrawn) / s.withdrawn if s.withdrawn else None


def ways(c):
    return {p.me: list(p.friends()) for p in here(c)}


@measure("ends")
def ends(c):
    """How many names the subscribers hold: the links of the ring, counted in both directions."""
    return sum(len(some) for some in ways(c).values())


@measure("degree")
def degree(c):
    """The most links of a subscriber."""
    return max((len(some) for some in ways(c).values()), default=None)


@measure("depth")
def depth(c):
    """The longest way on which a flooded publication came."""
    return max(p.depth for p in c.processes) or None


@measure("diameter")
def diameter(c):
    """The longest of all shortest ways on the ring, if all is as it should be."""
    near, longest = ways(c), 0
    for p in near if legitimate(c) else ():
        known, last, steps = {p}, [p], 0
        while last := [v for u in last for v in near[u] if v not in known and not known.add(v)]:
            steps += 1
        longest = max(longest, steps)
    return longest or None
