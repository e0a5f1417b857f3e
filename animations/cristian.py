"""How Cristian's synchronisation is drawn: below each process, by how much its clock is corrected.

The red process is the server, green squares ask, blue diamonds have set their clocks, and orange triangles have given
up. An answer shows the time that it contains, rounded down.  The table shows the round trip with which a client set its
clock, and how large its error may be."""

from lydian.pieces.animation import Animation, Carries, Chart, Column, Line, Table, Value, Watch, derived


@derived
def shown(p):
    """Return the correction with two decimals."""
    return f"{p.correction:+.2f}"


@derived
def round_trip(p):
    """Return the last round trip with two decimals."""
    return f"{p.trip:.2f}" if p.bound is not None else None


@derived
def error(p):
    """Return the largest possible error with two decimals."""
    return f"{p.bound:.2f}" if p.bound is not None else None


animation = Animation(
    states={"unset": 0, "server": 1, "asking": 2, "set": 3, "gave up": 4},
    messages={"Ask": 3, "Time": 0, "Sync": 5},
    labels={"Ask": "Question", "Sync": "Next period"},
    carries=Carries({"Time": "time // 1"}, word="time"),
    values=(Value("correction", style="colour", word="correction"),),
    watch=Watch("clock {shown}"),
    table=Table(
        (Column("shown", word="correction"), Column("round_trip", word="round trip"),
         Column("error", word="error at most"),
         Column("tried if state != 'server' else None", word="tries")),
        title="Clocks",
    ),
    chart=Chart(
        (Line("correction", of="max", word="ahead by up to"), Line("-correction", of="max", word="behind by up to")),
        title="Over time", share=0.2,
    ),
)  # fmt: skip
