"""Properties of a self-stabilising token ring, for any protocol that claims to be one."""

from lydian import always, eventually


@always("some process has a token")
def some_token(c):
    return any(p.enabled for p in c.processes)


@always("each counter has one of its k values")
def in_range(c):
    return all(0 <= p.x < p.k for p in c.processes)


@eventually("exactly one process has a token", within=100.0)
def one_token(c):
    return sum(bool(p.enabled) for p in c.processes) == 1


@eventually("every process has been served", within=100.0)
def served(c):
    return not any(p.wants for p in c.processes)
