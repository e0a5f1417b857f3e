"""The looks of Lamport clocks: the number below a process is its clock.

Yellow circles have had no event, blue diamonds tick.  When a letter comes from somebody whose clock is ahead, the
number jumps; a letter from behind only adds one.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"fresh": 0, "ticking": 3},
    messages={"Letter": 0},
    watch=Watch("time {time}", while_states=("ticking",)),
    values=(Value("time", style="bar", word="time"),),
    badge="time",
    phrases={
        ("ticking", "Letter"): "Its clock goes past the time of the letter from {peer}, and stands at {time} now.",
        ("fresh", "Letter"): "Its first event: the clock begins behind the letter from {peer}, at {time}.",
    },
)
