"""How the Berkeley algorithm is drawn: the ring of a process has the colour of its correction.

The master wears a crown.  A message from a process shows the time that it contains, rounded down; a change shows its
amount.  Dots mark the links to the processes whose clocks the master has averaged.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Glyph, Line, Marks, Value, Watch, derived

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"


@derived
def shown(p):
    """Return the correction with two decimals."""
    return f"{p.correction:+.2f}"


animation = Animation(
    states={"unset": 0, "polling": 1, "master": 5, "set": 3},
    messages={"Ask": 3, "Time": 0, "Adjust": 2, "Poll": 5, "Patience": 5},
    labels={"Ask": "Question", "Adjust": "Change", "Poll": "Next poll", "Patience": "Timeout"},
    carries=(Carries({"Time": "time // 1"}, word="time"), Carries({"Adjust": "change // 1"}, word="change")),
    values=(Value("correction", style="colour", word="correction"),),
    marks=(Marks("group", slot=2, word="was averaged", while_states=("master",)),),
    watch=Watch("clock {shown}"),
    glyphs=(Glyph(CROWN, while_states=("polling", "master"), word="the master"),),
    chart=Chart(
        (Line("correction", of="max", word="ahead by up to"), Line("-correction", of="max", word="behind by up to")),
        title="Over time", share=0.2,
    ),
)  # fmt: skip
