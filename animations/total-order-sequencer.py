"""How total order by a sequencer is drawn: one process numbers every post.

Green squares hold posts whose number, or that of an earlier post, has not arrived; blue diamonds hold none.  The sign #
marks the sequencer once it has assigned a number.  Green triangles are posts, and blue rings are numbers.  The panel
shows the posts that each process has delivered, in order.
"""
from lydian.pieces.animation import Animation, Carries, Glyph, Logs, Watch

animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Post": 0, "Order": 1},
    labels={"Order": "Number"},
    carries=Carries("number", word="number"),
    watch=Watch("delivered {log:len}"),
    logs=Logs("log", title="Delivered, in order"),
    badge="held",
    glyphs=(Glyph("#", variable="s", word="the sequencer"),),
    phrases={
        ("holding", "Order"): "A number arrives: it has delivered {log:post|posts}, and {held:post waits|posts wait}.",
        ("clear", "Order"): "The number has arrived before its post.",
    },
)
