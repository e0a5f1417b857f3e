"""How Cole-Vishkin is drawn.

The line below a process shows its colour in binary, first its name, then shorter from round to round; the bar shows the
round.  Green squares shorten their colours, and orange and light triangles shift and recolour.  Finally each process is
filled with its colour, red, blue or purple, and no two neighbours have the same.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"sleeping": 0, "reducing": 2, "shifting": 4, "recolouring": 5, "zero": 1, "one": 3, "two": 6},
    messages={"Colour": 0},
    values=(Value("round", style="bar", word="round"),),
    watch=Watch("{word}"),
    badge="colour",
    phrases={
        ("sleeping", "Colour"): "It is woken by the colour of {peer}.",
        ("reducing", "Colour"): "The lowest bit in which it differs from {peer} gives its new colour, {word}.",
        ("shifting", "Colour"): "It adopts the colour of {peer} ({word} in binary), and its successor adopts the colour"
        " that it had until now.",
        ("recolouring", "Colour"): "Its colour is now {word}: 5, 4 and 3 are removed, one after the other.",
    },
)
