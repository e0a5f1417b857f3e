"""How the bakery is drawn: the number that each process has taken.

Orange triangles want to enter, and a plum pentagon is in the critical section.  The list beside the network contains
the shared registers with their values.
"""

from lydian.pieces.animation import Animation, Objects, Value, Watch

animation = Animation(
    states={"idle": 0, "choosing": 2, "waiting": 4, "critical": 6},
    watch=Watch("next: {next_step}", while_states=("choosing", "waiting", "critical")),
    values=(Value("mine", word="number"),),
    objects=Objects(),
)
