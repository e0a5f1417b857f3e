"""What is measured in a run."""

from lydian import eventually, measure

from .properties import layers, links


@eventually("each item reaches every process in its layer to which a path existed as the item passed")
def spread(c):
    return all(
        item in q.seen or item in p.old.get((t, q.me), ())
        for t in layers(c)
        for p, near in ((c.process(me), near) for me, near in links(c, t).items())
        for item in p.seen
        if item[0] == t
        for q in near
    )


@measure("joins")
def joins(c):
    """Number of times that a process entered a layer."""
    return sum(p.joins for p in c.processes)


@measure("reached")
def reached(c):
    """Average share of the processes in its layer from beginning to end that an item reached."""
    shares = []
    for t in layers(c):
        there = [p for p in c.processes if t in p.stayed]
        items = [item for p in c.processes for item in p.mine if item[0] == t]
        shares += [sum(item in p.seen for p in there) / len(there) for item in items if there]
    return sum(shares) / len(shares) if shares else None
