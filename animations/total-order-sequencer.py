"""The looks of total order by a sequencer: everything goes through one process.

Green squares hold posts whose number, or that of an earlier one, has not come; blue diamonds hold nothing.  The sign #
marks the sequencer once it has given a number.  Green triangles are posts, blue rings the numbers.
"""

from lydian.pieces.animation import Animation, Glyph, Watch

animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Post": 0, "Order": 1},
    labels={"Order": "Number"},
    watch=Watch("delivered {log:len}"),
    badge="held",
    glyphs=(Glyph("#", variable="s", word="the sequencer"),),
    phrases={
        ("holding", "Order"): "A number comes; {log:post is|posts are} delivered, {held:post waits|posts wait}.",
        ("clear", "Order"): "The number is here before its post.",
    },
)
