"""The animation of Dolev-Klawe-Rodeh.

Processes that carry an identifier are active (waiting for the identifier behind them) or comparing (waiting for the one
behind that); the line below shows which identifier they carry: 8 may be carried by a process other than 8.  The bar
shows the round.  Triangles carry the first identifier of a round, and rings the second; the last kind announces the
winner.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Value, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "active": 4, "comparing": 5, "passive": 7, "lost": 3, "leader": 1},
    messages={"One": 0, "Two": 1, "Elected": 2},
    labels={"One": "First identifier", "Two": "Second identifier", "Elected": "The winner"},
    carries=Carries("id", word="identifier"),
    values=(Value("round", style="bar", word="round"),),
    watch=Watch("carries {ci}", while_states=("active", "comparing")),
    badge="ci",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("active", "One"): "The active process behind it carries {acn}.",
        ("comparing", "Two"): "It compares {acn} with both sides: only the highest of the three goes on.",
        ("passive", "One"): "It carries no identifier and forwards the message.",
        ("passive", "Two"): "It carries no identifier and forwards the message.",
        ("passive", "Elected"): "It learns that {win} has won and informs the next process.",
    },
)  # fmt: skip
