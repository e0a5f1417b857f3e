"""The animation of Hirschberg-Sinclair.

Candidates compete; the bar beside each shows its phase, and dots at its links mark the sides from which its probe of
this phase has returned.  Probes travel outwards, and replies (rings) come back.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Marks, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "passive": 7, "lost": 3, "leader": 1},
    messages={"Probe": 0, "Reply": 1},
    carries=Carries("id", word="identifier"),
    marks=(Marks("replied", slot=4, word="probe has returned from this side"),),
    values=(Value("phase", style="bar", word="phase"),),
    watch=Watch("phase {phase}", while_states=("candidate", "leader")),
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Probe"): "It would stop a lower identifier and lose to a higher one; highest so far: {best}.",
        ("lost", "Probe"): "It has lost, but lower identifiers than its own still end here.",
        ("candidate", "Reply"): "It is in phase {phase} and has {replied:len} of the two replies that it needs.",
        ("lost", "Reply"): "It forwards a reply to the process that sent the probe.",
    },
)
