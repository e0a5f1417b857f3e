"""The looks of Dijkstra-Scholten: the tree of the engaged grows and shrinks.

Red lines join the engaged processes to who engaged them.  Green squares work, blue diamonds have done but wait for
signals (how many is written below), yellow circles have nothing to do.  The crown is the root's announcement.
"""

from lydian.pieces.animation import Animation, Glyph, Pointer, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "active": 2, "passive": 3, "announced": 1},
    messages={"Work": 0, "Signal": 1, "Done": 5},
    pointers=(Pointer("parent", style="waited", backwards=True, word="engaged"),),
    watch=Watch("unsignalled: {deficit}", while_states=("active", "passive")),
    glyphs=(Glyph(CROWN, while_states=("announced",), word="the end is known"),),
    phrases={
        ("idle", "Work"): "{peer} engages it, and will get its signal last.",
        ("passive", "Signal"): "Pieces of work still without a signal: {deficit}.",
        ("active", "Work"): "It works already: more work is signalled at once.",
    },
)
