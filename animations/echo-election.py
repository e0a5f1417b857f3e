"""The looks of election by Echo.

Every wave is an area of its own: the processes whose best identifier is the same.  Where two waves meet, the weaker one
loses its processes to the stronger.  Red links join a process to the one that brought its wave and waits for it.  The
leader wears a crown; the news of it turn everybody blue.
"""

from lydian.pieces.animation import Animation, Glyph, Group, Pointer, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"sleeping": 0, "candidate": 4, "captured": 2, "acked": 5, "leader": 1, "informed": 3},
    messages={"Broadcast": 0, "Ack": 1, "Leader": 2},
    words={"acked": "acknowledged"},
    labels={"Broadcast": "Wave", "Ack": "Acknowledgement", "Leader": "Who is the leader"},
    groups=Group("best", word="wave"),
    pointers=(
        Pointer("parent", style="waiting", while_states=("captured",), backwards=True, word="waiting chain"),
        Pointer("parent", style="waited", while_states=("acked", "informed"), backwards=True, word="tree of the wave"),
    ),
    watch=Watch("wave of {best}"),
    badge="best",
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("captured", "Broadcast"): "It stays with the strongest wave it has met, that of {best}.",
        ("candidate", "Broadcast"): "It stays with the strongest wave it has met, that of {best}.",
        ("captured", "Ack"): "It waits for {pending:more acknowledgement|more acknowledgements} from its wave.",
        ("candidate", "Ack"): "It waits for {pending:more acknowledgement|more acknowledgements} from its wave.",
        ("acked", "Broadcast"): "It stays with the strongest wave it has met, that of {best}.",
        ("informed", "Leader"): "It knows the leader already.",
    },
)  # fmt: skip
