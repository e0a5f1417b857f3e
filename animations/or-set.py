"""How the observed-remove set is drawn: the elements as cards beside each process, and the tags of all additions.

Green squares gossip, and blue diamonds have nothing new to send.  The grid has a column for each tag: whether a process
has not heard of the addition, shows it, or knows that it was removed.  A message shows the number of tags that it
contains."""

from lydian.pieces.animation import Animation, Carries, Cell, Grid, Queue, Wall, derived


@derived
def alive(p):
    """Return the tags of the elements that are in the set."""
    return sorted(tag for e, tag in p.adds if tag not in p.gone and e not in p.gone)


@derived
def dead(p):
    """Return the tags that have been removed."""
    return sorted(tag for e, tag in p.adds if tag in p.gone or e in p.gone)


animation = Animation(
    states={"quiet": 3, "gossiping": 2},
    messages={"Tags": 0, "Next": 1, "Gossip": 3, "Add": 1, "Remove": 4},
    carries=Carries("len(adds)", word="additions known"),
    queues=(Queue("shown", most=5, word="in the set"),),
    grid=Grid(
        (Cell("alive", slot=2, word="in the set"), Cell("dead", slot=4, word="removed")),
        title="Additions by their tags", word="tag",
    ),
    wall=Wall(),
)  # fmt: skip
