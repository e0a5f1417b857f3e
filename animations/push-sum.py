"""How push-sum is drawn: the ring of a process has the colour of its estimate; in the end all colours are equal.

A message shows the estimate of its share, rounded down.  The chart shows the largest and the mean estimate, and the
table the sum and the weight of each process."""

from lydian.pieces.animation import Animation, Carries, Chart, Column, Line, Table, Value

animation = Animation(
    states={"idle": 0, "mixing": 2, "decided": 3},
    messages={"Share": 0, "ROUND": 3},
    labels={"ROUND": "Round"},
    carries=Carries("s // w", word="estimate"),
    values=(Value("estimate", style="colour", word="estimate"),),
    table=Table(
        (Column("number", word="number"), Column("(s * 100 // 1) / 100", word="sum"),
         Column("(w * 1000 // 1) / 1000", word="weight"), Column("(estimate * 10 // 1) / 10", word="estimate")),
        title="Sums and weights", share=0.4,
    ),
    chart=Chart(
        (Line("estimate", of="max", word="largest estimate"), Line("estimate", of="mean", word="mean estimate")),
        title="Over time", share=0.25,
    ),
)  # fmt: skip
