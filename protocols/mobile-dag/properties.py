"""The properties of the layer."""

from lydian import always, at_end

from .messages import INSIDE, SINK, News


def difference(x, y):
    """Return y - x modulo 3, as -1, 0 or 1."""
    return (y - x + 1) % 3 - 1


def layer(c):
    """Return a map from each member to the members to which it has a link that is up at both ends."""
    inside = {p.me: p for p in c.processes if p.state in INSIDE and not c.crashed(p)}
    return {me: [inside[q] for q in p.among(p.N) if q in inside and me in inside[q].N] for me, p in inside.items()}


def parts(c):
    """Return the components of the layer, as sets of names."""
    links, found = layer(c), []
    for me in links:
        if not any(me in part for part in found):
            part, todo = {me}, [me]
            while todo:
                fresh = [q.me for q in links[todo.pop()] if q.me not in part]
                part.update(fresh)
                todo += fresh
            found.append(part)
    return found


@always("the links never form a directed cycle, and every part of the layer has a sink")
def acyclic(c):
    links = layer(c)
    inside = {p.me: p for p in c.processes}
    out = {}
    for me, near in links.items():
        p = inside[me]
        out[me] = [q.me for q in near if p.below(q.val, p.val) or (p.val == q.val and q.lid < p.lid)]
    while out:
        last = [me for me in out if not any(q in out for q in out[me])]
        if not last:
            return False
        for me in last:
            del out[me]
    return True


@always("two neighbours are never both privileged")
def alone(c):
    return not any(c.process(me).state == SINK and q.state == SINK for me, near in layer(c).items() for q in near)


@always("val rises as often as it falls around any cycle")
def no_winding(c):
    if not c.processes or c.processes[0].mode in ("heights", "ordinary"):
        return True
    links, lifted = layer(c), {}
    for start in links:
        if start in lifted:
            continue
        lifted[start], todo = 0, [start]
        while todo:
            me = todo.pop()
            for q in links[me]:
                height = lifted[me] + difference(c.process(me).val, q.val)
                if q.me not in lifted:
                    lifted[q.me] = height
                    todo.append(q.me)
                elif lifted[q.me] != height:
                    return False
    return True


@always("as long as their links remain, the numbers of turns of two neighbours differ by at most one")
def fair(c):
    still = {p.me for p in c.processes if not p.changes}
    return all(
        abs(c.process(me).turns - q.turns) <= 1
        for me, near in layer(c).items()
        for q in near
        if me in still and q.me in still
    )


@at_end("no process starves: at the end of a run each process has had all its turns")
def nobody_starves(c):
    changed = any(p.changes for p in c.processes)  # a late joiner may wait for a process off duty
    people = [c.process(me) for me, near in layer(c).items() if near]
    return all(p.duty and (changed or p.turns >= p.duty) for p in people)


@always("as long as the links of a process remain, each carries at most one News message")
def alternating(c):
    news = [t for t in c.in_transit if type(t.message) is News and not (t.sender.changes or t.receiver.changes)]
    return len({frozenset((t.sender.me, t.receiver.me)) for t in news}) == len(news)


@always("no process delivers an item twice")
def once(c):
    return all(p.told == len(p.seen) for p in c.processes)
