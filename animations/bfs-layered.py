"""The looks of breadth-first search by layers: rings grow round the initiator, one at each word from it.

Yellow circles are in no layer yet, the red hexagon is the initiator, green squares are in a layer, orange ones wait
for answers, blue diamonds have a part of the tree that is complete.  Each layer is one area.
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
        ("outside", "Explore"): "It is in layer {level} from now on, as a child of {peer}.",
        ("inside", "Forward"): "It is in layer {level}, and layer {round} explores now.",
        ("asking", "Reverse"): "One answer less to wait for: {pending:len} still missing.",
        ("leading", "Reverse"): "One answer less to wait for: {pending:len} still missing.",
    },
)
