"""How Safra's algorithm is drawn: a token circulates and adds up the counts.

Green squares work, blue diamonds are passive, and the crown is the announcement.  The coin is the token, which waits at
a working process.  The letter B marks black processes.  The line below shows the count: work sent minus work received.
"""

from lydian.pieces.animation import Animation, Glyph, Token, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"passive": 3, "active": 2, "announced": 1},
    messages={"Work": 0, "Token": 1, "Done": 5},
    tokens=(Token("token", messages=("Token",), letter="T", word="the token"),),
    watch=Watch("count {count}"),
    glyphs=(
        Glyph(CROWN, while_states=("announced",), word="termination is announced"),
        Glyph("B", variable="black", word="black"),
    ),
    phrases={
        ("passive", "Token"): "It is passive: the token adds its count of {count} and moves on.",
        ("active", "Token"): "It is working, so the token waits here.",
        ("passive", "Work"): "It receives work and becomes black: the current round will fail.",
    },
)
