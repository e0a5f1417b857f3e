"""Properties of mutual exclusion that recognise wrong solutions."""

from lydian import always, at_end, natural


@always("at most one process is in the critical section")
def one_holder(c):
    return sum(p.state == "held" for p in c.processes) <= 1


@at_end("each process has entered as often as it wanted")
def served(c):
    return all(p.entered == p.entries for p in c.processes)


@always("a process in the critical section has the oldest request")
def oldest_first(c):
    holders = [p for p in c.processes if p.state == "held"]
    waiting = [p for p in c.processes if p.state == "wanted"]
    return all((p.request[0], natural(p.me)) < (q.request[0], natural(q.me)) for p in holders for q in waiting)
