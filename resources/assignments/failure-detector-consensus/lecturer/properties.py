"""The checks of this assignment judge the variable ``suspected``, decisions, and crashes."""

from lydian import always, eventually

PROPOSED = {"red", "green", "blue", "white", "black"}  # the values that users propose, in all checks


@always("no process suspects a process that has not crashed")
def accuracy(c):
    crashed = {p.me for p in c.processes if c.crashed(p)}
    return all(crashed.issuperset(p.suspected) for p in c.processes)


@eventually("each crashed process is suspected by all that have not crashed", within=38.0)
def completeness(c):
    crashed = {p.me for p in c.processes if c.crashed(p)}
    return all(crashed.issubset(p.suspected) for p in c.processes if p.me not in crashed)


@eventually("each crashed process is suspected by all that have not crashed, soon after its crash", within=30.0)
def promptness(c):
    """For runs that end period + 2 * bound + 0.5 = 6.5 after the last crash, at 24.1."""
    return completeness(c)


@always("no two processes decide differently")
def agreement(c):
    return len({str(value) for value in c.decided.values()}) <= 1


@always("only a proposed value is decided")
def validity(c):
    return all(value in PROPOSED for value in c.decided.values())


@eventually("each process that has not crashed has decided", within=38.0)
def termination(c):
    return all(p in c.decided for p in c.processes if not c.crashed(p))
