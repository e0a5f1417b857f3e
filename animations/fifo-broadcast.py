"""How FIFO broadcast is drawn: green squares hold messages back, and blue diamonds hold none.

A message has the colour of its number and its number as a letter.  The cards beside a process are the messages that it
holds back; the panel shows what each process has delivered, in order.
"""

from lydian.pieces.animation import Animation, Carries, Logs, Queue, derived


@derived
def early(p):
    """Return the texts of the messages that are held back."""
    return [text for _, _, text in p.held]


animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Data": 0},
    labels={"Data": "Message"},
    carries=Carries("number", word="number"),
    queues=(Queue("early", word="held back"),),
    logs=Logs("log", title="Delivered, in order"),
    badge="early",
)
