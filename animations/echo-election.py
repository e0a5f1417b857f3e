"""The animation of election by Echo.

Each wave is an area: the processes whose best identifier is the same.  Where two waves meet, the weaker one loses its
processes to the stronger.  Red links connect a process to its parent, which brought the wave and waits for the process.
The leader wears a crown; a process that learns its name turns blue.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Group, Pointer, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "captured": 2, "acked": 5, "leader": 1, "informed": 3},
    messages={"Broadcast": 0, "Ack": 1, "Leader": 2},
    words={"acked": "acknowledged"},
    labels={"Broadcast": "Wave", "Ack": "Acknowledgement", "Leader": "Announcement"},
    carries=Carries("id", word="identifier"),
    groups=Group("best", word="wave"),
    pointers=(
        Pointer("parent", style="waiting", while_states=("captured",), backwards=True, word="waiting chain"),
        Pointer("parent", style="waited", while_states=("acked", "informed"), backwards=True, word="tree of the wave"),
    ),
    watch=Watch("wave of {best}"),
    badge="best",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("captured", "Broadcast"): "It belongs to the strongest wave that it has met, the wave of {best}.",
        ("candidate", "Broadcast"): "It belongs to the strongest wave that it has met, the wave of {best}.",
        ("captured", "Ack"): "It waits for {pending:more acknowledgement|more acknowledgements} from its wave.",
        ("candidate", "Ack"): "It waits for {pending:more acknowledgement|more acknowledgements} from its wave.",
        ("acked", "Broadcast"): "It belongs to the strongest wave that it has met, the wave of {best}.",
        ("informed", "Leader"): "It already knows the leader.",
    },
)  # fmt: skip
