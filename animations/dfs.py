"""The looks of depth-first search: one coin walks, and the red way behind it leads back to the initiator.

Yellow circles are asleep, the red hexagon is the initiator, green squares have been visited, blue diamonds have given
the token back.  The red links with chevrons are the way from the initiator to where the token is: every process on it
waits for the next one.  What the token has left for good becomes thin and red, and is the tree in the end.  Dots say
who has sent the token through a link already; with two of them a link is used up.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Token

animation = Animation(
    states={"sleeping": 0, "initiating": 1, "finished": 1, "visited": 2, "done": 3},
    messages={"Token": 0},
    pointers=(
        Pointer("father", style="waiting", while_states=("visited",), backwards=True, word="way to the token"),
        Pointer("father", style="waited", while_states=("done",), backwards=True, word="tree"),
    ),
    marks=(Marks("used", slot=3, word="sent through here"),),
    tokens=(Token(messages=("Token",), letter="T", word="the token"),),
    phrases={
        ("visited", "Token"): "It has had the token before; it has used {used:link|links} by now.",
        ("initiating", "Token"): "The token is back at the beginning; it has used {used:link|links} by now.",
    },
)
