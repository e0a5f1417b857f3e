"""The looks of breadth-first search without order: numbers that shrink, and a tree that changes its mind.

Yellow circles have heard nothing, the red hexagon is the initiator, green squares believe a distance, which stands
below them.  The tree leads along the shortest ways known; the bar beside a process grows with every correction.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"outside": 0, "leading": 1, "inside": 2},
    messages={"Distance": 0},
    pointers=(Pointer("parent", style="tree", word="shortest way known"),),
    values=(Value("corrections", style="bar", word="corrections"),),
    watch=Watch("distance {dist}"),
    badge="dist",
    phrases={
        ("outside", "Distance"): "The first way it hears of leads over {peer}: {dist:step|steps} to the initiator.",
        ("inside", "Distance"): "The shortest way it knows now has {dist:step|steps}, by {parent}.",
    },
)
