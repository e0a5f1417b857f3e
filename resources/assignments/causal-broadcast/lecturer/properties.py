"""The checks of this assignment judge deliveries, and the texts of the posts that are in transit.

A text begins with the name of its author; all texts of a run are different.
"""

from lydian import always, at_end


def author(text):
    """Return the name of the process whose user wrote a text."""
    return text.partition(":")[0]


def read_by(said):
    """Return the texts that each process has delivered, in order: name -> texts."""
    return {p.me: [str(text) for text in texts] for p, texts in said.items()}


@always("no process delivers a post twice")
def once(c):
    return all(len(set(texts)) == len(texts) for texts in read_by(c.delivered).values())


@always("a process delivers only posts that their authors have delivered")
def real(c):
    read = read_by(c.delivered)
    return all(text in read.get(author(text), []) for texts in read.values() for text in texts)


@always("a process delivers a post only after all posts that its author had delivered before it")
def causal(c):
    read = read_by(c.delivered)

    def earlier(text):
        by_author = read.get(author(text), [])
        return by_author[: by_author.index(text)] if text in by_author else []

    for texts in read.values():
        known = set()
        for text in texts:
            if not known.issuperset(earlier(text)):
                return False
            known.add(text)
    return True


@always("a post is held back only while an earlier one is missing")
def no_longer(c):
    read = read_by(c.delivered)
    travelling = {(t.receiver.me, str(getattr(t.message, "text", ""))) for t in c.in_transit}
    written = {text for texts in read.values() for text in texts if text in read.get(author(text), [])}
    for name, texts in read.items():
        for text in written.difference(texts):
            by_author = read[author(text)]
            if (name, text) not in travelling and set(texts).issuperset(by_author[: by_author.index(text)]):
                return False
    return True


@at_end("each process has delivered every post")
def everything(c):
    read = read_by(c.delivered)
    written = {text for texts in read.values() for text in texts}
    return bool(written) and all(written.issubset(texts) for texts in read.values())
