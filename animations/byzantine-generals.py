"""The looks of the Byzantine generals.

The commander wears a star.  Those who wait count what was said to them; green attacks, blue retreats, and those who do
the same lie in one area.
"""

from lydian.pieces.animation import Animation, Glyph, Group, Watch

STAR = (
    "M 0 -0.95 L 0.22 -0.3 L 0.9 -0.3 L 0.36 0.12 L 0.56 0.77 L 0 0.38 L -0.56 0.77 L -0.36 0.12 L -0.9 -0.3 "
    "L -0.22 -0.3 Z"
)

animation = Animation(
    states={"idle": 0, "waiting": 4, "attacking": 2, "retreating": 3},
    messages={"Order": 0, "AllSaid": 3},
    labels={"Order": "What was ordered", "AllSaid": "Everything has been said"},
    groups=Group("decision", word="do the same"),
    watch=Watch("voices heard: {said:len}", when="said", while_states=("waiting",)),
    badge="said",
    glyphs=(Glyph(STAR, variable="leads", word="the commander"),),
    phrases={
        ("waiting", "Order"): "It notes what {peer} says, and tells those through whom it has not come.",
        ("waiting", "AllSaid"): "It has heard {said:len} of the voices; what most of them make of it is: {decision}.",
    },
)
