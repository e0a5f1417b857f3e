"""The looks of the Chandy-Lamport snapshot: a frontier of markers goes through the network.

Yellow circles are white: not yet in the snapshot.  Red hexagons have recorded their money and record the channels
whose marker is missing (the number at the corner); blue diamonds have everything.  The line below is the money that a
process has, which goes on changing.
"""

from lydian.pieces.animation import Animation, Watch

animation = Animation(
    states={"white": 0, "recording": 1, "recorded": 3},
    messages={"Payment": 0, "Marker": 1, "Begin": 5},
    labels={"Begin": "Snapshot begins"},
    watch=Watch("has {money}"),
    badge="pending",
    letters={"Payment": "$"},
    phrases={
        ("white", "Marker"): "It has {recorded} and records it; {pending:channel is|channels are} still open.",
        ("recording", "Marker"): "The channel from {peer} is closed; {pending:channel is|channels are} still open.",
        ("recording", "Payment"): "If the marker of {peer} is still missing, this money was in the channel.",
    },
)
