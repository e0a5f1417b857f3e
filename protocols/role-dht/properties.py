"""Properties that hold while no operation is in progress, and at the end."""

from lydian import always, eventually

from .messages import (
    Abort,
    Claim,
    Done,
    Found,
    IsChild,
    IsParent,
    Join,
    Known,
    Leave,
    LeaveChild,
    LeftIs,
    Lookup,
    Ok,
    Promote,
    Reassign,
    Replace,
    RouteParent,
    Split,
)
from .places import nearness

OPERATIONS = (Lookup, IsParent, Found, Join, Split, Leave, Ok, Abort, LeftIs, Known, Done, Replace, Promote, Reassign,
              IsChild, LeaveChild, RouteParent, Claim)  # fmt: skip


def at_work(c):
    """Return whether an operation is in progress."""
    live = [p for p in c.processes if not c.crashed(p)]
    if any(p.plan or p.delayed or p.doing or p.asked or p.wish or p.busy or p.inbox or p.early for p in live):
        return True
    return any(isinstance(each.message, OPERATIONS) for each in c.in_transit)


def forwarders(c):
    """Return a map from each topic to its live forwarders."""
    found = {}
    for p in c.processes:
        if not c.crashed(p):
            for t in p.L:
                found.setdefault(t, []).append(p)
    return found


def attached(c):
    """Return whether each live member is a forwarder, or a child of the closest one only."""
    roles = forwarders(c)
    for p in c.processes:
        if c.crashed(p):
            continue
        for t in p.T | set(p.L) | set(p.parent):
            if (t in p.L) == (t in p.parent) or t not in p.T:
                return False
            if t in p.parent:
                x = p.location(t)
                best = min(roles.get(t, ()), key=lambda q: nearness(q.L[t], x), default=None)
                mine = [q.me for q in roles.get(t, ()) if p.me in q.C[t]]
                if best is None or p.parent[t] != best.me or mine != [best.me]:
                    return False
    return True


@always("with no operation in progress, each process forwards its topics or is a child of the closest forwarder only")
def in_order(c):
    return any(p.faulty for p in c.processes) or at_work(c) or attached(c)


@always("with no operation in progress, no process has more than k children")
def enough_room(c):
    return at_work(c) or all(len(some) <= p.k for p in c.processes for t, some in p.C.items() if t in p.L)


@always("no process forwards a topic it never wanted; with no operation in progress, each child has a forwarder")
def by_interest(c):
    roles = forwarders(c)
    if any(set(p.L) - p.once for p in c.processes):
        return False
    fine = any(p.faulty for p in c.processes) or at_work(c)
    return fine or all(t in roles for p in c.processes for t in p.parent)


@always("a lookup with a role visits only processes interested in it")
def no_parasites(c):
    return not any(p.strangers for p in c.processes)


@always("no process passes a publication to more than two forwarders")
def two_at_most(c):
    return all(p.most <= 2 for p in c.processes)


@eventually("every child is attached to the closest forwarder")
def in_place(c):
    return attached(c)


def above(p, t):
    """Return the topic and all topics above it."""
    up = {"chain": (t - 1,), "tree": (t // 2,), "diamond": {4: (2, 3), 3: (1,), 2: (1,)}.get(t, (t - 1,))}
    return {t}.union(*(above(p, s) for s in up.get(p.hierarchy, ()) if s > 0))


@eventually("with trees, publications reach all processes placed in the topic, or in one above it")
def news_reach_all(c):
    live = [p for p in c.processes if not c.crashed(p)]
    return all(
        id in q.got
        for p in live if "Tree" in p.variant
        for id, (t, time) in p.mine.items()
        for q in live
        if any(s in q.T and q.since.get(s, time) < time for s in above(p, t))
    )  # fmt: skip
