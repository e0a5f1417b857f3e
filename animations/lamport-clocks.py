"""How Lamport clocks are drawn: the number below a process is its clock.

Yellow circles have had no event; blue diamonds have.  When a letter arrives from a process whose clock is ahead, the
number jumps; a letter from a process whose clock is behind only adds one.
"""

from lydian.pieces.animation import Animation, Carries, Value, Watch

animation = Animation(
    states={"fresh": 0, "ticking": 3},
    messages={"Letter": 0},
    carries=Carries("time", word="Lamport time"),
    watch=Watch("time {time}", while_states=("ticking",)),
    values=(Value("time", style="bar", word="time"),),
    badge="time",
    phrases={
        ("ticking", "Letter"): "It advances its clock past the time of the letter from {peer}, to {time}.",
        ("fresh", "Letter"): "Its first event: it sets its clock past the time of the letter from {peer}, to {time}.",
    },
)
