"""How the filter lock is drawn: the level at which each process is.

Orange triangles want to enter, and a plum pentagon is in the critical section.  The list beside the network contains
the shared registers with their values.
"""

from lydian.pieces.animation import Animation, Objects, Value, Watch

animation = Animation(
    states={"idle": 0, "trying": 4, "critical": 6},
    watch=Watch("next: {next_step}", while_states=("trying", "critical")),
    values=(Value("k", style="bar", word="level"),),
    objects=Objects(),
)
