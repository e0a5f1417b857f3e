"""The animation of Chang-Roberts.

Yellow circles are asleep; candidates compete until a higher identifier passes.  The line below a process names the
highest identifier that it has seen: only higher ones get through.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "passive": 7, "lost": 3, "leader": 1},
    messages={"Token": 0},
    labels={"Token": "Identifier"},
    carries=Carries("id", word="identifier"),
    watch=Watch("highest here: {best}"),
    badge="best",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Token"): "Only a higher identifier gets through; the highest that it has seen is {best}.",
        ("lost", "Token"): "It has lost, but lower identifiers than its own still end here.",
        ("passive", "Token"): "It does not compete and forwards every identifier.",
        ("leader", "Token"): "It is the leader; a slower identifier goes no further.",
    },
)
