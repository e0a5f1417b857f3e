"""The looks of distance vector routing: the arrows of everybody's way to one destination, and how far it is.

The row of the tables that is shown is that of the parameter ``shown``, process 0 unless said otherwise.  After a cut
watch the arrows: where two of them point at each other, or three run in a circle, the numbers count up.  The bar is
full at infinity.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch, derived


@derived
def metric(p):
    """How far the destination is that is shown."""
    return p.dist.get(p.shown)


@derived
def towards(p):
    """The neighbour on the way to it."""
    return p.hop.get(p.shown)


animation = Animation(
    states={"asleep": 0, "routing": 2},
    messages={"Vector": 0, "LinkDown": 4, "LinkUp": 1},
    labels={"LinkDown": "link down", "LinkUp": "link up"},
    pointers=(Pointer("towards", style="arrow", word="way to the destination"),),
    values=(Value("metric", style="bar", low=0, word="distance"),),
    watch=Watch("distance {metric}"),
    badge="metric",
    phrases={
        ("asleep", "Vector"): "{peer} wakes it with the first table.",
        ("routing", "LinkDown"): "What came over the link counts no longer: the destination is at {metric}.",
        ("routing", "LinkUp"): "It tells the neighbour all it knows.",
    },
)
