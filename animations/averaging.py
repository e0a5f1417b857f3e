"""How fault-tolerant averaging is drawn: the ring of a process has the colour of its correction.

Green squares collect times, and blue diamonds have finished.  A message shows the time that it contains, rounded down.
The chart shows by how much clocks are ahead and behind: without drift, clocks with equal corrections show the same
time.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Column, Line, Table, Value, Watch, derived


@derived
def shown(p):
    """Return the correction with two decimals."""
    return f"{p.correction:+.2f}"


@derived
def last(p):
    """Return the last change with two decimals."""
    return f"{p.change:+.2f}" if p.settled else None


animation = Animation(
    states={"running": 0, "collecting": 2, "done": 3},
    messages={"Time": 0, "Begin": 5, "Change": 5},
    labels={"Begin": "Period", "Change": "Setting"},
    carries=Carries("time // 1", word="time"),
    values=(Value("correction", style="colour", word="correction"),),
    watch=Watch("clock {shown}"),
    table=Table(
        (Column("settled", word="settings"), Column("last", word="last change"), Column("shown", word="correction")),
        title="Clocks",
    ),
    chart=Chart(
        (Line("correction", of="max", word="ahead by up to"), Line("-correction", of="max", word="behind by up to")),
        title="Over time", share=0.2,
    ),
)  # fmt: skip
