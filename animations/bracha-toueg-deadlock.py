"""How Bracha-Toueg is drawn: an arrow leads from each blocked process to every process that it has asked.

Blue diamonds are not blocked, green squares are blocked, yellow circles could go on, and the red hexagon is deadlocked.
The number at the corner of a process is the number of grants that it still needs.  Notifications follow the arrows;
grants come back along them.
"""

from lydian.pieces.animation import Animation, Glyph, Marks, Watch

animation = Animation(
    states={"running": 3, "blocked": 2, "free": 0, "deadlocked": 1},
    messages={"Request": 0, "Notify": 2, "Done": 3, "Grant": 1, "Ack": 4, "Detect": 5},
    labels={"Notify": "Notification", "Done": "Notification over", "Ack": "Grant over", "Detect": "Detection"},
    letters={"Request": "R", "Notify": "N", "Done": "n", "Grant": "G", "Ack": "g"},
    marks=(Marks("asked", style="arrow", word="has asked"),),
    watch=Watch("needs {needed} of {asked:len}", while_states=("blocked", "deadlocked")),
    badge="needed",
    glyphs=(Glyph("!", while_states=("deadlocked",), word="deadlock"),),
)
