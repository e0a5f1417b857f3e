"""The looks of Maekawa.

Dots mark the permissions that a process has got, at its own end of the links; arrows lead to those that refused it, or
got theirs back.  The line below a process is the request to which its own permission is given.
"""

from lydian.pieces.animation import Animation, Marks, Value, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={
        "Request": 2,
        "Grant": 1,
        "Failed": 3,
        "Inquire": 5,
        "Yield": 4,
        "Release": 0,
        "Think": 3,
        "Use": 3,
        "Want": 4,
        "Leave": 5,
    },
    labels={"Want": "User wants", "Leave": "User leaves"},
    letters={"Request": "?", "Grant": "!", "Failed": "-", "Inquire": "i", "Yield": "y", "Release": "x"},
    watch=Watch("given to {given}"),
    badge="grants",
    marks=(
        Marks("grants", slot=6, word="has the permission of"),
        Marks("failed", slot=4, style="arrow", word="waits for", while_states=("wanted",)),
    ),
    values=(Value("time", style="bar", word="logical clock"),),
    phrases={
        ("wanted", "Grant"): "One permission more, of {peer}: {grants:len} of its quorum, itself included.",
        ("wanted", "Failed"): "Somebody is before it at {peer}, so it gives back what is wanted back.",
        ("held", "Inquire"): "Too late: it has entered, and its Release will be the answer.",
    },
)
