"""The looks of Cidon's search: the coin hurries, and now and then there is one that went the wrong way.

Yellow circles are asleep, the red hexagon is the initiator, green squares have been visited, blue diamonds have given
the token back.  An arrow leads from each process on the way to where it sent the token last.  Where the arrow leads
to a process that had the token before, it was lost, and goes on when Visited comes from there.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Token

animation = Animation(
    states={"sleeping": 0, "initiating": 1, "finished": 1, "visited": 2, "done": 3},
    messages={"Token": 0, "Visited": 2},
    pointers=(
        Pointer("father", style="waiting", while_states=("visited",), backwards=True, word="way to the token"),
        Pointer("father", style="waited", while_states=("done",), backwards=True, word="tree"),
        Pointer("last", style="arrow", while_states=("visited", "initiating"), word="sent the token to"),
    ),
    marks=(Marks("used", slot=3, word="has been visited"),),
    tokens=(Token(messages=("Token",), letter="T", word="the token"),),
    phrases={
        ("visited", "Visited"): "It learns that {peer} has been visited; if its own token was on the way there, "
        "that one is lost, and a new one goes elsewhere.",
    },
)
