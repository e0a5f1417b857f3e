"""The animation of Agrawal and El Abbadi.

The network has the shape of the tree.  Dots mark the permissions that a process has, at its own end of the links; the
line below a process shows its quorum while it wants the resource or uses it.  A plum process is in the critical
section.
"""

from lydian.pieces.animation import Animation, Column, Marks, Table, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6, "stuck": 7},
    messages={"Request": 2, "Grant": 1, "Release": 0, "Think": 3, "Use": 3, "Gone": 4, "Want": 4, "Leave": 5},
    labels={"Grant": "Permission", "Gone": "Crash noticed", "Want": "Ask to enter", "Leave": "Leave early"},
    letters={"Request": "?", "Grant": "!", "Release": "x"},
    watch=Watch("quorum {quorum}", while_states=("wanted", "held")),
    marks=(Marks("grants", slot=6, word="has the permission of"),),
    table=Table(
        (Column("given", word="granted to"), Column("queue", word="waiting"), Column("down", word="knows of crashes")),
        title="Permissions",
    ),
)  # fmt: skip
