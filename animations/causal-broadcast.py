"""The looks of causal broadcast: green squares hold something back.

Blue diamonds have delivered all that has come.  A post that answers something not yet here makes its receiver a green
square, with the number of posts held back at its corner, until what is missing comes.
"""

from lydian.pieces.animation import Animation, Watch

animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Post": 0},
    watch=Watch("delivered {log:len}"),
    badge="held",
    phrases={
        ("clear", "Post"): "{log:post is|posts are} delivered here, {held:len} held back.",
        ("holding", "Post"): "If this is what others waited for, they follow: {log:post is|posts are} delivered, "
        "{held:len} held back.",
    },
)
