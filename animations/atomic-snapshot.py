"""How atomic snapshots are drawn: which processes scan or update, and how often each has updated.

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
