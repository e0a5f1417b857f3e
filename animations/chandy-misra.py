"""The animation of Chandy-Misra.

A dot at a philosopher's end of a link is the fork of that link; a dirty fork has an arrow towards the neighbour, which
goes first.  Forks in transit are messages of the same colour.  A philosopher that eats has a dot on every link.
"""

from lydian.pieces.animation import Animation, Glyph, Marks, Value

FORK = "M -0.5 -0.8 L -0.5 -0.1 L 0 0.2 L 0.5 -0.1 L 0.5 -0.8 M 0 -0.8 L 0 0.9"

animation = Animation(
    states={"thinking": 0, "hungry": 4, "eating": 6},
    messages={"Ask": 2, "Fork": 0, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Want": "Become hungry", "Leave": "Stop eating"},
    letters={"Ask": "?", "Fork": "Y"},
    marks=(
        Marks("forks", slot=6, word="has the fork"),
        Marks("dirty", slot=3, style="arrow", word="dirty: the other goes first"),
    ),
    values=(Value("entered", style="bar", word="meals"),),
    glyphs=(Glyph(FORK, while_states=("eating",), word="eats"),),
    phrases={
        ("thinking", "Ask"): "It does not need the fork now, so it cleans it and gives it away.",
        ("eating", "Ask"): "It is eating; {peer} will get the fork afterwards.",
    },
)
