"""The animation of Afek-Gafni.

Arrows point from a captured process to its owner; the bar beside a process shows its level, the number of processes
that it owns.  Filled heads attack and challenge, and rings answer.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Glyph, Pointer, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "passive": 3, "leader": 1},
    messages={"Capture": 0, "Challenge": 2, "Verdict": 3, "Accept": 1, "Refuse": 4, "Leader": 5},
    labels={"Leader": "Announcement"},
    pointers=(Pointer("owner", style="arrow", word="is owned by"),),
    values=(Value("level", style="bar", word="level"),),
    watch=Watch("level {level}", while_states=("candidate", "leader")),
    badge="level",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Accept"): "It now owns {level:process|processes}, including itself.",
        ("candidate", "Refuse"): "It has met a stronger candidate and stops competing.",
        ("passive", "Capture"): "Its owner is {owner}; an owner must be beaten first.",
    },
)
