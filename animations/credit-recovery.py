"""How credit recovery is drawn: credits are halved on their way out and added up when they return.

Green squares work; the number below is the exponent of their credit: 3 is a credit of 1/8.  The same number is the
letter and the tint of a message.  The line below the initiator lists the exponents of the credits that it has
recovered; the crown is the announcement.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "active": 2, "announced": 1},
    messages={"Work": 0, "Return": 1, "Done": 5},
    labels={"Return": "Returned credit"},
    carries=Carries("credit", word="exponent of the credit"),
    values=(Value("credit", word="credit"),),
    watch=Watch("recovered: {recovered}"),
    badge="recovered",
    glyphs=(Glyph(CROWN, while_states=("announced",), word="termination is announced"),),
    phrases={
        ("idle", "Work"): "Process {peer} gives it work, and half of the credit that it had.",
        ("active", "Work"): "It is already working, so the credit of the new work returns to the initiator at once.",
    },
)
