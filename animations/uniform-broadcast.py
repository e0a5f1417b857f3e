"""How uniform reliable broadcast is drawn: green squares hold a message back until a majority has it.

Dots show which processes have acknowledged the message that is held back; a blue diamond has delivered all that it has
received.  The panel shows what each process has delivered.
"""

from lydian.pieces.animation import Animation, Carries, Logs, Marks, derived


@derived
def have(p):
    """Return the processes that have a message which is not yet delivered."""
    return sorted({q for text, known in p.ack.items() if text not in p.log for q in known})


animation = Animation(
    states={"waiting": 0, "holding": 2, "delivered": 3},
    messages={"Data": 0},
    labels={"Data": "Message"},
    carries=Carries("text", word="message"),
    marks=(Marks("have", slot=2, word="has the acknowledgement of", while_states=("holding",)),),
    logs=Logs("log", title="Delivered"),
    badge="log",
)
