"""The animation of election by Echo, collecting the maximum.

As in Echo, yellow circles are asleep, and red links connect a process to each child that it waits for.  The line below
a process shows the highest identifier that it has received so far.  The leader wears a crown; a process that learns
its name turns blue.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Pointer, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "initiating": 4, "waiting": 2, "acked": 5, "leader": 1, "informed": 3},
    messages={"Broadcast": 0, "Ack": 1, "Leader": 2},
    labels={"Broadcast": "Question", "Ack": "Maximum", "Leader": "Announcement"},
    carries=Carries("id", word="highest identifier", words={"none": "no identifier"}),
    pointers=(
        Pointer("parent", style="waiting", while_states=("waiting",), backwards=True, word="waiting chain"),
        Pointer("parent", style="waited", while_states=("acked", "leader", "informed"), backwards=True, word="tree"),
    ),
    watch=Watch("highest: {best}", while_states=("initiating", "waiting")),
    badge="best",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("waiting", "Broadcast"): "It has been asked before and acknowledges without an identifier.",
        ("waiting", "Ack"): "The highest in its subtree is {best} so far; {pending:answer is|answers are} missing.",
        ("initiating", "Ack"): "The highest of all is {best} so far; {pending:answer is|answers are} missing.",
    },
)
