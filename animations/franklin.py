"""The animation of Franklin.

Candidates compete; the bar beside each shows its round, and the line below it says how many identifiers it keeps, of
this round or of later ones.  Triangles carry the identifier of a candidate, with its tint and its name; the other kind
announces the winner, which wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "passive": 7, "lost": 3, "leader": 1},
    messages={"Candidate": 0, "Elected": 2},
    labels={"Candidate": "Identifier of a candidate", "Elected": "The winner"},
    carries=Carries("id", word="identifier"),
    values=(Value("round", style="bar", word="round"),),
    watch=Watch("round {round}", while_states=("candidate", "leader")),
    badge="kept",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("passive", "Candidate"): "It does not compete and forwards the identifier.",
        ("passive", "Elected"): "It learns that {win} has won and informs the next process.",
    },
)
