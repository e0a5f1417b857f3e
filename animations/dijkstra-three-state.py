"""How Dijkstra's three states are drawn: the value of each machine as a number and as a colour."""

from lydian.pieces.animation import Animation, Value

animation = Animation(
    states={"active": 0},
    words={"active": "machine"},
    values=(Value("s", style="colour", low=0, high=2, word="value"), Value("s", style="text", word="value")),
)
