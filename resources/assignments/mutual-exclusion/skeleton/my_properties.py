"""My properties of mutual exclusion; they hold for a correct solution, and recognise wrong ones.

Useful are c.processes, c.n, p.me, p.state ("released", "wanted", "held"), p.request, p.entered, p.entries and
len(c.in_transit); natural may be imported from lydian. A property with @always must be true in every configuration of a
run, one with @at_end in the last.
"""

from lydian import always, at_end  # noqa: F401


@always("a process that is in the critical section has a request")
def holder_has_asked(c):
    return all(p.request is not None for p in c.processes if p.state == "held")
