"""The animation of breadth-first search without order: distances shrink, and the tree changes with them.

Yellow circles know no path, the red hexagon is the initiator, and green squares know a path, whose length is shown
below them.  The tree follows the shortest paths known; the bar beside a process grows with each correction.
"""

from lydian.pieces.animation import Animation, Pointer, Value, Watch

animation = Animation(
    states={"outside": 0, "leading": 1, "inside": 2},
    messages={"Distance": 0},
    pointers=(Pointer("parent", style="tree", word="shortest path known"),),
    values=(Value("corrections", style="bar", word="corrections"),),
    watch=Watch("distance {dist}"),
    badge="dist",
    phrases={
        ("outside", "Distance"): "It learns of its first path, of {dist:link|links} through {peer} to the initiator.",
        ("inside", "Distance"): "The shortest path that it knows now has {dist:link|links}, through {parent}.",
    },
)
