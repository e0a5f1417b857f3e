"""Properties written differently: pairs of posts, and what is missing at the end."""

from lydian import always, at_end


def writer(c, text):
    return next(p for p in c.processes if text.startswith(p.me + ":"))


@always("answers come after questions")
def answers(c):
    for p in c.processes:
        seen = c.delivered[p]
        for i, late in enumerate(seen):
            for early in seen[i + 1 :]:
                order = c.delivered[writer(c, late)]
                if early in order and late in order and order.index(early) < order.index(late):
                    return False
            order = c.delivered[writer(c, late)]
            if late not in order or any(each not in seen for each in order[: order.index(late)]):
                return False
    return True


@at_end("nothing is missing")
def nothing_missing(c):
    return len({len(texts) for texts in c.delivered.values()}) == 1
