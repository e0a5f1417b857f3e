"""The checks of this assignment judge the deliveries, and how the run ends."""

from lydian import always, at_end, eventually

RUMOUR = "the library stays open all night"  # in all checks


@always("no process delivers twice, or anything but the rumour")
def once(c):
    return all(texts in ((), (RUMOUR,)) for texts in c.delivered.values())


@eventually("each process that has not crashed has delivered the rumour")
def informed(c):
    return all(c.delivered[p] for p in c.processes if not c.crashed(p))


@at_end("the run comes to an end by itself, after the rumour has been delivered")
def over(c):
    return any(c.delivered.values())
