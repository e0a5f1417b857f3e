"""The checks of this assignment judge states, decisions, and what the text tells students not to change."""

from lydian import always, at_end


@always("no money is created or lost")
def money_is_kept(c):
    way = sum(t.message.amount for t in c.in_transit if type(t.message).__name__ == "Payment")
    return sum(p.money for p in c.processes) + way == 100 * c.n


@at_end("every process has completed its part")
def parts_are_complete(c):
    return all(p.state == "recorded" for p in c.processes) and len(c.decided) == c.n


@at_end("the parts add up to all the money")
def parts_add_up(c):
    return sum(c.decided.values()) == 100 * c.n


@at_end("some process has completed its part")
def some_part_is_complete(c):
    return any(p.state == "recorded" for p in c.processes)


@always("the snapshot is consistent: what was received before it was sent before it")
def cut_is_consistent(c):
    return all(
        q.got_then.get(p, 0) <= c.process(p).paid_then.get(q.me, 0)
        for q in c.processes
        for p in q.neighbours
        if q.recorded is not None and c.process(p).recorded is not None
    )


@always("the contents of each channel are exactly the payments that were in transit")
def channels_are_exact(c):
    return all(
        c.process(p).recorded is not None
        and sum(q.channels.get(p, [])) == c.process(p).paid_then.get(q.me, 0) - q.got_then.get(p, 0)
        for q in c.processes
        for p in q.neighbours
        if q.state == "recorded"
    )


@always("no process decides on a wrong part")
def parts_are_sums(c):
    return all(value == p.recorded + sum(map(sum, p.channels.values())) for p, value in c.decided.items())
