"""Properties of a self-stabilising token ring, for any protocol that claims to be one.

A property sees the whole configuration c. Useful here are c.n, the number of processes; c.processes, all of them in the
order of the ring, the leader first; p.enabled, the names of the rules of p that may be executed; p.x, p.wants and p.k.
A process has a token if one of its rules is enabled.
"""

from lydian import always


@always("no process has two enabled rules")
def one_rule(c):
    return all(len(p.enabled) <= 1 for p in c.processes)


# Write more properties. One that must hold from some moment on is declared with eventually, and with a time by which
# it must hold, because a token ring never stops:
#
# @eventually("...", within=100.0)
# def my_property(c):
#     return ...
