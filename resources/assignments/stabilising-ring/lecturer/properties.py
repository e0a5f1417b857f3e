"""The checks of this assignment judge enabled rules, and the variables ``x`` and ``wants``."""

from lydian import always, eventually


def holders(c):
    """Return the names of the processes that have a token: those with an enabled rule."""
    return {p.me for p, _ in c.enabled}


@always("some process has a token")
def some_token(c):
    return len(holders(c)) >= 1


@always("at most one process has a token")
def at_most_one(c):
    return len(holders(c)) <= 1


@eventually("exactly one process has a token")
def one_token(c):
    return len(holders(c)) == 1


@eventually("every process has been in the critical section")
def served(c):
    return not any(p.wants for p in c.processes)


@always("each counter has one of its k values")
def in_range(c):
    return all(p.x in range(p.k) for p in c.processes)
