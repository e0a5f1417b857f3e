"""The looks of the tree that mends itself: parents as tree links, the distance below and as a colour."""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"active": 0},
    words={"active": "process"},
    pointers=(Pointer("parent", style="tree", word="parent"),),
    values=(Value("dist", style="colour", word="distance"),),
    watch=Watch("{dist}", when="parent"),
    badge="dist",
)
