"""What is measured in a run."""

from lydian import measure

from .properties import members, owner


@measure("hops")
def hops(c):
    """Average number of hops to an owner."""
    answers = sum(p.chord.answers for p in c.processes)
    return sum(p.chord.hops for p in c.processes) / answers if answers else None


@measure("longest")
def longest(c):
    return max(p.chord.longest for p in c.processes)


@measure("converged")
def converged(c):
    """Time from the first publication to the last delivery."""
    first = min((time for p in c.processes for _, _, time, _ in p.published), default=None)
    return max(p.last for p in c.processes) - first if first is not None else None


def keys(c):
    """Number of topics that each process owns."""
    ring = list(members(c).values())
    owned = dict.fromkeys(ring, 0)
    for i in range(ring[0].topics if ring else 0):
        owned[owner(ring, ring[0].chord.at(f"T{i}"))] += 1
    return list(owned.values())


@measure("keys_most")
def keys_most(c):
    return max(keys(c), default=None)


@measure("keys_least")
def keys_least(c):
    return min(keys(c), default=None)


@measure("keys_most_by_mean")
def keys_most_by_mean(c):
    owned = keys(c)
    return max(owned) * len(owned) / sum(owned) if sum(owned) else None


@measure("owners_of_nothing")
def owners_of_nothing(c):
    owned = keys(c)
    return owned.count(0) / len(owned) if owned else None


def reliability(c, text):
    """Average share of live readers that received a publication with this text."""
    live = [p for p in c.processes if not c.crashed(p)]
    expected = got = 0
    for topic, id, _, said in [each for p in c.processes for each in p.published]:
        if said == text:
            readers = [p for p in live if topic in p.since]
            expected += len(readers)
            got += sum(id in p.received for p in readers)
    return got / expected if expected else None


@measure("reliable")
def reliable_news(c):
    return reliability(c, "news")


@measure("reliable_at_once")
def reliable_at_once(c):
    return reliability(c, "at once")


@measure("reliable_later")
def reliable_later(c):
    return reliability(c, "later")
