"""The looks of Tree: the wave runs inwards, and two processes meet.

Yellow circles still collect, green squares have sent their token and wait for the last one, blue diamonds have
decided.  A dot at the end of a link says that a token has come that way; an arrow leads to the neighbour to whom the
one token was sent.  All arrows lead to the middle, where two of them face each other.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Watch

animation = Animation(
    states={"collecting": 0, "waiting": 2, "decided": 3},
    messages={"Token": 0},
    pointers=(Pointer("last", style="arrow", word="has sent its token to"),),
    marks=(Marks("rec", slot=2, word="a token has come"),),
    watch=Watch("has heard {rec:len}", while_states=("collecting",)),
    badge="rec",
    phrases={
        ("collecting", "Token"): "Tokens have come from {rec:len} of its neighbours.",
        ("waiting", "Token"): "Its own token and that of {peer} have crossed: everybody has taken part.",
    },
)
