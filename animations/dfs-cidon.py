"""The animation of Cidon's search: the coin never waits, and sometimes a second one reaches a visited process.

Yellow circles are asleep, the red hexagon is the initiator, green squares have been visited, and blue diamonds have
returned the token.  An arrow points from each process on the path to the neighbour to which it last sent the token.  A
token sent to a visited process is dropped there; its sender sends a new one when it receives Visited.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Token

animation = Animation(
    states={"sleeping": 0, "initiating": 1, "finished": 1, "visited": 2, "done": 3},
    messages={"Token": 0, "Visited": 2},
    pointers=(
        Pointer("father", style="waiting", while_states=("visited",), backwards=True, word="path to the token"),
        Pointer("father", style="waited", while_states=("done",), backwards=True, word="tree"),
        Pointer("last", style="arrow", while_states=("visited", "initiating"), word="sent the token to"),
    ),
    marks=(Marks("used", slot=3, word="has been visited"),),
    tokens=(Token(messages=("Token",), letter="T", word="the token"),),
    phrases={
        ("visited", "Visited"): "It learns that {peer} has been visited; if it last sent the token there, "
        "that token is dropped, and it sends a new one elsewhere.",
    },
)
