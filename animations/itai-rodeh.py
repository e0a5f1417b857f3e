"""The looks of Itai-Rodeh.

The line below a candidate says what it drew, on which level; the bar is the level.  Those that drew less than another
have lost; those that drew the same high number draw again.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Glyph, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "lost": 3, "leader": 1},
    messages={"Token": 0, "Ready": 2},
    labels={"Token": "Draw", "Ready": "There is a leader"},
    values=(Value("level", style="bar", word="level"),),
    watch=Watch("drew {id}", while_states=("candidate", "leader")),
    badge="id",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Token"): "It compares the draw with its own: level {level}, number {id}.",
        ("lost", "Token"): "It has lost and passes the draw on, with one step more.",
        ("lost", "Ready"): "It learns that there is a leader and tells the next one.",
    },
)
