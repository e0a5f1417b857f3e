"""The animation of breadth-first search by layers: at each order, one more ring grows round the initiator.

Yellow circles are in no layer yet, the red hexagon is the initiator, green squares are in a layer, orange processes
wait for answers, and the subtree of a blue diamond is complete.  Each layer is one area.
"""

from lydian.pieces.animation import Animation, Group, Pointer, Watch

animation = Animation(
    states={"outside": 0, "leading": 1, "finished": 1, "inside": 2, "asking": 4, "done": 3},
    messages={"Forward": 0, "Explore": 2, "Reverse": 1},
    pointers=(
        Pointer("father", style="waiting", while_states=("asking",), backwards=True, word="waits for"),
        Pointer("father", style="tree", while_states=("inside", "done"), word="tree"),
    ),
    groups=Group("level", word="layer"),
    watch=Watch("waits for {pending:len}", while_states=("asking", "leading")),
    badge="pending",
    phrases={
        ("outside", "Explore"): "It joins layer {level} as a child of {peer}.",
        ("inside", "Forward"): "It is in layer {level}, and layer {round} explores now.",
        ("asking", "Reverse"): "It waits for {pending:more answer|more answers}.",
        ("leading", "Reverse"): "It waits for {pending:more answer|more answers}.",
    },
)
