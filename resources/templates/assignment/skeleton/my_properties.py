"""Properties of a broadcast: they must hold for a correct solution, and fail for a wrong one."""

from lydian import at_end


@at_end("some process is informed")
def somebody(c):
    return any(p.state == "informed" for p in c.processes)
