"""How Viewstamped Replication is drawn: one primary with a crown, and logs that become equal.

Arrows lead to the primary of a backup; an orange triangle changes to another view.  The ring has the tint of the view,
and the pie of a backup empties until it gives its primary up.  Beside the network are the logs, a column for each
replica; requests above the green line are committed.
"""

from lydian.pieces.animation import Animation, Carries, Countdown, Glyph, Logs, Pointer, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "backup": 3, "primary": 1, "changing": 4},
    messages={
        "Prepare": 2,
        "PrepareOk": 4,
        "Commit": 1,
        "StartViewChange": 3,
        "DoViewChange": 0,
        "StartView": 5,
        "Silence": 3,
    },
    labels={
        "StartViewChange": "Change of the view",
        "DoViewChange": "State",
        "StartView": "New view",
        "PrepareOk": "Confirmation",
        "Silence": "Timeout",
    },
    carries=Carries("v", word="view"),
    pointers=(Pointer("primary", style="arrow", while_states=("backup",), word="follows"),),
    values=(Value("v", style="tint", word="view"),),
    countdown=Countdown("Silence", word="time until it gives the primary up"),
    logs=Logs("log", commit="commit", title="Logs side by side"),
    watch=Watch("view {v}", when="v"),
    glyphs=(Glyph(CROWN, while_states=("primary",), word="the primary"),),
)
