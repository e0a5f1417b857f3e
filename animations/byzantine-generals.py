"""How the Byzantine generals are drawn.

The commander wears a star.  Waiting lieutenants count the messages they have received; green squares attack, blue
diamonds retreat, and generals that do the same share one area.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Group, Watch

STAR = (
    "M 0 -0.95 L 0.22 -0.3 L 0.9 -0.3 L 0.36 0.12 L 0.56 0.77 L 0 0.38 L -0.56 0.77 L -0.36 0.12 L -0.9 -0.3 "
    "L -0.22 -0.3 Z"
)

animation = Animation(
    states={"idle": 0, "waiting": 4, "attacking": 2, "retreating": 3},
    messages={"Order": 0, "AllSaid": 3},
    labels={"Order": "Order", "AllSaid": "End of all rounds"},
    carries=Carries("order", colours={"attack": 4, "retreat": 1}, stays=True),
    groups=Group("decision", word="do the same"),
    watch=Watch("messages received: {said:len}", when="said", while_states=("waiting",)),
    badge="said",
    glyphs=(Glyph(STAR, variable="leads", word="the commander"),),
    phrases={
        ("waiting", "Order"): "It records what {peer} says, and passes it on to processes that are not in the path.",
        ("waiting", "AllSaid"): "It has recorded {said:message|messages}; their recursive majority is {decision}.",
    },
)
