"""The properties of the ring, the trees and the mesh."""

from lydian import always, at_end, eventually

from .messages import OUTSIDE


def members(c):
    """Return the processes on the ring, in its order, by name."""
    live = [p for p in c.processes if p.chord.joined and not c.crashed(p)]
    return {p.me: p for p in sorted(live, key=lambda p: p.chord.id)}


def owner(ring, key):
    """Return the first process at or behind a place; ``ring`` is in the order of the circle."""
    low, high = 0, len(ring)
    while low < high:
        middle = (low + high) // 2
        if ring[middle].chord.id < key:
            low = middle + 1
        else:
            high = middle
    return ring[low % len(ring)]


@eventually("every succ and pred is the true neighbour on the circle")
def ring_is_right(c):
    ring = list(members(c).values())
    pairs = zip(ring, [*ring[1:], *ring[:1]], strict=True)
    if len(ring) == 1:
        return ring[0].chord.succ == ring[0].me
    return all(p.chord.succ == q.me and q.chord.pred == p.me for p, q in pairs)


@at_end("every finger points to the owner of its place")
def fingers_are_right(c):
    ring = list(members(c).values())
    for chord in [p.chord for p in ring]:
        for i in range(1, chord.bits + 1):
            right = owner(ring, (chord.id + 2 ** (i - 1)) % 2**chord.bits).me
            if right != chord.me and chord.finger.get(i, chord.succ) != right:
                return False
    return True


@always("there is one ring: following succ leads every process to the first one")
def one_ring(c):
    ring = members(c)
    first = c.processes[0].first
    if any(map(c.crashed, c.processes)) or first not in ring:
        return True
    good = {first}
    for name in ring:
        way = []
        while name not in good:
            if name in way or name not in ring:
                return False
            way.append(name)
            name = ring[name].chord.succ
        good.update(way)
    return True


@always("no route is longer than the identifiers have bits")
def routes_are_short(c):
    return all(p.chord.longest <= p.bits for p in c.processes)


@eventually("each tree has the owner of its topic as root, contains all readers, and has only readers as leaves")
def trees_are_right(c):
    ring = members(c)
    some, scribes, roots = list(ring.values()), {me: p.scribe for me, p in ring.items()}, {}
    for me, scribe in scribes.items():
        if not scribe.subscribed <= scribe.children.keys():
            return False
        for topic, children in scribe.children.items():
            up = scribe.parent[topic]
            if not children and topic not in scribe.subscribed:
                return False
            if topic not in roots:
                roots[topic] = owner(some, some[0].chord.at(topic)).me
            if (roots[topic] == me) is not (up is None):
                return False
            if up is not None and (up not in ring or me not in scribes[up].children.get(topic, ())):
                return False
            if any(q not in ring or scribes[q].parent.get(topic) != me for q in children):
                return False
    return True


@eventually("neighbours in the mesh are neighbours of each other")
def symmetric(c):
    live = {p.me: p.hyparview for p in c.processes if not c.crashed(p)}
    return all(q in live and me in live[q].active for me, p in live.items() for q in p.active)


@always("no process is its own neighbour, and none is both a neighbour and in reserve")
def disjoint(c):
    views = ((p.me, p.hyparview.active, p.hyparview.passive) for p in c.processes)
    return all(me not in a and me not in b and not set(a) & set(b) for me, a, b in views)


@eventually("the mesh is connected")
def in_one_piece(c):
    live = {p.me: p.hyparview for p in c.processes if not c.crashed(p) and p.state != OUTSIDE}
    if all(p.way == "structured" for p in c.processes) or not live:
        return True
    todo = [next(iter(live))]
    seen = set(todo)
    while todo:
        for q in live[todo.pop()].active:
            if q in live and q not in seen:
                seen.add(q)
                todo.append(q)
    return len(seen) == len(live)


@at_end("every reader of a topic receives every publication in it")
def nothing_missed(c):
    news = [each for p in c.processes for each in p.published]
    for p in c.processes:
        got = set(p.received)
        for topic, id, time, _ in news if not c.crashed(p) else ():
            if topic in p.since and p.since[topic] + p.settled <= time and id not in got:
                return False
    return True


@always("no process receives a publication twice")
def nothing_twice(c):
    return all(len(set(p.received)) == len(p.received) for p in c.processes)
