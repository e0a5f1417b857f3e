"""How the Lai-Yang snapshot is drawn: white processes become red.

Yellow circles are white; red hexagons have recorded their money; blue diamonds also know the states of all their
channels.  The line below a process shows its money, which keeps changing; the number at the corner says how many
channels it knows.
"""

from lydian.pieces.animation import Animation, Watch

animation = Animation(
    states={"white": 0, "red": 1, "complete": 3},
    messages={"Payment": 0, "Turned": 1, "Begin": 5},
    labels={"Turned": "History", "Begin": "Start of the snapshot"},
    watch=Watch("has {money}"),
    badge="channels",
    letters={"Payment": "$"},
    phrases={
        ("white", "Turned"): "Process {peer} is red: it first records its own money, {recorded}.",
        ("red", "Turned"): "All that {peer} sent and this process had not received was in the channel; it now knows "
        "{channels:channel|channels}.",
        ("red", "Payment"): "It is already red: white money was in the channel, and red money was sent after the cut.",
    },
)
