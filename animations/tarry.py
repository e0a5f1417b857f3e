"""The animation of Tarry's traversal: a coin is the token, and the red links lead back to the initiator.

Yellow circles are asleep, the red hexagon is the initiator, green squares have been visited, and blue diamonds have
returned the token.  The red links with chevrons lead from visited processes to their fathers; unlike in depth-first
search the token may be away from them.  A link that the token has left for good becomes thin; at the end these links
are the tree.  A dot marks the end of a link through which that process has sent the token; a link with two dots is used
up.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Token

animation = Animation(
    states={"sleeping": 0, "initiating": 1, "finished": 1, "visited": 2, "done": 3},
    messages={"Token": 0},
    pointers=(
        Pointer("father", style="waiting", while_states=("visited",), backwards=True, word="father"),
        Pointer("father", style="waited", while_states=("done",), backwards=True, word="tree"),
    ),
    marks=(Marks("used", slot=3, word="sent through here"),),
    tokens=(Token(messages=("Token",), letter="T", word="the token"),),
    phrases={
        ("visited", "Token"): "It has had the token before; it has used {used:link|links} so far.",
        ("initiating", "Token"): "It is the initiator and has used {used:link|links} so far.",
    },
)
