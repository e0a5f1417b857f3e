"""The animation of LeLann.

Yellow circles are asleep, candidates compete, and passive processes only forward tokens.  The line below a candidate
counts the identifiers that it has seen; when its own token returns, it has seen all.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "passive": 7, "lost": 3, "leader": 1},
    messages={"Token": 0},
    labels={"Token": "Identifier"},
    carries=Carries("id", word="identifier"),
    watch=Watch("has seen {seen:len}"),
    badge="seen",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Token"): "It has now seen {seen:identifier|identifiers}, including its own.",
        ("passive", "Token"): "It does not compete and forwards the identifier.",
    },
)
