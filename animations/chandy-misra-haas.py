"""How Chandy-Misra-Haas is drawn: an arrow leads from each process to every process it waits for.

Blue diamonds run, green squares are blocked, and red hexagons have detected that they wait for themselves.  Probes
follow the arrows; a deadlock is a cycle of arrows.
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
        ("blocked", "Probe"): "If {peer} waits for it, the origin of this probe does too: it passes the probe on once.",
        ("blocked", "Suspect"): "It has been blocked for a long time: it sends probes along the arrows to see if they"
        " return.",
        ("blocked", "Grant"): "Process {peer} has granted; it still waits for {waits_for:process|processes}.",
    },
)
