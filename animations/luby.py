"""The looks of Luby's independent set.

Yellow circles are asleep, green squares wait for the draws of their neighbours; below them stands what they drew.
Who has drawn the most among its undecided neighbours becomes a red hexagon: it is in the set.  Its neighbours are
out, as blue diamonds.  The number at the corner, or the bar, is the phase.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"sleeping": 0, "drawing": 2, "comparing": 4, "staying": 5, "in": 1, "out": 3},
    messages={"Draw": 0, "Verdict": 2, "Stays": 3},
    words={"out": "out"},
    letters={"Verdict": "?"},
    values=(Value("phase", style="bar", word="phase"),),
    watch=Watch("drew {number}", while_states=("drawing", "comparing", "staying")),
    phrases={
        ("sleeping", "Draw"): "The draw of {peer} wakes it; it throws its dice, too.",
        ("drawing", "Draw"): "It has drawn {number}, and waits until it knows what all undecided neighbours drew.",
        ("comparing", "Verdict"): "It waits until it knows whether any of its neighbours has won.",
        ("staying", "Stays"): "It waits until it knows who is still undecided beside it.",
    },
)
