"""How Dijkstra-Scholten is drawn: the tree of engaged processes grows and shrinks.

Red lines join each engaged process to the process that engaged it.  Green squares work, blue diamonds have finished but
wait for signals (the line below says for how many), and yellow circles are idle.  The crown is the root's announcement.
"""

from lydian.pieces.animation import Animation, Glyph, Pointer, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "active": 2, "passive": 3, "announced": 1},
    messages={"Work": 0, "Signal": 1, "Done": 5},
    pointers=(Pointer("parent", style="waited", backwards=True, word="engaged"),),
    watch=Watch("unsignalled: {deficit}", while_states=("active", "passive")),
    glyphs=(Glyph(CROWN, while_states=("announced",), word="termination is announced"),),
    phrases={
        ("idle", "Work"): "Process {peer} engages it and will be the last to get its signal.",
        ("passive", "Signal"): "Pieces of work without a signal so far: {deficit}.",
        ("active", "Work"): "It is already working, so it acknowledges the new work immediately with a signal.",
    },
)
