"""Properties of causal broadcast, for any protocol that claims to be one."""

from lydian import always, at_end


def author(text):
    """Return the name of the process whose user wrote this text."""
    return text.split(":")[0]


@always("no process delivers a post twice")
def once(c):
    return all(len(set(c.delivered[p])) == len(c.delivered[p]) for p in c.processes)


@always("the author is the first to deliver a post")
def author_first(c):
    return all(text in c.delivered[author(text)] for p in c.processes for text in c.delivered[p])


@always("whatever the author had read is delivered before the post")
def causal(c):
    for p in c.processes:
        for i, text in enumerate(c.delivered[p]):
            written = c.delivered[author(text)]
            if text in written and not set(written[: written.index(text)]) <= set(c.delivered[p][:i]):
                return False
    return True


@at_end("all processes have delivered the same posts")
def all_the_same(c):
    return len({frozenset(c.delivered[p]) for p in c.processes}) == 1
