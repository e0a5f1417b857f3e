"""The looks of Lamport's mutual exclusion.

The line below a process is its copy of the queue: who wants the resource, and since when on the logical clock.  Arrows
lead from a process that wants to enter to those from which it has not heard anything later.  When no arrow is left
and its own request is the first in its queue, it enters.
"""

from lydian.pieces.animation import Animation, Marks, Value, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Reply": 1, "Release": 0, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Want": "User wants", "Leave": "User leaves"},
    letters={"Request": "?", "Reply": "!", "Release": "x"},
    watch=Watch("queue {queue}"),
    badge="queue",
    marks=(Marks("pending", slot=4, style="arrow", word="has not heard from", while_states=("wanted",)),),
    values=(Value("time", style="bar", word="logical clock"),),
    phrases={
        ("released", "Request"): "The request of {peer} joins its queue, now of {queue:len}.",
        ("wanted", "Request"): "The request of {peer} joins its queue, before or behind its own.",
        ("held", "Request"): "The request of {peer} joins its queue, behind its own.",
        ("wanted", "Release"): "The request of {peer} leaves its queue; perhaps its own is the first now.",
    },
)
