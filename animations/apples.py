"""The looks of the play with apples: baskets on a table, a hat for the leader, a bubble for whoever may speak.

The bars grow with every speech: who stays behind is not heard.
"""

from lydian.pieces.animation import Animation, Baskets, Value

animation = Animation(
    states={"active": 0},
    words={"active": "listens"},
    values=(Value("spoken", style="bar", word="times spoken"),),
    baskets=Baskets("apples", leader="equal", others="differ", says="I may speak", hat=True, pile=True, word="apples"),
)
