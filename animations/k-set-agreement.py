"""How k-set agreement is drawn: processes with the same least value share one area.

A message has the colour and the letter of its value.  Blue diamonds have decided; in the end there are at most k areas.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Group, Line, Watch

animation = Animation(
    states={"idle": 0, "flooding": 2, "decided": 3},
    messages={"Least": 0},
    labels={"Least": "Least value"},
    carries=Carries("x", word="value"),
    groups=Group("least", word="have the same least value"),
    chart=Chart((Line("least", of="different", word="different values"),), title="Over time", share=0.2),
    watch=Watch("begins with {value}"),
)
