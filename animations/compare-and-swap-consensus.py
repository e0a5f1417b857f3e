"""How consensus by compare-and-swap is drawn: which process has decided what.

Green processes have decided; the ring has the tint of the decision.  The list beside the network contains the shared
objects with their values.
"""

from lydian.pieces.animation import Animation, Objects, Value, Watch

animation = Animation(
    states={"undecided": 0, "decided": 3},
    watch=Watch("next: {next_step}", while_states=("undecided",)),
    values=(Value("value", style="tint", word="decision"),),
    objects=Objects(),
)
