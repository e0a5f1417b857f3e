"""The properties of tables, and what is measured in a run."""

from lydian import always, eventually, measure

from .filters import covers, merged
from .messages import Sub, Unsub


def asked(c):
    """Return, for each broker, the entries (destination, filter) that clients need, and whether one has renewed it."""
    found = {p.me: {} for p in c.processes}
    for p in c.processes:
        for client, (low, high, settled) in p.wants.items():
            todo = [(p, client)] if settled is not None else []
            while todo:
                q, d = todo.pop()
                found[q.me][d, (low, high)] = settled or found[q.me].get((d, (low, high)), False)
                todo += [(c.across(q, h), q.me) for h in q.onward(d)]
    return found


def amiss(c):
    """Return the filters of wrong entries, of missing entries, and of entries that are missing because they are new."""
    wrong, missing, new = [], [], []
    for p, ask in zip(c.processes, asked(c).values(), strict=True):
        have = {(d, (low, high)) for low, high, d, _ in p.table.values()}
        for d, f in sorted(have - ask.keys()):
            if p.algorithm != "merging" or not any(covers(m, f) for m in merged(g for e, g in ask if e == d)):
                wrong.append(f)
        for (d, f), settled in ask.items():
            exact = p.algorithm not in ("covering", "merging")
            if not any(d == e and (f == g or (covers(g, f) and not exact)) for e, g in have):
                (missing if settled else new).append(f)
    return wrong, missing, new


def mending(c):
    """Return whether a broker was spoilt so late that the tables need not be correct yet."""
    p, last = c.processes[0], max(p.spoilt for p in c.processes)
    links = c.network.diameter if last >= 0 else 0
    way = links * float(c.network.delay.quantile(1 - 1e-9)) + 1e-6
    leases = {"flooding": max(2 * p.lease, way), "covering": 3 * p.lease + way}
    return last >= 0 and c.time <= last + leases.get(p.algorithm, 2 * p.lease + way)


@always("routing tables match the filters of the clients, except for changes still in transit")
def legitimate(c):
    return right(c) or mending(c)


def right(c):
    wrong, missing, new = amiss(c)

    def under_way(f, kind):
        on_way = (t.message for t in c.in_transit if isinstance(t.message, kind))
        return any(m.low <= f[1] + 1 and f[0] <= m.high + 1 for m in on_way)

    return not missing and all(under_way(f, Unsub) for f in wrong) and all(under_way(f, Sub) for f in new)


@eventually("eventually routing tables match the filters of the clients for good")
def stabilised(c):
    return right(c)


@measure("saved")
def saved(c):
    """Return the mean number of messages that a notification saved compared with flooding."""
    news = sum(p.news for p in c.processes)
    return c.network.m - sum(p.carried for p in c.processes) / news if news else None


@measure("control")
def control(c):
    """Return the number of subscriptions and withdrawals over links per time unit, after the warm-up."""
    p = c.processes[0]
    span = min(c.time, p.periods * p.lease) - p.warm_up * p.lease
    return sum(p.told for p in c.processes) / span if span > 0 else None
