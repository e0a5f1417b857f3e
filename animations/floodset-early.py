"""The looks of FloodSet with early stopping.

Below each process stand the values that it has seen; those that have seen the same lie in one area.  Who has missed
nobody new turns its tip down, says so with its values, and decides one round later: the blue diamonds.
"""

from lydian.pieces.animation import Animation, Group, Watch

animation = Animation(
    states={"idle": 0, "flooding": 2, "stopping": 5, "decided": 3},
    messages={"Values": 0, "RoundOver": 3},
    labels={"Values": "All values seen", "RoundOver": "End of a round"},
    groups=Group("w", word="have seen the same values"),
    watch=Watch("has seen {w}"),
    badge="w",
    phrases={
        ("idle", "INIT"): "It begins with {value} and sends it to everybody.",
        ("flooding", "Values"): "It has seen {w} by now, and heard from {heard:len} in this round.",
        ("flooding", "RoundOver"): "Round {rounds} is over: it heard from {before:process|processes}, itself included.",
    },
)
