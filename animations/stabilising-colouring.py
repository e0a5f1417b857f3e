"""How the self-stabilising colouring is drawn: colours as numbers and as rings; bars grow with each change."""

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
