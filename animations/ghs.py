"""The looks of the minimum spanning tree of Gallager, Humblet and Spira: fragments that grow and merge.

Yellow circles sleep, green squares look for their fragment's cheapest way out, blue diamonds have found it.  Processes
of one fragment lie in one area; its branches are thick, from the end that knows it, its core is red.  Links that were
found to lie inside the fragment are struck out.  The numbers on links are their weights.
"""

from lydian.pieces.animation import Animation, Group, Marks, Pointer, Watch

animation = Animation(
    states={"sleeping": 0, "find": 2, "found": 3},
    messages={"Connect": 0, "Initiate": 1, "Test": 2, "Accept": 3, "Reject": 4, "Report": 5, "ChangeRoot": 0},
    words={"found": "has found it"},
    labels={"ChangeRoot": "Change-root"},
    letters={"Test": "?", "ChangeRoot": "R"},
    marks=(Marks("branch", slot=3, style="thick", word="branch"), Marks("rejected", style="struck", word="rejected")),
    pointers=(Pointer("core", style="waited", word="core"),),
    groups=Group("fragment", word="a fragment"),
    watch=Watch("level {level}"),
    phrases={
        ("find", "Accept"): "The link to {peer} leads out of the fragment.",
        ("find", "Initiate"): "It belongs to a fragment of level {level} now.",
        ("found", "Initiate"): "It belongs to a fragment of level {level} now.",
    },
)
