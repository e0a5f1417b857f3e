"""Two properties that say everything."""

from lydian import always, eventually


@always("somebody can act, with a possible counter")
def alive(c):
    return bool(c.enabled) and all(p.x in range(p.k) for p in c.processes)


@eventually("one token, after everybody has had it", within=105.0)
def recovered(c):
    return len(c.enabled) == 1 and {p.wants for p in c.processes} == {False}
