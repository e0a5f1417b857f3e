"""How the self-stabilising tree is drawn: parents as tree links, distances as numbers below and as colours."""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"active": 0},
    words={"active": "process"},
    pointers=(Pointer("parent", style="tree", word="parent"),),
    values=(Value("dist", style="colour", word="distance"),),
    watch=Watch("{dist}", when="parent"),
    badge="dist",
)
