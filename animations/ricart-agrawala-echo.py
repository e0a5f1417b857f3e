"""The looks of Ricart-Agrawala by echoes.

The line below a process is the stamp of its own request.  The number of waves that are open at a process stands as a
bar beside it: waves of younger requests stay open at who goes first, and at all on their way back from there.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Ack": 1, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Ack": "Permission", "Want": "User wants", "Leave": "User leaves"},
    letters={"Request": "?", "Ack": "!"},
    watch=Watch("asked at {ts}", while_states=("wanted", "held")),
    badge="pending",
    values=(Value("pending", style="bar", word="open waves"),),
    phrases={
        ("held", "Request"): "It has the resource, so the echo of this wave waits here.",
        ("wanted", "Ack"): "One acknowledgement less to wait for; {pending:wave is|waves are} open here.",
        ("held", "Use"): "It leaves, and the waves that it held back go on.",
    },
)
