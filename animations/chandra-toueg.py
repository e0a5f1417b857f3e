"""How Chandra-Toueg consensus is drawn: one coordinator with a crown in each round, and estimates that become equal.

The crown is worn by the process that collects estimates or waits for answers; dots show the processes that have
acknowledged.  The pie of a waiting process empties until it suspects its coordinator.  The ring has the tint of the
round; the table shows for each process its estimate and the round in which it was adopted.
"""

from lydian.pieces.animation import Animation, Carries, Column, Countdown, Glyph, Marks, Pointer, Table, Value, derived

CROWN = "M -0.8 0.6 L -0.8 -0.5 L -0.35 0 L 0 -0.7 L 0.35 0 L 0.8 -0.5 L 0.8 0.6 Z"


@derived
def adopted(p):
    """Return the processes that have acknowledged its proposal of this round."""
    return sorted(p.acks.get(str(p.r), ()))


animation = Animation(
    states={"idle": 0, "waiting": 2, "collecting": 1, "proposing": 5, "stopped": 4, "decided": 3},
    messages={"Estimate": 0, "Propose": 1, "Ack": 2, "Nack": 3, "Decide": 4, "Silence": 3},
    labels={"Propose": "Proposal", "Decide": "Decision", "Nack": "Refusal", "Silence": "Suspicion"},
    carries=Carries("x", word="value"),
    pointers=(Pointer("coordinator", style="arrow", while_states=("waiting",), word="waits for"),),
    marks=(Marks("adopted", slot=5, word="has the acknowledgement of", while_states=("proposing",)),),
    values=(Value("r", style="tint", word="round"),),
    countdown=Countdown("Silence", word="time until it suspects its coordinator"),
    table=Table(
        (
            Column("r", word="round", style="tint"),
            Column("x", word="estimate", agree=True),
            Column("ts", word="adopted in", style="tint"),
            Column("decision", word="decision"),
        ),
        title="Estimates",
    ),
    glyphs=(Glyph(CROWN, while_states=("collecting", "proposing"), word="the coordinator"),),
)
