"""How Bracha-Toueg consensus is drawn: processes with the same value share one area.

A vote has the colour and the letter of its value; the bar of a process shows the weight of its vote.
More than half makes it a witness, and witnesses end the search for a value.
"""

from lydian.pieces.animation import Animation, Carries, Group, Value, Watch

animation = Animation(
    states={"idle": 0, "voting": 2, "decided": 3},
    messages={"Vote": 0},
    carries=Carries("x", word="value"),
    groups=Group("x", word="have the same value"),
    values=(Value("weight", style="bar", low=0, word="weight of its vote"),),
    watch=Watch("round {r}: {x}"),
    badge="r",
)
