"""How lazy reliable broadcast is drawn: blue diamonds have delivered a message, and orange triangles have forwarded
one.

A message has the colour and the letter of its contents.
The panel shows what each process has delivered.
"""

from lydian.pieces.animation import Animation, Carries, Logs

animation = Animation(
    states={"waiting": 0, "delivered": 3, "forwarded": 4},
    messages={"Data": 0, "Crash": 3},
    labels={"Data": "Message", "Crash": "Report of a crash"},
    carries=Carries("text", word="message"),
    logs=Logs("log", title="Delivered"),
    badge="log",
    phrases={
        ("waiting", "Data"): "It delivers the message, which has come from {peer}.",
    },
)
