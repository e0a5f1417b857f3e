"""The animation of Itai-Rodeh.

The line below a candidate shows the number that it has chosen; the bar shows its level.  A candidate whose number is
not the highest has lost; those that share the highest number choose again.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "lost": 3, "leader": 1},
    messages={"Token": 0, "Ready": 2},
    labels={"Token": "Number", "Ready": "Announcement"},
    carries=Carries("id", word="random number"),
    values=(Value("level", style="bar", word="level"),),
    watch=Watch("chose {id}", while_states=("candidate", "leader")),
    badge="id",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Token"): "It compares the number with its own: level {level}, number {id}.",
        ("lost", "Token"): "It has lost and forwards the number, with one more step.",
        ("lost", "Ready"): "It learns that there is a leader and informs the next process.",
    },
)
