"""The animation of Itai-Rodeh for the size.

The bar and the line below a process show its estimate of the number of processes; the number in brackets is the random
identifier with which it tests this estimate.  The letter and the tint of a token are the estimate of its sender.
"""

from lydian.pieces.animation import Animation, Carries, Value, Watch

animation = Animation(
    states={"sleeping": 0, "counting": 2},
    messages={"Token": 0},
    labels={"Token": "Token with an estimate"},
    carries=Carries("est", word="estimate of the sender"),
    values=(Value("est", style="bar", word="estimate"),),
    watch=Watch("{est} ({id})", while_states=("counting",)),
    badge="est",
    phrases={("sleeping", "INIT"): "It tries the estimate {est} with the identifier {id}."},
)
