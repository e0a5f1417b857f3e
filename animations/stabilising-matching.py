"""The looks of the matching that mends itself: an arrow to whom one points, a heart in whoever points at somebody.

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
