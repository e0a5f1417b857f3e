"""How FloodSet is drawn.

The line below each process shows the values it has seen; processes that have seen the same values share one area.  The
areas merge round by round; a crash in the middle of a round keeps two of them apart, for one round.  Processes that
have decided are blue diamonds.
"""

from lydian.pieces.animation import Animation, Carries, Group, Watch

animation = Animation(
    states={"idle": 0, "flooding": 2, "decided": 3},
    messages={"Values": 0, "RoundOver": 3},
    labels={"Values": "Values", "RoundOver": "End of the round"},
    carries=Carries("w", word="values seen"),
    groups=Group("w", word="have seen the same values"),
    watch=Watch("has seen {w}"),
    badge="w",
    phrases={
        ("idle", "INIT"): "It begins with {value} and sends it to all others.",
        ("flooding", "Values"): "It has seen {w} so far.",
        ("flooding", "RoundOver"): "Round {rounds} is over, and it has seen {w}.",
    },
)
