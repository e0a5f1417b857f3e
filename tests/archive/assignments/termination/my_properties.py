"""Announced in time, as a student may write it."""

from lydian import always, at_end


@always("not too early")
def not_too_early(c):
    if len(c.decided) == 0:
        return True
    for t in c.in_transit:
        if type(t.message).__name__ == "Work":
            return False
    return not any(p.working for p in c.processes)


@at_end("not never")
def not_never(c):
    return len(c.decided) == 1
