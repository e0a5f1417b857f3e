"""The looks of the token ring with messages: counters, what the right neighbour believes of them, and who speaks.

The ring has the colour of the counter's value; below a process stands the copy that it has of its left neighbour's.
"""

from lydian.pieces.animation import Animation, Token, Value, Watch

animation = Animation(
    states={"listening": 0, "speaking": 6},
    messages={"Apples": 0, "Talk": 3, "Refresh": 2},
    labels={"Talk": "end of the speech", "Refresh": "time to tell again"},
    tokens=(Token(while_states=("speaking",), letter="T", word="speaks"),),
    values=(Value("x", style="colour", word="counter"),),
    watch=Watch("x = {x}, left {cache}", when="wound_up"),
    phrases={
        ("listening", "Refresh"): "It tells its right neighbour once more, in case something was wrong.",
        ("speaking", "Refresh"): "It tells its right neighbour once more, in case something was wrong.",
        ("speaking", "Talk"): "It has spoken, changes its counter and tells its right neighbour.",
    },
)
