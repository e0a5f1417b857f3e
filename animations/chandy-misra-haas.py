"""The looks of Chandy-Misra-Haas: arrows lead to whom a process waits for.

Blue diamonds run, green squares are blocked, red hexagons have found that they wait for themselves.  Probes follow the
arrows; a deadlock is a circle of them.
"""

from lydian.pieces.animation import Animation, Glyph, Marks, Watch

animation = Animation(
    states={"running": 3, "blocked": 2, "deadlocked": 1},
    messages={"Request": 0, "Grant": 1, "Probe": 2, "Suspect": 5},
    marks=(Marks("waits_for", style="arrow", word="waits for"),),
    watch=Watch("dependent: {dependent:len}", while_states=("blocked", "deadlocked")),
    glyphs=(Glyph("!", while_states=("deadlocked",), word="deadlock"),),
    letters={"Request": "R", "Grant": "G", "Probe": "?"},
    phrases={
        ("blocked", "Probe"): "If {peer} waits for it, so does who began this probe; it passes a new one on.",
        ("blocked", "Suspect"): "It has been blocked for long, and asks along the arrows whether it waits for itself.",
        ("blocked", "Grant"): "{peer} has granted; it waits for {waits_for:len}.",
    },
)
