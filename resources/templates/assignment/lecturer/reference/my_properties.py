"""Properties of a broadcast: they must hold for a correct solution, and fail for a wrong one."""

from lydian import at_end


@at_end("no process is left out")
def all_informed(c):
    return all(p.state == "informed" for p in c.processes)
