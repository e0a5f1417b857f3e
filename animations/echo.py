"""The animation of Echo.

Yellow circles are asleep, the red hexagon is the initiator throughout, green squares have the news and wait for
acknowledgements, and blue diamonds have acknowledged.  Green triangles carry the news, and blue rings acknowledgements.

When a process adopts its parent, the link between them turns red: the parent waits for the child, and the chevrons
point to the child.  The longest chain of such waits is drawn thickest.  Once the child has acknowledged, the link
becomes thinner but stays red, so that at the end the red links are the spanning tree.
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
        ("initiating", "Broadcast"): "It is the source of the news and acknowledges this copy.",
        ("acked", "Broadcast"): "It has acknowledged to its parent already and acknowledges this copy too.",
        ("waiting", "Ack"): "It waits for {pending:more acknowledgement|more acknowledgements}.",
        ("initiating", "Ack"): "It waits for {pending:more acknowledgement|more acknowledgements}.",
    },
)
