"""The two requirements, as a student may write them."""

from lydian import always, at_end


@always("two processes are never inside")
def never_two(c):
    return len([p for p in c.processes if p.state == "held"]) < 2


@at_end("nobody is left waiting")
def nobody_waits(c):
    return [p.me for p in c.processes if p.entered != p.entries] == []
