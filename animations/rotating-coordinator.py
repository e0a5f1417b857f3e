"""How the rotating coordinator is drawn: processes with the same value share one area.

The arrow of a process leads to the coordinator for which it waits; a message has the colour and the letter of its
value.  Blue diamonds have decided.
"""

from lydian.pieces.animation import Animation, Carries, Group, Pointer, Watch

animation = Animation(
    states={"idle": 0, "waiting": 2, "decided": 3},
    messages={"Value": 0, "Suspect": 3},
    labels={"Value": "Coordinator's value", "Suspect": "Suspicion"},
    carries=Carries("x", word="value"),
    groups=Group("x", word="have the same value"),
    pointers=(Pointer("coordinator", style="arrow", while_states=("waiting",), word="waits for"),),
    watch=Watch("phase {phase}: {x}", when="phase"),
    badge="phase",
)
