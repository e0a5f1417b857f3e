"""How the regular register is drawn: which processes read and write the safe register below it.

In the causality view, a bar on the line of a process lasts from the beginning of an access to its end; bars that
overlap are accesses that overlap.
"""

from lydian.pieces.animation import Animation, Objects, Watch

animation = Animation(
    states={"idle": 0, "reading": 2, "writing": 4},
    messages={"Write": 4, "Read": 2},
    watch=Watch("next: {next_step}", while_states=("reading", "writing")),
    objects=Objects(),
)
