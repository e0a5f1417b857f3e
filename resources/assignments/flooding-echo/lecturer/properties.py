"""The checks of this assignment judge deliveries, decisions and the variable ``parent``, and nothing else."""

from lydian import always, at_end


@always("no process delivers the news twice")
def delivered_once(c):
    return all(len(values) <= 1 for values in c.delivered.values())


@at_end("every process has delivered the news")
def delivered_everywhere(c):
    return all(c.delivered.values()) and len({values[0] for values in c.delivered.values()}) == 1


@always("the initiator has no parent")
def initiator_without_parent(c):
    return all(p.parent is None for p in c.processes if p.initiator)


@always("a process has a parent exactly if it has delivered the news and is not the initiator")
def adopted_with_the_news(c):
    return all((p.parent is not None) == (bool(c.delivered[p]) and not p.initiator) for p in c.processes)


@at_end("the parents form a spanning tree whose root is the initiator")
def spanning_tree(c):
    for p in c.processes:
        way = set()
        while not p.initiator:
            if p.me in way or p.parent not in p.neighbours:
                return False
            way.add(p.me)
            p = c.process(p.parent)
    return True


@always("only the initiator decides")
def initiator_decides(c):
    return all(p.initiator for p in c.decided)


@always("the initiator decides only when every process has delivered the news")
def decides_last(c):
    return not c.decided or all(c.delivered.values())


@at_end("the initiator has decided")
def has_decided(c):
    return any(p.initiator for p in c.decided)
