"""How the play with one apple is drawn: baskets on a table, and a bubble for the actor with an apple on the left."""

from lydian.pieces.animation import Animation, Baskets, Value

animation = Animation(
    states={"active": 0},
    messages={"Apple": 2},
    words={"active": "listens"},
    values=(Value("spoken", style="bar", word="times spoken"),),
    baskets=Baskets("apples", side="left", leader="some", others="some", says="I may speak", word="apples"),
)
