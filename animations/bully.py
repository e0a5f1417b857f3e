"""The animation of Bully.

Orange triangles have asked all higher processes and wait for an answer; sky-blue triangles have an answer and wait for
a leader.  Arrows point from followers to their leader, which wears a crown.
"""

from lydian.pieces.animation import Animation, Carries, Glyph, Pointer, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "electing": 4, "waiting": 5, "leader": 1},
    messages={"Election": 0, "Answer": 1, "Coordinator": 2, "NoAnswer": 3, "NoCoordinator": 4},
    labels={"NoAnswer": "No answer in time", "NoCoordinator": "No leader in time"},
    carries=Carries("sender", word="identifier of the sender"),
    pointers=(Pointer("leader", style="arrow", while_states=("idle",), word="follows"),),
    watch=Watch("follows {leader}", while_states=("idle",)),
    glyphs=(Glyph(CROWN, while_states=("leader",)),),
    phrases={
        ("idle", "INIT"): "It notices that the leader has failed and asks all higher processes.",
        ("electing", "Coordinator"): "It follows {peer} from now on.",
        ("waiting", "Coordinator"): "It follows {peer} from now on.",
    },
)
