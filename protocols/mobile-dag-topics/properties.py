"""The properties of the layers."""

from lydian import always, at_end

from .messages import News


def difference(x, y):
    """Return y - x modulo 3, as -1, 0 or 1."""
    return (y - x + 1) % 3 - 1


def links(c, t):
    """Return a map from each member of the layer of t to its neighbours there with a link up at both ends."""
    inside = {p.me: p for p in c.processes if t in p.topics_of}
    return {me: [inside[q] for q in p.N[t] if q in inside and me in inside[q].N[t]] for me, p in inside.items()}


def layers(c):
    return range(1, c.processes[0].topics + 1)


@always("no layer contains a directed cycle, and every part of a layer has a sink")
def acyclic(c):
    for t in layers(c):
        near, out = links(c, t), {}
        for me in near:
            p = c.process(me)
            out[me] = [q.me for q in near[me] if leads(p, q, t)]
        while out:
            last = [me for me in out if not any(q in out for q in out[me])]
            if not last:
                return False
            for me in last:
                del out[me]
    return True


def leads(p, q, t):
    """Return whether the link between p and q leads to q."""
    return p.leads((q.val[t], q.lid[t]), (p.val[t], p.lid[t]))


@always("no layer has two neighbours that are both privileged")
def alone(c):
    pairs = [(t, c.process(me), q) for t in layers(c) for me, near in links(c, t).items() for q in near]
    return not any(t in p.holding and t in q.holding for t, p, q in pairs)


@always("val rises as often as it falls around any cycle in any layer")
def no_winding(c):
    if c.processes[0].mode == "heights":
        return True
    for t in layers(c):
        near, lifted = links(c, t), {}
        for start in near:
            if start in lifted:
                continue
            lifted[start], todo = 0, [start]
            while todo:
                me = todo.pop()
                for q in near[me]:
                    height = lifted[me] + difference(c.process(me).val[t], q.val[t])
                    if q.me not in lifted:
                        lifted[q.me] = height
                        todo.append(q.me)
                    elif lifted[q.me] != height:
                        return False
    return True


@always("the numbers of turns of two neighbours whose links remain differ by at most one in each layer")
def fair(c):
    return all(
        abs(c.process(me).turns[t] - q.turns[t]) <= 1
        for t in layers(c)
        for me, near in links(c, t).items()
        for q in near
        if not c.process(me).changes[t] and not q.changes[t]
    )


@always("as long as the links of a process remain, each carries at most one News message in each layer")
def alternating(c):
    news = [each for each in c.in_transit if type(each.message) is News]
    still = [
        (each.message.topic, frozenset((each.sender.me, each.receiver.me)))
        for each in news
        if not any(p.changes.get(each.message.topic, 0) for p in (each.sender, each.receiver))
    ]
    return len(set(still)) == len(still)


@always("no process delivers an item twice, or one on a topic in which it was never interested")
def once(c):
    published = {item for p in c.processes for item in p.mine}
    return all(
        p.told == len(p.seen) and all(item in published and item[0] in p.ever for item in p.seen)
        for p in c.processes
    )  # fmt: skip


@always("no process leaves a layer before it has passed on all its items")
def passed_on(c):
    return not any(items and t not in p.topics_of for p in c.processes for t, items in p.input.items())


@at_end("no process starves: at the end of a run each process has had all its turns in all its layers")
def nobody_starves(c):
    for t in layers(c):
        changed = any(p.changes.get(t) for p in c.processes)  # a late joiner may wait for a process off duty
        people = [c.process(me) for me, near in links(c, t).items() if near]
        if not all(p.duty and (changed or p.turns[t] >= p.duty) for p in people):
            return False
    return True


@always("two neighbours in the layer of a topic have a link there, or one of them asks for it")
def linked(c):
    for p in c.processes:
        for t in p.topics_of:
            if p.unknown[t] or len(p.N[t]) == len(p.neighbours):
                continue
            for q in map(c.process, {*p.neighbours} - {*p.N[t]} - p.forming[t]):
                if t in q.topics_of and not q.unknown[t] and p.me not in q.N[t] and p.me not in q.forming[t]:
                    return False
    return True
