"""The looks of Cole-Vishkin.

The line beside a process is its colour in bits, first its name, then shorter from round to round; the bar is the
round.  Green squares shorten their colours, orange and light ones shift and recolour.  In the end the colour is to be
seen: red, blue and purple, never two alike side by side.
"""

from lydian.pieces.animation import Animation, Value, Watch

animation = Animation(
    states={"sleeping": 0, "reducing": 2, "shifting": 4, "recolouring": 5, "zero": 1, "one": 3, "two": 6},
    messages={"Colour": 0},
    values=(Value("round", style="bar", word="round"),),
    watch=Watch("{word}"),
    badge="colour",
    phrases={
        ("sleeping", "Colour"): "The colour of {peer} wakes it.",
        ("reducing", "Colour"): "The lowest bit in which it differs from {peer} gives its new colour, {word}.",
        ("shifting", "Colour"): "It takes the colour of {peer}, {word}, and its successor takes its own.",
        ("recolouring", "Colour"): "Its colour is {word} now: 5, 4 and 3 go, one after the other.",
    },
)
