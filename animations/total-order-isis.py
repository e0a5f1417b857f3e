"""How total order by agreement is drawn: posts, proposals and final places.

Green squares have posts in their queue; blue diamonds have none.  Green triangles ask for a place, blue rings propose
one, and orange squares carry the final place.  The line below a process says how many posts it has delivered; the panel
shows them in order, which must be the same in all columns.
"""

from lydian.pieces.animation import Animation, Carries, Logs, Watch

animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Ask": 0, "Propose": 1, "Final": 2},
    labels={"Ask": "Post", "Propose": "Proposal", "Final": "Final place"},
    carries=Carries("number", word="place"),
    watch=Watch("delivered {log:len}"),
    logs=Logs("log", title="Delivered, in order"),
    badge="queue",
    phrases={
        ("holding", "Propose"): "Process {peer} proposes a place; the highest of all proposals will be chosen.",
        ("holding", "Final"): "A place is final: it has delivered {log:post|posts} and has {queue:post|posts} queued.",
    },
)
