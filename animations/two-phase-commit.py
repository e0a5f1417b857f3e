"""How two-phase commit is drawn: which processes depend on the coordinator, and which have decided.

The red hexagon collects the votes.  A process that has voted yes is uncertain: a red band leads to the coordinator, on
which it depends, and remains until the decision arrives.  A tick is a commit, a cross an abort.
"""

from lydian.pieces.animation import Animation, Glyph, Pointer, Watch

TICK = "M -0.8 0.05 L -0.25 0.6 L 0.8 -0.6"
CROSS = "M -0.6 -0.6 L 0.6 0.6 M 0.6 -0.6 L -0.6 0.6"

animation = Animation(
    states={"initial": 0, "collecting": 1, "uncertain": 4, "committed": 3, "aborted": 7},
    messages={"VoteReq": 0, "Yes": 1, "No": 3, "Commit": 2, "Abort": 4, "DecisionReq": 5, "Timeout": 3},
    words={"uncertain": "uncertain after voting yes"},
    labels={"VoteReq": "Vote request", "DecisionReq": "Decision request"},
    letters={"VoteReq": "?", "No": "n", "Commit": "C"},
    pointers=(Pointer("coordinator", style="waiting", while_states=("uncertain",), word="depends on"),),
    watch=Watch("votes yes: {yes}", while_states=("collecting",)),
    badge="yes",
    glyphs=(
        Glyph(TICK, while_states=("committed",)),
        Glyph(CROSS, while_states=("aborted",)),
    ),
    phrases={
        ("collecting", "Yes"): "It counts a yes: {yes:process has|processes have} voted yes so far.",
        ("collecting", "No"): "Process {peer} votes no: it aborts, without waiting for the others.",
        ("uncertain", "DecisionReq"): "It is just as uncertain as process {peer}, and cannot help it.",
    },
)
