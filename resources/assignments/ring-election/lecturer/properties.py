"""The checks of this assignment judge the state ``leader`` and decisions, and nothing else."""

from lydian import always, at_end, natural


@always("at most one process is the leader")
def one_leader(c):
    return sum(p.state == "leader" for p in c.processes) <= 1


@at_end("some process is the leader")
def some_leader(c):
    return any(p.state == "leader" for p in c.processes)


@always("no two processes decide on different leaders")
def same_decision(c):
    return len(set(c.decided.values())) <= 1


@at_end("every process has decided on the name of the leader")
def all_decided(c):
    leaders = [p.me for p in c.processes if p.state == "leader"]
    return len(c.decided) == c.n and all(name in leaders for name in c.decided.values())


@always("no process other than the initiator with the highest name is the leader, or is decided on")
def highest_wins(c):
    highest = max((p.me for p in c.processes if p.initiator), key=natural)
    leaders = {p.me for p in c.processes if p.state == "leader"}
    return leaders | set(c.decided.values()) <= {highest}
