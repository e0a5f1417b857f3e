"""How total order from consensus is drawn: orange triangles take part in consensus, and blue diamonds wait for
messages.

Messages of reliable broadcast and imposed batches have different heads; a batch has the colour and the number of its
instance.  The cards beside a process are messages that are not yet ordered; the panel shows what each has delivered.
"""

from lydian.pieces.animation import Animation, Carries, Logs, Queue

animation = Animation(
    states={"clear": 3, "ordering": 4},
    messages={"Data": 0, "Impose": 1, "Crash": 3},
    labels={"Data": "Message", "Impose": "Imposed batch", "Crash": "Report of a crash"},
    carries=Carries({"Impose": "k", "Data": "text"}, word="instance or message"),
    queues=(Queue("unordered", word="not yet ordered"),),
    logs=Logs("log", title="Delivered, in order"),
    badge="k",
)
