"""How full link reversal is drawn: each link has a direction, and all should lead to the destination.

The red hexagon is the destination, green squares are the other processes, and yellow circles have no height yet.  The
arrowheads in the middle of links show their directions; the height is below each process, and the bar grows with every
reversal.
"""

from lydian.pieces.animation import Animation, Orientation, Value, Watch

animation = Animation(
    states={"new": 0, "destination": 1, "router": 2},
    messages={"LinkDown": 4, "LinkUp": 1},
    labels={"LinkDown": "Link down", "LinkUp": "Link up"},
    orientation=Orientation("height", by="height", word="leads to the lower end"),
    values=(Value("reversals", style="bar", word="reversals"),),
    watch=Watch("a = {a}", when="height"),
    badge="reversals",
    phrases={
        ("router", "LinkDown"): "The link to a neighbour is down; if this was the last outgoing link, it is a sink.",
        ("router", "LinkUp"): "The link is up again, and leads from the higher end to the lower.",
    },
)
