"""The looks of vector clocks: below a process stands how many events of whom it has heard of.

Yellow circles have had no event, blue diamonds tick.  The number at the corner says of how many processes it knows;
the bar, how many events it had itself.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"fresh": 0, "ticking": 3},
    messages={"Letter": 0},
    watch=Watch("knows of {v:len}", while_states=("ticking",)),
    values=(Value("own", style="bar", word="own events"),),
    badge="v",
    phrases={
        ("ticking", "Letter"): "It knows all that {peer} knew when it wrote: events of {v:process|processes} by now.",
        ("fresh", "Letter"): "It hears of the past of {peer}: of {v:process|processes} it knows events now.",
    },
)
