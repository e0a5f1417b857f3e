"""How weight throwing is drawn: weight travels with the work, and is collected by the agent.

Green squares work, blue diamonds wait for weight before they can give work away, and yellow circles are idle.  The line
below a process shows its weight; messages carry the weight with its tint.  The bar of the agent shows the share of all
weight that it has collected, and the crown is its announcement.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Value, Watch, derived

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"


@derived
def share(p):
    """Return the share of all weight that the agent has collected, in percent; None at all others."""
    return round(100 * p.collected / p.total) if p.total else None


animation = Animation(
    states={"idle": 0, "active": 2, "waiting": 3, "announced": 1},
    messages={"Work": 0, "Return": 1, "Ask": 3, "Supply": 4, "Done": 5},
    labels={"Return": "Returned weight", "Ask": "Ask for weight", "Supply": "New weight"},
    carries=Carries({"Work": "weight", "Return": "weight", "Supply": "weight"}, word="weight"),
    values=(Value("share", style="bar", word="% of the weight collected"),),
    watch=Watch("weight {weight_here}", while_states=("active", "waiting")),
    glyphs=(Glyph(CROWN, while_states=("announced",), word="termination is announced"),),
    phrases={("idle", "Work"): "Process {peer} gives it work, and weight: it now has {weight_here}."},
)
