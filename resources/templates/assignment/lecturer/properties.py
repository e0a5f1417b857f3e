"""The properties by which hand-ins are judged; they refer only to the states of the skeleton."""

from lydian import at_end


@at_end("every process is informed")
def everybody(c):
    return all(p.state == "informed" for p in c.processes)
