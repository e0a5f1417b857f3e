"""How FloodSet with early stopping is drawn.

The line below each process shows the values it has seen; processes that have seen the same values share one area.  A
process that detects no new crash becomes a triangle that points down, announces this with its values, and decides one
round later: the blue diamonds.
"""

from lydian.pieces.animation import Animation, Carries, Group, Watch

animation = Animation(
    states={"idle": 0, "flooding": 2, "stopping": 5, "decided": 3},
    messages={"Values": 0, "RoundOver": 3},
    labels={"Values": "Values", "RoundOver": "End of the round"},
    carries=Carries("w", word="values seen"),
    groups=Group("w", word="have seen the same values"),
    watch=Watch("has seen {w}"),
    badge="w",
    phrases={
        ("idle", "INIT"): "It begins with {value} and sends it to all others.",
        ("flooding", "Values"): "It has now seen {w}, and has heard from {heard:process|processes} in this round.",
        ("flooding", "RoundOver"): "Round {rounds} is over: it heard from {before:process|processes}, itself included.",
    },
)
