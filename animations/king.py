"""The looks of the King algorithm.

Processes that have the same value lie in one area.  The king of a phase wears a crown in the round in which it speaks;
who was not sure of its value goes over to the area of the king.
"""

from lydian.pieces.animation import Animation, Glyph, Group, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "voting": 2, "proposing": 4, "listening": 5, "reigning": 1, "decided": 3},
    messages={"Value": 0, "Propose": 1, "KingSays": 2, "RoundOver": 3},
    labels={"Value": "Vote", "Propose": "Proposal", "KingSays": "Word of the king", "RoundOver": "End of a round"},
    groups=Group("x", word="have the same value"),
    watch=Watch("phase {phase}: {x}"),
    badge="phase",
    glyphs=(Glyph(CROWN, while_states=("reigning",)),),
    phrases={
        ("idle", "INIT"): "It begins with “{value}” and votes for it.",
        ("voting", "Value"): "A vote; it has {votes:len} by now.",
        ("proposing", "Propose"): "A proposal; it has {proposals:len} by now.",
        ("proposing", "RoundOver"): "Its value is “{x}” now; n - f proposed the same: {sure}.",
        ("listening", "KingSays"): "King {peer} has spoken; its own value is “{x}” now.",
    },
)
