"""How the token ring with messages is drawn: counters, copies of them at the right neighbours, and speakers.

The colour of the ring is the value of the counter; the line below a process also shows its copy of the left counter.
"""

from lydian.pieces.animation import Animation, Token, Value, Watch

animation = Animation(
    states={"listening": 0, "speaking": 6},
    messages={"Apples": 0, "Talk": 3, "Refresh": 2},
    labels={"Talk": "End of the speech", "Refresh": "Refresh"},
    tokens=(Token(while_states=("speaking",), letter="T", word="speaks"),),
    values=(Value("x", style="colour", word="counter"),),
    watch=Watch("x = {x}, left {cache}", when="wound_up"),
    phrases={
        ("listening", "Refresh"): "It sends its counter again, in case a message or a cache was wrong.",
        ("speaking", "Refresh"): "It sends its counter again, in case a message or a cache was wrong.",
        ("speaking", "Talk"): "It ends its speech, changes its counter and sends it to its right neighbour.",
    },
)
