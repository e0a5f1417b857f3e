"""The looks of Echo with crossing messages: those of Echo.

Yellow circles are asleep, the red hexagon is the initiator throughout, green squares have the news and wait for
answers, blue diamonds have acknowledged.  Green triangles carry the news, blue rings the acknowledgements, of which
there is one on each link of the tree.  Red links as in Echo: chains of processes that wait, and in the end the tree.
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
        ("waiting", "Ack"): "One answer less to wait for: {pending:len} still missing.",
        ("initiating", "Ack"): "One answer less to wait for: {pending:len} still missing.",
    },
)
