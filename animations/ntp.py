"""How NTP is drawn: below each process, by how much its clock is corrected, and its distance.

The red process is the primary server, yellow circles have not set their clocks, and blue diamonds have.  The table
shows how far from the right time each clock may be.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Column, Line, Table, Value, Watch, derived


@derived
def shown(p):
    """Return the correction with two decimals."""
    return f"{p.correction:+.2f}"


@derived
def error(p):
    """Return the largest possible error at the last measurement with two decimals."""
    return f"{p.bound:.2f}" if p.bound is not None else None


@derived
def measurements(p):
    """Return the number of measurements that are kept."""
    return len(p.kept) if p.kept is not None else None


animation = Animation(
    states={"primary": 1, "unset": 0, "set": 3},
    messages={"Ask": 3, "Answer": 0, "Poll": 5, "Busy": 4},
    labels={"Ask": "Question", "Poll": "Next question", "Busy": "Answer is ready"},
    carries=Carries({"Answer": "t3 // 1"}, word="time"),
    values=(Value("correction", style="colour", word="correction"),),
    watch=Watch("clock {shown}"),
    table=Table(
        (Column("shown", word="correction"), Column("error", word="error at most"),
         Column("measurements", word="measurements")),
        title="Clocks",
    ),
    chart=Chart((Line("bound", of="max", word="largest error at most"),), title="Over time", share=0.2),
)  # fmt: skip
