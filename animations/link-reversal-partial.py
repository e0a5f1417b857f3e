"""The looks of partial link reversal: a direction for every link, and the destination to which all lead.

The red hexagon is the destination, green squares are the others, yellow circles have no height yet.  The heads in the
middle of links show where they lead; the height stands below, and the bar grows with every reversal.
"""

from lydian.pieces.animation import Animation, Orientation, Value, Watch

animation = Animation(
    states={"new": 0, "destination": 1, "router": 2},
    messages={"LinkDown": 4, "LinkUp": 1},
    labels={"LinkDown": "link down", "LinkUp": "link up"},
    orientation=Orientation("height", by="height", word="leads down"),
    values=(Value("reversals", style="bar", word="reversals"),),
    watch=Watch("{alpha}, {beta}", when="height"),
    badge="reversals",
    phrases={
        ("router", "LinkDown"): "The link to a neighbour is down; if it was the last way out, this is a sink now.",
        ("router", "LinkUp"): "The link is up again, and leads from the higher end to the lower.",
    },
)
