"""The animation of Peterson's election.

The line below an active process shows the identifier that it carries, which may be that of another process; the bar
shows the phase.  Arrows that carry an identifier have its tint and its name; the other kind announces the winner.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "active": 4, "passive": 7, "lost": 3, "leader": 1},
    messages={"Candidate": 0, "Elected": 2},
    labels={"Candidate": "Identifier carried", "Elected": "The winner"},
    carries=Carries("id", word="identifier"),
    values=(Value("phase", style="bar", word="phase"),),
    watch=Watch("carries {ci}", while_states=("active",)),
    badge="ci",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("passive", "Candidate"): "It carries no identifier and forwards the message.",
        ("passive", "Elected"): "It learns that {win} has won and informs the next process.",
    },
)
