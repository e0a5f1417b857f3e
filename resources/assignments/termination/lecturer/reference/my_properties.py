"""Properties of termination detection that recognise wrong solutions."""

from lydian import always, at_end


@always("termination is announced only when everything is done")
def announced_last(c):
    busy = any(p.working for p in c.processes) or any(type(t.message).__name__ == "Work" for t in c.in_transit)
    return not (c.decided and busy)


@at_end("the initiator has announced termination")
def announced(c):
    return any(p.initiator for p in c.decided)
