"""How the minimum spanning tree of Gallager, Humblet and Spira is drawn: fragments grow and merge.

Yellow circles sleep, green squares look for the cheapest outgoing link of their fragment, and blue diamonds have
completed their search.  The processes of one fragment share one area; its branches are thick at each end that knows
them, and its core is red.  Links that were found to be inside the fragment are struck out.  The numbers on links are
their weights.
"""

from lydian.pieces.animation import Animation, Group, Marks, Pointer, Watch

animation = Animation(
    states={"sleeping": 0, "find": 2, "found": 3},
    messages={"Connect": 0, "Initiate": 1, "Test": 2, "Accept": 3, "Reject": 4, "Report": 5, "ChangeRoot": 0},
    words={"found": "search completed"},
    labels={"ChangeRoot": "Change-root"},
    letters={"Test": "?", "ChangeRoot": "R"},
    marks=(Marks("branch", slot=3, style="thick", word="branch"), Marks("rejected", style="struck", word="rejected")),
    pointers=(Pointer("core", style="waited", word="core"),),
    groups=Group("fragment", word="a fragment"),
    watch=Watch("level {level}"),
    phrases={
        ("find", "Accept"): "The link to {peer} leads out of the fragment.",
        ("find", "Initiate"): "It now belongs to a fragment of level {level}.",
        ("found", "Initiate"): "It now belongs to a fragment of level {level}.",
    },
)
