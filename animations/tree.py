"""The animation of Tree: the wave runs inwards until two tokens cross.

Yellow circles still collect, green squares have sent their token and wait for the last one, and blue diamonds have
decided.  A dot at the end of a link marks a token that has arrived there; an arrow points from each process to the
neighbour to which it has sent its token.  All arrows lead to the middle, where two of them face each other.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Watch

animation = Animation(
    states={"collecting": 0, "waiting": 2, "decided": 3},
    messages={"Token": 0},
    pointers=(Pointer("last", style="arrow", word="has sent its token to"),),
    marks=(Marks("rec", slot=2, word="a token has arrived"),),
    watch=Watch("tokens: {rec:len}", while_states=("collecting",)),
    badge="rec",
    phrases={
        ("collecting", "Token"): "It has received a token from {rec:len} of its neighbours.",
        ("waiting", "Token"): "Its own token and the token of {peer} have crossed: every process has taken part.",
    },
)
