"""The checks of this assignment judge the computation, which students do not change, and decisions."""

from lydian import always, at_end, measure


@always("termination is announced only when no process is working and no work is in transit")
def announcement_is_true(c):
    return not c.decided or not (
        any(p.working for p in c.processes) or any(type(t.message).__name__ == "Work" for t in c.in_transit)
    )


@always("only the initiator decides, and its decision is terminated")
def initiator_announces(c):
    return all(p.initiator and value == "terminated" for p, value in c.decided.items())


@at_end("the initiator has announced termination")
def termination_is_announced(c):
    return any(p.initiator for p in c.decided)


@at_end("termination has not been announced")
def termination_is_not_announced(c):
    return not c.decided


@at_end("all work is done")
def work_is_done(c):
    return not any(p.working or p.following for p in c.processes)


@measure("pieces of work")
def pieces_of_work(c):
    return sum(p.pieces for p in c.processes)
