"""The looks of Awerbuch's search: the coin rests while the neighbours are told, and never walks in vain.

Yellow circles are asleep, the red hexagon is the initiator, green squares have been visited, blue diamonds have given
the token back.  Wherever the token comes for the first time, Visited goes out and Ack comes back before it leaves.
Dots say to whom a process need not send the token any more: it has sent it there, or been told.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Token, Watch

animation = Animation(
    states={"sleeping": 0, "initiating": 1, "finished": 1, "visited": 2, "done": 3},
    messages={"Token": 0, "Visited": 2, "Ack": 1},
    pointers=(
        Pointer("father", style="waiting", while_states=("visited",), backwards=True, word="way to the token"),
        Pointer("father", style="waited", while_states=("done",), backwards=True, word="tree"),
    ),
    marks=(Marks("used", slot=3, word="has been visited"),),
    tokens=(Token("pending", messages=("Token",), letter="T", word="the token"),),
    watch=Watch("waits for {pending:len}", while_states=("visited", "initiating")),
    badge="pending",
    phrases={
        ("visited", "Ack"): "The token leaves when all have acknowledged: {pending:len} still missing.",
        ("initiating", "Ack"): "The token leaves when all have acknowledged: {pending:len} still missing.",
        ("visited", "Token"): "Its child {peer} gives the token back.",
        ("initiating", "Token"): "Its child {peer} gives the token back.",
    },
)
