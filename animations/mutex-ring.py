"""The animation of the token ring.

The coin is the token: it moves with the only message, and stays with the process that is in the critical section.
"""

from lydian.pieces.animation import Animation, Token, Value

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Token": 0, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Want": "Ask to enter", "Leave": "Leave early"},
    tokens=(Token(while_states=("held",), messages=("Token",), letter="T", word="the token"),),
    values=(Value("entered", style="bar", word="times in the critical section"),),
    phrases={
        ("released", "Token"): "It does not want the resource and passes the token on.",
        ("wanted", "Token"): "It has the token and enters the critical section.",
        ("held", "Use"): "It leaves the critical section and passes the token on.",
    },
)
