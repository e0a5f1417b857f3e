"""The checks of this assignment judge decisions, the states ``initial``, ``committed`` and ``aborted``, and the
parameter ``refuses``.
"""

from lydian import always, at_end


def refusing(c):
    """Return the processes that vote no."""
    return {name for p in c.processes for name in p.refuses.replace(",", " ").split()}


@always("no process commits while another aborts")
def agreement(c):
    return len({str(value) for value in c.decided.values()}) <= 1


@always("a process commits only if all processes can")
def validity(c):
    return "commit" not in c.decided.values() or not refusing(c)


@always("a process commits only after all others have voted")
def all_voted(c):
    return "commit" not in c.decided.values() or all(p.state != "initial" for p in c.processes)


@always("a process decides commit or abort, and its state says so")
def words(c):
    states = {"commit": "committed", "abort": "aborted"}
    said = {p.me: c.decided.get(p, None) for p in c.processes}
    return all(
        p.state == states.get(said[p.me]) if said[p.me] is not None else p.state not in ("committed", "aborted")
        for p in c.processes
    )


@at_end("all processes commit")
def all_commit(c):
    return [c.decided[p] for p in c.processes if p in c.decided] == ["commit"] * c.n


@at_end("all processes that have not crashed abort")
def all_abort(c):
    return all(p in c.decided and c.decided[p] == "abort" for p in c.processes if not c.crashed(p))


@at_end("each process that has not crashed has decided")
def decided(c):
    return all(p in c.decided for p in c.processes if not c.crashed(p))


@at_end("no process has decided")
def blocked(c):
    return not c.decided
