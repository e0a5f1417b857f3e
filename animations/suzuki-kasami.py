"""The animation of Suzuki-Kasami.

The coin is the token: it is at a process or moves with a message.  The line below its holder shows the queue that
travels with it.  Requests go to all processes, since only the holder knows where the token is.
"""

from lydian.pieces.animation import Animation, Token, Watch

animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Token": 0, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Want": "Ask to enter", "Leave": "Leave early"},
    letters={"Request": "?"},
    tokens=(Token("token", messages=("Token",), letter="T", word="the token"),),
    watch=Watch("next: {queue}"),
    badge="queue",
    phrases={
        ("wanted", "Token"): "It has the token and enters the critical section;"
        " {queue:process is|processes are} in the queue.",
        ("held", "Request"): "It is in the critical section and records the request until it leaves.",
        ("wanted", "Request"): "It wants the token itself and only records the request.",
        ("held", "Use"): "It leaves the critical section; the token goes to the first process in the queue, or stays.",
    },
)
