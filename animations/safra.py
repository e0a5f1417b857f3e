"""The looks of Safra's algorithm: a token goes round and adds up.

Green squares work, blue diamonds have nothing to do, the crown is the announcement.  The coin is the token; it waits
where there is work.  A letter B marks who is black.  The line below is the count: work sent minus work received.
"""

from lydian.pieces.animation import Animation, Glyph, Token, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"passive": 3, "active": 2, "announced": 1},
    messages={"Work": 0, "Token": 1, "Done": 5},
    tokens=(Token("token", messages=("Token",), letter="T", word="the token"),),
    watch=Watch("count {count}"),
    glyphs=(
        Glyph(CROWN, while_states=("announced",), word="the end is known"),
        Glyph("B", variable="black", word="black"),
    ),
    phrases={
        ("passive", "Token"): "It has nothing to do: its count of {count} is in the sum, and the token goes on.",
        ("active", "Token"): "It works, and the token waits.",
        ("passive", "Work"): "It gets work and is black: this round is in vain.",
    },
)
