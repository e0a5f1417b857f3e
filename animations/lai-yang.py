"""The looks of the Lai-Yang snapshot: white becomes red.

Yellow circles are white, red hexagons have recorded their money, blue diamonds know of all their channels as well.
The line below is the money that a process has, which goes on changing; the number at the corner says how many channels
it knows.
"""

from lydian.pieces.animation import Animation, Watch

animation = Animation(
    states={"white": 0, "red": 1, "complete": 3},
    messages={"Payment": 0, "Turned": 1, "Begin": 5},
    labels={"Turned": "History", "Begin": "Snapshot begins"},
    watch=Watch("has {money}"),
    badge="channels",
    letters={"Payment": "$"},
    phrases={
        ("white", "Turned"): "{peer} is red: it records its {recorded} before anything else.",
        ("red", "Turned"): "What {peer} sent and it did not get was in the channel; it knows {channels:len} by now.",
        ("red", "Payment"): "It is red already: white money was in the channel, red money comes after the cut.",
    },
)
