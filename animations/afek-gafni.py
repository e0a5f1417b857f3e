"""The looks of Afek-Gafni.

Arrows point from a captured process to its owner; the bar beside a process is its level, the number it has captured.
Filled heads attack and challenge, rings answer.  The leader wears a crown.
"""

from lydian.pieces.animation import Animation, Glyph, Pointer, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "passive": 3, "leader": 1},
    messages={"Capture": 0, "Challenge": 2, "Verdict": 3, "Accept": 1, "Refuse": 4, "Leader": 5},
    labels={"Leader": "Who is the leader"},
    pointers=(Pointer("owner", style="arrow", word="is owned by"),),
    values=(Value("level", style="bar", word="level"),),
    watch=Watch("level {level}", while_states=("candidate", "leader")),
    badge="level",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("candidate", "Accept"): "It owns {level:process|processes} now, itself included.",
        ("candidate", "Refuse"): "A stronger one is in the way: it stops competing.",
        ("passive", "Capture"): "Its owner is {owner}; if it had one, that one had to be asked first.",
    },
)
