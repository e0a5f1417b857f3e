"""The animation of Ricart-Agrawala.

Yellow circles do not want the resource, orange triangles do, and a plum pentagon has it.  Arrows point from each
waiting process to those whose permission it lacks; a dot at the end of an arrow marks a deferred answer.  The line
below a process shows the stamp of its request: arrows with a dot point to smaller stamps, or to the holder.
"""

from lydian.pieces.animation import Animation, Carries, Marks, Value, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Reply": 1, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Reply": "Permission", "Want": "Ask to enter", "Leave": "Leave early"},
    letters={"Reply": "!"},
    carries=Carries("ts", word="Lamport time and process"),
    watch=Watch("asked at {ts}", while_states=("wanted", "held")),
    badge="pending",
    marks=(
        Marks("pending", slot=4, style="arrow", word="waits for", while_states=("wanted",)),
        Marks("deferred", slot=6, word="answer deferred"),
    ),
    values=(Value("time", style="bar", word="logical clock"),),
    phrases={
        ("released", "Request"): "It does not want the resource, so it answers at once.",
        ("held", "Request"): "It has the resource; {deferred:process waits|processes wait} for its answer.",
        ("wanted", "Reply"): "It waits for {pending:more permission|more permissions}.",
        ("held", "Use"): "It leaves the critical section and sends all deferred answers.",
    },
)
