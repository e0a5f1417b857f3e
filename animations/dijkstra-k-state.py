"""How Dijkstra's token ring is drawn: a counter between every two neighbours, and a bubble where there is a token.

The colour of the ring round a process is the value of its counter, so the leader's new value can be seen going round.
A frame shows that there are several tokens.
"""

from lydian.pieces.animation import Animation, Baskets, Value

animation = Animation(
    states={"active": 0},
    words={"active": "process"},
    values=(Value("x", style="colour", word="counter"),),
    baskets=Baskets("x", leader="equal", others="differ", says="token", style="number", word="counter"),
)
