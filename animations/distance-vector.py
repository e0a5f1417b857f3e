"""How distance vector routing is drawn: the arrows show each process's path to one destination.

The parameter ``shown`` names the destination, by default process 0.  After a link has been cut, watch the arrows: where
two of them point at each other, or three form a cycle, the distances grow step by step.  The bar is full at infinity.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch, derived


@derived
def metric(p):
    """Return the distance to the destination shown."""
    return p.dist.get(p.shown)


@derived
def towards(p):
    """Return the next neighbour on the path to it."""
    return p.hop.get(p.shown)


animation = Animation(
    states={"asleep": 0, "routing": 2},
    messages={"Vector": 0, "LinkDown": 4, "LinkUp": 1},
    labels={"LinkDown": "Link down", "LinkUp": "Link up"},
    pointers=(Pointer("towards", style="arrow", word="path to the destination"),),
    values=(Value("metric", style="bar", low=0, word="distance"),),
    watch=Watch("distance {metric}"),
    badge="metric",
    phrases={
        ("asleep", "Vector"): "The first table, from {peer}, wakes it.",
        ("routing", "LinkDown"): "It discards the neighbour's table: its distance to the destination is {metric}.",
        ("routing", "LinkUp"): "It sends its table to the neighbour.",
    },
)
