"""The animation of Ricart-Agrawala by echoes.

The line below a process shows the stamp of its own request.  The bar beside a process shows the number of waves that
are open there: a process with an older request keeps younger waves open, and so do all processes on their way back.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Ack": 1, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Ack": "Permission", "Want": "Ask to enter", "Leave": "Leave early"},
    letters={"Request": "?", "Ack": "!"},
    watch=Watch("asked at {ts}", while_states=("wanted", "held")),
    badge="pending",
    values=(Value("pending", style="bar", word="open waves"),),
    phrases={
        ("held", "Request"): "It has the resource, so it holds the echo of this wave back.",
        ("wanted", "Ack"): "It needs one acknowledgement fewer; {pending:wave is|waves are} open here.",
        ("held", "Use"): "It leaves the critical section, and the waves that it has held back go on.",
    },
)
