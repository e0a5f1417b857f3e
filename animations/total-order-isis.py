"""The looks of total order by agreement: question, proposals, final place.

Green squares have posts in their queue, blue diamonds have none.  Green triangles ask, blue rings propose, orange
squares say which place is final.  The line below says how many posts are delivered.
"""

from lydian.pieces.animation import Animation, Watch

animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Ask": 0, "Propose": 1, "Final": 2},
    labels={"Ask": "Post", "Propose": "Proposal", "Final": "Final place"},
    watch=Watch("delivered {log:len}"),
    badge="queue",
    phrases={
        ("holding", "Propose"): "{peer} proposes a place; the highest of all will be taken.",
        ("holding", "Final"): "A place is final; {log:post is|posts are} delivered, {queue:len} in the queue.",
    },
)
