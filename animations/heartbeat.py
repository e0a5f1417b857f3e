"""How the heartbeat detector is drawn: arrows lead to suspected processes.

Green squares trust all their neighbours.  A process that suspects a neighbour is an orange triangle, and an arrow leads
from it to the neighbour; when the neighbour is heard again, the arrow disappears.
"""

from lydian.pieces.animation import Animation, Marks, Watch

animation = Animation(
    states={"asleep": 0, "trusting": 2, "suspecting": 4},
    messages={"Heartbeat": 1, "Period": 3, "Silence": 4},
    labels={"Silence": "Silence timeout", "Period": "Heartbeat period"},
    marks=(Marks("suspected", slot=4, style="arrow", word="suspects"),),
    watch=Watch("suspects {suspected}"),
    badge="suspected",
    phrases={
        ("asleep", "Heartbeat"): "The first heartbeat, from {peer}, wakes it.",
        ("trusting", "Heartbeat"): "Process {peer} is alive.",
        ("suspecting", "Heartbeat"): "Process {peer} is alive; neighbours still suspected: {suspected:len}.",
    },
)
