"""How Shavit-Francez is drawn: several trees grow and shrink, and tokens look for trees that are left.

Red lines join each process in a tree to the process that engaged it; the letter R marks the roots of trees that are not
empty.  Green squares work, blue diamonds have finished but wait for signals (the line below says for how many), and
yellow circles are in no tree.  A token carries the name of its root.  The crown is the announcement.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Pointer, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "active": 2, "passive": 3, "announced": 1},
    messages={"Work": 0, "Signal": 1, "Token": 4, "Done": 5},
    carries=Carries({"Token": "root"}, word="root"),
    pointers=(Pointer("parent", style="waited", backwards=True, word="engaged"),),
    watch=Watch("unsignalled: {deficit}", while_states=("active", "passive")),
    glyphs=(
        Glyph(CROWN, while_states=("announced",), word="termination is announced"),
        Glyph("R", variable="root", word="root of a tree"),
    ),
    phrases={
        ("idle", "Work"): "Process {peer} engages it and will be the last to get its signal.",
        ("passive", "Signal"): "Pieces of work without a signal so far: {deficit}.",
    },
)
