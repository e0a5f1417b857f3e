"""How the Chandy-Lamport snapshot is drawn: a front of markers moves through the network.

Yellow circles are white: not yet recorded.  Red hexagons have recorded their money and still record channels (the
number at the corner says how many); blue diamonds have recorded everything.  The line below a process shows its money,
which keeps changing.
"""

from lydian.pieces.animation import Animation, Watch

animation = Animation(
    states={"white": 0, "recording": 1, "recorded": 3},
    messages={"Payment": 0, "Marker": 1, "Begin": 5},
    labels={"Begin": "Start of the snapshot"},
    watch=Watch("has {money}"),
    badge="pending",
    letters={"Payment": "$"},
    phrases={
        ("white", "Marker"): "It has {recorded} and records it; {pending:channel is|channels are} still open.",
        ("recording", "Marker"): "The channel from {peer} is closed; {pending:channel is|channels are} still open.",
        ("recording", "Payment"): "If the marker from {peer} has not arrived, this money was in the channel.",
    },
)
