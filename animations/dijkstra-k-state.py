"""The looks of Dijkstra's token ring: a counter in the basket between neighbours, and who has a token says so.

The ring round a process has the colour of its counter's value, so that one sees the leader's new value go round.  A red
frame shows that there are several tokens.
"""

from lydian.pieces.animation import Animation, Baskets, Value

animation = Animation(
    states={"active": 0},
    words={"active": "process"},
    values=(Value("x", style="colour", word="counter"),),
    baskets=Baskets("x", leader="equal", others="differ", says="token", style="number", word="counter"),
)
