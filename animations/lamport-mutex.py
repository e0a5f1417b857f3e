"""The animation of Lamport's mutual exclusion.

The line below a process shows its copy of the queue: the processes that want the resource, with their stamps.  Arrows
point from a process that wants to enter to those that have sent it nothing later.  When no arrow is left and its own
request is the first in its queue, it enters.
"""

from lydian.pieces.animation import Animation, Carries, Marks, Value, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Reply": 1, "Release": 0, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Want": "Ask to enter", "Leave": "Leave early"},
    carries=Carries("time", word="Lamport time"),
    watch=Watch("queue {queue}"),
    badge="queue",
    marks=(Marks("pending", slot=4, style="arrow", word="waits for a later message from", while_states=("wanted",)),),
    values=(Value("time", style="bar", word="logical clock"),),
    phrases={
        ("released", "Request"): "It puts the request of {peer} into its queue, which now has {queue:entry|entries}.",
        ("wanted", "Request"): "It puts the request of {peer} into its queue, before or after its own.",
        ("held", "Request"): "It puts the request of {peer} into its queue, after its own.",
        ("wanted", "Release"): "It removes the request of {peer} from its queue; its own may now be the first.",
    },
)
