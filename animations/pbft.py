"""How PBFT is drawn: a primary with a crown, three waves of messages, and logs that become equal.

A message has the colour and the letter of its request, if it is about a single one.  Arrows lead to the primary of a
backup; an orange triangle changes to another view.  The ring has the tint of the view, and the pie empties until a
replica gives the view up.  The panel shows the requests that each replica has executed.
"""

from lydian.pieces.animation import Animation, Carries, Countdown, Glyph, Logs, Pointer, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "backup": 3, "primary": 1, "changing": 4},
    messages={
        "PrePrepare": 2,
        "Prepare": 0,
        "Commit": 1,
        "ViewChange": 3,
        "NewView": 5,
        "State": 4,
        "Certificate": 4,
        "Silence": 3,
    },
    labels={
        "PrePrepare": "Pre-prepare",
        "ViewChange": "Change of the view",
        "NewView": "New view",
        "Silence": "Timeout",
    },
    carries=Carries("x", word="request"),
    pointers=(Pointer("primary", style="arrow", while_states=("backup",), word="follows"),),
    values=(Value("v", style="tint", word="view"),),
    countdown=Countdown("Silence", word="time until it gives the view up"),
    logs=Logs("log", title="Executed"),
    watch=Watch("view {v}", when="v"),
    glyphs=(Glyph(CROWN, while_states=("primary",), word="the primary"),),
)
