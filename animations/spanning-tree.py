"""The animation of the spanning tree: links turn red as children choose parents, and leaves terminate first.

Yellow circles are asleep, the red hexagon is the root throughout, green squares wait for answers, and blue diamonds
have terminated.  A dot at the parent's end of a link shows that the parent knows this child.
"""

from lydian.pieces.animation import Animation, Marks, Pointer, Watch

animation = Animation(
    states={"sleeping": 0, "rooting": 1, "complete": 1, "exploring": 2, "terminated": 3},
    messages={"M": 0, "Parent": 1, "Already": 5},
    words={"complete": "root, terminated"},
    pointers=(Pointer("parent", style="waited", word="tree"),),
    marks=(Marks("children", slot=3, word="known child"),),
    watch=Watch("children: {children:len}"),
    badge="children",
    phrases={
        ("rooting", "Parent"): "Process {peer} has chosen it as its parent; it has {children:child|children} so far.",
        ("exploring", "Parent"): "Process {peer} has chosen it as its parent; it has {children:child|children} so far.",
        ("terminated", "M"): "It has terminated, but still answers that it has a parent.",
    },
)
