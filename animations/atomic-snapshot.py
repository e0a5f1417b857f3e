"""How atomic snapshots are drawn: who scans and who updates, and the number of updates of each process.

The list beside the network contains the registers: value, number and view of each process.
"""

from lydian.pieces.animation import Animation, Objects, Value, Watch

animation = Animation(
    states={"idle": 0, "scanning": 2, "updating": 4},
    messages={"Update": 4, "Scan": 2},
    watch=Watch("next: {next_step}", while_states=("scanning", "updating")),
    values=(Value("number", word="updates"),),
    objects=Objects(),
)
