"""The properties of a run: what holds eventually for good, and what always holds."""

from lydian import always, eventually

from .labels import l, shortcuts_in


def here(c, wants=True):
    """Return the live subscribers that want to be on the ring (or do not)."""
    return [p for p in c.processes if p.me != p.everybody[0] and p.wants is wants and not c.crashed(p)]


def supervisor(c):
    return c.process(c.processes[0].everybody[0])


@eventually("eventually the database, the labels, the ring and the shortcuts remain those of SR(n)")
def legitimate(c):
    inside, names = here(c), supervisor(c).database
    if len(names) != len(inside) or set(names.values()) != {p.me for p in inside}:
        return False
    if any(p.label or p.left or p.right or p.ring or p.shortcuts for p in here(c, False)):
        return False
    if any(names.get(p.label) != p.me for p in inside) or any(l(x) not in names for x in range(len(inside))):
        return False
    row = sorted(names)
    far = shortcuts_in(row)
    for i, y in enumerate(row):
        p, first, last = c.process(names[y]), i == 0, i == len(row) - 1
        pred, succ = ((z, names[z]) for z in (row[i - 1], row[(i + 1) % len(row)]))
        across = None if first is last else pred if first else succ
        should = [None if first else pred, None if last else succ, across]
        if [c and tuple(c) for c in (p.left, p.right, p.ring)] != should:
            return False
        if p.shortcuts.keys() != far[y] or any(names[z] != v for z, v in p.shortcuts.items()):
            return False
    return True


@eventually("eventually all subscribers have the same publications for good")
def equal(c):
    inside = here(c)
    return all(p.T.keys() == inside[0].T.keys() for p in inside) or not inside[0].repair


@always("no subscriber loses a publication that it has received")
def kept(c):
    return all(len(p.T) >= p.had for p in c.processes)


@always("the supervisor sends at most one message for each request and two for each withdrawal")
def light(c):
    s = supervisor(c)
    return s.told <= s.served + s.withdrawn


@always("no flooded publication makes more hops than there are subscribers")
def short(c):
    return all(p.depth < c.n for p in c.processes)
