"""How Luby's independent set is drawn.

Yellow circles are asleep; green squares wait for the numbers of their neighbours, and their own is below them.  A
process whose number is the highest among its undecided neighbours becomes a red hexagon: it is in the set.  Its
neighbours are out, as blue diamonds.  The bar shows the phase.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"sleeping": 0, "drawing": 2, "comparing": 4, "staying": 5, "in": 1, "out": 3},
    messages={"Draw": 0, "Verdict": 2, "Stays": 3},
    words={"out": "out"},
    letters={"Verdict": "?"},
    values=(Value("phase", style="bar", word="phase"),),
    watch=Watch("number {number}", while_states=("drawing", "comparing", "staying")),
    phrases={
        ("sleeping", "Draw"): "It is woken by the number of {peer}, and chooses its own.",
        ("drawing", "Draw"): "It has chosen {number}, and waits for the numbers of all undecided neighbours.",
        ("comparing", "Verdict"): "It waits until it knows whether any of its neighbours has won.",
        ("staying", "Stays"): "It waits until it knows which neighbours are still undecided.",
    },
)
