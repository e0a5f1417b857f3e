"""How eager reliable broadcast is drawn: blue diamonds have delivered a message and have forwarded it.

A message has the colour and the letter of its contents; the panel shows what each process has delivered.
"""

from lydian.pieces.animation import Animation, Carries, Logs

animation = Animation(
    states={"waiting": 0, "delivered": 3},
    messages={"Data": 0},
    labels={"Data": "Message"},
    carries=Carries("text", word="message"),
    logs=Logs("log", title="Delivered"),
    badge="log",
    phrases={
        ("waiting", "Data"): "It delivers the message, which has come from {peer}, and forwards it.",
    },
)
