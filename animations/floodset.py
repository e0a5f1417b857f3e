"""The looks of FloodSet.

Below each process stand the values that it has seen; those that have seen the same lie in one area.  With every round
the areas grow together; a crash in the middle of a round keeps two apart, for one round.  Who has decided is a blue
diamond.
"""

from lydian.pieces.animation import Animation, Group, Watch

animation = Animation(
    states={"idle": 0, "flooding": 2, "decided": 3},
    messages={"Values": 0, "RoundOver": 3},
    labels={"Values": "All values seen", "RoundOver": "End of a round"},
    groups=Group("w", word="have seen the same values"),
    watch=Watch("has seen {w}"),
    badge="w",
    phrases={
        ("idle", "INIT"): "It begins with {value} and sends it to everybody.",
        ("flooding", "Values"): "It has seen {w} by now.",
        ("flooding", "RoundOver"): "Round {rounds} is over, and it has seen {w}.",
    },
)
