"""The looks of Ricart-Agrawala.

Yellow circles do not want the resource, those that want it are trying, and who has it stands out.  An arrow leads from
each process that waits to all whose permission it lacks; a dot at its end says that the answer is put off on purpose.
The line below a process is the stamp of its request: arrows with a dot lead to smaller stamps, or to the holder.
"""

from lydian.pieces.animation import Animation, Marks, Value, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Reply": 1, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Reply": "Permission", "Want": "User wants", "Leave": "User leaves"},
    letters={"Request": "?", "Reply": "!"},
    watch=Watch("asked at {ts}", while_states=("wanted", "held")),
    badge="pending",
    marks=(
        Marks("pending", slot=4, style="arrow", word="waits for", while_states=("wanted",)),
        Marks("deferred", slot=6, word="answer put off"),
    ),
    values=(Value("time", style="bar", word="logical clock"),),
    phrases={
        ("released", "Request"): "It does not want the resource, so it answers at once.",
        ("held", "Request"): "It has the resource: {deferred:process|processes} must wait for its answer.",
        ("wanted", "Reply"): "One permission more; {pending:len} still missing.",
        ("held", "Use"): "It leaves, and everybody whom it let wait gets the answer.",
    },
)
