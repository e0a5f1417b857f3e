"""The animation of Carvalho-Roucairol.

Yellow circles do not want the resource, orange triangles do, and a plum pentagon has it.  On each link, a dot marks the
end at which its permission is: a process whose links all have their dots at its own end may enter without a message.
Arrows point from a waiting process to those whose permission it lacks.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Line, Marks, Value, Watch, derived


@derived
def permits(p):
    """Return the neighbours whose permission it has."""
    return sorted(set(p.neighbours) - set(p.pending))


animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Reply": 1, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Reply": "Permission", "Want": "Ask to enter", "Leave": "Leave early"},
    letters={"Reply": "!"},
    carries=Carries("ts", word="Lamport time and process"),
    watch=Watch("asked at {ts}", while_states=("wanted", "held")),
    badge="pending",
    marks=(
        Marks("permits", slot=2, word="has the permission"),
        Marks("pending", slot=4, style="arrow", word="waits for", while_states=("wanted",)),
    ),
    values=(Value("time", style="bar", word="logical clock"),),
    chart=Chart((Line("sent", of="sum", word="messages"), Line("entered", of="sum", word="entries")), title="Over time",
                share=0.18),
)  # fmt: skip
