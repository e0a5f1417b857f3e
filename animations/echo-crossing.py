"""The animation of Echo with crossing messages, which is that of Echo.

Yellow circles are asleep, the red hexagon is the initiator throughout, green squares have the news and wait for
answers, and blue diamonds have acknowledged.  Green triangles carry the news, blue rings the acknowledgements, of which
there is one on each link of the tree.  As in Echo, red links are chains of waiting processes, and at the end the tree.
"""

from lydian.pieces.animation import Animation, Pointer, Watch

animation = Animation(
    states={"sleeping": 0, "initiating": 1, "finished": 1, "waiting": 2, "acked": 3},
    messages={"Broadcast": 0, "Ack": 1},
    words={"acked": "acknowledged"},
    pointers=(
        Pointer("parent", style="waiting", while_states=("waiting",), backwards=True, word="waiting chain"),
        Pointer("parent", style="waited", while_states=("acked",), backwards=True, word="tree"),
    ),
    watch=Watch("waits for {pending:len}", while_states=("waiting", "initiating")),
    badge="pending",
    phrases={
        ("waiting", "Ack"): "It waits for {pending:more answer|more answers}.",
        ("initiating", "Ack"): "It waits for {pending:more answer|more answers}.",
    },
)
