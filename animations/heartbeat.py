"""The looks of the heartbeat detector: who suspects whom.

Green squares trust everybody.  Who suspects somebody is an orange triangle, and an arrow leads from it to the one it
suspects; when that one is heard again, the arrow goes.
"""

from lydian.pieces.animation import Animation, Marks, Watch

animation = Animation(
    states={"asleep": 0, "trusting": 2, "suspecting": 4},
    messages={"Heartbeat": 1, "Period": 3, "Silence": 4},
    labels={"Silence": "Silent for too long", "Period": "Time to beat"},
    marks=(Marks("suspected", slot=4, style="arrow", word="suspects"),),
    watch=Watch("suspects {suspected}"),
    badge="suspected",
    phrases={
        ("asleep", "Heartbeat"): "The first heartbeat, of {peer}, wakes it up.",
        ("trusting", "Heartbeat"): "{peer} is alive.",
        ("suspecting", "Heartbeat"): "{peer} is alive; still suspected: {suspected:len}.",
    },
)
