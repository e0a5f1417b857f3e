"""What is measured in a run."""

from lydian import eventually

from .messages import LEAVING, OUTSIDE
from .properties import parts


@eventually("each item reaches all processes in the layer at its publication, unless a link goes down")
def spread(c):
    if any(p.cuts or (p.state in (OUTSIDE, LEAVING) and p.since >= 0) for p in c.processes):
        return True
    together = {me: part for part in parts(c) for me in part}
    return all(
        item in q.seen
        for p in c.processes
        for item, time in p.mine.items()
        for q in c.processes
        if q.me in together.get(p.me, ()) and 0 <= q.since <= time
    )
