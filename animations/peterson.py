"""How Peterson's mutual exclusion is drawn: two processes, their flags and the turn.

Orange triangles want to enter, and a plum pentagon is in the critical section.  The list beside the network contains
the shared registers with their values.
"""

from lydian.pieces.animation import Animation, Objects, Watch

animation = Animation(
    states={"idle": 0, "trying": 4, "critical": 6},
    watch=Watch("next: {next_step}"),
    objects=Objects(),
)
