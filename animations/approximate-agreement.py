"""How approximate agreement is drawn: the ring of a process has the colour of its number.

The colours become equal; the chart shows the largest number and the mean over time.  Blue diamonds have decided.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Line, Value, Watch

animation = Animation(
    states={"idle": 0, "approaching": 2, "decided": 3},
    messages={"Number": 0},
    carries=Carries("x", word="number"),
    values=(Value("x", style="colour", word="number"),),
    chart=Chart(
        (Line("x", of="max", word="largest"), Line("x", of="mean", word="mean")), title="Numbers", share=0.25
    ),
    watch=Watch("{x}", when="past"),
)
