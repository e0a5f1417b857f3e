"""The animation of Raymond.

The arrow at each process points one step nearer to the token.  The coin is shown while the token moves or is used; an
unused token is where all arrows lead.  When the token moves along a link, only the arrow of that link is reversed.  The
line below a process shows its queue: the neighbours that have asked it, including itself.
"""

from lydian.pieces.animation import Animation, Pointer, Token, Watch

animation = Animation(
    states={"asleep": 7, "released": 0, "wanted": 4, "held": 6},
    messages={"Begin": 1, "Request": 2, "Token": 0, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Want": "Ask to enter", "Leave": "Leave early"},
    letters={"Request": "?"},
    pointers=(Pointer("holder", style="arrow", word="towards the token"),),
    tokens=(Token(while_states=("held",), messages=("Token",), letter="T", word="the token"),),
    watch=Watch("queue {queue}"),
    badge="queue",
    phrases={
        ("asleep", "Begin"): "It learns that the token is in the direction of {peer}.",
    },
)
