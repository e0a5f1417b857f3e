"""The looks of the colouring that mends itself: the number of the colour, and a ring in it; bars grow with changes."""

from lydian.pieces.animation import Animation, Value

animation = Animation(
    states={"active": 0},
    words={"active": "process"},
    values=(
        Value("colour", style="colour", word="colour"),
        Value("colour", style="text", word="colour"),
        Value("changes", style="bar", word="changes"),
    ),
)
