"""What is measured in a run."""

from lydian import measure

from .properties import forwarders


@measure("phi")
def fairness(c):
    """Phi: the sum over the processes of the deviation of forwarded / notified from its mean."""
    some = [p.forwarded / p.notified for p in c.processes if p.notified]
    mean = sum(some) / len(some) if some else None
    return sum(abs(phi - mean) for phi in some) if some else None


@measure("mean phi")
def mean_phi(c):
    some = [p.forwarded / p.notified for p in c.processes if p.notified]
    return sum(some) / len(some) if some else None


@measure("reached")
def reached(c):
    """Share of live interested processes that were notified, averaged over the publications."""
    live = [p for p in c.processes if not c.crashed(p)]
    shares = []
    for p in c.processes:
        for id, (t, _) in p.mine.items():
            who = [q for q in live if t in q.T]
            shares += [sum(id in q.got for q in who) / len(who)] if who else []
    return sum(shares) / len(shares) if shares else None


@measure("news per member")
def cost(c):
    """Number of Event messages for each notification."""
    told = sum(p.notified for p in c.processes)
    return sum(p.forwarded for p in c.processes) / told if told else None


@measure("repeats")
def repeats(c):
    """Number of repeated deliveries of publications, for each notification."""
    told = sum(p.notified for p in c.processes)
    return sum(p.repeats for p in c.processes) / told if told else None


@measure("depth")
def depth(c):
    return max((level for p in c.processes for level in p.got.values()), default=0)


@measure("roles")
def roles(c):
    """Average number of topics that a process forwards."""
    return sum(len(p.L) for p in c.processes if not c.crashed(p)) / max(1, sum(not c.crashed(p) for p in c.processes))


@measure("most roles")
def most_roles(c):
    return max(len(p.L) for p in c.processes)


@measure("roles by the bound")
def bound(c):
    """1 + |T|/(k + 1) on average."""
    return sum(1 + len(p.T) / (p.k + 1) for p in c.processes) / c.n


@measure("table")
def entries(c):
    """Average number of entries in the table of a role."""
    some = [len({x for slot, x in p.table[t].items() if x}) for p in c.processes for t in p.L]
    return sum(some) / len(some) if some else None


@measure("hops")
def steps(c):
    ended = sum(p.lookups for p in c.processes)
    return sum(p.hops for p in c.processes) / ended if ended else None


@measure("parasites")
def parasites(c):
    """Number of steps of lookups with a role that led to uninterested processes, for each lookup."""
    ended = sum(p.chosen for p in c.processes)
    return sum(p.strangers for p in c.processes) / ended if ended else None


@measure("bias")
def bias(c):
    """The number of forwarders times the sum of their squared shares of the random lookups.

    It is 1 if all are chosen alike; the contribution of chance is subtracted."""
    some = [p.chosen for p in c.processes if p.shown in p.L]
    total = sum(some)
    return len(some) * sum(x * (x - 1) for x in some) / (total * (total - 1)) if total > 1 else None


@measure("attached again")
def attached_again(c):
    """Time at which the last child changed its parent."""
    return max(p.moved for p in c.processes)


@measure("cut off")
def cut_off(c):
    """Number of live members that no live forwarder knows."""
    roles = forwarders(c)
    return sum(
        t not in p.L and not any(q.me == p.parent.get(t) and p.me in q.C[t] for q in roles.get(t, ()))
        for p in c.processes if not c.crashed(p) for t in p.T
    )  # fmt: skip


@measure("aborts")
def aborts(c):
    return sum(p.aborts for p in c.processes)
