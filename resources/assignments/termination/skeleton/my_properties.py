"""My properties of termination detection; they hold for a correct solution, and recognise wrong ones.

Useful are c.processes, p.working, p.initiator, c.in_transit (t.message, t.sender, t.receiver) and c.decided. A property
with @always must be true in every configuration of a run, one with @at_end in the last.
"""

from lydian import always, at_end  # noqa: F401


@always("at most one process decides")
def few_decisions(c):
    return len(c.decided) <= 1
