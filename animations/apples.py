"""How the play with apples is drawn: baskets on a table, a hat for the leader, and a bubble for each actor that may
speak.

The bars grow with every speech: an actor whose bar stays short does not get to speak.
"""

from lydian.pieces.animation import Animation, Baskets, Value

animation = Animation(
    states={"active": 0},
    words={"active": "listens"},
    values=(Value("spoken", style="bar", word="times spoken"),),
    baskets=Baskets("apples", leader="equal", others="differ", says="I may speak", hat=True, pile=True, word="apples"),
)
