"""How the King algorithm is drawn.

Processes with the same value share one area.  The king of a phase wears a crown in the round in which it sends; a
process that is not sure of its value moves to the area of the king.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Group, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "voting": 2, "proposing": 4, "listening": 5, "reigning": 1, "decided": 3},
    messages={"Value": 0, "Propose": 1, "KingSays": 2, "RoundOver": 3},
    labels={"Value": "Vote", "Propose": "Proposal", "KingSays": "King's value", "RoundOver": "End of the round"},
    carries=Carries("x", word="value"),
    groups=Group("x", word="have the same value"),
    watch=Watch("phase {phase}: {x}"),
    badge="phase",
    glyphs=(Glyph(CROWN, while_states=("reigning",)),),
    phrases={
        ("idle", "INIT"): "It begins with “{value}” and votes for it.",
        ("voting", "Value"): "It counts a vote; it now has {votes:vote|votes}.",
        ("proposing", "Propose"): "It counts a proposal; it now has {proposals:proposal|proposals}.",
        ("proposing", "RoundOver"): "Its value is now “{x}”; n - f processes proposed the same: {sure}.",
        ("listening", "KingSays"): "It has heard the king, {peer}; its own value is now “{x}”.",
    },
)
