"""The animation of Awerbuch's search: the coin rests while neighbours are informed, and uses only tree links.

Yellow circles are asleep, the red hexagon is the initiator, green squares have been visited, and blue diamonds have
returned the token.  When a process first receives the token, it sends Visited to its neighbours and keeps the token
until each has returned an Ack.  Dots mark the neighbours to which a process need not send the token: it has sent it
there, or knows that they have been visited.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Token, Watch

animation = Animation(
    states={"sleeping": 0, "initiating": 1, "finished": 1, "visited": 2, "done": 3},
    messages={"Token": 0, "Visited": 2, "Ack": 1},
    pointers=(
        Pointer("father", style="waiting", while_states=("visited",), backwards=True, word="path to the token"),
        Pointer("father", style="waited", while_states=("done",), backwards=True, word="tree"),
    ),
    marks=(Marks("used", slot=3, word="has been visited"),),
    tokens=(Token("pending", messages=("Token",), letter="T", word="the token"),),
    watch=Watch("waits for {pending:len}", while_states=("visited", "initiating")),
    badge="pending",
    phrases={
        ("visited", "Ack"): "The token stays until all have acknowledged; {pending:Ack is|Acks are} missing.",
        ("initiating", "Ack"): "The token stays until all have acknowledged; {pending:Ack is|Acks are} missing.",
        ("visited", "Token"): "Its child {peer} has returned the token.",
        ("initiating", "Token"): "Its child {peer} has returned the token.",
    },
)
