"""How the self-stabilising matching is drawn: arrows show pointers, and a heart marks each process that points.

Two arrows on one link are a pair.
"""

from lydian.pieces.animation import Animation, Glyph, Pointer

animation = Animation(
    states={"active": 0},
    words={"active": "process"},
    pointers=(Pointer("partner", style="arrow", word="points at"),),
    glyphs=(
        Glyph("M 0 0.9 L -0.9 0 L -0.9 -0.5 L -0.5 -0.8 L 0 -0.4 L 0.5 -0.8 L 0.9 -0.5 L 0.9 0 Z", variable="partner",
              word="not free"),
    ),
)  # fmt: skip
