"""The animation of Maekawa.

Dots mark the permissions that a process has, at its own end of the links; arrows point to the processes that have
refused their permission, or have it back.  The line below a process shows the request that has its own permission.
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
    labels={"Want": "Ask to enter", "Leave": "Leave early"},
    letters={"Request": "?", "Grant": "!", "Failed": "-", "Inquire": "i", "Yield": "y", "Release": "x"},
    watch=Watch("granted to {given}"),
    badge="grants",
    marks=(
        Marks("grants", slot=6, word="has the permission of"),
        Marks("failed", slot=4, style="arrow", word="waits for", while_states=("wanted",)),
    ),
    values=(Value("time", style="bar", word="logical clock"),),
    phrases={
        ("wanted", "Grant"): "It now has {grants:permission|permissions} from its quorum.",
        ("wanted", "Failed"): "An older request is first at {peer}, so it returns permissions when asked.",
        ("held", "Inquire"): "It has already entered, so its Release will be the answer.",
    },
)
