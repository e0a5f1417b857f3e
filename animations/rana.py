"""How Rana's algorithm is drawn: green squares work, orange triangles wait for acknowledgements, and blue diamonds are
quiet.

The line below a quiet process shows since when it has been quiet.  A wave has the colour and the letters of the time
and the process with which it began; a process whose own time is later stops it.  The crown is the announcement.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Glyph, Line, Watch

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"

animation = Animation(
    states={"idle": 0, "active": 2, "waiting": 4, "quiet": 3, "announced": 1},
    messages={"Work": 0, "Ack": 2, "Wave": 1, "Done": 5},
    labels={"Ack": "Acknowledgement"},
    carries=Carries({"Wave": "since"}, word="quiet since"),
    watch=Watch("quiet since {since}", while_states=("quiet", "announced")),
    badge="missing",
    glyphs=(Glyph(CROWN, while_states=("announced",), word="termination is announced"),),
    chart=Chart(
        (Line("state == 'active'", word="are working"), Line("state == 'quiet'", word="are quiet"),
         Line("waves", of="sum", word="waves started")), title="Over time", share=0.2),
)  # fmt: skip
