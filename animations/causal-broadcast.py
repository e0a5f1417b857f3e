"""How causal broadcast is drawn: green squares hold posts back.

Blue diamonds have delivered all that has arrived.  A process that receives an answer before the post it answers becomes
a green square, with the number of posts it holds back at its corner, until the missing post arrives.
"""

from lydian.pieces.animation import Animation, Watch

animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Post": 0},
    watch=Watch("delivered {log:len}"),
    badge="held",
    phrases={
        ("clear", "Post"): "It has delivered {log:post|posts} and holds {held:post|posts} back.",
        ("holding", "Post"): "Posts that waited for this one are delivered after it: it has delivered {log:post|posts} "
        "and holds {held:post|posts} back.",
    },
)
