"""The checks of this assignment judge the states, and the variables ``request`` and ``entered``."""

from lydian import always, at_end, measure, natural


@always("at most one process is in the critical section")
def at_most_one_holder(c):
    return sum(p.state == "held" for p in c.processes) <= 1


@at_end("each process has entered as often as it wanted")
def everyone_served(c):
    return all(p.entered == p.entries and p.state == "released" for p in c.processes if not c.crashed(p))


@at_end("some process has entered")
def someone_served(c):
    return any(p.entered > 0 for p in c.processes)


@always("while a process is in the critical section, no process waits with an older request")
def oldest_request_first(c):
    def rank(stamp):
        return stamp[0], natural(stamp[1])

    holders = [p.request for p in c.processes if p.state == "held"]
    waiting = [p.request for p in c.processes if p.state == "wanted" and p.request is not None]
    return all(held is not None and rank(held) < rank(stamp) for held in holders for stamp in waiting)


@measure("entries made")
def entries_made(c):
    return sum(p.entered for p in c.processes)
